//! Cases on all cores, with verdicts that do not depend on how many there are.
//!
//! A subject that breaks time and again is given up. Where that is so is decided by the order of the cases, not by time: what
//! follows is passed over, even if it was judged already.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use rayon::prelude::*;

use crate::ProgressObserver;

/// What a case costs over which the subject broke.
pub(crate) const BROKE: u32 = 1;
/// The same if it kept us waiting: each time takes seconds.
pub(crate) const HUNG: u32 = 6;
/// What the cases of a suite may cost: two dozen crashes, or four times that nothing is heard.
pub(crate) const MOST: u32 = 24;

/// Judges each case, and tells what it cost. Those that follow the one with which that became too much, in their order, are
/// passed over; what was already judged of them is handed back.
pub(crate) fn in_turn<C: Sync, T: Send>(
    cases: &[C],
    progress: &dyn ProgressObserver,
    judge: impl Fn(&C) -> (T, u32) + Sync,
    pass_over: impl Fn(&C, Option<T>) -> T + Sync,
) -> Vec<T> {
    let costs: Mutex<BTreeMap<usize, u32>> = Mutex::default();
    let is_given_up = |index: usize| {
        let costs = costs.lock().unwrap_or_else(PoisonError::into_inner);
        costs.range(..index).map(|(_, cost)| cost).sum::<u32>() >= MOST
    };
    let once = |(index, case): (usize, &C)| {
        let is_passed = is_given_up(index);
        let judged = if is_passed {
            pass_over(case, None)
        } else {
            let (judged, cost) = judge(case);
            if cost > 0 {
                costs.lock().unwrap_or_else(PoisonError::into_inner).insert(index, cost);
            }
            judged
        };
        progress.advance(1);
        (index, is_passed, judged)
    };
    // One after the other, so that few are judged in vain.
    let mut judged: Vec<(usize, bool, T)> = cases.iter().enumerate().par_bridge().map(once).collect();
    judged.sort_unstable_by_key(|(index, ..)| *index);
    let settled = |(index, is_passed, judged): (usize, bool, T)| {
        if !is_passed && is_given_up(index) { pass_over(&cases[index], Some(judged)) } else { judged }
    };
    judged.into_par_iter().map(settled).collect()
}

/// What comes of it by one thread, which is the same by any number of them.
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

    /// Of 200 cases that cost so much, those up to this one are judged.
    #[track_caller]
    fn check(cost: fn(u32) -> u32, last: u32) {
        let cases: Vec<u32> = (0..200).collect();
        let judge = |case: &u32| {
            // The first ones take longest, so that later ones are judged before them.
            std::thread::sleep(Duration::from_micros(u64::from(200 - case) * 10));
            (Some(*case), cost(*case))
        };
        let judged = by_any_threads(|| in_turn(&cases, &NoProgress, judge, |_, _| None));
        let expected: Vec<Option<u32>> = (0..200).map(|case| (case <= last).then_some(case)).collect();
        assert_eq!(judged, expected);
    }

    #[test]
    fn the_number_of_threads_decides_nothing() {
        check(|_| 0, 199);
        check(|_| BROKE, 23);
        check(|case| if case % 3 == 1 { BROKE } else { 0 }, 70);
        check(|case| if case % 9 == 1 { BROKE } else { 0 }, 199);
        check(|case| if case % 7 == 3 { HUNG } else { 0 }, 24);
        check(|case| if case == 5 { HUNG } else { BROKE }, 18);
    }

    #[test]
    fn the_page_says_when_it_is_given_up() {
        let page = suites::catalogue::find("process/crash").unwrap();
        let text: Vec<&str> = page.text.split_whitespace().collect();
        let told =
            format!("after {} positions or games over which it broke, or {} over", MOST / BROKE, MOST / HUNG);
        assert!(text.join(" ").contains(&told), "{told}");
    }
}
