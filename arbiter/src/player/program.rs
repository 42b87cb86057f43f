//! Programs as players.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use suites::Replay;

use uci::{
    Engine, EngineProfile, Failure, Limit, LimitSupport, ProbeFailure, Program, Question, Reply, Search,
    SearchRequest, Timeouts,
};

use super::{Aid, NoAnswer, Player, PlayerFactory, ProgramFailure, Setup};
use crate::sync::locked;

/// A program, started as often as there is work for.
///
/// Before the first question it is found out which limits it keeps. A program that fails each time is given up there, once for
/// all suites; the runner decides when to give up a program that begins to fail later.
#[derive(Clone)]
pub struct ProgramFactory(Arc<Shared>);

/// What all copies share.
struct Shared {
    program: Program,
    timeouts: Timeouts,
    /// When questions are no longer put.
    until: Option<Instant>,
    known: Arc<Known>,
}

/// What is known of the program.
#[derive(Default)]
struct Known {
    /// Which limits it keeps, or how it failed each time.
    found: Mutex<Option<Result<EngineProfile, Failure>>>,
    /// How it failed while that was found out.
    broken: Mutex<Vec<ProbeFailure>>,
}

impl ProgramFactory {
    /// This program with these timeouts; it is asked nothing more after `until`.
    pub fn new(program: Program, timeouts: Timeouts, until: Option<Instant>) -> Self {
        Self(Arc::new(Shared { program, timeouts, until, known: Arc::default() }))
    }

    /// The same program for other questions, with what is known of it.
    pub fn for_session(&self, session: &str, until: Option<Instant>) -> Self {
        let Shared { program, timeouts, known, .. } = &*self.0;
        let (program, known) = (program.for_session(session), Arc::clone(known));
        Self(Arc::new(Shared { program, timeouts: *timeouts, until, known }))
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// Its timeouts.
    pub fn timeouts(&self) -> Timeouts {
        self.0.timeouts
    }

    /// Which limits it keeps; `None` if it was not asked anything yet, or fails each time.
    pub fn limits(&self) -> Option<LimitSupport> {
        self.0.known_already().map(|found| found.limits)
    }

    /// The options that are set at its start, if they are known: those of the user, and those that are always set.
    pub fn options(&self) -> Option<Vec<(String, String)>> {
        self.0.known_already().map(|found| found.options)
    }

    /// How it failed while it was found out which limits it keeps.
    pub fn failures(&self) -> Vec<ProbeFailure> {
        locked(&self.0.known.broken).clone()
    }
}

impl Shared {
    fn known_already(&self) -> Option<EngineProfile> {
        locked(&self.known.found).clone()?.ok()
    }

    /// What is known of the program. The first caller finds it out, the others wait.
    fn found(&self) -> Result<EngineProfile, NoAnswer> {
        let mut known = locked(&self.known.found);
        let found = known.get_or_insert_with(|| {
            let (found, broken) = match uci::probe(&self.program, self.timeouts) {
                Ok((found, broken)) => (Ok(found), broken),
                Err(broken) => (Err(broken[0].failure.clone()), broken),
            };
            *locked(&self.known.broken) = broken;
            found
        });
        found.clone().map_err(|failure| NoAnswer::GivenUp(failure.to_string()))
    }

    /// Whether there is time to ask it.
    fn may_be_asked(&self) -> Result<(), NoAnswer> {
        if self.left().is_some_and(|left| left.is_zero()) { Err(NoAnswer::OutOfTime) } else { Ok(()) }
    }

    /// The time that is left; `None` if there is no end to it.
    fn left(&self) -> Option<Duration> {
        self.until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    fn launch(&self) -> Result<Engine, NoAnswer> {
        Engine::start_with_transcript(&self.program, self.timeouts)
            .map_err(|(failure, transcript)| failed(failure, transcript))
    }
}

fn failed(failure: Failure, transcript: String) -> NoAnswer {
    NoAnswer::Failed(Box::new(ProgramFailure { failure, transcript }))
}

impl PlayerFactory for ProgramFactory {
    fn name(&self) -> &str {
        &self.0.program.name
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        let shared = &self.0;
        shared.may_be_asked()?;
        let limits = shared.found()?.limits;
        Ok(Box::new(Running { shared: Arc::clone(shared), engine: shared.launch()?, limits }))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn searches_selectively(&self) -> bool {
        true
    }

    fn replay(&self, _: Setup, question: &Question) -> Replay {
        let Shared { program, timeouts, .. } = &*self.0;
        let (limits, options) = match self.0.known_already() {
            Some(found) => (found.limits, found.options),
            None => (LimitSupport::UNKNOWN, program.options.clone()),
        };
        let asked = limits.request(question.limit, timeouts.think);
        let [position, _] = question.commands();
        let lines = [position, asked.to_string()];
        Replay::shell(program.replay_set_up(&options, &lines, seconds(asked), asked.limit.is_none()))
    }
}

/// How long somebody waits who asks so: longer than an answer takes as a rule.
fn seconds(asked: SearchRequest) -> u64 {
    match asked.limit {
        Some(Limit::MoveTime(time)) => time.as_secs() + 2,
        Some(Limit::Nodes(nodes)) => (nodes / 100_000).clamp(2, asked.within.as_secs().max(2)),
        Some(Limit::Depth(depth)) => u64::from(depth).clamp(2, asked.within.as_secs().max(2)),
        None => asked.within.as_secs() + 1,
    }
}

/// One that runs.
struct Running {
    shared: Arc<Shared>,
    engine: Engine,
    limits: LimitSupport,
}

impl Player for Running {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        self.shared.may_be_asked()?;
        if self.limits.new_game.is_some() {
            self.engine = self.shared.launch()?;
            return Ok(());
        }
        self.engine.send("ucinewgame");
        self.engine.ready().map(|_| ()).map_err(|failure| self.failed(failure))
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        self.shared.may_be_asked()?;
        let asked = self.limits.request(question.limit, self.shared.timeouts.think);
        let within = self.shared.left().map_or(asked.within, |left| left.min(asked.within));
        let [position, _] = question.commands();
        let search = self
            .engine
            .search(&[position, asked.to_string()], within)
            .map_err(|failure| self.failed(failure))?;
        if search.stopped && within < asked.within {
            return Err(NoAnswer::OutOfTime);
        }
        Ok(reply(search))
    }
}

impl Running {
    fn failed(&self, failure: Failure) -> NoAnswer {
        failed(failure, self.engine.transcript().to_string())
    }
}

fn reply(search: Search) -> Reply {
    let lines = search.infos.into_iter().filter_map(|(_, info)| info.line());
    Reply { lines: lines.collect(), best: Some(search.best.text), cut: search.stopped }
}
