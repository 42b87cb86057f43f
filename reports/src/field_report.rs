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

use crate::causes::CauseGroup;
use crate::{FieldNote, FieldVerdict, Run, causes};

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
        let (found, judged) = match outcome {
            FieldOutcome::Checked { run, .. } => (counts(run), judged(run, name, notes)),
            other => (other.summary(), String::new()),
        };
        let (id, found) = (cell(id), cell(&found));
        let _ = writeln!(text, "| [{name}](#{name}) | {id} | `{command}` | {found} | {judged} | {took} |");
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

Third-party engines, checked with `verify --engine`. `cargo xtask field-test` writes this page, and with `--folder` also checks programs that
are built from sources. Engines that are not installed are listed without results. The page shows one error or warning of each cause with the
command that reproduces it, and lists the notes; all findings are in `target/touchstone/field`. Each command was run once more: the page says
whether it shows the finding again, where the output alone tells. People repeated findings by hand and judged them, check by check: true, unfair
(the author has a reason, or it is less grave) or false. Their notes are in `field-notes.csv`.

| engine | id name | command | findings | causes judged | time |
|---|---|---|---|---|---|
";

/// The page of bugs: a line for each check with errors or warnings that people judged to be true, as the notes say.
/// It links to the field report, a file in the same folder.
pub fn bugs(entries: &[FieldEntry], notes: &[FieldNote], report: &str) -> String {
    let mut text = BUGS.replace("REPORT", report);
    for FieldEntry { name, outcome, .. } in entries {
        let FieldOutcome::Checked { run, .. } = outcome else { continue };
        let version = run.engine.as_ref().and_then(|card| card.id.get("name")).map_or("", String::as_str);
        let version = cell(version);
        let mut by_check = BTreeMap::<&str, Vec<CauseGroup>>::new();
        for group in shown(run) {
            by_check.entry(&group.first.check).or_default().push(group);
        }
        for note in
            notes.iter().filter(|note| note.engine == *name && note.judged == Some(FieldVerdict::True))
        {
            let Some(groups) = by_check.get(&*note.check) else { continue };
            let what: Vec<String> = groups.iter().map(|group| wrong(group.first)).collect();
            let Some(severity) = groups.iter().map(CauseGroup::severity).max() else { continue };
            let (check, what, by_hand) = (&note.check, cell(&what.join("; ")), cell(&note.by_hand));
            let _ = writeln!(
                text,
                "| [{name}]({report}#{name}) | {version} | {what} | {severity} | `{check}` | {by_hand} |"
            );
        }
    }
    text
}

const BUGS: &str = "\
# Bugs found

What `verify --engine` found in engines of other authors: a line for each check with errors or warnings, if people repeated its findings by hand
and judged them to be true. `cargo xtask field-test` writes this page beside the [field report](REPORT), which has a position and a command
for each cause. The version is the one that was asked; a later one may have the bug no longer.

| engine | version | what it does | severity | check | by hand |
|---|---|---|---|---|---|
";

/// What goes wrong in a finding, in a few words.
fn wrong(Difference { check, cause, .. }: &Difference) -> String {
    let cause = cause.as_ref().filter(|cause| !cause.is_check()).map(ToString::to_string);
    cause.or_else(|| catalogue::find(check).map(|page| page.wrong.to_owned())).unwrap_or_default()
}

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

/// The causes of errors and warnings, in the order of the page. Notes are listed without replays.
pub fn shown(run: &Run) -> Vec<CauseGroup<'_>> {
    causes(&run.differences).into_iter().filter(|group| group.severity() > Severity::Note).collect()
}

/// How many of the causes were judged in each way.
fn judged(run: &Run, engine: &str, notes: &[FieldNote]) -> String {
    let of = |check: &str| {
        notes.iter().find(|note| note.engine == engine && note.check == check).and_then(|note| note.judged)
    };
    let verdicts: Vec<FieldVerdict> = shown(run).iter().filter_map(|group| of(&group.first.check)).collect();
    let named =
        [(FieldVerdict::True, "true"), (FieldVerdict::Unfair, "unfair"), (FieldVerdict::False, "false")];
    let counted = named.map(|(verdict, name)| (verdicts.iter().filter(|&&of| of == verdict).count(), name));
    let told = counted.iter().filter(|(count, _)| *count > 0).map(|(count, name)| format!("{count} {name}"));
    told.collect::<Vec<_>>().join(", ")
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
    let (again, gone) = (of_result(ReplayResult::Shown), of_result(ReplayResult::NotShown));
    if again + gone > 0 {
        let _ =
            writeln!(text, "Of {} replays whose output tells, {again} show the finding again.", again + gone);
    }
    let notes: BTreeMap<&str, &str> = notes
        .iter()
        .filter(|note| note.engine == engine)
        .map(|note| (&*note.check, &*note.by_hand))
        .collect();
    if let Some(about) = notes.get("") {
        let _ = writeln!(text, "{about}");
    }
    let path = run.engine.as_ref().map_or("", |card| card.path.as_str());
    let mut found_now: BTreeSet<&str> = BTreeSet::from([""]);
    for group in shown(run) {
        let Difference { check, cause, .. } = group.first;
        let title = catalogue::find(check).map(|page| format!(": {}", page.title)).unwrap_or_default();
        let cause = cause.as_ref().filter(|cause| !cause.is_check());
        let cause = cause.map(|cause| format!(" Cause: {cause}.")).unwrap_or_default();
        let replay = match replayed.get(&*group.first.replay) {
            Some(ReplayResult::Shown) => " Its replay shows it again.",
            Some(ReplayResult::NotShown) => " Its replay does not show it.",
            Some(ReplayResult::Untold) | None => "",
        };
        let (severity, count, by_hand) = (group.severity(), group.count(), by_hand(&notes, check));
        let _ = write!(text, "\n### {check}{title}\n\n{severity}, {count} found.{cause}{replay}{by_hand}\n");
        one(text, group.first, path, engine);
        if let Some(more) = group.more() {
            let _ = write!(text, "\nAnd {more}.\n");
        }
        found_now.extend(group.checks());
    }
    let lesser = causes(&run.differences).into_iter().filter(|group| group.severity() == Severity::Note);
    let lesser: Vec<CauseGroup> = lesser.collect();
    list(text, &lesser, &notes);
    found_now.extend(lesser.iter().flat_map(CauseGroup::checks));
    let gone: Vec<&str> = notes.keys().filter(|check| !found_now.contains(*check)).copied().collect();
    if !gone.is_empty() {
        let _ = write!(text, "\nFound before, and not in this run: {}.\n", gone.join(", "));
    }
}

/// A note on the findings of a check.
fn by_hand(notes: &BTreeMap<&str, &str>, check: &str) -> String {
    let note = notes.get(check).filter(|note| !note.is_empty());
    note.map_or_else(String::new, |note| format!(" By hand: {note}"))
}

/// A line for each cause.
fn list(text: &mut String, groups: &[CauseGroup], notes: &BTreeMap<&str, &str>) {
    if !groups.is_empty() {
        text.push_str("\n### Notes\n\n");
    }
    for group in groups {
        let Difference { check, case, stored, .. } = group.first;
        let (count, wrong, by_hand) = (group.count(), wrong(group.first), by_hand(notes, check));
        let _ = writeln!(text, "* `{check}`, {count} found: {wrong}. `{case}`: got `{stored}`.{by_hand}");
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
