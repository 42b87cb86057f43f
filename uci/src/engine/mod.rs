//! A session with an engine: sends commands and receives answers.

mod searching;
#[cfg(test)]
#[cfg(unix)]
pub(crate) mod tests;

use std::time::{Duration, Instant};

use crate::failure::{Exit, Failure};
use crate::identity::{Identity, set_option};
use crate::mate_scale::MateScale;
use crate::message::Message;
use crate::patience::Patience;
use crate::pipes::LineQuirks;
use crate::process::{Process, Received};
use crate::program::Program;
use crate::run_queue::RunQueue;
use crate::timeouts::Timeouts;
use crate::transcript::{Direction, Entry, Record, Transcript};

/// How long to wait for the end of a process that closed its output. Writing a core dump can take a while.
const END_TIMEOUT: Duration = Duration::from_secs(2);
/// How long to wait after that end for the last lines on standard error.
const LAST_LINES_TIMEOUT: Duration = Duration::from_millis(100);
/// How many bytes of the last command a failure shows.
const SHOWN: usize = 200;

/// A running engine. After a failure it is killed, and every further call returns the same failure.
pub struct Engine {
    process: Process,
    timeouts: Timeouts,
    options: Vec<(String, String)>,
    first_lines: Vec<String>,
    mate_scale: Option<MateScale>,
    started: Instant,
    transcript: Transcript,
    record: Option<Box<dyn Record>>,
    identity: Identity,
    quirks: LineQuirks,
    /// The last command that was sent, cut if it is long.
    last_command: String,
    /// When the last received line arrived.
    received_at: Instant,
    /// How many answers to `isready` are due.
    due_ready: u32,
    failure: Option<Failure>,
}

impl Engine {
    /// Starts a program and sends nothing yet.
    pub fn launch(program: &Program, timeouts: Timeouts) -> Result<Self, Failure> {
        let started = Instant::now();
        let process = Process::start(program)?;
        let session = if program.session.is_empty() { &program.name } else { &program.session };
        Ok(Self {
            process,
            timeouts,
            options: program.options.clone(),
            first_lines: program.first_lines.clone(),
            mate_scale: program.mate_scale,
            started,
            transcript: Transcript::default(),
            record: program.archive.begin(session),
            identity: Identity::default(),
            quirks: LineQuirks::default(),
            last_command: String::new(),
            received_at: started,
            due_ready: 0,
            failure: None,
        })
    }

    /// Starts a program, waits for `uciok`, sets its options, and waits for `readyok`.
    pub fn start(program: &Program, timeouts: Timeouts) -> Result<Self, Failure> {
        Self::start_with_transcript(program, timeouts).map_err(|(failure, _)| failure)
    }

    /// As [`Engine::start`], with the transcript in the error.
    pub fn start_with_transcript(program: &Program, timeouts: Timeouts) -> Result<Self, (Failure, String)> {
        let mut engine = Self::launch(program, timeouts).map_err(|failure| (failure, String::new()))?;
        match engine.handshake().map(|_| ()).and_then(|()| engine.set_up()) {
            Ok(()) => Ok(engine),
            Err(failure) => Err((failure, engine.transcript.to_string())),
        }
    }

    /// Sends `uci` and receives until `uciok`.
    pub fn handshake(&mut self) -> Result<&Identity, Failure> {
        self.identity = Identity::default();
        self.send("uci");
        let mut patience = Patience::new(Instant::now(), self.timeouts.start);
        loop {
            match self.receive_expected("uciok", &mut patience)? {
                Message::UciOk => break,
                Message::Id { key, value } => {
                    self.identity.id.insert(key, value);
                }
                Message::Option(option) => {
                    if let Some((limit, default)) = self.process.memory().zip(option.default.as_deref()) {
                        limit.note_option(&option.name, default);
                    }
                    self.identity.options.push(option);
                }
                Message::Other(line) => self.identity.others.push(line),
                _ => {}
            }
        }
        Ok(&self.identity)
    }

