//! Running copies of a program for checks that speak UCI themselves, and how the copies failed, by case.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use suites::Replay;

use uci::{Direction, Engine, Failure, Program, Timeouts, set_option};

use super::incident::{AT_START, Incident};
use super::pool::Pool;
use crate::sync::locked;

/// Seconds for which a replay waits for the answer.
const SHOWN: u64 = 3;
/// Copies of one program, for the questions of one case.
pub(crate) struct EnginePool {
    copies: Arc<Copies>,
    case: String,
    /// How it failed over this case, once for each kind of failure.
    incidents: Mutex<Vec<Incident>>,
}

/// What all cases have in common.
struct Copies {
    program: Program,
    timeouts: Timeouts,
    idle: Pool<(), Engine>,
    /// The options that are set at its start, once it was started.
    options: OnceLock<Vec<(String, String)>>,
}

impl EnginePool {
    pub(crate) fn new(program: Program, timeouts: Timeouts) -> Self {
        let copies = Copies { program, timeouts, idle: Pool::default(), options: OnceLock::new() };
        Self { copies: Arc::new(copies), case: AT_START.to_owned(), incidents: Mutex::default() }
    }

    /// The same copies for another case.
    pub(crate) fn for_case(&self, case: impl Into<String>) -> Self {
        Self { copies: Arc::clone(&self.copies), case: case.into(), incidents: Mutex::default() }
    }

    /// Asks one that runs, or one that is started for it. One that fails is killed and never asked again.
    pub(crate) fn with<T>(&self, asks: impl FnOnce(&mut Engine) -> Result<T, Failure>) -> Result<T, Failure> {
        self.lend(|engine| asks(engine).inspect_err(|failure| self.note(engine, failure)))
    }

    /// The same; whoever asks notes for himself how it broke.
    pub(crate) fn lend<T>(&self, asks: impl FnOnce(&mut Engine) -> Result<T, Failure>) -> Result<T, Failure> {
        let mut engine = self.copies.idle.take(&()).map_or_else(|| self.start(), Ok)?;
        let answer = asks(&mut engine)?;
        self.copies.idle.put_back((), engine);
        Ok(answer)
    }

    /// Asks one that has not been asked anything, and ends it.
    pub(crate) fn with_fresh<T>(
        &self,
        asks: impl FnOnce(&mut Engine) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.attempt(|engine| asks(engine).inspect_err(|failure| self.note(engine, failure)))
    }

    /// The same with what a program need not live through: how it breaks over it is not noted.
    pub(crate) fn attempt<T>(
        &self,
        asks: impl FnOnce(&mut Engine) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        asks(&mut self.start()?)
    }

    fn start(&self) -> Result<Engine, Failure> {
        let Copies { program, timeouts, options, .. } = &*self.copies;
        let started = Engine::start_with_transcript(program, *timeouts);
        let engine = started.map_err(|(failure, transcript)| {
            self.keep(failure.clone(), &[], transcript);
            failure
        })?;
        options.get_or_init(|| engine.options());
        Ok(engine)
    }

    /// Notes how one broke over what it was asked last.
    pub(crate) fn note(&self, engine: &Engine, failure: &Failure) {
        let transcript = engine.transcript();
        let said = transcript.entries().filter(|entry| entry.direction == Direction::ToEngine);
        let said: Vec<String> = said.map(|entry| entry.text.clone()).collect();
        let from = said.iter().rposition(|line| line.starts_with("position ")).unwrap_or(said.len());
        let (before, last) = said.split_at(from);
        let at_start: Vec<String> =
            engine.options().iter().map(|(name, value)| set_option(name, value)).collect();
        let since = before.iter().filter(|line| line.starts_with("setoption ") && !at_start.contains(line));
        let asked: Vec<String> = since.chain(last).cloned().collect();
        self.keep(failure.clone(), &asked, transcript.to_string());
    }

    fn keep(&self, failure: Failure, said: &[String], transcript: String) {
        let asked: Vec<String> =
            said.iter().filter(|line| !["stop", "isready"].contains(&line.as_str())).cloned().collect();
        let position = asked.iter().find_map(|line| line.strip_prefix("position fen ")).unwrap_or_default();
        let kept = Incident {
            case: self.case.clone(),
            fen: position.split(" moves ").next().unwrap_or_default().to_owned(),
            replay: self.replayed(&asked, said.iter().any(|line| line == "stop")),
            failure,
            transcript,
            reproduced: false,
        };
        let mut incidents = locked(&self.incidents);
        match incidents.iter_mut().find(|known| known.failure.id() == kept.failure.id()) {
            Some(known) => known.reproduce(&kept.transcript),
            None => incidents.push(kept),
        }
    }

    /// How it failed over this case.
    pub(crate) fn into_incidents(self) -> Vec<Incident> {
        self.incidents.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The command that says these lines to it.
    pub(crate) fn replay(&self, lines: &[String]) -> Replay {
        self.replayed(lines, false)
    }

    fn replayed(&self, lines: &[String], stop: bool) -> Replay {
        let Copies { program, options, .. } = &*self.copies;
        Replay::shell(program.replay_set_up(options.get().unwrap_or(&program.options), lines, SHOWN, stop))
    }

    /// The case.
    pub(crate) fn case(&self) -> &str {
        &self.case
    }

    /// Its name in reports.
    pub(crate) fn name(&self) -> &str {
        &self.copies.program.name
    }

    /// The same program with one more option.
    pub(crate) fn with_option(&self, name: &str, value: &str) -> Self {
        let mut program = self.copies.program.clone();
        program.options.push((name.to_owned(), value.to_owned()));
        Self::new(program, self.copies.timeouts)
    }
}
