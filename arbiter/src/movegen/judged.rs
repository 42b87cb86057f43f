//! The judgement of one case, and cases in order until the deadline.

use suites::{SkipReason, Verdict};

use crate::runner::{Deadline, HANG, run_in_order};
use crate::{Incident, ProgressObserver};

/// The judgement of one case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    /// How many counts of the case agreed before that, where it counts.
    pub(super) agreed: u64,
    /// Whether the program failed over it.
    pub(super) failed: bool,
    /// How it failed, then or while a smaller position was looked for.
    pub(super) incidents: Vec<Incident>,
}

impl Judged {
    fn skipped(reason: SkipReason) -> Self {
        Self { verdict: Verdict::Skip(reason), agreed: 0, failed: false, incidents: Vec::new() }
    }
}

/// Judges each case. The cases after the fourth over which the program failed are passed over.
pub(super) fn judge_in_order<C: Sync>(
    cases: &[C],
    deadline: Deadline,
    progress: &dyn ProgressObserver,
    judge: impl Fn(&C) -> Judged + Sync,
) -> Vec<Judged> {
    let judge = |case: &C| {
        if deadline.is_over() {
            return (Judged::skipped(SkipReason::OutOfTime), 0);
        }
        let judged = judge(case);
        // Each case is many questions: the first one that fails is seldom the last.
        let cost = if judged.failed { HANG } else { 0 };
        (judged, cost)
    };
    run_in_order(cases, progress, judge, |_| Judged::skipped(SkipReason::GivenUp))
}
