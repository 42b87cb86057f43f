//! Cases on all cores, each with a verdict.

use suites::{SkipReason, Verdict};

use crate::trials::Watch;
use crate::trials::in_turn::{self, HUNG};
use crate::trials::stable::Deadline;

/// What came of one case.
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    /// Whether the program broke over it.
    pub(super) broke: bool,
}

/// Judges each case. Those that follow the fourth over which the program broke, in their order, are passed over.
pub(super) fn in_turn<C: Sync>(
    cases: &[C],
    deadline: Deadline,
    watch: &dyn Watch,
    judge: impl Fn(&C) -> Judged + Sync,
) -> Vec<Verdict> {
    let judge = |case: &C| {
        if deadline.is_over() {
            return (Verdict::Skip(SkipReason::OutOfTime), 0);
        }
        let Judged { verdict, broke } = judge(case);
        // Each case is many questions: the first that breaks is seldom the last.
        (verdict, if broke { HUNG } else { 0 })
    };
    in_turn::in_turn(cases, watch, judge, |_, _| Verdict::Skip(SkipReason::NotCertified))
}
