//! Running copies of a program, taken by whoever asks and put back if they live; and how they broke, by case.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::Break;
use uci::{Direction, Engine, Failure, Program, Timeouts, set_option};

/// Seconds for which a replay waits for the answer.
const SHOWN: u64 = 3;
/// The case of what is no case: it is found out what a program can do.
const START: &str = "start";

/// Copies of one program, for the questions of one case.
pub(crate) struct EnginePool {
    copies: Arc<Copies>,
    case: String,
    /// How it broke over this case, once for each way: so their number is bounded.
    broken: Mutex<Vec<Break>>,
}

/// What all cases have in common.
struct Copies {
    program: Program,
    timeouts: Timeouts,
    idle: Mutex<Vec<Engine>>,
    /// The options that are set at its start, once it was started.
    options: OnceLock<Vec<(String, String)>>,
}

impl EnginePool {
    pub(crate) fn new(program: Program, timeouts: Timeouts) -> Self {
        let copies = Copies { program, timeouts, idle: Mutex::default(), options: OnceLock::new() };
        Self { copies: Arc::new(copies), case: START.to_owned(), broken: Mutex::default() }
    }

    /// The same copies for another case.
    pub(crate) fn for_case(&self, case: impl Into<String>) -> Self {
        Self { copies: Arc::clone(&self.copies), case: case.into(), broken: Mutex::default() }
    }

    /// Asks one that runs, or one that is started for it. One that fails is killed and never asked again.
    pub(crate) fn with<T>(&self, asks: impl FnOnce(&mut Engine) -> Result<T, Failure>) -> Result<T, Failure> {
        self.lend(|engine| asks(engine).inspect_err(|failure| self.note(engine, failure)))
    }

    /// The same; whoever asks notes for himself how it broke.
    pub(crate) fn lend<T>(&self, asks: impl FnOnce(&mut Engine) -> Result<T, Failure>) -> Result<T, Failure> {
        let idle = locked(&self.copies.idle).pop();
        let mut engine = match idle {
            Some(engine) => engine,
            None => self.start()?,
        };
        let answer = asks(&mut engine)?;
        locked(&self.copies.idle).push(engine);
        Ok(answer)
    }

    /// Asks one that has not been asked anything, and ends it.
    pub(crate) fn afresh<T>(
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
        let started = Engine::begin(program, *timeouts);
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
        let kept = Break {
            case: self.case.clone(),
            fen: position.split(" moves ").next().unwrap_or_default().to_owned(),
            replay: self.replayed(&asked, said.iter().any(|line| line == "stop")),
            failure,
            transcript,
            came_again: false,
        };
        let mut broken = locked(&self.broken);
        match broken.iter_mut().find(|known| known.failure.id() == kept.failure.id()) {
            Some(known) => known.again(&kept.transcript),
            None => broken.push(kept),
        }
    }

    /// How it broke over this case.
    pub(crate) fn broken(self) -> Vec<Break> {
        self.broken.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The command that says these lines to it.
    pub(crate) fn replay(&self, lines: &[String]) -> String {
        self.replayed(lines, false)
    }

    fn replayed(&self, lines: &[String], stop: bool) -> String {
        let Copies { program, options, .. } = &*self.copies;
        program.replay_set_up(options.get().unwrap_or(&program.options), lines, SHOWN, stop)
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

fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
}

/// When questions are no longer put.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    pub(crate) fn after(time: Option<Duration>) -> Self {
        Self(time.map(|time| Instant::now() + time))
    }

    pub(crate) fn is_over(self) -> bool {
        self.0.is_some_and(|until| Instant::now() >= until)
    }
}
