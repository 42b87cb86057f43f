//! The jobs of a session: searches, perft and the bench, from `go` to the answer.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use super::Session;
use crate::bench;
use crate::search_api::{Clock, Control};
use crate::uci::go::{self, Go};
use crate::uci::host::Host;
use crate::uci::info;
use crate::uci::job::{AnswerWaits, JobState, has_an_end};
use crate::uci::search_thread::{Done, Event, Job, Task};
use crate::uci::tokens::{self, quoted};

/// How long a job may continue after the end of input: the user interface may have crashed.
const GRACE: Duration = Duration::from_mins(1);

impl<H: Host, W: Write> Session<H, W> {
    /// How long the current job may still wait for the configuration of the searcher.
    pub(super) fn time_left(&self) -> Option<Duration> {
        match &self.job {
            JobState::Busy { control, due: Some(due), .. }
                if self.pending_setup > 0 && !control.is_pondering() =>
            {
                Some(due.saturating_sub(control.elapsed()))
            }
            _ => None,
        }
    }

    pub(super) fn go(&mut self, rest: &str) -> io::Result<()> {
        let control = Control::new(self.host.start_clock());
        if !matches!(self.job, JobState::Idle) {
            return self
                .print_info_string(&format!("go{}: ignored, a search is running", quoted_words(rest)));
        }
        let position = *self.game.position();
        let go = match go::parse(rest, &position, self.choices.mode) {
            Ok(go) => go,
            Err(error) => return self.print_info_string(&format!("go: {error}")),
        };
        if let Some(clock) = go.missing_clock(&position) {
            self.print_info_string(&format!(
                "go: it is {}'s turn, but {clock} is missing",
                position.side_to_move()
            ))?;
        }
        let limits = go.limits(&position, self.choices.overhead);
        for word in &go.unknown {
            self.print_info_string(&format!("go: unknown word {} ignored", quoted(word)))?;
        }
        let Go { infinite, ponder, .. } = go;
        if let Some(depth) = go.perft {
            let job = Job::Perft { position, depth, mode: self.choices.mode };
            return self.begin(job, control, AnswerWaits::default(), None);
        }
        if !position.has_legal_move() {
            self.print(&info::no_legal_moves(&position, self.style()))?;
            return self.answer("bestmove (none)".to_owned(), infinite, ponder);
        }
        self.configure()?;
        control.set_pondering(ponder);
        let finite = has_an_end(&limits);
        let due = go.due(&position, self.choices.overhead);
        let job = Job::Think { game: self.game.clone(), limits, style: self.style() };
        self.begin(job, control, AnswerWaits { infinite, ponder, endless: !finite }, due)
    }

    fn begin(
        &mut self,
        job: Job,
        control: Control,
        waits: AnswerWaits,
        due: Option<Duration>,
    ) -> io::Result<()> {
        let control = Arc::new(control);
        self.job = JobState::Busy { control: Arc::clone(&control), waits, fallback: job.fallback(), due };
        (self.tasks)(Task::Do(job, control))
    }

    pub(super) fn on_done(&mut self, done: Done) -> io::Result<()> {
        let faults: Vec<String> = self.tables.new_faults().collect();
        for fault in faults {
            self.print_info_string(&format!("TablePath: {fault}; searching on without this table"))?;
        }
        if let Some(message) = done.panicked {
            self.print_info_string(&format!("defect: the search failed with {message:?}"))?;
            self.unconfigured = true;
        }
        if self.abandoned > 0 {
            self.abandoned -= 1;
            return Ok(());
        }
        match std::mem::replace(&mut self.job, JobState::Idle) {
            JobState::Busy { waits, .. } => self.answer(done.answer, waits.infinite, waits.ponder),
            JobState::Idle | JobState::Held { .. } => Ok(()),
        }
    }

    /// Prints an answer, or holds it back.
    fn answer(&mut self, answer: String, infinite: bool, ponder: bool) -> io::Result<()> {
        if infinite || ponder {
            self.job = JobState::Held { answer, infinite };
            return Ok(());
        }
        self.print(&answer)
    }

    pub(super) fn stop(&mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.job, JobState::Idle) {
            // Late `stop` commands are common.
            JobState::Idle => {}
            JobState::Busy { control, fallback, .. } if self.pending_setup > 0 => {
                control.stop();
                self.abandoned += 1;
                self.print_info_string("the search is still being set up: answered without it")?;
                self.print(&fallback)?;
            }
            JobState::Busy { control, fallback, due, .. } => {
                control.stop();
                self.job = JobState::Busy { control, waits: AnswerWaits::default(), fallback, due };
            }
            JobState::Held { answer, .. } => self.print(&answer)?,
        }
        Ok(())
    }

    pub(super) fn ponder_hit(&mut self) -> io::Result<()> {
        match &mut self.job {
            JobState::Busy { control, waits, .. } if waits.ponder => {
                control.set_pondering(false);
                waits.ponder = false;
                Ok(())
            }
            JobState::Held { infinite: false, .. } => self.stop(),
            _ => self.print_info_string("ponderhit: not pondering"),
        }
    }

    /// Stops the current job and prints its answer. Lines that arrive meanwhile are queued.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.stop()?;
        while matches!(self.job, JobState::Busy { .. }) {
            match self.inbox.recv() {
                Ok(Event::Read(line)) => self.backlog.push_back(line),
                Ok(event) => drop(self.handle(event)?),
                Err(_) => break,
            }
        }
        Ok(())
    }

    /// Lets a job with a limit finish, for at most [`GRACE`].
    pub(super) fn finish_limited_job(&mut self) -> io::Result<()> {
        let clock = self.host.start_clock();
        loop {
            let awaited = match &self.job {
                JobState::Busy { waits, .. } => waits.is_none(),
                JobState::Idle | JobState::Held { .. } => self.pending_readyok > 0,
            };
            let left = GRACE.saturating_sub(clock.elapsed());
            if !awaited || left.is_zero() {
                return Ok(());
            }
            match self.inbox.recv_timeout(left) {
                Ok(event) => drop(self.handle(event)?),
                Err(_) => return Ok(()),
            }
        }
    }

    pub(super) fn bench(&mut self, rest: &str) -> io::Result<()> {
        if !matches!(self.job, JobState::Idle) {
            return self.print_info_string("bench: ignored, a search is running");
        }
        let depth = match tokens::split(rest) {
            None => bench::DEPTH,
            Some((word, _)) => match tokens::number("bench", Some(word), 1..=u16::MAX) {
                Ok(depth) => depth,
                Err(error) => return self.print_info_string(&format!("bench: {error}")),
            },
        };
        self.unconfigured = true;
        let control = Control::new(self.host.start_clock());
        self.begin(Job::Bench { depth }, control, AnswerWaits::default(), None)
    }
}

/// The quoted arguments of a command, for messages.
fn quoted_words(rest: &str) -> String {
    let rest = rest.trim();
    if rest.is_empty() { String::new() } else { format!(" {}", quoted(rest)) }
}
