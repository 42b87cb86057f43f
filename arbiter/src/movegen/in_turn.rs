//! Cases on all cores, each with a verdict.

use suites::{SkipReason, Verdict};

use crate::runner::engine_pool::Deadline;
use crate::runner::queue::{self, HUNG};
use crate::{Break, ProgressObserver};

/// What came of one case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    /// How many counts of the case agreed before that, where it counts.
    pub(super) agreed: u64,
    /// Whether the program broke over it.
    pub(super) broke: bool,
    /// How it did, then or while a smaller position was looked for.
    pub(super) broken: Vec<Break>,
}

impl Judged {
    fn skipped(reason: SkipReason) -> Self {
        Self { verdict: Verdict::Skip(reason), agreed: 0, broke: false, broken: Vec::new() }
    }
}

/// Judges each case. Those that follow the fourth over which the program broke, in their order, are passed over, with how it
/// broke over them.
pub(super) fn in_turn<C: Sync>(
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
        // Each case is many questions: the first that breaks is seldom the last.
        let cost = if judged.broke { HUNG } else { 0 };
        (judged, cost)
    };
    queue::in_turn(cases, progress, judge, |_, _| Judged::skipped(SkipReason::GivenUp))
}
