//! How much of the processor an engine got in a game.
//!
//! An engine is *starved* if its threads waited longer for a processor than they ran: it got less than half of
//! the time in which it had something to do. An engine that sleeps or waits for input does not wait for a
//! processor, so that it is not starved, however little it ran.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use uci::{Engine, RunQueue};

use super::clock::whole_milliseconds;

/// The shortest time of waiting in a game, in milliseconds, that can make an engine starved.
const LEAST_WAIT: u64 = 20;

/// What an engine got of the processor in its searches, a late one included. Both are 0 if no clock limits the
/// searches, and where the system does not report them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProcessorUse {
    /// The processor time of all its threads, in milliseconds.
    pub ran: u64,
    /// How long its threads were ready to run and no processor was free for them, in milliseconds. Threads that
    /// end during a search may have waited longer.
    pub waited: u64,
}

impl ProcessorUse {
    /// Whether the engine got less than half of the processor while it was ready to run.
    pub fn is_starved(self) -> bool {
        self.waited >= LEAST_WAIT && self.ran < self.waited
    }
}

/// The sum over the searches of a game. Many of them are shorter than a millisecond.
#[derive(Default)]
pub(super) struct ProcessorSum {
    ran: Duration,
    waited: Duration,
}

impl ProcessorSum {
    /// Adds a search, if the system reports both times.
    pub(super) fn add(&mut self, ran: Option<Duration>, waited: Option<Duration>) {
        if let (Some(ran), Some(waited)) = (ran, waited) {
            self.ran = self.ran.saturating_add(ran);
            self.waited = self.waited.saturating_add(waited);
        }
    }

    /// The sum as it is recorded.
    pub(super) fn whole(&self) -> ProcessorUse {
        ProcessorUse { ran: whole_milliseconds(self.ran), waited: whole_milliseconds(self.waited) }
    }
}

/// Measures one search.
pub(super) struct Meter {
    processor: Option<Duration>,
    queue: Option<RunQueue>,
}

impl Meter {
    /// Begins before `go`. Reading how long threads wait takes a while, and is left out if no clock limits the
    /// search.
    pub(super) fn start(engine: &Engine, is_timed: bool) -> Self {
        Self { processor: engine.processor_time(), queue: is_timed.then(|| engine.run_queue()) }
    }

    /// Notes how long threads waited so far: some may end during the search.
    pub(super) fn note(&mut self) {
        self.queue.iter_mut().for_each(RunQueue::note);
    }

    /// The processor time since the start, and how long threads waited.
    pub(super) fn stop(mut self, engine: &Engine) -> (Option<Duration>, Option<Duration>) {
        self.note();
        let ran = engine.processor_time().zip(self.processor).map(|(now, then)| now.saturating_sub(then));
        (ran, self.queue.and_then(|queue| queue.waited()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_waits_longer_than_it_runs_is_starved() {
        let check = |ran, waited, expected| {
            assert_eq!(ProcessorUse { ran, waited }.is_starved(), expected, "{ran} {waited}");
        };
        check(0, 0, false);
        check(900, 899, false);
        check(900, 900, false);
        check(900, 901, true);
        // It slept, or did nearly nothing.
        check(0, 1, false);
        check(3, 19, false);
        check(3, 20, true);
    }

    #[test]
    fn searches_count_that_the_system_reports() {
        let mut all = ProcessorSum::default();
        let time = |micros| Some(Duration::from_micros(micros));
        all.add(time(5_999), time(7_000));
        all.add(time(1_000), None);
        all.add(None, time(1_000));
        all.add(time(2_000), time(500));
        assert_eq!(all.whole(), ProcessorUse { ran: 7, waited: 7 });
    }

    #[test]
    fn short_searches_count() {
        let mut all = ProcessorSum::default();
        let ran = Some(Duration::from_micros(900));
        for _ in 0..99 {
            all.add(ran, Some(Duration::ZERO));
        }
        all.add(ran, Some(Duration::from_millis(21)));
        assert_eq!(all.whole(), ProcessorUse { ran: 90, waited: 21 });
        assert!(!all.whole().is_starved());
    }
}
