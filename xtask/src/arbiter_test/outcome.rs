//! What a runner made of the scripted games: a row for each, and the lines that are printed.

use std::collections::BTreeMap;

use reports::Row;
use serde::{Deserialize, Serialize};
use suites::arbiter::{ArbiterCase, ExpectedEnd, Policy};

use super::command::Runner;
use crate::program;

/// What a runner made of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It ended as it has to.
    Right,
    /// It ended otherwise.
    Wrong(String),
    /// The runner refused a position in which the game is over already.
    Refused,
    /// The runner has no way to play it.
    NotSupported(String),
    /// The runner wrote no game.
    NotPlayed(String),
}

impl Verdict {
    fn name(&self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong(_) => "wrong",
            Self::Refused => "refused",
            Self::NotSupported(_) => "not supported",
            Self::NotPlayed(_) => "not played",
        }
    }

    fn why(&self) -> &str {
        match self {
            Self::Right | Self::Refused => "",
            Self::Wrong(why) | Self::NotSupported(why) | Self::NotPlayed(why) => why,
        }
    }
}

/// A game and what a runner made of it.
pub(super) struct Outcome<'a> {
    pub(super) case: &'a ArbiterCase,
    pub(super) verdict: Verdict,
}

/// A row of arbiter.csv.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct OutcomeRow {
    pub(super) case: String,
    pub(super) policy: String,
    pub(super) verdict: String,
    /// The result, the end and the plies.
    pub(super) expected: String,
    /// What is wrong; empty if nothing is.
    pub(super) got: String,
    pub(super) rule: String,
}

impl Row for OutcomeRow {
    const FILE: &'static str = "arbiter.csv";
}

impl Outcome<'_> {
    pub(super) fn row(&self, policy: Policy) -> OutcomeRow {
        OutcomeRow {
            case: self.case.id.clone(),
            policy: policy.name().to_owned(),
            verdict: self.verdict.name().to_owned(),
            expected: words(self.case.end_under(policy)),
            got: self.verdict.why().to_owned(),
            rule: self.case.rule.clone(),
        }
    }
}

fn words(end: ExpectedEnd) -> String {
    format!("{} {} after {} plies", end.result, end.end, end.plies)
}

/// A line for each class, and some for each game that is not right.
pub(super) fn lines(outcomes: &[Outcome<'_>], runner: &Runner) -> Vec<String> {
    let mut classes: BTreeMap<&str, [u64; 5]> = BTreeMap::new();
    let mut all = [0; 5];
    for Outcome { case, verdict } in outcomes {
        let index = match verdict {
            Verdict::Right => 0,
            Verdict::Wrong(_) => 1,
            Verdict::Refused => 2,
            Verdict::NotSupported(_) => 3,
            Verdict::NotPlayed(_) => 4,
        };
        classes.entry(case.class()).or_default()[index] += 1;
        all[index] += 1;
    }
    let row = |name: &str, [right, wrong, refused, unsupported, unplayed]: [u64; 5]| {
        format!("{name:22}{right:>7}{wrong:>7}{refused:>9}{unsupported:>15}{unplayed:>12}")
    };
    let mut lines = vec![format!(
        "{:22}{:>7}{:>7}{:>9}{:>15}{:>12}",
        "class", "right", "wrong", "refused", "not supported", "not played"
    )];
    lines.extend(classes.iter().map(|(class, counts)| row(class, *counts)));
    lines.push(row("all", all));
    for Outcome { case, verdict } in outcomes {
        if !matches!(verdict, Verdict::Wrong(_) | Verdict::NotPlayed(_)) {
            continue;
        }
        lines.push(String::new());
        lines.push(format!("{}: {}", verdict.name(), case.id));
        lines.push(format!("  position  {}", case.fen));
        if !case.book.is_empty() {
            lines.push(format!("  book      {}", case.book.join(" ")));
        }
        lines.push(format!("  expected  {}", words(case.end_under(runner.policy))));
        lines.push(format!("  got       {}", reports::plain(verdict.why())));
        lines.push(format!("  because   {}", case.rule));
        lines.push(format!("  {}", program::command(runner.replay(&case.id))));
    }
    lines
}
