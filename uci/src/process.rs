//! A process and its pipes. Every wait has a deadline, and the process is killed with all that it started.

use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::pipes::{self, Event, MOST_INPUT, MOST_OUTPUT, Output, WriteTime};
use crate::process_group::Group;
use crate::program::Program;
use crate::run_queue::RunQueue;
use crate::transcript::Direction;

/// How often to poll a silent process for its end: one of its children can hold its output open.
const POLL: Duration = Duration::from_millis(250);

/// What a process did until a deadline.
pub(crate) enum Received {
    Line(Output),
    /// It closed its standard output.
    End,
    /// Nothing arrived before the deadline.
    TimedOut,
    /// There was too much output: the number of bytes.
    Flood(u64),
    /// It does not read its input: the number of bytes that wait.
    NotReading(u64),
}

/// A running process.
pub(crate) struct Process {
    group: Group,
    input: Option<Sender<Vec<u8>>>,
    /// Bytes of input that it has not read.
    waiting: Arc<AtomicU64>,
    /// When the last write to it began.
    write_time: Arc<WriteTime>,
    /// Too much input was waiting, and the rest was discarded.
    has_full_input: bool,
    output: Receiver<Event>,
    /// Bytes of output that the session has not received.
    unread: Arc<AtomicU64>,
    /// Bytes received since the session last sent something.
    received: u64,
    /// A line that arrived after the deadline of the last call.
    pending: Option<Output>,
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
        let unread = Arc::new(AtomicU64::new(0));
        let (send_error, unread_error) = (send.clone(), Arc::clone(&unread));
        let counted = Arc::clone(&unread);
        let from_engine = move || pipes::read(ends.output, Direction::FromEngine, &send, &counted);
        let error = move || pipes::read(ends.error, Direction::Error, &send_error, &unread_error);
        let (input, messages) = mpsc::channel();
        let waiting = Arc::new(AtomicU64::new(0));
        let write_time = Arc::new(WriteTime::new());
        let (counted, noted) = (Arc::clone(&waiting), Arc::clone(&write_time));
        let to_engine = move || pipes::write(ends.input, &messages, &counted, &noted);
        let thread = || thread::Builder::new().stack_size(128 << 10);
        thread().spawn(from_engine).map_err(not_started)?;
        thread().spawn(error).map_err(not_started)?;
        thread().spawn(to_engine).map_err(not_started)?;
        let (input, pending) = (Some(input), None);
        let has_full_input = false;
        Ok(Self { group, input, waiting, write_time, has_full_input, output, unread, received: 0, pending })
    }

    /// The processor time of the process so far, where the system reports it.
    pub(crate) fn processor_time(&self) -> Option<Duration> {
        self.group.processor_time()
    }

    /// How long its threads wait for a processor from now on.
    pub(crate) fn run_queue(&self) -> RunQueue {
        self.group.run_queue()
    }

    /// Sends bytes. If the process has closed its input, they are discarded: the end of the process shows on
    /// its output.
    pub(crate) fn send(&mut self, bytes: Vec<u8>) {
        self.received = 0;
        let Some(input) = &self.input else { return };
        let length = bytes.len() as u64;
        let before = self.waiting.fetch_add(length, Ordering::Relaxed);
        if before > 0 && before + length > MOST_INPUT {
            self.has_full_input = true;
            self.input = None;
        } else {
            let _ = input.send(bytes);
        }
    }

    /// When the last write to the process began. The write may have waited for a processor after it was sent.
    pub(crate) fn write_time(&self) -> Instant {
        self.write_time.get()
    }

    /// Closes the input of the process.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// The next event that arrived before the deadline.
    pub(crate) fn receive(&mut self, until: Instant) -> Received {
        loop {
            let flood = self.received.max(self.unread.load(Ordering::Relaxed));
            if flood > MOST_OUTPUT {
                return Received::Flood(flood);
            }
            if self.has_full_input {
                return Received::NotReading(self.waiting.load(Ordering::Relaxed));
            }
            let event = match self.pending.take() {
                Some(line) => Event::Line(line),
                None => match self.wait(until) {
                    Some(event) => event,
                    None => return Received::TimedOut,
                },
            };
            match event {
                // Lines that arrived before the deadline are returned even if they are read later; others are
                // kept.
                Event::Line(line) if line.at > until => {
                    self.pending = Some(line);
                    return Received::TimedOut;
                }
                Event::Line(line) => {
                    self.unread.fetch_sub(line.weight, Ordering::Relaxed);
                    self.received += line.weight;
                    return Received::Line(line);
                }
                Event::Flood => return Received::Flood(flood.max(MOST_OUTPUT)),
                Event::End(Direction::FromEngine) => return Received::End,
                Event::End(_) => {}
            }
        }
    }

    fn wait(&mut self, until: Instant) -> Option<Event> {
        loop {
            let now = Instant::now();
            let poll = until.min(now + POLL);
            match self.output.recv_timeout(poll.saturating_duration_since(now)) {
                Ok(event) => return Some(event),
                Err(RecvTimeoutError::Disconnected) => return Some(Event::End(Direction::FromEngine)),
                Err(RecvTimeoutError::Timeout) if poll == until => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if self.group.status().is_some() {
                // A line from before its end may still be on its way.
                let last = self.output.recv_timeout(POLL);
                return Some(last.unwrap_or(Event::End(Direction::FromEngine)));
            }
        }
    }

    /// How it ended, if it ends within this time.
    pub(crate) fn ended(&mut self, within: Duration) -> Option<ExitStatus> {
        self.group.ended(Instant::now() + within)
    }

    /// Kills the process with all that it started.
    pub(crate) fn kill(&mut self) {
        self.input = None;
        self.group.kill();
    }

    /// Whether its end was seen, or it was killed.
    pub(crate) fn is_over(&self) -> bool {
        self.group.is_over()
    }

    /// Whether it was killed before it ended.
    pub(crate) fn was_killed(&self) -> bool {
        self.group.was_killed()
    }
}
