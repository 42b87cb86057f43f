//! The part of a run that is about an engine: `--engine`. It finds and starts the engine once, lets the
//! suites and the checks for programs ask it, and reports its failures.
//!
//! All questions are planned before the first one, and the plan depends on no clock. The time limit only ends
//! a run that takes far too long.

mod card;
mod checks;
mod config;
mod incidents;
mod machine;
mod program;
mod transcripts;

use std::time::{Duration, Instant};

use anyhow::bail;
use arbiter::player::ProgramFactory;
use uci::{Engine, Exit, Identity, Limit, Message, OptionKind, Program, Timeouts, UciOption};

use super::Job;
use super::accepted::Accepted;
use super::engine_args::{EngineArgs, MEMORY};
use super::failures::Failures;
use super::selection::selects;
use super::suite_name::SuiteName;
use crate::report_folder;
use crate::suggest::did_you_mean;
use crate::today::today;

use transcripts::Transcripts;

pub(super) use checks::{count_files, run as run_checks};
pub(crate) use config::{Build, Config, FILE as CONFIG_FILE};
pub(super) use incidents::tell;
pub(crate) use program::find as find_program;

/// Nodes a second of a slow engine.
const SLOWLY: u64 = 50_000;
/// The last lines of a transcript that are shown where a program does not start.
const SHOWN: usize = 10;

/// An engine, and the time limit of the run.
pub(super) struct EngineRun<'a> {
    pub(super) job: &'a Job,
    engine: &'a EngineArgs,
    pub(super) program: Program,
    pub(super) timeouts: Timeouts,
    identity: Identity,
    exit: Exit,
    until: Option<Instant>,
    transcripts: Transcripts,
    /// The engine as a player, with what is known of it.
    players: ProgramFactory,
    /// The findings that its author accepts.
    pub(super) accepted: Accepted,
    /// How many suites have run.
    suites: usize,
    /// How it failed over families of checks, by their names.
    of_families: Vec<(&'static str, Failures)>,
}

impl<'a> EngineRun<'a> {
    /// Finds the program that was named, if any, and checks that it is an engine.
    pub(super) fn open(job: &'a Job) -> anyhow::Result<Option<Self>> {
        let Some(engine) = job.engine() else { return Ok(None) };
        let name = engine.engine.as_deref().unwrap_or_default();
        let mut program = program::find(name, engine)?;
        program.memory.get_or_insert(MEMORY);
        let accepted = if engine.accepts_nothing {
            Accepted::default()
        } else {
            Config::read(engine.config.as_deref())?.accepted_of(name, today()?)?
        };
        let transcripts = Transcripts::new(engine, &job.out)?;
        program.archive = transcripts.archive();
        let timeouts = timeouts(job.limit);
        let (identity, exit) = introduce(&program, timeouts)?;
        program.adapt(timeouts);
        report_folder::clear_transcripts(&job.out)?;
        let players = ProgramFactory::new(program.clone(), timeouts, None);
        Ok(Some(Self {
            job,
            engine,
            program,
            timeouts,
            identity,
            exit,
            until: None,
            transcripts,
            players,
            accepted,
            suites: 0,
            of_families: Vec::new(),
        }))
    }

    /// Starts the time limit. Nothing before this was a question to the engine.
    pub(super) fn start_clock(&mut self) {
        self.until = self.engine.limit(self.job.effort).map(|limit| Instant::now() + limit);
    }

    /// The engine as the player of a suite.
    pub(super) fn subjects(&mut self, suite: SuiteName) -> ProgramFactory {
        self.suites += 1;
        self.subjects_of(&format!("{suite:?}").to_lowercase())
    }

    /// The engine for a part of the run with this name.
    fn subjects_of(&self, part: &str) -> ProgramFactory {
        self.players.for_session(part, self.until)
    }

    /// Whether a check was asked for.
    pub(super) fn selects(&self, check: &str) -> bool {
        selects(self.job.checks(), check)
    }
}

/// Checks that the program that was named is an engine.
pub(crate) fn try_start(args: &EngineArgs) -> anyhow::Result<()> {
    let Some(name) = &args.engine else { return Ok(()) };
    introduce(&program::find(name, args)?, Timeouts::default()).map(|_| ())
}

/// The program of this name, and what it says of itself.
pub(crate) fn identify(name: &str, args: &EngineArgs) -> anyhow::Result<(Program, Identity)> {
    let program = program::find(name, args)?;
    let (identity, _) = introduce(&program, Timeouts::default())?;
    Ok((program, identity))
}

