//! The part of a run that is about a program: it is found and started once to see that it is an engine, the suites and
//! the checks that only a process can be put to get their share of the time, and what broke on the way is told.

mod args;
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
use uci::{Engine, Exit, Identity, OptionKind, Program, Timeouts, UciOption};

use super::VerifyArgs;
use super::failures::Failures;
use super::selection::selects;
use super::suite_name::SuiteName;
use crate::suggest::did_you_mean;

use transcripts::Transcripts;

pub(crate) use args::{EngineArgs, MOST_SECONDS, option};
pub(super) use checks::{count_files, run as run_checks};
pub(super) use incidents::tell;
pub(super) use transcripts::clear as clear_transcripts;

/// Positions a second that a slow program visits.
const SLOWLY: u64 = 50_000;
/// The last lines of a transcript that are shown where a program does not start.
const SHOWN: usize = 10;

/// A program that is an engine, and the time that it may be asked.
pub(super) struct Session<'a> {
    pub(super) args: &'a VerifyArgs,
    pub(super) program: Program,
    pub(super) timeouts: Timeouts,
    identity: Identity,
    exit: Exit,
    until: Option<Instant>,
    transcripts: Transcripts,
    /// What the parts still to come weigh together.
    weight: u32,
    /// The program as a player, with what is known of it.
    players: ProgramFactory,
    /// How many suites were put to it.
    suites: usize,
    /// How it failed over families of checks, by their names.
    of_families: Vec<(&'static str, Failures)>,
}

impl<'a> Session<'a> {
    /// Finds the program, if one was named, and sees whether it is an engine.
    pub(super) fn open(args: &'a VerifyArgs, suites: &[SuiteName]) -> anyhow::Result<Option<Self>> {
        let Some(name) = &args.program.engine else { return Ok(None) };
        let mut program = program::find(name, &args.program)?;
        let transcripts = Transcripts::new(args)?;
        program.archive = transcripts.archive();
        let timeouts = timeouts(args);
        let (identity, exit) = introduce(&program, timeouts)?;
        clear_transcripts(&args.out)?;
        let weight = suites.iter().map(|&suite| share(suite)).sum::<u32>() + checks::weight(args, suites);
        let players = ProgramFactory::new(program.clone(), timeouts, None);
        Ok(Some(Self {
            args,
            program,
            timeouts,
            identity,
            exit,
            until: None,
            transcripts,
            weight,
            players,
            suites: 0,
            of_families: Vec::new(),
        }))
    }

    /// The time of the program counts from now: what was done until now was no question to it.
    pub(super) fn start_clock(&mut self) {
        self.until = self.args.program.limit(self.args.effort()).map(|limit| Instant::now() + limit);
    }

    /// The program as the subject of a suite, for the share of the time that this suite has.
    pub(super) fn subjects(&mut self, suite: SuiteName) -> ProgramFactory {
        self.suites += 1;
        self.subjects_of(&format!("{suite:?}").to_lowercase(), share(suite)).0
    }

    /// The program for a part of this name and weight, and until when it may be asked.
    fn subjects_of(&mut self, part: &str, weight: u32) -> (ProgramFactory, Option<Instant>) {
        let until = self.share(weight);
        (self.players.for_session(part, until), until)
    }

    /// Until when a part of this weight may ask: what others did not need is divided among those to come.
    fn share(&mut self, weight: u32) -> Option<Instant> {
        let all = self.weight.max(weight).max(1);
        self.weight = self.weight.saturating_sub(weight);
        let left = self.until?.saturating_duration_since(Instant::now());
        Some(Instant::now() + left * weight / all)
    }

    /// Whether a check was asked for.
    pub(super) fn selects(&self, check: &str) -> bool {
        selects(&self.args.program.check, check)
    }
}

/// Sees whether the program that was named is an engine, before time is spent on anything else.
pub(crate) fn try_start(args: &EngineArgs) -> anyhow::Result<()> {
    let Some(name) = &args.engine else { return Ok(()) };
    introduce(&program::find(name, args)?, Timeouts::default()).map(|_| ())
}

/// The timeouts with a program: as long as the positions take that the user wants visited, if it is not very slow.
fn timeouts(args: &VerifyArgs) -> Timeouts {
    let usual = Timeouts::default();
    let wanted = args.nodes.map_or(Duration::ZERO, |nodes| Duration::from_secs(nodes / SLOWLY));
    Timeouts { think: usual.think.max(wanted), ..usual }
}

/// What a suite weighs when time is divided.
fn share(suite: SuiteName) -> u32 {
    match suite {
        SuiteName::Stalemates | SuiteName::Draws => 15,
        SuiteName::Mates => 30,
        // Of files: of our own it is a check.
        SuiteName::Conversion | SuiteName::Perft => 25,
        SuiteName::BestMove => 40,
        SuiteName::Chess960 | SuiteName::Random | SuiteName::Knowledge => 0,
    }
}

/// What was named was found, and is no engine that can be asked.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct NoEngine(String);

/// Starts a program, hears who it is, sets its options, and ends it. One that cannot do that is no engine.
fn introduce(program: &Program, timeouts: Timeouts) -> anyhow::Result<(Identity, Exit)> {
    let shown = program.path.display();
    let mut engine = Engine::launch(program, timeouts)
        .map_err(|failure| NoEngine(format!("cannot start {}: {failure}", program.name)))?;
    if let Err(failure) = engine.handshake() {
        bail!(NoEngine(format!(
            "{shown} is no UCI engine, or cannot be started so: {failure}{}\n\
             Does it need an argument, such as --args=--uci?",
            last_lines(&engine)
        )));
    }
    for (name, value) in &program.options {
        let identity = engine.identity();
        let Some(declared) = identity.option(name) else {
            let names = identity.options.iter().map(|option| option.name.as_str());
            bail!("{} declares no option {name}{}", program.name, did_you_mean(name, names));
        };
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

/// The values that an option takes; `None` if it may be set without one.
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
