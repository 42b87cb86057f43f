//! A session with a program: what is said to it, and what it answers.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use super::declared::Declared;
use super::failure::Failure;
use super::info::Info;
use super::patience::Patience;
use super::process::{Heard, Oddities, Process};
use super::program::Program;
use super::said::{BestMove, Said};
use super::transcript::{Direction, Transcript};

/// A program that runs, and what it said of itself.
pub struct Engine {
    process: Process,
    patience: Patience,
    options: Vec<(String, String)>,
    started: Instant,
    transcript: Transcript,
    identity: Identity,
    oddities: Oddities,
    /// The last line that was said to it.
    after: String,
}

/// What a program says of itself between `uci` and `uciok`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Identity {
    /// What follows `id`, by its first word.
    pub id: BTreeMap<String, String>,
    /// The options, in its order.
    pub options: Vec<Declared>,
    /// What else it said.
    pub others: Vec<String>,
    /// Whether it said `uciok`.
    pub complete: bool,
}

impl Identity {
    /// The option of this name. Names are the same whatever the case of their letters.
    pub fn option(&self, name: &str) -> Option<&Declared> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }
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

/// How a process ended after `quit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this status; `None` if by a signal.
    Status(Option<i32>),
    /// It did not, and was killed.
    Killed,
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Status(Some(code)) => write!(f, "status {code}"),
            Self::Status(None) => f.write_str("a signal"),
            Self::Killed => f.write_str("not at all"),
        }
    }
}

impl Engine {
    /// Starts a program and says nothing yet.
    pub fn launch(program: &Program, patience: Patience) -> Result<Self, Failure> {
        let started = Instant::now();
        Ok(Self {
            process: Process::start(program)?,
            patience,
            options: program.options.clone(),
            started,
            transcript: Transcript::default(),
            identity: Identity::default(),
            oddities: Oddities::default(),
            after: String::new(),
        })
    }

    /// Starts a program, waits for `uciok`, sets the options it is to have, and waits until it is ready.
    pub fn start(program: &Program, patience: Patience) -> Result<Self, Failure> {
        let mut engine = Self::launch(program, patience)?;
        engine.handshake()?;
        engine.set_up()?;
        Ok(engine)
    }

    /// Says `uci` and listens until `uciok`.
    pub fn handshake(&mut self) -> Result<&Identity, Failure> {
        self.say("uci");
        let until = Instant::now() + self.patience.start;
        loop {
            match self.await_word("uciok", until, self.patience.start)? {
                Said::UciOk => break,
                Said::Id { key, value } => {
                    self.identity.id.insert(key, value);
                }
                Said::Declares(option) => self.identity.options.push(option),
                Said::Other(line) => self.identity.others.push(line),
                _ => {}
            }
        }
        self.identity.complete = true;
        Ok(&self.identity)
    }

    /// Sets the options that the program is to have, and waits until it is ready.
    pub fn set_up(&mut self) -> Result<(), Failure> {
        for (name, value) in std::mem::take(&mut self.options) {
            self.set_option(&name, &value);
        }
        self.ready().map(|_| ())
    }

    /// Says `setoption`; a button has no value.
    pub fn set_option(&mut self, name: &str, value: &str) {
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        self.say(&format!("setoption name {name}{value}"));
    }

