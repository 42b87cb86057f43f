//! How long to wait for an answer: a time, and longer by what the engine waited for a processor in it.
//!
//! On a busy machine an engine that is ready to run may get a tenth of a processor. What it did not get does not
//! count as its silence. An engine that sleeps gets no longer time.

use std::time::{Duration, Instant};

use crate::engine::Engine;
use crate::failure::Failure;
use crate::message::Message;
use crate::run_queue::RunQueue;

/// Waiting for a processor counts from so much time after the question: most answers come sooner.
const FIRST_LOOK: Duration = Duration::from_millis(50);
/// A wait is at most so many times as long as its time.
const LONGEST: u32 = 4;

/// A wait for an answer.
pub(crate) struct Patience {
    asked: Instant,
    /// What the answer may take.
    time: Duration,
    /// How long the engine waited for a processor since the first look.
    starved: Duration,
    queue: Option<RunQueue>,
}

impl Patience {
    pub(crate) fn new(asked: Instant, time: Duration) -> Self {
        Self { asked, time, starved: Duration::ZERO, queue: None }
    }

    /// The whole time of the wait.
    pub(crate) fn whole(&self) -> Duration {
        self.time + self.starved.min(self.time * (LONGEST - 1))
    }

    /// The end of the wait, by what is known.
    fn end(&self) -> Instant {
        self.asked + self.whole()
    }

    /// When to look again.
    pub(crate) fn next(&self) -> Instant {
        if self.queue.is_some() { self.end() } else { self.end().min(self.asked + FIRST_LOOK) }
    }

    /// Whether the wait is over. Looks at the engine if the time has come.
    pub(crate) fn is_over(&mut self, engine: &Engine) -> bool {
        if Instant::now() < self.next() {
            return false;
        }
        match &mut self.queue {
            Some(queue) => {
                queue.note();
                self.starved = queue.longest();
            }
            None => self.queue = Some(engine.run_queue()),
        }
        Instant::now() >= self.end()
    }
}

impl Engine {
    /// The next line, if one comes in time.
    pub(crate) fn receive_patiently(&mut self, patience: &mut Patience) -> Result<Option<Message>, Failure> {
        loop {
            let message = self.receive(patience.next())?;
            if message.is_some() || patience.is_over(self) {
                return Ok(message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_is_longer_by_the_time_without_a_processor() {
        let check = |starved, expected| {
            let time = Duration::from_secs(10);
            let starved = Duration::from_secs(starved);
            let patience = Patience { starved, ..Patience::new(Instant::now(), time) };
            assert_eq!(patience.whole(), Duration::from_secs(expected));
        };
        check(0, 10);
        check(7, 17);
        check(30, 40);
        check(500, 40);
    }
}
