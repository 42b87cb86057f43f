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
/// How long a search takes at least at whose end the threads are looked at, since some may end with it.
const LONG_SEARCH: Duration = Duration::from_millis(5);

/// What an engine got of the processor in a game. Both are 0 if no clock limits its searches, and where the system
/// does not report them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProcessorUse {
    /// The processor time of all its threads, in milliseconds.
    pub ran: u64,
    /// How long its threads were ready to run and no processor was free for them, in milliseconds. Threads that
    /// ended may have waited longer.
    pub waited: u64,
}

impl ProcessorUse {
    /// Both times, if the system reports both.
    fn of(ran: Option<Duration>, waited: Option<Duration>) -> Self {
        let both = ran.zip(waited).unwrap_or_default();
        Self { ran: whole_milliseconds(both.0), waited: whole_milliseconds(both.1) }
    }

    /// Whether the engine got less than half of the processor while it was ready to run.
    pub fn is_starved(self) -> bool {
        self.waited >= LEAST_WAIT && self.ran < self.waited
    }
}

/// Measures an engine in a game. An engine that is not to move has nothing to do, so that looking at it at the start
/// and at the end of the game tells what it got in its searches.
#[derive(Default)]
pub(super) struct Meter {
    /// Its processor time at the start of the game, and at the last look.
    ran: Option<(Duration, Duration)>,
    queue: Option<RunQueue>,
}

impl Meter {
    /// Begins before the first search. An engine whose searches no clock limits is not measured.
    pub(super) fn start(engine: &Engine, is_timed: bool) -> Self {
        if !is_timed {
            return Self::default();
        }
        let now = engine.processor_time();
        Self { ran: now.map(|now| (now, now)), queue: Some(engine.run_queue()) }
    }

    /// The processor time since the last look.
    pub(super) fn look(&mut self, engine: &Engine) -> Option<Duration> {
        let (_, last) = self.ran.as_mut()?;
        let now = engine.processor_time()?;
        Some(now.saturating_sub(std::mem::replace(last, now)))
    }

    /// Notes how long threads waited so far: some may end during a search.
    pub(super) fn note(&mut self) {
        self.queue.iter_mut().for_each(RunQueue::note);
    }

    /// Notes it at the end of a search that took so long.
    pub(super) fn end_search(&mut self, took: Duration) {
        if took >= LONG_SEARCH {
            self.note();
        }
    }

    /// What the engine got in the game.
    pub(super) fn whole(mut self) -> ProcessorUse {
        self.note();
        let waited = self.queue.and_then(|queue| queue.waited());
        ProcessorUse::of(self.ran.map(|(first, last)| last.saturating_sub(first)), waited)
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
    fn times_count_that_the_system_reports() {
        let time = |micros| Some(Duration::from_micros(micros));
        assert_eq!(ProcessorUse::of(time(7_999), time(7_500)), ProcessorUse { ran: 7, waited: 7 });
        for (ran, waited) in [(time(5_000), None), (None, time(5_000)), (None, None)] {
            assert_eq!(ProcessorUse::of(ran, waited), ProcessorUse::default());
        }
    }
}
