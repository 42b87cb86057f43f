//! Programs as players.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use suites::Replay;
use uci::{
    Engine, EngineProfile, Failure, Limit, LimitSupport, Line, ProbeFailure, Program, Question, ReplayStep,
    Reply, Search, SearchRequest, Timeouts, join_bounds,
};

use super::{Aid, Asked, NoAnswer, Player, PlayerFactory, ProgramFailure, Setup};

/// Starts processes of one program.
///
/// The factory detects the support of limits before the first question. If the program fails each time there,
/// all suites give it up. The runner decides when to give up a program that fails later.
#[derive(Clone)]
pub struct ProgramFactory(Arc<Shared>);

/// The detected profile of a program, with its failures on the way. The error has the failures of all tries.
type Probed = Result<(EngineProfile, Vec<ProbeFailure>), Vec<ProbeFailure>>;

/// The data that all processes share.
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

    /// Its support of limits, which is detected now if it was not before. Unknown if the program fails each
    /// time.
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
        let (shared, engine) = (Arc::clone(shared), shared.launch()?);
        Ok(Box::new(ProgramPlayer { shared, engine, limits, asked: Vec::new(), in_new_game: false }))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn searches_selectively(&self) -> bool {
        true
    }

    fn gets_time_for(&self, limit: Limit) -> bool {
        let is_time = |limit| matches!(limit, Some(Limit::Clock(_) | Limit::MoveTime(_)) | None);
        let asked = self.0.known_already().map(|found| found.limits.request(limit, self.0.timeouts.think));
        !is_time(Some(limit)) && asked.is_some_and(|asked| is_time(asked.limit))
    }

    fn replay(&self, setup: Setup, question: &Question) -> Replay {
        self.replay_series(setup, &[Asked::on(question.clone())])
    }

    fn replay_series(&self, _: Setup, series: &[Asked]) -> Replay {
        let Shared { program, timeouts, .. } = &*self.0;
        let (limits, options) = match self.0.known_already() {
            Some(found) => (found.limits, found.options),
            None => (LimitSupport::UNKNOWN, program.options.clone()),
        };
        let mut steps: Vec<ReplayStep> = Vec::new();
        for (index, Asked { question, in_new_game }) in (1..).zip(series) {
            // A program that fails at a new game is started anew for each.
            if *in_new_game && limits.new_game.is_some() {
                steps.clear();
            }
            let new_game = (*in_new_game && limits.new_game.is_none()).then(|| "ucinewgame".to_owned());
            let [position, _] = question.commands();
            let asked = limits.request(question.limit, timeouts.think);
            let lines = new_game.into_iter().chain([position, asked.to_string()]).collect();
            steps.push(ReplayStep { lines, wait: wait_for(asked, index == series.len()) });
            if asked.limit.is_none() {
                steps.push(ReplayStep { lines: vec!["stop".to_owned()], wait: EARLIER });
            }
        }
        Replay::shell(program.replay_steps(&options, steps))
    }
}

/// The time that an earlier search in a replay gets beyond its limit.
const EARLIER: Duration = Duration::from_millis(300);
/// The number of nodes that a replay expects in a second.
const NODES_A_SECOND: u64 = 100_000;
/// The number of plies that a replay expects in a second.
const PLIES_A_SECOND: u64 = 8;

/// How long a replay waits for an answer. It waits whole seconds for the last one. Most answers come sooner.
fn wait_for(asked: SearchRequest, is_last: bool) -> Duration {
    let least = if is_last { Duration::from_secs(2) } else { EARLIER };
    let part = |amount: u64, of: u64| {
        Duration::from_millis(1000 * amount / of).clamp(least, asked.within.max(least))
    };
    let wait = match asked.limit {
        Some(Limit::MoveTime(time)) => time + least,
        Some(Limit::Nodes(nodes)) => part(nodes, NODES_A_SECOND),
        Some(Limit::Depth(depth)) if is_last => part(depth.into(), 1),
        Some(Limit::Depth(depth)) => part(depth.into(), PLIES_A_SECOND),
        Some(Limit::Clock(_)) => asked.within + least / 2,
        None => asked.within,
    };
    if is_last { Duration::from_secs(wait.as_millis().div_ceil(1000) as u64) } else { wait }
}

/// A player: a process of the program.
struct ProgramPlayer {
    shared: Arc<Shared>,
    engine: Engine,
    limits: LimitSupport,
    /// The last questions that this process was asked.
    asked: Vec<Asked>,
    /// Whether a new game was begun since.
    in_new_game: bool,
}

impl Player for ProgramPlayer {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        self.shared.may_be_asked()?;
        if self.limits.new_game.is_some() {
            self.engine = self.shared.launch()?;
            self.asked.clear();
            return Ok(());
        }
        self.in_new_game = true;
        self.engine.send("ucinewgame");
        self.engine.ready().map(|_| ()).map_err(|failure| self.failed(failure))
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        self.shared.may_be_asked()?;
        let mut asked = self.limits.request(question.limit, self.shared.timeouts.think);
        asked.within = question.within.unwrap_or(asked.within).min(asked.within);
        let within = self.shared.left().map_or(asked.within, |left| left.min(asked.within));
        let [position, _] = question.commands();
        if self.asked.len() >= MOST_ASKED {
            self.asked.remove(0);
        }
        let in_new_game = std::mem::take(&mut self.in_new_game);
        self.asked.push(Asked { question: question.clone(), in_new_game });
        let is_cut = within < asked.within;
        let ends_by_itself = matches!(asked.limit, Some(Limit::Nodes(_) | Limit::Depth(_))) && !is_cut;
        let lines = [position, asked.to_string()];
        let search = if ends_by_itself {
            self.engine.search_to_its_end(&lines, within)
        } else {
            self.engine.search(&lines, within)
        };
        match search {
            Ok(search) if search.stopped && is_cut => Err(NoAnswer::OutOfTime),
            // The program had time left, and may not know `stop`.
            Err(Failure::Silent { panic: None, .. }) if is_cut => Err(NoAnswer::OutOfTime),
            Ok(search) => Ok(reply(search)),
            Err(failure) => Err(self.failed(failure)),
        }
    }

    fn asked(&self) -> &[Asked] {
        &self.asked
    }
}

/// How many questions a process keeps.
const MOST_ASKED: usize = 60;

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
