//! The result of a case, and a run of cases in order until the deadline.

use suites::{SkipReason, Verdict};

use crate::runner::{Deadline, HANG, run_in_rounds};
use crate::{Incident, ProgressObserver};

/// The result of one case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CaseResult {
    pub(super) verdict: Verdict,
    /// In perft: how many counts of the case agreed before the verdict.
    pub(super) agreed: u64,
    /// Whether the program failed over it.
    pub(super) failed: bool,
    /// How it failed, including failures while the suite looked for a smaller position.
    pub(super) incidents: Vec<Incident>,
}

impl CaseResult {
    fn skipped(reason: SkipReason) -> Self {
        Self { verdict: Verdict::Skip(reason), agreed: 0, failed: false, incidents: Vec::new() }
    }
}

/// Judges each case. After four cases over which the program failed, the others are skipped.
pub(super) fn run_cases<C: Sync>(
    cases: &[C],
    deadline: Deadline,
    progress: &dyn ProgressObserver,
    judge: impl Fn(&C) -> CaseResult + Sync,
) -> Vec<CaseResult> {
    let judge = |case: &C| {
        if deadline.is_over() {
            return (CaseResult::skipped(SkipReason::OutOfTime), 0);
        }
        let judged = judge(case);
        // A case is many queries. After the first failure more are likely.
        let cost = if judged.failed { HANG } else { 0 };
        (judged, cost)
    };
    run_in_rounds(cases, |_| "", progress, judge, |_| CaseResult::skipped(SkipReason::GivenUp))
}
