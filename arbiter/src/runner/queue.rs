//! Cases on all cores, with results that do not depend on the number of threads.
//!
//! A player that fails too often is given up. The order of the cases decides where, not time: the cases that follow are skipped,
//! even if they were judged already.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::ProgressObserver;
use crate::sync::locked;

/// The cost of a case over which the player crashed.
pub(crate) const CRASH: u32 = 1;
/// The cost of a case over which it hung. A hang takes seconds.
pub(crate) const HANG: u32 = 6;
/// The cost at which a player is given up: two dozen crashes, or a quarter as many hangs.
pub(crate) const MOST: u32 = 24;

/// Judges each case, with its cost. After the case at which the sum of the costs reaches [`MOST`], `pass_over` gives the results.
pub(crate) fn run_in_order<C: Sync, T: Send>(
    cases: &[C],
    progress: &dyn ProgressObserver,
    judge: impl Fn(&C) -> (T, u32) + Sync,
    pass_over: impl Fn(&C) -> T + Sync,
) -> Vec<T> {
    let costs: Mutex<BTreeMap<usize, u32>> = Mutex::default();
    let is_given_up = |index: usize| locked(&costs).range(..index).map(|(_, cost)| cost).sum::<u32>() >= MOST;
    let once = |(index, case): (usize, &C)| {
        let is_passed = is_given_up(index);
        let judged = if is_passed {
            pass_over(case)
        } else {
            let (judged, cost) = judge(case);
            if cost > 0 {
                locked(&costs).insert(index, cost);
            }
            judged
        };
        progress.advance(1);
        (index, is_passed, judged)
    };
    // In order, so that few results are thrown away.
    let mut judged: Vec<(usize, bool, T)> = cases.iter().enumerate().par_bridge().map(once).collect();
    judged.sort_unstable_by_key(|(index, ..)| *index);
    let settled = |(index, is_passed, judged): (usize, bool, T)| {
        if !is_passed && is_given_up(index) { pass_over(&cases[index]) } else { judged }
    };
    judged.into_par_iter().map(settled).collect()
}

/// The time after which no case is begun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// A time from now, or never.
    pub(crate) fn after(time: Option<Duration>) -> Self {
        Self(time.map(|time| Instant::now() + time))
    }

    /// Whether it has passed.
    pub(crate) fn is_over(self) -> bool {
        self.0.is_some_and(|until| Instant::now() >= until)
    }
}

/// The result on one thread, after a check that it is the same on more threads.
#[cfg(test)]
#[track_caller]
pub(crate) fn by_any_threads<T: Send + PartialEq + std::fmt::Debug>(does: impl Fn() -> T + Sync) -> T {
    let by = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&does)
    };
    let alone = by(1);
    for threads in [2, 4, 32] {
        assert_eq!(by(threads), alone, "{threads} threads");
    }
    alone
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::NoProgress;

    /// Checks that of 200 cases with these costs, those up to `last` are judged.
    #[track_caller]
    fn check(cost: fn(u32) -> u32, last: u32) {
        let cases: Vec<u32> = (0..200).collect();
        let judge = |case: &u32| {
            // The first cases take longest, so that later ones are judged before them.
            std::thread::sleep(Duration::from_micros(u64::from(200 - case) * 10));
            (Some(*case), cost(*case))
        };
        let judged = by_any_threads(|| run_in_order(&cases, &NoProgress, judge, |_| None));
        let expected: Vec<Option<u32>> = (0..200).map(|case| (case <= last).then_some(case)).collect();
        assert_eq!(judged, expected);
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        check(|_| 0, 199);
        check(|_| CRASH, 23);
        check(|case| if case % 3 == 1 { CRASH } else { 0 }, 70);
        check(|case| if case % 9 == 1 { CRASH } else { 0 }, 199);
        check(|case| if case % 7 == 3 { HANG } else { 0 }, 24);
        check(|case| if case == 5 { HANG } else { CRASH }, 18);
    }

    #[test]
    fn the_page_states_when_a_player_is_given_up() {
        let page = suites::catalogue::find("process/crash").unwrap();
        let text: Vec<&str> = page.text.split_whitespace().collect();
        let told =
            format!("after {} positions or games over which it broke, or {} over", MOST / CRASH, MOST / HANG);
        assert!(text.join(" ").contains(&told), "{told}");
    }
}
