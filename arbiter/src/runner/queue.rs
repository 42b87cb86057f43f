//! Cases on all cores, with results that do not depend on the number of threads.
//!
//! Cases are asked in rounds: the first case of each class, then the second of each class, and so on. A run
//! that is out of time has asked some of each class.
//!
//! The runner gives up a player that fails too often. The order of asking, not time, decides at which case.
//! The cases after it are skipped, even if they were judged already.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use oracle::parallel;

use crate::ProgressObserver;
use crate::sync::locked;

/// The cost of a case over which the player crashed.
pub(crate) const CRASH: u32 = 1;
/// The cost of a case over which it hung. A hang takes seconds.
pub(crate) const HANG: u32 = 6;
/// The cost at which a player is given up: two dozen crashes, or a sixth as many hangs.
pub(crate) const MOST: u32 = 24;
/// The number of cases that allow for one hang more. A player with a rare race is asked to the end.
const CASES_OF_A_HANG: usize = 50;

/// Judges each case, with its cost, and returns the results in the order of the cases. They are asked in
/// rounds of their classes, those of one class in the order of the cases. After the case at which the sum of
/// the costs reaches [`MOST`], `pass_over` gives the results. One [`HANG`] for each [`CASES_OF_A_HANG`] is free.
pub(crate) fn run_in_rounds<C: Sync, T: Send>(
    cases: &[C],
    class: impl Fn(&C) -> &str,
    progress: &dyn ProgressObserver,
    judge: impl Fn(&C) -> (T, u32) + Sync,
    pass_over: impl Fn(&C) -> T + Sync,
) -> Vec<T> {
    let costs: Mutex<BTreeMap<usize, u32>> = Mutex::default();
    let is_given_up = |place: usize| costs_too_much(locked(&costs).range(..place));
    let rounds = rounds(cases.iter().map(class));
    let once = |place: usize| {
        let judged = (!is_given_up(place)).then(|| {
            let (judged, cost) = judge(&cases[rounds[place]]);
            if cost > 0 {
                locked(&costs).insert(place, cost);
            }
            judged
        });
        progress.advance(1);
        judged
    };
    // In order, so that few results are thrown away.
    let judged = parallel::map_in_order(cases.len(), once);
    let mut judged: Vec<(usize, usize, Option<T>)> = rounds
        .into_iter()
        .zip(judged)
        .enumerate()
        .map(|(place, (index, judged))| (index, place, judged))
        .collect();
    judged.sort_unstable_by_key(|(index, ..)| *index);
    let settled = |(index, place, judged): (usize, usize, Option<T>)| {
        judged.filter(|_| !is_given_up(place)).unwrap_or_else(|| pass_over(&cases[index]))
    };
    judged.into_iter().map(settled).collect()
}

/// Whether one of these cases, by their places, was the last that the player was allowed.
fn costs_too_much<'c>(costs: impl Iterator<Item = (&'c usize, &'c u32)>) -> bool {
    let (mut crashes, mut hangs) = (0, 0);
    costs.into_iter().any(|(place, cost)| {
        let sum = if *cost < HANG { &mut crashes } else { &mut hangs };
        *sum += cost;
        let more = u32::try_from(place / CASES_OF_A_HANG).unwrap_or(u32::MAX);
        crashes + hangs.saturating_sub(more.saturating_mul(HANG)) >= MOST
    })
}

/// The indices of cases of these classes: the first of each class, then the second of each class, and so on.
fn rounds<'c>(classes: impl Iterator<Item = &'c str>) -> Vec<usize> {
    let mut asked = BTreeMap::<&str, usize>::new();
    let round = |class| {
        let round = asked.entry(class).or_default();
        *round += 1;
        *round
    };
    let mut rounds: Vec<(usize, usize)> = classes.map(round).zip(0..).collect();
    rounds.sort_unstable();
    rounds.into_iter().map(|(_, index)| index).collect()
}

/// The time after which no case is begun.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// At this time, or never.
    pub(crate) fn at(until: Option<Instant>) -> Self {
        Self(until)
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
    use std::sync::atomic::{AtomicU32, Ordering};
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
        let judged = by_any_threads(|| run_in_rounds(&cases, |_| "", &NoProgress, judge, |_| None));
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
        check(|case| if case % 50 == 1 { HANG } else { 0 }, 199);
        check(|case| if case % 25 == 1 { HANG } else { 0 }, 126);
        check(|case| if case >= 60 && case % 5 == 0 { HANG } else { 0 }, 80);
    }

    #[test]
    fn rounds_take_a_case_of_each_class() {
        let check = |classes: &str, expected: &[usize]| {
            let order = rounds(classes.split_whitespace());
            assert_eq!(order, expected, "{classes}");
        };
        check("", &[]);
        check("a a a", &[0, 1, 2]);
        check("a a b b b c", &[0, 2, 5, 1, 3, 4]);
        check("b a b a", &[0, 1, 2, 3]);
    }

    /// Checks that of three classes with 90, 9 and 1 cases, each class has been asked when the time is over
    /// after so many cases, and that results are in the order of the cases.
    #[test]
    fn each_class_is_asked_before_the_time_is_over() {
        let cases: Vec<(usize, &str)> = (0..100)
            .map(|case| {
                (
                    case,
                    if case < 90 {
                        "a"
                    } else if case < 99 {
                        "b"
                    } else {
                        "c"
                    },
                )
            })
            .collect();
        let asked = AtomicU32::new(0);
        let judge = |case: &(usize, &'static str)| {
            let is_over = asked.fetch_add(1, Ordering::Relaxed) >= 6;
            ((!is_over).then_some(*case), 0)
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let judged = pool.install(|| run_in_rounds(&cases, |case| case.1, &NoProgress, judge, |_| None));
        let answered: Vec<usize> = judged.iter().flatten().map(|(case, _)| *case).collect();
        assert_eq!(answered, [0, 1, 2, 90, 91, 99]);
        assert!(judged.iter().enumerate().all(|(index, case)| case.is_none_or(|(case, _)| case == index)));
    }

    /// The order of asking decides which cases are passed over.
    #[test]
    fn a_player_is_given_up_within_a_round() {
        let cases: Vec<(u32, &str)> =
            (0..200).map(|case| (case, if case < 100 { "a" } else { "b" })).collect();
        let judge = |case: &(u32, &'static str)| (Some(case.0), CRASH);
        let judged = by_any_threads(|| run_in_rounds(&cases, |case| case.1, &NoProgress, judge, |_| None));
        let answered: Vec<u32> = judged.into_iter().flatten().collect();
        assert_eq!(answered, (0..12).chain(100..112).collect::<Vec<u32>>());
    }

    #[test]
    fn the_page_states_when_a_player_is_given_up() {
        let page = suites::catalogue::find("process/crash").unwrap();
        let text: Vec<&str> = page.text.split_whitespace().collect();
        let told = format!(
            "after {} positions or games over which it broke, or {} over which it hung, and one more for each {} cases \
             before",
            MOST / CRASH,
            MOST / HANG,
            CASES_OF_A_HANG
        );
        assert!(text.join(" ").contains(&told), "{told}");
    }
}
