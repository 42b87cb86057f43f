//! What a change did: two versions of an engine, case by case, and how fast they are.
//!
//! Plain data, and three formats of it: `text`, `markdown` and `json`. The `JUnit` document is made by
//! `junit`.

mod groups;
pub(crate) mod json;
mod junit;
mod markdown;
mod text;

use std::collections::BTreeMap;

use serde::Serialize;
use suites::catalogue::Severity;

use crate::layout::grouped;
use crate::replays::Replays;
use crate::{CompareRow, CompareVerdict, EngineCard, Row, Run, SpeedRow, finding};

pub use groups::ChangeGroup;

/// One of the two versions.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Side {
    /// What it is: a revision with its subject line, `working tree`, a file, or a folder of reports.
    pub label: String,
    /// The engine, as it introduces itself; empty if no engine was asked.
    pub engine: String,
    /// How many cases of the engine were compared; the tables that judge it do not count.
    pub compared: u64,
}

impl Side {
    /// A version with what its runs compared.
    pub fn new<'a>(label: &str, runs: impl IntoIterator<Item = &'a Run>) -> Self {
        let mut side = Self { label: label.to_owned(), ..Self::default() };
        for run in runs {
            side.compared += run.judged().map(suites::Tally::answered).sum::<u64>();
            if let Some(card) = &run.engine {
                side.engine = EngineCard::introduction(card);
            }
        }
        side
    }
}

/// What changed between two versions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Regress {
    /// The version before.
    pub old: Side,
    /// The version after.
    pub new: Side,
    /// The cases that they answer differently.
    pub rows: Vec<CompareRow>,
    /// How fast they are; empty if that was not measured.
    pub speed: Vec<SpeedRow>,
    /// What else the reader must know, such as a part that could not be compared; one sentence each.
    pub notes: Vec<String>,
    /// The lowest severity of a broken case that fails the run.
    pub fails_from: Severity,
    /// Whether the time limit ended the run of a version, so that not all was asked.
    pub cut_off: bool,
    /// The folder of the reports as a word for a shell; empty if they are in none.
    pub folder: String,
    /// For each version that was built the word for a shell that starts it, and how it is started in a
    /// checkout.
    pub starts: Vec<[String; 2]>,
}

impl Regress {
    /// The cases with this verdict.
    pub fn with(&self, verdict: CompareVerdict) -> impl Iterator<Item = &CompareRow> {
        self.rows.iter().filter(move |row| row.verdict == verdict)
    }

    /// Whether a case broke gravely enough to fail the run.
    pub fn is_broken(&self) -> bool {
        self.with(CompareVerdict::Broken).any(|row| row.severity >= Some(self.fails_from))
    }

    /// Whether something is not known: the new version was not asked what the old one answered, or is wrong
    /// where the old one was not asked.
    pub fn is_incomplete(&self) -> bool {
        self.cut_off || is_incomplete(&self.rows, self.fails_from)
    }

    /// What changed in one line, without the speed: how many cases are broken, fixed, and so on.
    pub fn headline(&self) -> String {
        line(&self.rows, self.fails_from, self.cut_off)
    }

    /// The result in one line, without a full stop.
    pub fn verdict(&self) -> String {
        let mut parts = vec![self.headline()];
        let slower = self.speed.iter().filter(|row| row.verdict != crate::SpeedVerdict::Noise);
        parts.extend(slower.map(speed));
        parts.join(", ")
    }

    /// The changes with the same verdict and cause, the worst first, without those that are neither right nor
    /// wrong.
    pub fn groups(&self) -> Vec<ChangeGroup<'_>> {
        groups::of(self.rows.iter().filter(|row| !row.is_neutral()), self.fails_from)
    }

    /// The answers that changed and are neither right nor wrong, in one line.
    pub fn neutral(&self) -> Option<String> {
        neutral(&self.rows)
    }

    /// The scripts for replays that are too long for a line.
    pub fn replays(&self) -> Replays<'_> {
        let listed = self.groups().into_iter().flat_map(|group| group.rows);
        Replays::new(&self.folder, listed.map(|row| (&*row.check, &*row.replay)))
    }

    /// A replay as an author types it in a checkout that is built: the engine is that of the checkout.
    fn in_checkout(&self, replay: &str) -> String {
        self.starts.iter().fold(replay.to_owned(), |replay, [built, own]| replay.replace(built, own))
    }

    /// For a terminal: the two versions, the result, the first `shown` groups.
    pub fn text(&self, shown: usize) -> String {
        text::render(self, shown)
    }

    /// The same with colours, as ANSI sequences.
    pub fn colored_text(&self, shown: usize) -> String {
        crate::text::paint(&self.text(shown))
    }

    /// For a comment on a pull request: at most [`crate::markdown::MOST`] characters.
    pub fn markdown(&self) -> String {
        markdown::render(self)
    }

    /// As one JSON document.
    pub fn json(&self) -> Vec<u8> {
        json::document(self)
    }

    /// As a `JUnit` document: a test case for each group of changes.
    pub fn junit(&self) -> Vec<u8> {
        junit::document(self)
    }
}

