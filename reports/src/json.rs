//! The run as one JSON document.
//!
//! Its shape, keys always in this order:
//!
//! ```json
//! {
//!   "schema": 1,
//!   "summary": {"checks": 1, "compared": 4, "agreed": 3, "differed": 1, "observed": 0, "skipped": 2},
//!   "checks": [
//!     {"subject": "", "check": "", "evidence": "", "case_set": "", "compared": 4, "agreed": 3, "differed": 1, "errors": 1,
//!      "observed": 0, "skipped": 2, "skip_reasons": {"malformed": 2}}
//!   ],
//!   "differences": [
//!     {"subject": "", "check": "", "severity": "error", "case": "", "fen": "", "stored": "", "expected": "", "source": "",
//!      "explanation": "", "cause": "", "replay": ""}
//!   ],
//!   "causes": [
//!     {"subject": "", "cause": "", "severity": "error", "differences": 1, "check": "", "case": ""}
//!   ],
//!   "signatures": [{"subject": "", "depth": 12, "positions": 40, "signature": 1234567}],
//!   "regression": [{"report": "", "case": "", "before": "", "after": "", "verdict": "broken"}]
//! }
//! ```
//!
//! `checks` has one entry for each check on each case set, including checks that are not in this build;
//! `summary` counts these entries and adds up their cases. `causes` has one entry for each known cause, the
//! gravest first, with its smallest case. `regression` is `null` without a baseline. Entries are in the order
//! of the CSV reports. Nothing depends on time. `schema` is raised when a key is renamed, removed or given
//! another meaning, not when a key is added.

use std::collections::BTreeMap;

use serde::Serialize;
use suites::{Difference, Tally};

use crate::order::sorted;
use crate::{CauseGroup, CheckRow, DifferenceRow, RegressionRow, Run, SignatureRow, causes};

/// The version of the document's schema.
pub const SCHEMA: u32 = 1;

/// The document, indented, with a line end after it.
///
/// # Panics
/// Never: the document is text, numbers and lists, and writing to memory does not fail.
pub fn document(run: &Run) -> Vec<u8> {
    let mut bytes = serde_json::to_vec_pretty(&Document::new(run)).expect("a document is text and numbers");
    bytes.push(b'\n');
    bytes
}

/// A run: `touchstone verify --format json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "verify --format json"))]
pub(crate) struct Document<'a> {
    /// Raised when a key is renamed, removed or given another meaning, not when a key is added.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    schema: u32,
    /// The sums over all checks.
    summary: Summary,
    /// An entry for each check on each case set.
    checks: Vec<CheckRow<BTreeMap<String, u64>>>,
    /// The claims that are not true.
    differences: Vec<DifferenceRow>,
    /// An entry for each known cause, the gravest first, with its smallest case.
    causes: Vec<CauseEntry<'a>>,
    /// What our searches did.
    signatures: Vec<&'a SignatureRow>,
    /// The changes against the baseline; null without one.
    regression: Option<Vec<&'a RegressionRow>>,
}

impl<'a> Document<'a> {
    fn new(run: &'a Run) -> Self {
        Self {
            schema: SCHEMA,
            summary: Summary::new(run),
            checks: run.sorted_tallies().into_iter().map(|(_, tally)| entry(tally)).collect(),
            differences: sorted(run.differences.iter().cloned().map(DifferenceRow).collect()),
            causes: causes(&run.differences).iter().filter_map(CauseEntry::new).collect(),
            signatures: sorted(run.signatures.iter().collect()),
            regression: run.regression.as_ref().map(|rows| sorted(rows.iter().collect())),
        }
    }
}

/// The sums over all checks.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Summary {
    checks: usize,
    compared: u64,
    agreed: u64,
    differed: u64,
    observed: u64,
    skipped: u64,
}

impl Summary {
    fn new(run: &Run) -> Self {
        let sum = |cases: fn(&Tally) -> u64| run.tallies().map(cases).sum();
        Self {
            checks: run.checks.len(),
            compared: sum(Tally::compared),
            agreed: sum(|tally| tally.agreed),
            differed: sum(|tally| tally.differed),
            observed: sum(|tally| tally.observed),
            skipped: sum(Tally::skipped_total),
        }
    }
}

/// Differences that have one cause.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "CauseEntry"))]
struct CauseEntry<'a> {
    subject: &'a str,
    cause: &'a str,
    severity: String,
    differences: u64,
    check: &'a str,
    case: &'a str,
}

impl<'a> CauseEntry<'a> {
    /// `None` if no cause is known.
    fn new(group: &CauseGroup<'a>) -> Option<Self> {
        let Difference { subject, check, case, cause, .. } = group.first;
        let (severity, differences) = (group.severity().to_string(), group.count());
        let cause = cause.as_ref().filter(|cause| !cause.is_check())?;
        Some(Self { subject, cause: cause.words(), severity, differences, check, case })
    }
}

/// The row of a tally, with a count for each reason.
fn entry(tally: &Tally) -> CheckRow<BTreeMap<String, u64>> {
    let reasons = tally.skipped.iter().map(|(reason, &cases)| (reason.to_string(), cases));
    CheckRow::new(tally, reasons.collect())
}
