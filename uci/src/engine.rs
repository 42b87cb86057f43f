//! A session with a program: what is said to it, and what it answers.

use std::time::{Duration, Instant};

use crate::failure::{Exit, Failure};
use crate::identity::{Identity, set_option};
use crate::info::Info;
use crate::message::{BestMove, Message};
use crate::pipes::LineQuirks;
use crate::process::{Heard, Process};
use crate::program::Program;
use crate::timeouts::Timeouts;
use crate::transcript::{Direction, Entry, Record, Transcript};

/// How long the end of a process is awaited whose output is over. It can take a while to write down how it crashed.
const END: Duration = Duration::from_secs(2);
/// How long its last words on standard error are awaited then.
const LAST_WORDS: Duration = Duration::from_millis(100);
/// Characters of the last line said that a failure tells.
const TOLD: usize = 200;

/// A program that runs, and what it said of itself. When it fails it is killed, and fails in the same way from then on.
pub struct Engine {
    process: Process,
    timeouts: Timeouts,
    options: Vec<(String, String)>,
    started: Instant,
    transcript: Transcript,
    record: Option<Box<dyn Record>>,
    identity: Identity,
    quirks: LineQuirks,
    /// The last line that was said to it.
    after: String,
    /// When the line came that was heard last.
    heard_at: Instant,
    failure: Option<Failure>,
}

/// What came of one `go`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    /// Its lines of `info`, and when each came since `go`.
    pub infos: Vec<(Duration, Info)>,
    /// Its move.
    pub best: BestMove,
    /// Lines that are neither, and stand between.
    pub others: Vec<String>,
    /// From `go` to `bestmove`.
    pub took: Duration,
    /// Whether it had to be told to stop.
    pub stopped: bool,
}

impl Engine {
    /// Starts a program and says nothing yet.
    pub fn launch(program: &Program, timeouts: Timeouts) -> Result<Self, Failure> {
        let started = Instant::now();
        let process = Process::start(program)?;
        let session = if program.session.is_empty() { &program.name } else { &program.session };
        Ok(Self {
            process,
            timeouts,
            options: program.options.clone(),
            started,
            transcript: Transcript::default(),
            record: program.archive.begin(session),
            identity: Identity::default(),
            quirks: LineQuirks::default(),
            after: String::new(),
            heard_at: started,
            failure: None,
        })
    }

    /// Starts a program, waits for `uciok`, sets the options it is to have, and waits until it is ready.
    pub fn start(program: &Program, timeouts: Timeouts) -> Result<Self, Failure> {
        Self::begin(program, timeouts).map_err(|(failure, _)| failure)
    }

    /// The same; where it fails, with what went over the pipes.
    pub fn begin(program: &Program, timeouts: Timeouts) -> Result<Self, (Failure, String)> {
        let mut engine = Self::launch(program, timeouts).map_err(|failure| (failure, String::new()))?;
        match engine.handshake().map(|_| ()).and_then(|()| engine.set_up()) {
            Ok(()) => Ok(engine),
            Err(failure) => Err((failure, engine.transcript.to_string())),
        }
    }

    /// Says `uci` and listens until `uciok`.
    pub fn handshake(&mut self) -> Result<&Identity, Failure> {
        self.identity = Identity::default();
        self.say("uci");
        let until = Instant::now() + self.timeouts.start;
        loop {
            match self.await_word("uciok", until, self.timeouts.start)? {
                Message::UciOk => break,
                Message::Id { key, value } => {
                    self.identity.id.insert(key, value);
                }
                Message::Option(option) => self.identity.options.push(option),
                Message::Other(line) => self.identity.others.push(line),
                _ => {}
            }
        }
        self.identity.complete = true;
        Ok(&self.identity)
    }

    /// Sets the options that the program is to have, with books off and one thread unless they say otherwise, and waits
    /// until it is ready.
    pub fn set_up(&mut self) -> Result<(), Failure> {
        for (name, value) in self.options() {
            self.set_option(&name, &value);
        }
        self.ready().map(|_| ())
    }

    /// The options that are set at its start.
    pub fn options(&self) -> Vec<(String, String)> {
        self.identity.set_up(&self.options)
    }

    /// Says `setoption`; a button has no value.
    pub fn set_option(&mut self, name: &str, value: &str) {
        self.say(&set_option(name, value));
    }

    /// Says `isready` and listens until `readyok`. Returns what came before it.
    pub fn ready(&mut self) -> Result<Vec<Message>, Failure> {
        self.say("isready");
        let until = Instant::now() + self.timeouts.ready;
        let mut before = Vec::new();
        loop {
            match self.await_word("readyok", until, self.timeouts.ready)? {
                Message::ReadyOk => return Ok(before),
                said => before.push(said),
            }
        }
    }

    /// Says a line.
    pub fn say(&mut self, line: &str) {
        self.say_bytes(format!("{line}\n").as_bytes());
    }

    /// Says bytes as they are, the end of the line included.
    pub fn say_bytes(&mut self, bytes: &[u8]) {
        self.noted_as_said(String::from_utf8_lossy(bytes).trim_end_matches(['\r', '\n']));
        self.process.send(bytes.to_vec());
    }

