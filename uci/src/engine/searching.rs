//! Searches: from `go` to `bestmove`.

use std::time::{Duration, Instant};

use super::Engine;
use crate::failure::Failure;
use crate::message::Message;
use crate::patience::Patience;
use crate::search::Search;

/// When to ask for the first time whether a search is to be cut short.
const FIRST_CHECK: Duration = Duration::from_millis(5);
/// How often to ask that at least, and how long the answer to `stop` may take then.
const CUT_INTERVAL: Duration = Duration::from_millis(500);

impl Engine {
    /// Sends `position` and `go` with these arguments and receives until `bestmove`. After `within`, `stop`
    /// is sent.
    pub fn go(&mut self, position: &str, limit: &str, within: Duration) -> Result<Search, Failure> {
        self.search(&[format!("position {position}"), format!("go {limit}")], within)
    }

    /// Sends these lines, the last of which is `go`, and receives until `bestmove`. After `within`, `stop` is
    /// sent. A search whose thread panicked is cut short, since it may not answer.
    pub fn search(&mut self, lines: &[String], within: Duration) -> Result<Search, Failure> {
        let sent = self.send_search(lines);
        self.receive_best(sent, Patience::strict(sent, within), &mut Self::is_silent_after_panic)
    }

    /// As [`Engine::search`], for a search that ends by itself, such as one with a limit of nodes: the time in which the
    /// engine waits for a processor is added to `within`.
    pub fn search_to_its_end(&mut self, lines: &[String], within: Duration) -> Result<Search, Failure> {
        let sent = self.send_search(lines);
        self.receive_best(sent, Patience::new(sent, within), &mut Self::is_silent_after_panic)
    }

    /// Sends these lines, the last of which is `go`. Returns the time before that.
    pub fn send_search(&mut self, lines: &[String]) -> Instant {
        // All lines in one write: the engine wakes up once.
        let mut text = String::new();
        for line in lines {
            self.note_sent(line);
            text.extend([line, "\n"]);
        }
        let sent = Instant::now();
        self.process.send(text.into_bytes());
        sent
    }

    /// Receives until `bestmove`. After `within`, or when a thread of the engine panicked, `stop` is sent.
    pub fn receive_search(&mut self, within: Duration) -> Result<Search, Failure> {
        let now = Instant::now();
        self.receive_best(now, Patience::strict(now, within), &mut Self::is_silent_after_panic)
    }

    /// Receives the answer to [`Engine::send_search`], which returned `sent`. A panic does not cut the search short, and
    /// `is_cut` does. It is asked 5 ms after `go`, 10 ms after it, and so on in steps that double up to half a second.
    /// Once it is true `stop` is sent, and the answer must come within half a second.
    pub fn receive_search_unless(
        &mut self,
        sent: Instant,
        within: Duration,
        is_cut: &mut dyn FnMut() -> bool,
    ) -> Result<Search, Failure> {
        self.receive_best(sent, Patience::strict(sent, within), &mut |_, _| is_cut())
    }

    fn is_silent_after_panic(&self, silence: Duration) -> bool {
        silence >= CUT_INTERVAL && self.transcript.panic().is_some()
    }

    /// Asks `is_cut` with the time since the last line.
    fn receive_best(
        &mut self,
        asked: Instant,
        mut patience: Patience,
        is_cut: &mut dyn FnMut(&Self, Duration) -> bool,
    ) -> Result<Search, Failure> {
        // When `go` was written, if `stop` was sent after it: the last write is then no longer that of `go`.
        let mut written = None;
        let mut search = Search::default();
        let (mut check, mut was_cut) = (asked + FIRST_CHECK, false);
        loop {
            let until = patience.next().min(check);
            let message = self.receive(until)?;
            let is_due = message.is_none() && patience.is_over(until, || self.run_queue());
            let since = self.received_at.saturating_duration_since(asked);
            match message {
                Some(Message::Info(info)) => search.infos.push((since, info.with_mates(self.mate_scale))),
                Some(Message::BestMove(best)) => {
                    // The thread that writes may have waited for a processor.
                    let began = written.unwrap_or_else(|| self.process.write_time()).max(asked);
                    search.took = self.received_at.saturating_duration_since(began);
                    search.best = best;
                    return Ok(search);
                }
                _ if is_due && search.stopped => return Err(self.silent("bestmove", patience.time())),
                _ => {}
            }
            let now = Instant::now();
            let mut cuts = false;
            if now >= check {
                check = now + (now - asked).clamp(FIRST_CHECK, CUT_INTERVAL);
                cuts = !was_cut && is_cut(self, now.saturating_duration_since(self.received_at.max(asked)));
            }
            if (is_due || cuts) && !search.stopped {
                written = Some(self.process.write_time());
                self.send("stop");
                search.stopped = true;
                patience = Patience::new(now, self.timeouts.stop);
            }
            if cuts {
                was_cut = true;
                if now + CUT_INTERVAL < patience.end() {
                    patience = Patience::strict(now, CUT_INTERVAL);
                }
            }
        }
    }
}