/// The timeouts of the engine. A search gets the time that a slow engine needs for the nodes of `--nodes`.
fn timeouts(limit: Option<Limit>) -> Timeouts {
    let usual = Timeouts::default();
    let wanted = match limit {
        Some(Limit::Nodes(nodes)) => Duration::from_secs(nodes / SLOWLY),
        _ => Duration::ZERO,
    };
    Timeouts { think: usual.think.max(wanted), ..usual }
}

/// The program was found, and is not an engine.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct NoEngine(String);

/// Starts a program, reads its identity, sets its options, and ends it. A program that cannot do that is not
/// an engine.
fn introduce(program: &Program, timeouts: Timeouts) -> anyhow::Result<(Identity, Exit)> {
    let shown = program.path.display();
    let mut engine = Engine::launch(program, timeouts)
        .map_err(|failure| NoEngine(format!("cannot start {}: {failure}", program.name)))?;
    if let Err(failure) = engine.handshake() {
        bail!(NoEngine(format!(
            "{shown} is no UCI engine, or cannot be started so: {failure}{}\n\
             {}",
            last_lines(&engine),
            hint(program, timeouts)
        )));
    }
    for (name, value) in &program.options {
        let identity = engine.identity();
        let Some(declared) = identity.option(name) else {
            let names = identity.options.iter().map(|option| option.name.as_str());
            bail!("{} declares no option {name}{}", program.name, did_you_mean(name, names));
        };
        if is_out_of_bounds(declared, value) {
            let values = wanted(declared).unwrap_or_default();
            bail!("the option {} of {} wants {values}, and {value} is not", declared.name, program.name);
        }
        if let Some(values) = wanted(declared).filter(|_| value.is_empty()) {
            let name = &declared.name;
            let such = declared.default.as_deref().unwrap_or("VALUE");
            bail!("the option {name} of {} wants {values}: write --option \"{name}={such}\"", program.name);
        }
    }
    if let Err(failure) = engine.set_up() {
        bail!(NoEngine(format!("{shown} does not get ready: {failure}{}", last_lines(&engine))));
    }
    let identity = engine.identity().clone();
    let (exit, _) = engine.quit();
    Ok((identity, exit))
}

/// Why a program may not answer `uci`.
fn hint(program: &Program, timeouts: Timeouts) -> &'static str {
    if is_buffered(program, timeouts) {
        "uciok comes only when it ends: its output is buffered. It must flush it after each line, or set stdout to be unbuffered"
    } else {
        "Does it need an argument, such as --args=--uci? Does it flush its output after each line?"
    }
}

/// Whether the program answers `uci` only after `quit`, as a program does that buffers its output to a pipe.
fn is_buffered(program: &Program, timeouts: Timeouts) -> bool {
    let Ok(mut engine) = Engine::launch(program, timeouts) else { return false };
    let mut answers = |line: &str| {
        engine.send(line);
        let until = Instant::now() + timeouts.quit;
        std::iter::from_fn(|| engine.receive(until).ok().flatten()).any(|message| message == Message::UciOk)
    };
    !answers("uci") && answers("quit")
}

/// Whether a value is a number that the option does not allow, or no number.
fn is_out_of_bounds(option: &UciOption, value: &str) -> bool {
    let least = option.min.unwrap_or(i64::MIN);
    let most = option.max.unwrap_or(i64::MAX);
    option.kind == Some(OptionKind::Spin)
        && !value.is_empty()
        && !value.parse().is_ok_and(|number: i64| (least..=most).contains(&number))
}

/// The values of an option; `None` if it may be set without a value.
fn wanted(option: &UciOption) -> Option<String> {
    match option.kind? {
        OptionKind::Button | OptionKind::String => None,
        OptionKind::Check => Some("true or false".to_owned()),
        OptionKind::Combo => Some(format!("one of {}", option.vars.join(", "))),
        OptionKind::Spin => Some(match (option.min, option.max) {
            (Some(min), Some(max)) => format!("a number from {min} to {max}"),
            _ => "a number".to_owned(),
        }),
    }
}

fn last_lines(engine: &Engine) -> String {
    let lines: Vec<String> = engine.transcript().entries().map(|entry| format!("\n  {entry}")).collect();
    lines[lines.len().saturating_sub(SHOWN)..].concat()
}