    fn noted_as_said(&mut self, line: &str) {
        self.after.clear();
        self.after.extend(line.chars().take(TOLD));
        self.note(self.started.elapsed(), Direction::ToEngine, line.to_owned());
    }

    /// Ends its input.
    pub fn close_input(&mut self) {
        self.tell("end of its input".to_owned());
        self.process.close_input();
    }

    /// What it says next, if it came until then. Whoever listens late hears what came in time.
    pub fn listen(&mut self, until: Instant) -> Result<Option<Message>, Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        loop {
            let after = || self.after.clone();
            let failure = match self.process.hear(until) {
                Heard::Nothing => return Ok(None),
                Heard::Line(line) => {
                    let at = line.at.saturating_duration_since(self.started);
                    let said = (line.direction == Direction::FromEngine).then(|| Message::read(&line.text));
                    self.note(at, line.direction, line.text);
                    if said.is_none() {
                        continue;
                    }
                    self.heard_at = line.at;
                    self.quirks = self.quirks.and(line.quirks);
                    return Ok(said);
                }
                Heard::End => self.over(),
                Heard::Flood(bytes) => Failure::Flooded { bytes, after: after() },
                Heard::Deaf(bytes) => Failure::Deaf { bytes, after: after() },
            };
            return Err(self.failed(failure));
        }
    }

    /// Says `position` and `go` with what follows these words, and listens until `bestmove`. After `within` it is told to stop.
    pub fn go(&mut self, position: &str, limit: &str, within: Duration) -> Result<Search, Failure> {
        self.search(&[format!("position {position}"), format!("go {limit}")], within)
    }

    /// Says these lines, of which the last is `go`, and listens until `bestmove`. After `within` it is told to stop.
    pub fn search(&mut self, lines: &[String], within: Duration) -> Result<Search, Failure> {
        // At once: whoever waits for them need wake up only once.
        let mut said = String::new();
        for line in lines {
            self.noted_as_said(line);
            said.extend([line, "\n"]);
        }
        self.process.send(said.into_bytes());
        self.hear_search(within)
    }

    /// Listens until `bestmove`. After `within` it is told to stop.
    pub fn hear_search(&mut self, within: Duration) -> Result<Search, Failure> {
        let asked = Instant::now();
        let mut search = Search::default();
        let (mut until, mut waited) = (asked + within, within);
        loop {
            let said = self.listen(until)?;
            let since = self.heard_at.saturating_duration_since(asked);
            match said {
                Some(Message::Info(info)) => search.infos.push((since, *info)),
                Some(Message::BestMove(best)) => {
                    search.took = since;
                    search.best = best;
                    return Ok(search);
                }
                Some(Message::Other(line)) => search.others.push(line),
                Some(_) => {}
                None if search.stopped => return Err(self.silent("bestmove", waited)),
                None => {
                    self.say("stop");
                    search.stopped = true;
                    until = Instant::now() + self.timeouts.stop;
                    waited = self.timeouts.stop;
                }
            }
        }
    }

    /// Says `quit` and waits for the end; kills it if that does not come.
    pub fn quit(mut self) -> (Exit, Transcript) {
        self.say("quit");
        let exit = self.end_within(self.timeouts.quit);
        (exit, self.transcript)
    }

    /// Waits for the end of the process, and kills it if that does not come.
    pub fn end_within(&mut self, time: Duration) -> Exit {
        let status = self.process.ended(time);
        self.process.kill();
        let exit = match status {
            Some(status) if !self.process.was_killed() => Exit::of(status),
            _ => Exit::Killed,
        };
        self.tell(format!("it ended: {exit}"));
        exit
    }

    /// What it said of itself.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// What went over the pipes.
    pub fn transcript(&self) -> &Transcript {
        &self.transcript
    }

    /// What was odd about its lines so far.
    pub fn quirks(&self) -> LineQuirks {
        self.quirks
    }

    /// How long it may take for each step.
    pub fn timeouts(&self) -> Timeouts {
        self.timeouts
    }

    fn await_word(&mut self, awaited: &str, until: Instant, waited: Duration) -> Result<Message, Failure> {
        self.listen(until)?.ok_or_else(|| self.silent(awaited, waited))
    }

    /// It did not say what was awaited: it has ended, or it says nothing.
    fn silent(&mut self, awaited: &str, waited: Duration) -> Failure {
        let after = self.after.clone();
        let failure = match self.process.ended(Duration::ZERO) {
            Some(status) => Failure::Ended { exit: Exit::of(status), after },
            None => Failure::Silent { awaited: awaited.to_owned(), waited, after },
        };
        self.failed(failure)
    }

    /// Its output is over: it has ended, or it is mute.
    fn over(&mut self) -> Failure {
        let after = self.after.clone();
        let status = self.process.ended(END);
        let until = Instant::now() + LAST_WORDS;
        while let Heard::Line(line) = self.process.hear(until) {
            self.note(line.at.saturating_duration_since(self.started), line.direction, line.text);
        }
        match status {
            Some(status) => Failure::Ended { exit: Exit::of(status), after },
            None => Failure::Mute { after },
        }
    }

    fn failed(&mut self, failure: Failure) -> Failure {
        self.tell(failure.to_string());
        self.process.kill();
        self.failure = Some(failure.clone());
        failure
    }

    /// Notes what happened to the process.
    fn tell(&mut self, what: String) {
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
