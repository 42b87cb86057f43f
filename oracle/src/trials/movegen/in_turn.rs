//! Cases on all cores, with verdicts that do not depend on how many there are.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use suites::{SkipReason, Verdict};

use crate::trials::Watch;
use crate::trials::stable::Deadline;

/// Cases over which a program may break before no more are put to it.
const MOST_BROKEN: usize = 4;

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
    let broken: Mutex<BTreeSet<usize>> = Mutex::default();
    let is_given_up = |index: usize| {
        let broken = broken.lock().unwrap_or_else(PoisonError::into_inner);
        broken.range(..index).count() >= MOST_BROKEN
    };
    let judged: Vec<Verdict> = cases
        .par_iter()
        .enumerate()
        .map(|(index, case)| {
            let verdict = if is_given_up(index) {
                Verdict::Skip(SkipReason::NotCertified)
            } else if deadline.is_over() {
                Verdict::Skip(SkipReason::OutOfTime)
            } else {
                let Judged { verdict, broke } = judge(case);
                if broke {
                    broken.lock().unwrap_or_else(PoisonError::into_inner).insert(index);
                }
                verdict
            };
            watch.advance(1);
            verdict
        })
        .collect();
    // A case that was judged before an earlier one broke is passed over all the same.
    let passed = |(index, verdict)| {
        if is_given_up(index) { Verdict::Skip(SkipReason::NotCertified) } else { verdict }
    };
    judged.into_iter().enumerate().map(passed).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trials::Unwatched;

    #[test]
    fn the_number_of_threads_decides_nothing() {
        let verdicts = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let cases: Vec<u32> = (0..100).collect();
            let judge = |case: &u32| Judged { verdict: Verdict::Agree, broke: case % 7 == 3 };
            pool.install(|| in_turn(&cases, Deadline::after(None), &Unwatched, judge))
        };
        let passed = |verdicts: &[Verdict]| verdicts.iter().filter(|&v| *v != Verdict::Agree).count();
        // The fourth is 24.
        assert_eq!(passed(&verdicts(1)), 75);
        assert_eq!(verdicts(1), verdicts(4));
    }
}
