//! Cases on all cores, with verdicts that do not depend on how many there are.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;
use suites::{SkipReason, Verdict};

use crate::trials::stable::Deadline;
use crate::trials::{Break, Watch};

/// Cases over which a program may break before no more are put to it.
const MOST_BROKEN: usize = 4;

/// What came of one case.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) verdict: Verdict,
    /// Whether the program broke over it.
    pub(super) broke: bool,
    /// How it did, then or while a smaller position was looked for.
    pub(super) broken: Vec<Break>,
}

impl Judged {
    fn skipped(reason: SkipReason) -> Self {
        Self { verdict: Verdict::Skip(reason), broke: false, broken: Vec::new() }
    }
}

/// Judges each case. Those that follow the fourth over which the program broke, in their order, are passed over.
pub(super) fn in_turn<C: Sync>(
    cases: &[C],
    deadline: Deadline,
    watch: &dyn Watch,
    judge: impl Fn(&C) -> Judged + Sync,
) -> Vec<Judged> {
    let broken: Mutex<BTreeSet<usize>> = Mutex::default();
    let is_given_up = |index: usize| {
        let broken = broken.lock().unwrap_or_else(PoisonError::into_inner);
        broken.range(..index).count() >= MOST_BROKEN
    };
    let judged: Vec<Judged> = cases
        .par_iter()
        .enumerate()
        .map(|(index, case)| {
            let judged = if is_given_up(index) {
                Judged::skipped(SkipReason::NotCertified)
            } else if deadline.is_over() {
                Judged::skipped(SkipReason::OutOfTime)
            } else {
                let judged = judge(case);
                if judged.broke {
                    broken.lock().unwrap_or_else(PoisonError::into_inner).insert(index);
                }
                judged
            };
            watch.advance(1);
            judged
        })
        .collect();
    // A case that was judged before an earlier one broke is passed over all the same, with how it broke.
    let passed = |(index, judged)| {
        if is_given_up(index) { Judged::skipped(SkipReason::NotCertified) } else { judged }
    };
    judged.into_iter().enumerate().map(passed).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::trials::Unwatched;
    use crate::uci::Failure;

    #[test]
    fn the_number_of_threads_decides_nothing() {
        let verdicts = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let cases: Vec<u32> = (0..100).collect();
            let judge = |case: &u32| {
                // The first ones take longest, so that later ones are judged before them.
                std::thread::sleep(Duration::from_micros(u64::from(100 - case) * 20));
                let broke = case % 7 == 3;
                let failure = Failure::NotStarted(case.to_string());
                let text = String::new;
                let broken = Break { failure, case: text(), fen: text(), replay: text(), transcript: text() };
                Judged {
                    verdict: Verdict::Agree,
                    broke,
                    broken: broke.then_some(broken).into_iter().collect(),
                }
            };
            pool.install(|| in_turn(&cases, Deadline::after(None), &Unwatched, judge))
        };
        let passed = verdicts(1).iter().filter(|judged| judged.verdict != Verdict::Agree).count();
        let broken = verdicts(1).iter().map(|judged| judged.broken.len()).sum::<usize>();
        // The fourth is 24.
        assert_eq!((passed, broken), (75, 4));
        assert_eq!(verdicts(1), verdicts(4));
    }
}
