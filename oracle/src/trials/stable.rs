//! Running copies of a program, taken by whoever asks and put back if they live.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::uci::{Engine, Failure, Patience, Program};

/// Seconds for which a replay waits for the answer.
const SHOWN: u64 = 3;

/// Copies of one program.
pub(super) struct Stable {
    program: Program,
    patience: Patience,
    idle: Mutex<Vec<Engine>>,
}

impl Stable {
    pub(super) fn new(program: Program, patience: Patience) -> Self {
        Self { program, patience, idle: Mutex::default() }
    }

    /// Asks one that runs, or one that is started for it. One that fails is killed and never asked again.
    pub(super) fn with<T>(&self, asks: impl FnOnce(&mut Engine) -> Result<T, Failure>) -> Result<T, Failure> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut engine = match idle {
            Some(engine) => engine,
            None => Engine::start(&self.program, self.patience)?,
        };
        let answer = asks(&mut engine)?;
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(engine);
        Ok(answer)
    }

    /// Asks one that has not been asked anything, and ends it.
    pub(super) fn afresh<T>(
        &self,
        asks: impl FnOnce(&mut Engine) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        asks(&mut Engine::start(&self.program, self.patience)?)
    }

    /// The command that says these lines to it.
    pub(super) fn replay(&self, lines: &[String]) -> String {
        let options = self.program.options.iter();
        let options = options.map(|(name, value)| format!("setoption name {name} value {value}"));
        let lines: Vec<String> =
            ["uci".to_owned()].into_iter().chain(options).chain(lines.iter().cloned()).collect();
        self.program.replay(&lines, SHOWN, false)
    }

    /// Its name in reports.
    pub(super) fn name(&self) -> &str {
        &self.program.name
    }

    /// The same program with one more option.
    pub(super) fn with_option(&self, name: &str, value: &str) -> Self {
        let mut program = self.program.clone();
        program.options.push((name.to_owned(), value.to_owned()));
        Self::new(program, self.patience)
    }
}

/// When questions are no longer put.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline(Option<Instant>);

impl Deadline {
    pub(super) fn after(time: Option<Duration>) -> Self {
        Self(time.map(|time| Instant::now() + time))
    }

    pub(super) fn is_over(self) -> bool {
        self.0.is_some_and(|until| Instant::now() >= until)
    }
}
