//! What a run checked, with which evidence, and what it skipped.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde::Serialize;
use suites::catalogue::Severity;
use suites::{SkipReason, Tally};

use super::finding::short;
use crate::layout::grouped;
use crate::run::{is_not_built, stops};
use crate::text::checks_by_subject;
use crate::{CheckRun, Run};

/// The most rows of the table of checks, and of the table of what was skipped.
const MOST: usize = 400;
/// The most checks that skipped cases for one reason and are named.
const MOST_NAMED: usize = 40;

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
    /// `wrong`, `lesser` if there are only warnings and notes, `right`, or `incomplete` if nothing was
    /// compared.
    class: &'static str,
    /// Parts of all cases in thousandths: agreed, differed, observed.
    parts: [u64; 3],
}

/// The tables of checks, one for each subject.
pub(super) fn checked(run: &Run) -> Vec<SubjectView> {
    let built: Vec<&CheckRun> = run.shown_checks().filter(|check| !is_not_built(&check.tally)).collect();
    let mut left = MOST;
    let mut subjects = Vec::new();
    for (subject, lines) in checks_by_subject(&built) {
        if left == 0 && !subjects.is_empty() {
            break;
        }
        let shown = lines.len().min(left);
        left -= shown;
        let cut = lines.len() - shown;
        let rows = lines.into_iter().take(shown).map(|(cells, tally)| RowView::new(cells, &tally)).collect();
        subjects.push(SubjectView { subject: short(&subject), rows, cut });
    }
    subjects
}

impl RowView {
    fn new(mut cells: [String; 7], tally: &Tally) -> Self {
        let class = match tally {
            tally if tally.differed_with(Severity::Error) > 0 => "wrong",
            tally if tally.differed > 0 => "lesser",
            tally if tally.answered() == 0 => "incomplete",
            _ => "right",
        };
        // The column before says how many agree.
        let rest = cells[5].trim_start_matches("agree").trim_start_matches(", ").len();
        cells[5].drain(..cells[5].len() - rest);
        if cells[6] == "0.00 s" {
            cells[6].clear();
        }
        // A part with cases is wide enough to be seen, however few they are.
        let part = |cases: u64| match cases {
            0 => 0,
            cases => (cases.saturating_mul(1_000) / tally.total().max(1)).max(15),
        };
        Self { cells, class, parts: [tally.agreed, tally.differed, tally.observed].map(part) }
    }
}

/// Cases of one subject that were skipped for one reason.
#[derive(Debug, Serialize)]
pub(super) struct SkippedView {
    reason: String,
    /// Whether the run is incomplete because of it.
    fails: bool,
    subject: String,
    cases: String,
    /// The checks, with how many cases each skipped.
    checks: Vec<String>,
}

/// What was skipped and why, the reasons that make a run incomplete first.
pub(super) fn skipped(run: &Run) -> Vec<SkippedView> {
    type Key<'a> = (bool, SkipReason, &'a str);
    let mut skipped = BTreeMap::<Key, BTreeMap<&str, u64>>::new();
    for tally in run.tallies().filter(|tally| !is_not_built(tally)) {
        for (&reason, &cases) in &tally.skipped {
            let checks = skipped.entry((!stops(tally, reason), reason, &tally.subject)).or_default();
            *checks.entry(&tally.check).or_default() += cases;
        }
    }
    let view = |((passes, reason, subject), checks): (Key, BTreeMap<&str, u64>)| SkippedView {
        reason: reason.to_string(),
        fails: !passes,
        subject: short(subject),
        cases: grouped(checks.values().sum()),
        checks: named(&checks),
    };
    skipped.into_iter().map(view).take(MOST).collect()
}

/// The checks with their cases, those with the most first.
fn named(checks: &BTreeMap<&str, u64>) -> Vec<String> {
    let mut sorted: Vec<(&str, u64)> = checks.iter().map(|(check, cases)| (*check, *cases)).collect();
    sorted.sort_by_key(|(_, cases)| Reverse(*cases));
    let mut named: Vec<String> = sorted
        .iter()
        .take(MOST_NAMED)
        .map(|(check, cases)| short(&format!("{check} {}", grouped(*cases))))
        .collect();
    named.extend((sorted.len() > MOST_NAMED).then(|| format!("{} more checks", sorted.len() - MOST_NAMED)));
    named
}

/// Whether tables were checked, but by no oracle that only some builds have.
pub(super) fn is_without_features(run: &Run) -> bool {
    let is_there = |check: &CheckRun| check.optional && !is_not_built(&check.tally);
    let of_tables = run.tallies().any(|tally| tally.check == "certificate");
    of_tables && !run.checks.iter().any(is_there)
}
