//! The field report: a Markdown page on third-party engines, with the findings on each and how to reproduce
//! them.
//!
//! Unlike the other reports it has times. Notes on findings that were repeated by hand come from
//! `field-notes.csv`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use suites::Difference;
use suites::catalogue::{self, Severity};

use crate::{FieldNote, Run, causes};

/// One engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldEntry {
    /// Its name.
    pub name: String,
    /// The command that starts it.
    pub command: String,
    /// The result.
    pub outcome: FieldOutcome,
}

/// The result for one engine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum FieldOutcome {
    /// It is not installed.
    Absent,
    /// It could not be checked; the reason.
    Failed(String),
    /// It was checked.
    Checked {
        /// What was found.
        run: Box<Run>,
        /// Wall time.
        took: Duration,
        /// The replays that were run, by command: those of the findings that the page shows.
        replayed: BTreeMap<String, ReplayResult>,
    },
}

/// Whether a replay shows its finding again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReplayResult {
    /// It does.
    Shown,
    /// It does not.
    NotShown,
    /// The output does not tell: the finding is about time, or about several answers.
    Untold,
}

impl FieldOutcome {
    /// A short summary.
    pub fn summary(&self) -> String {
        match self {
            Self::Absent => "not installed".to_owned(),
            Self::Failed(why) => why.lines().next().unwrap_or_default().to_owned(),
            Self::Checked { run, took, .. } => format!("{} in {:.0} s", counts(run), took.as_secs_f64()),
        }
    }
}

/// The page. Notes without a finding are listed: some findings do not occur in every run.
pub fn document(entries: &[FieldEntry], notes: &[FieldNote]) -> String {
    let mut text = HEAD.to_owned();
    for FieldEntry { name, command, outcome } in entries {
        let (id, took) = match outcome {
            FieldOutcome::Checked { run, took, .. } => {
                let card = run.engine.as_ref();
                let id = card.and_then(|card| card.id.get("name")).map_or("", String::as_str);
                (id, format!("{:.0} s", took.as_secs_f64()))
            }
            FieldOutcome::Absent | FieldOutcome::Failed(_) => ("", String::new()),
        };
        let found = match outcome {
            FieldOutcome::Checked { run, .. } => counts(run),
            other => other.summary(),
        };
        let _ =
            writeln!(text, "| [{name}](#{name}) | {} | `{command}` | {} | {took} |", cell(id), cell(&found));
    }
    for FieldEntry { name, outcome, .. } in entries {
        let _ = write!(text, "\n## {name}\n\n");
        match outcome {
            FieldOutcome::Absent => text.push_str("Not installed, not checked.\n"),
            FieldOutcome::Failed(why) => {
                let _ = write!(text, "Could not be checked:\n\n```\n{why}\n```\n");
            }
            FieldOutcome::Checked { run, replayed, .. } => findings(&mut text, run, replayed, name, notes),
        }
    }
    text
}

const HEAD: &str = "\
# Field report

Third-party engines, checked with `verify --engine`. `cargo xtask field-test` writes this page. Engines that are not installed are
listed without results. The page shows one finding of each cause with the command that reproduces it; all findings are in
`target/touchstone/field`. Each command was run once more: the page says whether it shows the finding again, where the output alone
tells. Notes on findings that were repeated by hand are in `field-notes.csv`.

| engine | id name | command | findings | time |
|---|---|---|---|---|
";

/// How many findings there are of each severity.
fn counts(run: &Run) -> String {
    let severities = Severity::ALL.into_iter().rev();
    let counted = severities.map(|severity| (run.differed_with(severity), severity));
    let counted = counted.filter(|(count, _)| *count > 0);
    let found: Vec<String> = counted
        .map(|(count, severity)| format!("{count} {severity}{}", if count == 1 { "" } else { "s" }))
        .collect();
    if found.is_empty() { "nothing".to_owned() } else { found.join(", ") }
}

fn findings(
    text: &mut String,
    run: &Run,
    replayed: &BTreeMap<String, ReplayResult>,
    engine: &str,
    notes: &[FieldNote],
) {
    if let Some(card) = &run.engine {
        let _ = writeln!(text, "{}, ended after `quit` with {}.", card.introduction(), card.after_quit);
    }
    let own = run.engine.as_ref().map(|card| card.name.as_str());
    let tallies = || run.tallies().filter(|tally| own.is_none_or(|own| own == tally.subject));
    let differing = tallies().filter(|tally| tally.differed > 0).count();
    let skipped = tallies().filter(|tally| tally.compared() == 0).count();
    let _ = writeln!(
        text,
        "{differing} of {} case sets differ, and {skipped} were not compared.",
        tallies().count()
    );
    let of_result = |wanted| replayed.values().filter(|&&result| result == wanted).count();
    let (shown, gone) = (of_result(ReplayResult::Shown), of_result(ReplayResult::NotShown));
    if shown + gone > 0 {
        let _ =
            writeln!(text, "Of {} replays whose output tells, {shown} show the finding again.", shown + gone);
    }
    let notes: BTreeMap<&str, &str> = notes
        .iter()
        .filter(|note| note.engine == engine)
        .map(|note| (&*note.check, &*note.by_hand))
        .collect();
    let path = run.engine.as_ref().map_or("", |card| card.path.as_str());
    let mut found_now = BTreeSet::new();
    for group in causes(&run.differences) {
        let Difference { check, cause, .. } = group.first;
        let title = catalogue::find(check).map(|page| format!(": {}", page.title)).unwrap_or_default();
        let cause = cause.as_ref().filter(|cause| !cause.is_check());
        let cause = cause.map(|cause| format!(" Cause: {cause}.")).unwrap_or_default();
        let replay = match replayed.get(&*group.first.replay) {
            Some(ReplayResult::Shown) => " Its replay shows it again.",
            Some(ReplayResult::NotShown) => " Its replay does not show it.",
            Some(ReplayResult::Untold) | None => "",
        };
        let by_hand = notes.get(check.as_str()).map_or_else(String::new, |note| format!(" By hand: {note}"));
        let (severity, count) = (group.severity(), group.count());
        let _ = write!(text, "\n### {check}{title}\n\n{severity}, {count} found.{cause}{replay}{by_hand}\n");
        one(text, group.first, path, engine);
        if let Some(more) = group.more() {
            let _ = write!(text, "\nAnd {more}.\n");
        }
        found_now.insert(check.as_str());
        found_now.extend(group.others.keys());
    }
    let gone: Vec<&str> = notes.keys().filter(|check| !found_now.contains(*check)).copied().collect();
    if !gone.is_empty() {
        let _ = write!(text, "\nFound before, and not in this run: {}.\n", gone.join(", "));
    }
}

/// One finding. The replay command names the engine without the path that it has on this machine.
fn one(text: &mut String, difference: &Difference, path: &str, engine: &str) {
    let Difference { case, stored, expected, explanation, replay, .. } = difference;
    let replay = if path.is_empty() { replay.to_string() } else { replay.replace(path, engine) };
    let _ = write!(text, "\n* `{case}`: got `{stored}`, expected {expected}. {explanation}\n");
    let _ = write!(text, "\n  ```sh\n  {}\n  ```\n", replay.replace('\n', " "));
}

/// A text in a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
