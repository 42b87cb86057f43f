//! Running processes of one program for suites that speak UCI themselves, and how they failed, by case.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use suites::Replay;
use uci::{Direction, Engine, Failure, Program, Timeouts, set_option};

use super::incident::{AT_START, Incident};
use super::pool::Pool;
use crate::asked;
use crate::sync::locked;

/// How long a replay waits for the answer, in seconds.
const REPLAY_SECONDS: u64 = 3;

/// Processes of one program, for the questions of one case.
pub(crate) struct EnginePool {
    shared: Arc<Shared>,
    case: String,
    /// How the program failed over this case, once for each kind of failure.
    incidents: Mutex<Vec<Incident>>,
}

/// What all cases share.
struct Shared {
    program: Program,
    timeouts: Timeouts,
    idle: Pool<(), Engine>,
    /// The options that are set at the start. Known after the first start.
    options: OnceLock<Vec<(String, String)>>,
}

impl EnginePool {
    pub(crate) fn new(program: Program, timeouts: Timeouts) -> Self {
        let shared = Shared { program, timeouts, idle: Pool::default(), options: OnceLock::new() };
        Self { shared: Arc::new(shared), case: AT_START.to_owned(), incidents: Mutex::default() }
    }

    /// The same processes for another case.
    pub(crate) fn for_case(&self, case: impl Into<String>) -> Self {
        Self { shared: Arc::clone(&self.shared), case: case.into(), incidents: Mutex::default() }
    }

    /// Asks an idle process, or a fresh one. A process that fails is killed, and the incident is kept.
    pub(crate) fn with<T>(&self, asks: impl FnOnce(&mut Engine) -> Result<T, Failure>) -> Result<T, Failure> {
        self.lend(|engine| asks(engine).inspect_err(|failure| self.note(engine, failure)))
    }

    /// As [`EnginePool::with`], but the caller decides whether a failure is an incident.
    pub(crate) fn lend<T>(&self, asks: impl FnOnce(&mut Engine) -> Result<T, Failure>) -> Result<T, Failure> {
        let mut engine = self.shared.idle.take(&()).map_or_else(|| self.start(), Ok)?;
        let answer = asks(&mut engine)?;
        self.shared.idle.put_back((), engine);
        Ok(answer)
    }

    /// Asks a fresh process and ends it. The incident of a failure is kept.
    pub(crate) fn with_fresh<T>(
        &self,
        asks: impl FnOnce(&mut Engine) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.attempt(|engine| asks(engine).inspect_err(|failure| self.note(engine, failure)))
    }

    /// Asks a fresh process something over which a program may fail: a failure is not an incident.
    pub(crate) fn attempt<T>(
        &self,
        asks: impl FnOnce(&mut Engine) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        asks(&mut self.start()?)
    }

    fn start(&self) -> Result<Engine, Failure> {
        let Shared { program, timeouts, options, .. } = &*self.shared;
        let started = Engine::start_with_transcript(program, *timeouts);
        let engine = started.map_err(|(failure, transcript)| {
            self.keep(failure.clone(), &[], transcript);
            failure
        })?;
        options.get_or_init(|| engine.options());
        Ok(engine)
    }

    /// Keeps the incident of a failure over what the process was asked last.
    pub(crate) fn note(&self, engine: &Engine, failure: &Failure) {
        let transcript = engine.transcript();
        let sent = transcript.entries().filter(|entry| entry.direction == Direction::ToEngine);
        let sent: Vec<String> = sent.map(|entry| entry.text.clone()).collect();
        let from = sent.iter().rposition(|line| line.starts_with("position ")).unwrap_or(sent.len());
        let (before, last) = sent.split_at(from);
        let at_start: Vec<String> =
            engine.options().iter().map(|(name, value)| set_option(name, value)).collect();
        let since = before.iter().filter(|line| line.starts_with("setoption ") && !at_start.contains(line));
        let asked: Vec<String> = since.chain(last).cloned().collect();
        self.keep(failure.clone(), &asked, transcript.to_string());
    }

    fn keep(&self, failure: Failure, sent: &[String], transcript: String) {
        let asked: Vec<String> =
            sent.iter().filter(|line| !["stop", "isready"].contains(&line.as_str())).cloned().collect();
        let position = asked.iter().find_map(|line| line.strip_prefix("position ")).unwrap_or_default();
        let (fen, played) = asked::of_position(position);
        let kept = Incident {
            case: self.case.clone(),
            fen,
            played,
            limit: asked.iter().rev().find_map(|line| line.strip_prefix("go ")).map(str::to_owned),
            replay: self.replayed(&asked, sent.iter().any(|line| line == "stop")),
            failure,
            transcript,
            reproduced: false,
            is_cut_off: false,
        };
        let mut incidents = locked(&self.incidents);
        match incidents.iter_mut().find(|known| known.failure.id() == kept.failure.id()) {
            Some(known) => known.reproduce(&kept.transcript),
            None => incidents.push(kept),
        }
    }

    /// How the program failed over this case.
    pub(crate) fn into_incidents(self) -> Vec<Incident> {
        self.incidents.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The command that sends these lines.
    pub(crate) fn replay(&self, lines: &[String]) -> Replay {
        self.replayed(lines, false)
    }

    fn replayed(&self, lines: &[String], stop: bool) -> Replay {
        let Shared { program, options, .. } = &*self.shared;
        let options = options.get().unwrap_or(&program.options);
        Replay::shell(program.replay(options, lines, REPLAY_SECONDS, stop))
    }

    /// The id of the case.
    pub(crate) fn case(&self) -> &str {
        &self.case
    }

    /// The name of the program in reports.
    pub(crate) fn name(&self) -> &str {
        &self.shared.program.name
    }

    /// The same program with one more option.
    pub(crate) fn with_option(&self, name: &str, value: &str) -> Self {
        let mut program = self.shared.program.clone();
        program.options.push((name.to_owned(), value.to_owned()));
        Self::new(program, self.shared.timeouts)
    }
}