fn is_incomplete(rows: &[CompareRow], fails_from: Severity) -> bool {
    rows.iter().any(|row| row.is_lost() || row.is_open() && row.severity >= Some(fails_from))
}

/// What changed in one line: how many cases are broken, fixed, and so on. Answers that are neither right nor
/// wrong are not counted.
fn line(rows: &[CompareRow], fails_from: Severity, cut_off: bool) -> String {
    if rows.is_empty() && !cut_off {
        return "nothing changed".to_owned();
    }
    let mut counts = BTreeMap::<_, (&str, u64)>::new();
    for row in rows.iter().filter(|row| !row.is_neutral()) {
        let name = name(row, fails_from);
        counts.entry((name != row.verdict.of_versions(), row.verdict)).or_insert((name, 0)).1 += 1;
    }
    let named = counts.into_values().map(|(name, count)| match count {
        1 => format!("1 {name}"),
        count => format!("{} {}", grouped(count), name.replace("note", "notes")),
    });
    let is_broken = rows.iter().any(|row| name(row, fails_from) == CompareVerdict::Broken.name());
    let first = match (is_broken, is_incomplete(rows, fails_from)) {
        _ if cut_off => Some("incomplete: the time limit was reached".to_owned()),
        (true, _) => None,
        (false, true) => Some("incomplete".to_owned()),
        (false, false) => Some("nothing broke".to_owned()),
    };
    first.into_iter().chain(named).collect::<Vec<_>>().join(", ")
}

/// The answers that changed and are neither right nor wrong, in one line: how many of each kind.
fn neutral(rows: &[CompareRow]) -> Option<String> {
    let mut kinds = BTreeMap::<&str, u64>::new();
    for row in rows.iter().filter(|row| row.is_neutral()) {
        *kinds.entry(&row.cause).or_default() += 1;
    }
    let all: u64 = kinds.values().sum();
    let kinds: Vec<String> =
        kinds.into_iter().map(|(kind, count)| format!("{kind} {}", grouped(count))).collect();
    (all > 0).then(|| {
        format!(
            "{} changed and are neither right nor wrong ({}): see {}",
            if all == 1 { "1 answer".to_owned() } else { format!("{} answers", grouped(all)) },
            kinds.join(", "),
            CompareRow::FILE
        )
    })
}

/// The word for a row where the two are versions of one engine. Notes are faults only if they fail the run.
fn name(row: &CompareRow, fails_from: Severity) -> &'static str {
    row.of_note(fails_from).unwrap_or_else(|| row.verdict.of_versions())
}

/// A measure of speed in a few words: `17 % slower (nodes per second)`.
fn speed(row: &SpeedRow) -> String {
    let per_cent = (row.ratio.0 as f64 / 10.0 - 100.0).round();
    let how = if per_cent < 0.0 { "slower" } else { "faster" };
    format!("{} % {how} ({})", per_cent.abs(), row.measure)
}

/// The lines about one change: a name and a text for each that is not empty. The replay is the last.
fn details(row: &CompareRow, replays: &Replays) -> Vec<(&'static str, String)> {
    let lines = [
        (
            "check",
            if row.case.is_empty() { row.check.clone() } else { format!("{}: {}", row.check, row.case) },
        ),
        ("position", finding::position(&row.fen, &row.moves, &row.position_after)),
        ("old", row.a.clone()),
        ("new", row.b.clone()),
        ("expected", row.expected.clone()),
        ("source", row.source.clone()),
        ("because", row.explanation.clone()),
        ("replay", replays.line(&row.replay)),
    ];
    lines.into_iter().filter(|(_, text)| !text.is_empty()).collect()
}

/// What a group of changes is about, after the word for the change.
fn heading(row: &CompareRow, fails_from: Severity) -> String {
    format!("{}: {}", name(row, fails_from), title(row, fails_from))
}

/// What a group of changes is about: what went wrong, or the check where nothing did.
fn title(row: &CompareRow, fails_from: Severity) -> String {
    let wrong = || finding::title(&row.check, &row.cause);
    match row.severity {
        // The word for the change says that it is a note.
        Some(_) if name(row, fails_from) != row.verdict.of_versions() => wrong().to_owned(),
        Some(severity) => format!("{severity}: {}", wrong()),
        None if row.cause.is_empty() => row.check.clone(),
        None => format!("{}: {}", row.check, row.cause),
    }
}