    /// Sets the initial options, sends the first lines of the program, and waits for `readyok`.
    pub fn set_up(&mut self) -> Result<(), Failure> {
        for (name, value) in self.options() {
            self.set_option(&name, &value);
        }
        for line in std::mem::take(&mut self.first_lines) {
            self.send(&line);
        }
        self.ready().map(|_| ())
    }

    /// The options that are set at the start, see [`Identity::initial_options`].
    pub fn options(&self) -> Vec<(String, String)> {
        self.identity.initial_options(&self.options)
    }

    /// How much longer than others it may take for `readyok`, as its hash table is large.
    pub fn time_to_clear(&self) -> Duration {
        self.identity.time_to_clear(&self.options)
    }

    /// Sends `setoption`. The value of a button is empty.
    pub fn set_option(&mut self, name: &str, value: &str) {
        self.send(&set_option(name, value));
    }

    /// Sends `isready` and receives until `readyok`. Returns the lines before it.
    pub fn ready(&mut self) -> Result<Vec<Message>, Failure> {
        self.ask_ready();
        self.receive_ready()
    }

    /// Sends `isready`. [`Engine::receive_ready`] receives the answer.
    pub fn ask_ready(&mut self) {
        self.send("isready");
        self.due_ready += 1;
    }

    /// Receives until each `isready` of [`Engine::ask_ready`] is answered. Returns the lines before the last answer.
    pub fn receive_ready(&mut self) -> Result<Vec<Message>, Failure> {
        let mut patience = Patience::new(Instant::now(), self.timeouts.ready + self.time_to_clear());
        let mut others = Vec::new();
        while self.due_ready > 0 {
            match self.receive_expected("readyok", &mut patience)? {
                Message::ReadyOk => self.due_ready -= 1,
                message => others.push(message),
            }
        }
        Ok(others)
    }

    /// The lines that have arrived.
    pub fn receive_arrived(&mut self) -> Result<Vec<Message>, Failure> {
        let now = Instant::now();
        std::iter::from_fn(|| self.receive(now).transpose()).collect()
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are, line break included.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.note_sent(String::from_utf8_lossy(bytes).trim_end_matches(['\r', '\n']));
        self.process.send(bytes.to_vec());
    }

    fn note_sent(&mut self, line: &str) {
        self.last_command.clear();
        self.last_command.push_str(&line[..line.floor_char_boundary(SHOWN)]);
        if let Some(limit) = self.process.memory() {
            limit.note_sent(line);
        }
        self.note(self.started.elapsed(), Direction::ToEngine, line.to_owned());
    }

    /// Closes the input of the engine.
    pub fn close_input(&mut self) {
        self.note_event("end of its input".to_owned());
        self.process.close_input();
    }

