//! One CSV row for each run, to be joined to a list of engines, such as a rating list.

use serde::{Deserialize, Serialize};
use suites::catalogue::Severity;

use crate::causes::by_gravity;
use crate::verdict::{Verdict, causes};
use crate::{Row, Run, to_bytes};

/// A run in one row. Columns keep their names and their order; new ones come last.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct EngineRow {
    /// What the engine prints after `id name`; empty if no engine was started.
    engine: String,
    /// What it prints after `id author`.
    author: String,
    /// `right`, `warned`, `wrong` or `incomplete`.
    verdict: String,
    /// Cases that were compared.
    compared: u64,
    agreed: u64,
    errors: u64,
    warnings: u64,
    notes: u64,
    error_causes: u64,
    warning_causes: u64,
    note_causes: u64,
    /// The check of the gravest finding; empty if there is none.
    gravest: String,
    /// The revision that was checked out where the engine lies.
    revision: String,
    /// SHA-256 of its file.
    sha256: String,
    effort: String,
    seed: Option<u64>,
    /// The day of the run in UTC.
    day: String,
    /// The version of Touchstone.
    touchstone: String,
}

impl Row for EngineRow {
    const FILE: &'static str = "engines.csv";
}

impl EngineRow {
    fn new(run: &Run) -> Self {
        let count = |severity| (run.differed_with(severity), causes(run, &[severity]));
        let [(errors, error_causes), (warnings, warning_causes), (notes, note_causes)] =
            [Severity::Error, Severity::Warning, Severity::Note].map(count);
        let card = run.engine.as_ref();
        let id = |key| card.and_then(|card| card.id.get(key)).cloned().unwrap_or_default();
        let known = |text: Option<&String>| text.cloned().unwrap_or_default();
        Self {
            engine: id("name"),
            author: id("author"),
            verdict: Verdict::new(run).class.to_owned(),
            compared: run.judged().map(suites::Tally::compared).sum(),
            agreed: run.judged().map(|tally| tally.agreed).sum(),
            errors,
            warnings,
            notes,
            error_causes,
            warning_causes,
            note_causes,
            gravest: by_gravity(&run.differences)
                .first()
                .map(|found| found.check.clone())
                .unwrap_or_default(),
            revision: known(card.and_then(|card| card.revision.as_ref())),
            sha256: known(card.and_then(|card| card.sha256.as_ref())),
            effort: known(card.map(|card| &card.effort)),
            seed: card.map(|card| card.seed),
            day: known(card.and_then(|card| card.day.as_ref())),
            touchstone: known(card.map(|card| &card.touchstone)),
        }
    }
}

/// The name of the file, if the rows are written to one.
pub const FILE: &str = EngineRow::FILE;

/// A header, and a row for each run, sorted by the name of the engine.
pub fn document<'a>(runs: impl IntoIterator<Item = &'a Run>) -> Vec<u8> {
    to_bytes(runs.into_iter().map(EngineRow::new))
}