    /// Says `isready` and listens until `readyok`. Returns what came before it.
    pub fn ready(&mut self) -> Result<Vec<Said>, Failure> {
        self.say("isready");
        let until = Instant::now() + self.patience.ready;
        let mut before = Vec::new();
        loop {
            match self.await_word("readyok", until, self.patience.ready)? {
                Said::ReadyOk => return Ok(before),
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
        let text = String::from_utf8_lossy(bytes);
        let line = text.trim_end_matches(['\r', '\n']);
        self.transcript.add(self.started.elapsed(), Direction::ToEngine, line);
        line.chars().take(200).collect::<String>().clone_into(&mut self.after);
        self.process.send(bytes.to_vec());
    }

    /// Ends its input.
    pub fn close_input(&mut self) {
        self.note("end of its input");
        self.process.close_input();
    }

    /// What it says next, until then at most; `None` if it says nothing.
    pub fn listen(&mut self, until: Instant) -> Result<Option<Said>, Failure> {
        loop {
            match self.process.hear(until) {
                Heard::Nothing => return Ok(None),
                Heard::Line(line) => {
                    let at = line.at.saturating_duration_since(self.started);
                    self.transcript.add(at, line.direction, &line.text);
                    if line.direction == Direction::FromEngine {
                        self.oddities = self.oddities.and(line.oddities);
                        return Ok(Some(Said::read(&line.text)));
                    }
                }
                Heard::End => return Err(self.over()),
                Heard::Flood(bytes) => {
                    return Err(self.failed(Failure::Flooded { bytes, after: self.after.clone() }));
                }
            }
        }
    }

    /// Says `position` and `go` with what follows these words, and listens until `bestmove`. After `within` it is told to stop.
    pub fn go(&mut self, position: &str, limit: &str, within: Duration) -> Result<Search, Failure> {
        self.say(&format!("position {position}"));
        self.say(&format!("go {limit}"));
        self.hear_search(within)
    }

    /// Listens until `bestmove`. After `within` it is told to stop.
    pub fn hear_search(&mut self, within: Duration) -> Result<Search, Failure> {
        let asked = Instant::now();
        let mut search = Search::default();
        let (mut until, mut waited) = (asked + within, within);
        loop {
            match self.listen(until)? {
                Some(Said::Info(info)) => search.infos.push((asked.elapsed(), *info)),
                Some(Said::BestMove(best)) => {
                    search.took = asked.elapsed();
                    search.best = best;
                    return Ok(search);
                }
                Some(Said::Other(line)) => search.others.push(line),
                Some(_) => {}
                None if search.stopped => return Err(self.silent("bestmove", waited)),
                None => {
                    self.say("stop");
                    search.stopped = true;
                    until = Instant::now() + self.patience.stop;
                    waited = self.patience.stop;
                }
            }
        }
    }

    /// Says `quit` and waits for the end; kills it if that does not come.
    pub fn quit(mut self) -> (Exit, Transcript) {
        self.say("quit");
        let exit = self.end_within(self.patience.quit);
        (exit, self.transcript)
    }

    /// Waits for the end of the process, and kills it if that does not come.
    pub fn end_within(&mut self, time: Duration) -> Exit {
        let exit = self.process.ended(time).map_or(Exit::Killed, |status| Exit::Status(status.code()));
        self.note(&format!("it ended: {exit}"));
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
    pub fn oddities(&self) -> Oddities {
        self.oddities
    }

    /// How long it may take for each step.
    pub fn patience(&self) -> Patience {
        self.patience
    }

    fn await_word(&mut self, awaited: &str, until: Instant, waited: Duration) -> Result<Said, Failure> {
        self.listen(until)?.ok_or_else(|| self.silent(awaited, waited))
    }

    fn silent(&mut self, awaited: &str, waited: Duration) -> Failure {
        let after = self.after.clone();
        self.failed(Failure::Silent { awaited: awaited.to_owned(), waited, after })
    }

    /// Its output is over: it has ended, or it is mute.
    fn over(&mut self) -> Failure {
        let after = self.after.clone();
        let failure = match self.process.ended(Duration::from_millis(500)) {
            Some(status) => Failure::Ended { status: status.to_string(), crashed: !status.success(), after },
            None => Failure::Mute { after },
        };
        self.failed(failure)
    }

    fn failed(&mut self, failure: Failure) -> Failure {
        self.note(&failure.to_string());
        failure
    }

    fn note(&mut self, what: &str) {
        self.transcript.add(self.started.elapsed(), Direction::Event, what);
    }
}
