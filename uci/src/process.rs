//! A process and its pipes: nothing here waits for it without a deadline, and nothing of it stays.

use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::pipes::{self, Event, MOST_INPUT, MOST_OUTPUT, Output};
use crate::process_group::Group;
use crate::program::Program;
use crate::transcript::Direction;

/// How often it is looked whether a process that says nothing is still there: a child of it can hold its output open.
const GLANCE: Duration = Duration::from_millis(250);

/// What is heard of a process.
pub(crate) enum Heard {
    Line(Output),
    /// Standard output is over.
    End,
    /// Nothing came in time.
    Nothing,
    /// More came than is read: so many bytes.
    Flood(u64),
    /// It reads nothing: so many bytes wait for it.
    Deaf(u64),
}

/// A running process.
pub(crate) struct Process {
    group: Group,
    input: Option<Sender<Vec<u8>>>,
    /// Bytes that it has not read.
    waiting: Arc<AtomicU64>,
    /// It was sent more than it may leave waiting, which is lost.
    is_deaf: bool,
    output: Receiver<Event>,
    /// Bytes that nobody has listened to.
    unheard: Arc<AtomicU64>,
    /// Bytes listened to since it was last sent something.
    heard: u64,
    /// A line that came later than was asked for.
    held: Option<Output>,
}

impl Process {
    pub(crate) fn start(program: &Program) -> Result<Self, Failure> {
        let mut command = Command::new(&program.path);
        command.args(&program.arguments).envs(program.environment.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        let not_started =
            |error: std::io::Error| Failure::NotStarted(format!("{}: {error}", program.path.display()));
        let (group, ends) = Group::start(command).map_err(not_started)?;
        let (send, output) = mpsc::channel();
        let unheard = Arc::new(AtomicU64::new(0));
        let (send_error, unheard_too) = (send.clone(), Arc::clone(&unheard));
        let counted = Arc::clone(&unheard);
        let from_engine = move || pipes::read(ends.output, Direction::FromEngine, &send, &counted);
        let error = move || pipes::read(ends.error, Direction::Error, &send_error, &unheard_too);
        let (input, messages) = mpsc::channel();
        let waiting = Arc::new(AtomicU64::new(0));
        let counted = Arc::clone(&waiting);
        let to_engine = move || pipes::write(ends.input, &messages, &counted);
        let thread = || thread::Builder::new().stack_size(128 << 10);
        thread().spawn(from_engine).map_err(not_started)?;
        thread().spawn(error).map_err(not_started)?;
        thread().spawn(to_engine).map_err(not_started)?;
        let (input, held) = (Some(input), None);
        Ok(Self { group, input, waiting, is_deaf: false, output, unheard, heard: 0, held })
    }

    /// Sends bytes as they are; a new step begins. What cannot be written any more is lost: its end is heard on its
    /// output.
    pub(crate) fn send(&mut self, bytes: Vec<u8>) {
        self.heard = 0;
        let Some(input) = &self.input else { return };
        let length = bytes.len() as u64;
        let before = self.waiting.fetch_add(length, Ordering::Relaxed);
        if before > 0 && before + length > MOST_INPUT {
            self.is_deaf = true;
            self.input = None;
        } else {
            let _ = input.send(bytes);
        }
    }

    /// Closes its input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// What is heard next, if it came until then.
    pub(crate) fn hear(&mut self, until: Instant) -> Heard {
        loop {
            let flood = self.heard.max(self.unheard.load(Ordering::Relaxed));
            if flood > MOST_OUTPUT {
                return Heard::Flood(flood);
            }
            if self.is_deaf {
                return Heard::Deaf(self.waiting.load(Ordering::Relaxed));
            }
            let event = match self.held.take() {
                Some(held) => Event::Line(held),
                None => match self.wait(until) {
                    Some(event) => event,
                    None => return Heard::Nothing,
                },
            };
            match event {
                // Whoever comes late hears what came in time, and no more.
                Event::Line(line) if line.at > until => {
                    self.held = Some(line);
                    return Heard::Nothing;
                }
                Event::Line(line) => {
                    self.unheard.fetch_sub(line.weight, Ordering::Relaxed);
                    self.heard += line.weight;
                    return Heard::Line(line);
                }
                Event::Flood => return Heard::Flood(flood.max(MOST_OUTPUT)),
                Event::End(Direction::FromEngine) => return Heard::End,
                Event::End(_) => {}
            }
        }
    }

    fn wait(&mut self, until: Instant) -> Option<Event> {
        loop {
            let now = Instant::now();
            let glance = until.min(now + GLANCE);
            match self.output.recv_timeout(glance.saturating_duration_since(now)) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return Some(Event::End(Direction::FromEngine)),
                Err(RecvTimeoutError::Timeout) if glance == until => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.group.status().is_some() {
                // What it said before its end may still be on its way.
                let last = self.output.recv_timeout(GLANCE);
                return Some(last.unwrap_or(Event::End(Direction::FromEngine)));
            }
        }
    }

    /// How it ended, if it does within this time.
    pub(crate) fn ended(&mut self, within: Duration) -> Option<ExitStatus> {
        self.group.ended(Instant::now() + within)
    }

    /// Kills it, with all that it started.
    pub(crate) fn kill(&mut self) {
        self.input = None;
        self.group.kill();
    }

    /// Whether it had to be killed.
    pub(crate) fn was_killed(&self) -> bool {
        self.group.was_killed()
    }
}
