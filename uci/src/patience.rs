//! How long to wait for an answer: a time, and longer by what the engine waited for a processor in it.
//!
//! On a busy machine an engine that is ready to run may get a tenth of a processor. What it did not get does not
//! count as its silence. An engine that sleeps gets no more time; one with more busy threads than there are processors
//! does, since some of them always wait.

use std::time::{Duration, Instant};

use crate::run_queue::RunQueue;

/// Waiting for a processor counts from so much time after the question: most answers come sooner.
const FIRST_LOOK: Duration = Duration::from_millis(50);
/// A wait is at most so many times as long as its time.
const LONGEST: u32 = 4;

/// A wait for an answer.
#[derive(Debug)]
pub(crate) struct Patience {
    asked: Instant,
    /// What the answer may take.
    time: Duration,
    /// How long the engine waited for a processor since the first look; none if that does not count.
    starved: Option<Duration>,
    queue: Option<RunQueue>,
}

impl Patience {
    /// A wait that is longer on a busy machine.
    pub(crate) fn new(asked: Instant, time: Duration) -> Self {
        Self { asked, time, starved: Some(Duration::ZERO), queue: None }
    }

    /// A wait that takes this time whatever the engine gets.
    pub(crate) fn strict(asked: Instant, time: Duration) -> Self {
        Self { starved: None, ..Self::new(asked, time) }
    }

    /// What the answer may take.
    pub(crate) fn time(&self) -> Duration {
        self.time
    }

    /// The end of the wait, by what is known.
    pub(crate) fn end(&self) -> Instant {
        self.asked + self.time + self.starved.unwrap_or_default().min(self.time * (LONGEST - 1))
    }

    /// When to look at the engine, at the latest at the end of the wait.
    pub(crate) fn next(&self) -> Instant {
        let is_first = self.starved.is_some() && self.queue.is_none();
        if is_first { self.end().min(self.asked + FIRST_LOOK) } else { self.end() }
    }

    /// Whether the wait is over, if nothing came until this time.
    pub(crate) fn is_over(&mut self, until: Instant, queue: impl FnOnce() -> RunQueue) -> bool {
        if until < self.next() {
            return false;
        }
        match (&mut self.starved, &mut self.queue) {
            (Some(starved), Some(queue)) => {
                queue.note();
                *starved = queue.longest();
            }
            (Some(_), none) => *none = Some(queue()),
            (None, _) => {}
        }
        until >= self.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Duration = Duration::from_secs(10);

    /// A wait that was looked at. A process that is not there waits for no processor.
    fn looked(starved: Duration) -> (Instant, Patience) {
        let asked = Instant::now();
        let mut patience = Patience::new(asked, TIME);
        assert_eq!(patience.next(), asked + FIRST_LOOK);
        assert!(!patience.is_over(asked, || unreachable!("it is not yet time")));
        assert!(!patience.is_over(asked + FIRST_LOOK, || RunQueue::of_waits(starved)));
        assert_eq!(patience.next(), asked + TIME);
        (asked, patience)
    }

    fn again() -> RunQueue {
        unreachable!("the engine was looked at")
    }

    #[test]
    fn an_engine_that_sleeps_gets_no_more_time() {
        let (asked, mut patience) = looked(Duration::ZERO);
        assert!(!patience.is_over(asked + TIME / 2, again));
        assert!(patience.is_over(asked + TIME, again));
    }

    #[test]
    fn the_time_without_a_processor_is_added_up_to_three_times_the_time() {
        for (starved, added) in [(3, 3), (30, 30), (500, 30)] {
            let (asked, mut patience) = looked(Duration::from_secs(starved));
            assert!(!patience.is_over(asked + TIME, again));
            let end = asked + TIME + Duration::from_secs(added);
            assert_eq!(patience.next(), end);
            assert!(patience.is_over(end, again));
        }
    }

    #[test]
    fn a_strict_wait_ends_in_time() {
        let asked = Instant::now();
        let mut patience = Patience::strict(asked, TIME);
        assert_eq!(patience.next(), asked + TIME);
        assert!(!patience.is_over(asked + FIRST_LOOK, again));
        assert!(patience.is_over(asked + TIME, again));
    }
}
