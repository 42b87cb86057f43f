//! Running copies of a program, taken by whoever asks and put back if they live.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::uci::{Engine, Failure, Patience, Program};

/// The option that turns a book on and off.
const BOOK: &str = "OwnBook";

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
            None => self.start()?,
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
        asks(&mut self.start()?)
    }

    /// Starts one, without its book: a move of a book says nothing of a generator.
    fn start(&self) -> Result<Engine, Failure> {
        let mut engine = Engine::start(&self.program, self.patience)?;
        if self.has_book(&engine) {
            engine.set_option(BOOK, "false");
            engine.ready()?;
        }
        Ok(engine)
    }

    fn has_book(&self, engine: &Engine) -> bool {
        let is_set = self.program.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(BOOK));
        !is_set && engine.identity().option(BOOK).is_some()
    }

    /// The command that says these lines to it.
    pub(super) fn replay(&self, lines: &[String]) -> String {
        let options =
            self.program.options.iter().map(|(name, value)| format!("setoption name {name} value {value}"));
        let lines: Vec<String> =
            ["uci".to_owned()].into_iter().chain(options).chain(lines.iter().cloned()).collect();
        let arguments =
            self.program.arguments.iter().map(|argument| format!(" {}", argument.to_string_lossy()));
        let command = format!("{}{}", self.program.path.display(), arguments.collect::<String>());
        format!("(printf '{}\\n'; sleep 3) | {command}", lines.join("\\n"))
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
