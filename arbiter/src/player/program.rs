//! Programs as players.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use suites::Replay;
use uci::{
    Engine, EngineProfile, Failure, Limit, LimitSupport, Line, ProbeFailure, Program, Question, Reply,
    Search, SearchRequest, Timeouts, join_bounds,
};

use super::{Aid, NoAnswer, Player, PlayerFactory, ProgramFailure, Setup};

/// Starts processes of one program.
///
/// Before the first question its support of limits is detected. A program that fails each time is given up there, for all suites.
/// The runner decides when to give up a program that fails later.
#[derive(Clone)]
pub struct ProgramFactory(Arc<Shared>);

/// What is known about a program, with its failures on the way; the error is how it failed each time.
type Probed = Result<(EngineProfile, Vec<ProbeFailure>), Vec<ProbeFailure>>;

/// What all processes share.
struct Shared {
    program: Program,
    timeouts: Timeouts,
    /// The time after which nothing is asked.
    until: Option<Instant>,
    known: Arc<OnceLock<Probed>>,
}

impl ProgramFactory {
    /// A factory for this program. After `until` nothing is asked.
    pub fn new(program: Program, timeouts: Timeouts, until: Option<Instant>) -> Self {
        Self(Arc::new(Shared { program, timeouts, until, known: Arc::default() }))
    }

    /// The same program for another suite, with what is known about it.
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

    /// Its support of limits. `None` before the first question, and if it fails each time.
    pub fn limits(&self) -> Option<LimitSupport> {
        self.0.known_already().map(|found| found.limits)
    }

    /// Its support of limits, which is detected now if it was not before. Unknown if the program fails each time.
    pub fn detect_limits(&self) -> LimitSupport {
        self.0.found().map_or(LimitSupport::UNKNOWN, |found| found.limits)
    }

    /// The options that are set at its start, by the user and by default. `None` if it was not started yet.
    pub fn options(&self) -> Option<Vec<(String, String)>> {
        self.0.known_already().map(|found| found.options)
    }

    /// How it failed while its support of limits was detected.
    pub fn failures(&self) -> Vec<ProbeFailure> {
        match self.0.known.get() {
            Some(Ok((_, failures)) | Err(failures)) => failures.clone(),
            None => Vec::new(),
        }
    }
}

impl Shared {
    fn known_already(&self) -> Option<EngineProfile> {
        self.known.get()?.as_ref().ok().map(|(found, _)| found.clone())
    }

    /// What is known about the program. The first caller detects it, and the others wait.
    fn found(&self) -> Result<EngineProfile, NoAnswer> {
        match self.known.get_or_init(|| uci::probe(&self.program, self.timeouts)) {
            Ok((found, _)) => Ok(found.clone()),
            Err(failures) => Err(NoAnswer::GivenUp(failures[0].failure.to_string())),
        }
    }

    /// Fails if the time is over.
    fn may_be_asked(&self) -> Result<(), NoAnswer> {
        if self.left().is_some_and(|left| left.is_zero()) { Err(NoAnswer::OutOfTime) } else { Ok(()) }
    }

    /// The time that is left. `None` without a deadline.
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
        Ok(Box::new(ProgramPlayer { shared: Arc::clone(shared), engine: shared.launch()?, limits }))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn searches_selectively(&self) -> bool {
        true
    }

    fn replay(&self, setup: Setup, question: &Question) -> Replay {
        self.replay_after(setup, &[], question)
    }

    fn replay_after(&self, _: Setup, earlier: &[Question], question: &Question) -> Replay {
        let Shared { program, timeouts, .. } = &*self.0;
        let (limits, options) = match self.0.known_already() {
            Some(found) => (found.limits, found.options),
            None => (LimitSupport::UNKNOWN, program.options.clone()),
        };
        let lines = |question: &Question| {
            let [position, _] = question.commands();
            vec![position, limits.request(question.limit, timeouts.think).to_string()]
        };
        let earlier: Vec<Vec<String>> = earlier.iter().map(lines).collect();
        let asked = limits.request(question.limit, timeouts.think);
        let (seconds, stop) = (seconds(asked), asked.limit.is_none());
        Replay::shell(program.replay_after(&options, &earlier, &lines(question), seconds, stop))
    }
}

/// How long a replay waits for the answer, in seconds. Most answers come sooner.
fn seconds(asked: SearchRequest) -> u64 {
    match asked.limit {
        Some(Limit::MoveTime(time)) => time.as_secs() + 2,
        Some(Limit::Nodes(nodes)) => (nodes / 100_000).clamp(2, asked.within.as_secs().max(2)),
        Some(Limit::Depth(depth)) => u64::from(depth).clamp(2, asked.within.as_secs().max(2)),
        Some(Limit::Clock(_)) | None => asked.within.as_secs() + 1,
    }
}

/// A player: a process of the program.
struct ProgramPlayer {
    shared: Arc<Shared>,
    engine: Engine,
    limits: LimitSupport,
}

impl Player for ProgramPlayer {
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

impl ProgramPlayer {
    fn failed(&self, failure: Failure) -> NoAnswer {
        failed(failure, self.engine.transcript().to_string())
    }
}

fn reply(search: Search) -> Reply {
    let mut lines: Vec<Line> = search.infos.into_iter().filter_map(|(_, info)| info.line()).collect();
    join_bounds(&mut lines);
    Reply { lines, best: Some(search.best.text), cut: search.stopped }
}