    /// The next line that arrived before the deadline; `None` if there is none. Lines that arrived before the
    /// deadline are returned even if they are read later.
    pub fn receive(&mut self, until: Instant) -> Result<Option<Message>, Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        loop {
            let after = || self.last_command.clone();
            let failure = match self.process.receive(until) {
                Received::TimedOut => return Ok(None),
                Received::Line(line) => {
                    let at = line.at.saturating_duration_since(self.started);
                    let message =
                        (line.direction == Direction::FromEngine).then(|| Message::read(&line.text));
                    self.note(at, line.direction, line.text);
                    if message.is_none() {
                        continue;
                    }
                    self.received_at = line.at;
                    self.quirks = self.quirks.and(line.quirks);
                    return Ok(message);
                }
                Received::End => self.output_closed(),
                Received::Flood(bytes) => Failure::Flooded { bytes, after: after() },
                Received::NotReading(bytes) => Failure::Deaf { bytes, after: after() },
                Received::Memory(limit) => Failure::Greedy { limit, after: after() },
            };
            return Err(self.failed(failure));
        }
    }

    /// Sends `quit` and waits for the end of the process. Kills the process if it does not end in time.
    pub fn quit(mut self) -> (Exit, Transcript) {
        self.send("quit");
        let exit = self.end_within(self.timeouts.quit);
        (exit, self.transcript)
    }

    /// Waits for the end of the process. Kills the process if it does not end in time.
    pub fn end_within(&mut self, time: Duration) -> Exit {
        let status = self.process.ended(time);
        if status.is_some_and(|status| !status.success()) {
            self.note_last_lines();
        }
        self.process.kill();
        let exit = match status {
            Some(status) if !self.process.was_killed() => Exit::from_status(status),
            _ => Exit::Killed,
        };
        self.note_event(format!("it ended: {exit}"));
        exit
    }

    /// The processor time of the process and all its threads so far; `None` where the system does not report
    /// it. The load of the machine does not lengthen it.
    pub fn processor_time(&self) -> Option<Duration> {
        self.process.processor_time()
    }

    /// How long the threads of the process wait for a processor from now on.
    pub fn run_queue(&self) -> RunQueue {
        self.process.run_queue()
    }

    /// Whether the session saw the end of the process, or killed it.
    pub fn is_over(&self) -> bool {
        self.process.is_over()
    }

    /// The answer of the engine to `uci`.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// The last lines that were sent and received.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// What was unusual about the lines of the engine so far.
    pub fn quirks(&self) -> LineQuirks {
        self.quirks
    }

    /// The timeouts of the session.
    pub fn timeouts(&self) -> Timeouts {
        self.timeouts
    }

    fn receive_expected(&mut self, awaited: &str, patience: &mut Patience) -> Result<Message, Failure> {
        loop {
            let until = patience.next();
            if let Some(message) = self.receive(until)? {
                return Ok(message);
            }
            if patience.is_over(until, || self.run_queue()) {
                return Err(self.silent(awaited, patience.time()));
            }
        }
    }

    /// The expected answer did not come: the process has ended, or is silent.
    fn silent(&mut self, awaited: &str, waited: Duration) -> Failure {
        let after = self.last_command.clone();
        let failure = match self.process.ended(Duration::ZERO) {
            Some(status) => self.ended(Exit::from_status(status), after),
            None => {
                Failure::Silent { awaited: awaited.to_owned(), waited, after, panic: self.transcript.panic() }
            }
        };
        self.failed(failure)
    }

    /// The output was closed: the process has ended, or runs on without output.
    fn output_closed(&mut self) -> Failure {
        let after = self.last_command.clone();
        let status = self.process.ended(END_TIMEOUT);
        self.note_last_lines();
        match status {
            Some(status) => self.ended(Exit::from_status(status), after),
            None => Failure::Mute { after },
        }
    }

    /// Adds the lines that a process printed before its end to the transcript.
    fn note_last_lines(&mut self) {
        let until = Instant::now() + LAST_LINES_TIMEOUT;
        // Lines on standard error may arrive after the end of standard output.
        for _ in 0..2 {
            while let Received::Line(line) = self.process.receive(until) {
                self.note(line.at.saturating_duration_since(self.started), line.direction, line.text);
            }
        }
    }

    fn ended(&self, exit: Exit, after: String) -> Failure {
        let (panic, last_error) = (self.transcript.panic(), self.transcript.last_error());
        Failure::Ended { exit, after, panic, last_error }
    }

    fn failed(&mut self, failure: Failure) -> Failure {
        self.note_event(failure.to_string());
        self.process.kill();
        self.failure = Some(failure.clone());
        failure
    }

    /// Adds an event of the process to the transcript.
    fn note_event(&mut self, what: String) {
        self.note(self.started.elapsed(), Direction::Event, what);
    }

    fn note(&mut self, at: Duration, direction: Direction, text: String) {
        let entry = Entry { at, direction, text };
        if let Some(record) = &mut self.record {
            record.write(&entry);
        }
        self.transcript.add(entry);
    }
}
