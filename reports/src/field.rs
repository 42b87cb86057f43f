//! The page on engines of others: who they are, what was found, and how each finding is seen again.
//!
//! Markdown. Unlike the reports it tells of times, and of the machine by them. What people saw when they put a finding to
//! the engine by hand stands in a file of its own, and beside the finding.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use suites::Difference;
use suites::catalogue::{self, Severity};

use crate::{Row, Run};

/// What was seen when the findings of a check on an engine were put to it by hand.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FieldNote {
    /// The engine's name.
    pub engine: String,
    /// Id of the check.
    pub check: String,
    /// What was seen.
    pub by_hand: String,
}

impl Row for FieldNote {
    const FILE: &'static str = "field-notes.csv";
}

/// An engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// How it is started.
    pub command: String,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It is not there.
    Absent,
    /// It could not be checked, and why.
    Failed(String),
    /// It was checked.
    Checked {
        /// What was found.
        run: Box<Run>,
        /// How long that took.
        took: Duration,
    },
}

impl Outcome {
    /// In a few words.
    pub fn summary(&self) -> String {
        match self {
            Self::Absent => "not installed".to_owned(),
            Self::Failed(why) => why.lines().next().unwrap_or_default().to_owned(),
            Self::Checked { run, took } => format!("{} in {:.0} s", counts(run), took.as_secs_f64()),
        }
    }
}

/// Findings of one check that are shown; all stand in the reports.
const SHOWN: usize = 3;

/// The page; a note that belongs to no finding is named, for what it tells of may come and go.
pub fn document(entries: &[Entry], notes: &[FieldNote]) -> String {
    let mut text = HEAD.to_owned();
    for Entry { name, command, outcome } in entries {
        let (who, took) = match outcome {
            Outcome::Checked { run, took } => {
                let card = run.engine.as_ref();
                let who = card.and_then(|card| card.id.get("name")).map_or("", String::as_str);
                (who, format!("{:.0} s", took.as_secs_f64()))
            }
            Outcome::Absent | Outcome::Failed(_) => ("", String::new()),
        };
        let found = match outcome {
            Outcome::Checked { run, .. } => counts(run),
            other => other.summary(),
        };
        let _ =
            writeln!(text, "| [{name}](#{name}) | {} | `{command}` | {} | {took} |", cell(who), cell(&found));
    }
    for Entry { name, outcome, .. } in entries {
        let _ = write!(text, "\n## {name}\n\n");
        match outcome {
            Outcome::Absent => text.push_str("Not installed here, and so not checked.\n"),
            Outcome::Failed(why) => {
                let _ = write!(text, "Could not be checked:\n\n```\n{why}\n```\n");
            }
            Outcome::Checked { run, .. } => findings(&mut text, run, name, notes),
        }
    }
    text
}

const HEAD: &str = "\
# Field report

Engines of others, as `verify --engine` finds them. `cargo xtask field-test` writes this page anew; what is installed is asked,
what is not is named. Each finding stands here with the command that shows it again, the first of each check; all are in
`target/touchstone/field`. What was seen when they were put to the engine by hand is in `field-notes.csv`.

| engine | says that it is | started as | found | took |
|---|---|---|---|---|
";

/// How many checks agree, and how many findings there are of each severity.
fn counts(run: &Run) -> String {
    let severities = Severity::ALL.into_iter().rev();
    let counted = severities.map(|severity| (run.differed_with(severity), severity));
    let counted = counted.filter(|(count, _)| *count > 0);
    let found: Vec<String> = counted
        .map(|(count, severity)| format!("{count} {severity}{}", if count == 1 { "" } else { "s" }))
        .collect();
    if found.is_empty() { "nothing".to_owned() } else { found.join(", ") }
}

fn findings(text: &mut String, run: &Run, engine: &str, notes: &[FieldNote]) {
    if let Some(card) = &run.engine {
        let _ = writeln!(text, "{}, ended after `quit` with {}.", card.introduction(), card.after_quit);
    }
    let own = run.engine.as_ref().map(|card| card.name.as_str());
    let tallies = || run.tallies().filter(|tally| own.is_none_or(|own| own == tally.subject));
    let differing = tallies().filter(|tally| tally.differed > 0).count();
    let skipped = tallies().filter(|tally| tally.compared() == 0).count();
    let _ = writeln!(
        text,
        "Of {} sets of cases something differs in {differing}, and {skipped} were not compared.",
        tallies().count()
    );
    let mut by_check = BTreeMap::<_, Vec<&Difference>>::new();
    for severity in Severity::ALL {
        for difference in run.differences_with(severity) {
            let key = (std::cmp::Reverse(severity), difference.check.as_str());
            by_check.entry(key).or_default().push(difference);
        }
    }
    let notes: BTreeMap<&str, &str> = notes
        .iter()
        .filter(|note| note.engine == engine)
        .map(|note| (&*note.check, &*note.by_hand))
        .collect();
    let path = run.engine.as_ref().map_or("", |card| card.path.as_str());
    let mut told = BTreeSet::new();
    for ((std::cmp::Reverse(severity), check), found) in by_check {
        let title = catalogue::find(check).map(|page| format!(": {}", page.title)).unwrap_or_default();
        let by_hand = notes.get(check).copied().unwrap_or("not looked at yet.");
        let _ =
            write!(text, "\n### {check}{title}\n\n{severity}, {} found. By hand: {by_hand}\n", found.len());
        told.insert(check);
        for difference in found.iter().take(SHOWN) {
            one(text, difference, path, engine);
        }
        if found.len() > SHOWN {
            let _ = write!(text, "\nAnd {} more.\n", found.len() - SHOWN);
        }
    }
    let gone: Vec<&str> = notes.keys().filter(|check| !told.contains(*check)).copied().collect();
    if !gone.is_empty() {
        let _ = write!(text, "\nFound before, and not this time: {}.\n", gone.join(", "));
    }
}

/// One finding; the program is named as anybody would start it, wherever its file is here.
fn one(text: &mut String, difference: &Difference, path: &str, engine: &str) {
    let Difference { case, stored, expected, explanation, replay, .. } = difference;
    let replay = if path.is_empty() { replay.clone() } else { replay.replace(path, engine) };
    let _ = write!(text, "\n* `{case}`: it says `{stored}`; right is {expected}. {explanation}\n");
    let _ = write!(text, "\n  ```sh\n  {}\n  ```\n", replay.replace('\n', " "));
}

/// What stands in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
