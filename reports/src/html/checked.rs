//! What a run checked, with which evidence, and what it skipped.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use suites::{SkipReason, Tally};

use super::finding::short;
use crate::run::is_not_built;
use crate::text::{checks_by_subject, grouped};
use crate::{Check, Run};

/// The most rows of the table of checks, and of the table of what was skipped.
const MOST: usize = 400;

/// The checks of one subject.
#[derive(Debug, Serialize)]
pub(super) struct SubjectView {
    subject: String,
    rows: Vec<RowView>,
    cut: usize,
}

/// A check over all its case sets, or a family in which nothing differs.
#[derive(Debug, Serialize)]
struct RowView {
    /// Check, evidence, cases, agreed of demanded, observed, what else, time.
    cells: [String; 7],
    /// `wrong`, `right`, or `incomplete` if nothing was compared.
    class: &'static str,
    /// Parts of all cases in thousandths: agreed, differed, observed.
    parts: [u64; 3],
}

/// The tables of checks, one for each subject.
pub(super) fn checked(run: &Run) -> Vec<SubjectView> {
    let built: Vec<Check> = run.checks.iter().filter(|check| !is_not_built(&check.tally)).cloned().collect();
    let mut left = MOST;
    let mut subjects = Vec::new();
    for (subject, lines) in checks_by_subject(&built) {
        let shown = lines.len().min(left);
        left -= shown;
        let cut = lines.len() - shown;
        let rows = lines.into_iter().take(shown).map(|(cells, tally)| RowView::new(cells, &tally)).collect();
        subjects.push(SubjectView { subject: short(&subject), rows, cut });
    }
    subjects
}

impl RowView {
    fn new(cells: [String; 7], tally: &Tally) -> Self {
        let class = match tally {
            tally if tally.differed > 0 => "wrong",
            tally if tally.answered() == 0 => "incomplete",
            _ => "right",
        };
        // A part that is there is seen, however small it is.
        let part = |cases: u64| match cases {
            0 => 0,
            cases => (cases.saturating_mul(1_000) / tally.total().max(1)).max(15),
        };
        Self { cells, class, parts: [tally.agreed, tally.differed, tally.observed].map(part) }
    }
}

/// Cases that were skipped for one reason by one check.
#[derive(Debug, Serialize)]
pub(super) struct SkippedView {
    reason: String,
    /// Whether the run is incomplete because of it.
    fails: bool,
    cases: String,
    check: String,
    sets: String,
}

/// What was skipped and why, the reasons that make a run incomplete first.
pub(super) fn skipped(run: &Run) -> Vec<SkippedView> {
    type Key<'a> = (bool, SkipReason, &'a str, &'a str);
    let mut skipped = BTreeMap::<Key, (u64, BTreeSet<&str>)>::new();
    for tally in run.tallies().filter(|tally| !is_not_built(tally)) {
        for (&reason, &cases) in &tally.skipped {
            let key = (!reason.is_failure(), reason, tally.subject.as_str(), tally.check.as_str());
            let (sum, sets) = skipped.entry(key).or_default();
            *sum += cases;
            sets.insert(&tally.case_set);
        }
    }
    let view =
        |((passes, reason, subject, check), (cases, sets)): (Key, (u64, BTreeSet<&str>))| SkippedView {
            reason: reason.to_string(),
            fails: !passes,
            cases: grouped(cases),
            check: short(&format!("{subject} {check}")),
            sets: short(&sets.into_iter().collect::<Vec<_>>().join(", ")),
        };
    skipped.into_iter().map(view).take(MOST).collect()
}
