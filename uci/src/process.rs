//! A process and its pipes. Every wait has a deadline, and the process is killed with all that it started.

use std::collections::VecDeque;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::failure::Failure;
use crate::input::Input;
use crate::memory::MemoryLimit;
use crate::own_folder::OwnFolder;
use crate::pipes::{self, Event, MOST_OUTPUT, Output};
use crate::process_group::Group;
use crate::program::{FOLDERS, KEPT, Program};
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
    /// It has more memory than this limit in MiB.
    Memory(u64),
}

/// What came of a wait.
enum Waited {
    Event(Event),
    /// Nothing yet.
    Silence,
    /// Nothing before the deadline.
    TimedOut,
}

/// A running process.
pub(crate) struct Process {
    group: Group,
    input: Input,
    memory: Option<MemoryLimit>,
    output: Receiver<Vec<Event>>,
    /// What the session has not received of the last events. A line may have arrived after the deadline of a call.
    arrived: VecDeque<Event>,
    /// Bytes of output that the session has not received.
    unread: Arc<AtomicU64>,
    /// Bytes received since the session last sent something.
    received: u64,
    /// The working directory of an isolated program, which is removed after the process has ended.
    _own_folder: Option<OwnFolder>,
}

impl Process {
    pub(crate) fn start(program: &Program) -> Result<Self, Failure> {
        let not_started =
            |error: std::io::Error| Failure::NotStarted(format!("{}: {error}", program.path.display()));
        let mut command = Command::new(&program.path);
        command.args(&program.arguments);
        let own_folder = program.isolated.then(OwnFolder::new).transpose().map_err(not_started)?;
        if let Some(folder) = &own_folder {
            let kept = KEPT.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
            command.env_clear().envs(kept).envs(FOLDERS.map(|name| (name, folder.path())));
        }
        command.envs(program.environment.iter().cloned());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let folder = own_folder.as_ref().map(OwnFolder::path);
        if let Some(directory) = folder.or(program.directory.as_deref()) {
            command.current_dir(directory);
        }
        let (group, ends) = Group::start(command).map_err(not_started)?;
        let (send, output) = mpsc::channel();
        let unread = Arc::new(AtomicU64::new(0));
        let (send_error, unread_error) = (send.clone(), Arc::clone(&unread));
        let counted = Arc::clone(&unread);
        let from_engine = move || pipes::read(ends.output, Direction::FromEngine, &send, &counted);
        let error = move || pipes::read(ends.error, Direction::Error, &send_error, &unread_error);
        let thread = || thread::Builder::new().stack_size(128 << 10);
        thread().spawn(from_engine).map_err(not_started)?;
        thread().spawn(error).map_err(not_started)?;
        let input = Input::new(ends.input).map_err(not_started)?;
        let memory = program.memory.map(|most| MemoryLimit::new(group.id(), most));
        Ok(Self {
            group,
            input,
            memory,
            output,
            arrived: VecDeque::new(),
            unread,
            received: 0,
            _own_folder: own_folder,
        })
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
        self.input.send(bytes);
    }

    /// The limit of its memory, if it has one.
    pub(crate) fn memory(&mut self) -> Option<&mut MemoryLimit> {
        self.memory.as_mut()
    }

    /// When the last write to the process began. The write may have waited for a processor after it was sent.
    pub(crate) fn write_time(&self) -> Instant {
        self.input.write_time()
    }

    /// Closes the input of the process.
    pub(crate) fn close_input(&mut self) {
        self.input.close();
    }

    /// The next event that arrived before the deadline.
    pub(crate) fn receive(&mut self, until: Instant) -> Received {
        loop {
            let flood = self.received.max(self.unread.load(Ordering::Relaxed));
            if flood > MOST_OUTPUT {
                return Received::Flood(flood);
            }
            if let Some(waiting) = self.input.overflow() {
                return Received::NotReading(waiting);
            }
            let event = match self.arrived.pop_front().or_else(|| self.queued()) {
                Some(event) => event,
                // What it has said counts first.
                None => match self.memory.as_mut().and_then(MemoryLimit::passed) {
                    Some(limit) => return Received::Memory(limit),
                    None => match self.wait(until) {
                        Waited::Event(event) => event,
                        Waited::Silence => continue,
                        Waited::TimedOut => return Received::TimedOut,
                    },
                },
            };
            match event {
                // Lines that arrived before the deadline are returned even if they are read later; others are
                // kept.
                Event::Line(line) if line.at > until => {
                    self.arrived.push_front(Event::Line(line));
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

    /// Waits for the next event, and no longer than until the process is to be looked at again.
    fn wait(&mut self, until: Instant) -> Waited {
        let now = Instant::now();
        let poll = until.min(now + POLL);
        match self.output.recv_timeout(poll.saturating_duration_since(now)) {
            Ok(events) => return self.take(events).map_or(Waited::Silence, Waited::Event),
            Err(RecvTimeoutError::Disconnected) => return Waited::Event(Event::End(Direction::FromEngine)),
            Err(RecvTimeoutError::Timeout) if poll == until => return Waited::TimedOut,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if self.group.status().is_none() {
            return Waited::Silence;
        }
        // A line from before its end may still be on its way.
        let last = self.output.recv_timeout(POLL).ok().and_then(|events| self.take(events));
        Waited::Event(last.unwrap_or(Event::End(Direction::FromEngine)))
    }

    /// The next event that is there already.
    fn queued(&mut self) -> Option<Event> {
        let events = self.output.try_recv().ok()?;
        self.take(events)
    }

    /// The first of these events. Keeps the others.
    fn take(&mut self, events: Vec<Event>) -> Option<Event> {
        self.arrived.extend(events);
        self.arrived.pop_front()
    }

    /// How it ended, if it ends within this time.
    pub(crate) fn ended(&mut self, within: Duration) -> Option<ExitStatus> {
        self.group.ended(Instant::now() + within)
    }

    /// Kills the process with all that it started. Its input is closed after that, or it might end by itself
    /// at the end of its input, and how it ended would be chance.
    pub(crate) fn kill(&mut self) {
        self.group.kill();
        self.input.close();
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
