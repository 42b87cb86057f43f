//! Programs as subjects of the suites.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use uci::{
    Asked, Broken, Engine, Failure, Found, Limit, LimitSupport, Program, Question, Reply, Search, Timeouts,
};

use crate::ASKED_AGAIN;
use crate::player::{Aid, NoAnswer, Player, PlayerFactory, Setup};

/// Transcripts that are kept.
const MOST_TRANSCRIPTS: usize = 200;

/// A program, started as often as there is work for.
///
/// Before the first question it is found out which limits it limits. What breaks every time is given up there, once for all
/// that ask; when to give up what begins to break later is for those to decide who know the order of what is asked.
#[derive(Clone)]
pub struct ProgramFactory(Arc<Shared>);

/// What all that run share.
struct Shared {
    program: Program,
    timeouts: Timeouts,
    /// When questions are no longer put.
    until: Option<Instant>,
    incidents: Mutex<Vec<Incident>>,
    known: Arc<Known>,
}

/// What is known of the program.
#[derive(Default)]
struct Known {
    found: Mutex<Option<Result<Found, Failure>>>,
}

/// A program broke over a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// How.
    pub failure: Failure,
    /// Over what; `None` if at its start or a new game.
    pub question: Option<Question>,
    /// What went over the pipes before; empty if there are too many.
    pub transcript: String,
    /// Whether it broke so at once again, where there is no question by which to know.
    pub came_again: bool,
}

impl ProgramFactory {
    /// This program, with this timeouts; it is asked nothing more after `until`.
    pub fn new(program: Program, timeouts: Timeouts, until: Option<Instant>) -> Self {
        Self(Arc::new(Shared {
            program,
            timeouts,
            until,
            incidents: Mutex::default(),
            known: Arc::default(),
        }))
    }

    /// The same program for other questions, with what is known of it. Its incidents are its own.
    pub fn for_session(&self, session: &str, until: Option<Instant>) -> Self {
        let Shared { program, timeouts, known, .. } = &*self.0;
        let (program, known) = (program.for_session(session), Arc::clone(known));
        Self(Arc::new(Shared { program, timeouts: *timeouts, until, incidents: Mutex::default(), known }))
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// Its timeouts.
    pub fn timeouts(&self) -> Timeouts {
        self.0.timeouts
    }

    /// Which limits it limits; `None` if it was not asked anything yet, or breaks whatever it is asked.
    pub fn limits(&self) -> Option<LimitSupport> {
        self.0.known_already().map(|found| found.limits)
    }

    /// The options that are set at its start, if that is known: those of the program, and what [`ProgramFactory`] sets itself.
    pub fn options(&self) -> Option<Vec<(String, String)>> {
        self.0.known_already().map(|found| found.options)
    }

    /// How it broke until now. Their order depends on that of the threads.
    pub fn incidents(&self) -> Vec<Incident> {
        locked(&self.0.incidents).clone()
    }
}

impl Shared {
    fn known_already(&self) -> Option<Found> {
        locked(&self.known.found).clone()?.ok()
    }

    /// What is known of the program: whoever asks first finds it out, the others wait.
    fn found(&self) -> Result<Found, NoAnswer> {
        let mut known = locked(&self.known.found);
        let found = known.get_or_insert_with(|| {
            let (found, broken) = match uci::find(&self.program, self.timeouts) {
                Ok((found, broken)) => (Ok(found), broken),
                Err(broken) => (Err(broken[0].failure.clone()), broken),
            };
            let starts = broken.iter().filter(|broken| broken.question.is_none()).count();
            for Broken { failure, question, transcript } in broken {
                self.note(failure, question.as_ref(), transcript);
            }
            if starts > 1 {
                self.start_broke_again();
            }
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
        Engine::begin(&self.program, self.timeouts)
            .map_err(|(failure, transcript)| self.broke(failure, None, transcript))
    }

    fn broke(&self, failure: Failure, question: Option<&Question>, transcript: String) -> NoAnswer {
        let why = failure.to_string();
        let hung = matches!(failure, Failure::Silent { .. } | Failure::Deaf { .. });
        self.note(failure, question, transcript);
        if hung { NoAnswer::Hung(why) } else { NoAnswer::Broken(why) }
    }

    fn note(&self, failure: Failure, question: Option<&Question>, transcript: String) {
        let mut incidents = locked(&self.incidents);
        let transcript = if incidents.len() < MOST_TRANSCRIPTS { transcript } else { String::new() };
        incidents.push(Incident { failure, question: question.cloned(), transcript, came_again: false });
    }

    /// Takes note that the last two breaks at a start, or at a new game, were over the same.
    fn start_broke_again(&self) {
        let mut incidents = locked(&self.incidents);
        let mut starts = incidents.iter_mut().rev().filter(|incident| incident.question.is_none());
        if let (Some(last), Some(first)) = (starts.next(), starts.next()) {
            last.came_again = true;
            last.transcript = format!("{}{ASKED_AGAIN}{}", first.transcript, last.transcript);
        }
    }
}

fn locked<T>(lock: &Mutex<T>) -> MutexGuard<'_, T> {
    lock.lock().unwrap_or_else(PoisonError::into_inner)
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

    fn has_incidents(&self) -> bool {
        true
    }

    fn replay(&self, _: Setup, question: &Question) -> String {
        let Shared { program, timeouts, .. } = &*self.0;
        let (limits, options) = match self.0.known_already() {
            Some(found) => (found.limits, found.options),
            None => (LimitSupport::UNKNOWN, program.options.clone()),
        };
        let asked = limits.asked(question.limit, timeouts.think);
        let [position, _] = question.commands();
        let lines = [position, asked.to_string()];
        program.replay_set_up(&options, &lines, seconds(asked), asked.limit.is_none())
    }

    fn start_broke_again(&self) {
        self.0.start_broke_again();
    }

    fn overlook(&self, question: Option<&Question>) {
        let mut incidents = locked(&self.0.incidents);
        let last = incidents.iter().rposition(|incident| incident.question.as_ref() == question);
        if let Some(last) = last {
            incidents.remove(last);
        }
    }
}

/// How long somebody waits who asks so: longer than an answer takes as a rule.
fn seconds(asked: Asked) -> u64 {
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
        self.engine.say("ucinewgame");
        self.engine.ready().map(|_| ()).map_err(|failure| self.broke(failure, None))
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        self.shared.may_be_asked()?;
        let asked = self.limits.asked(question.limit, self.shared.timeouts.think);
        let within = self.shared.left().map_or(asked.within, |left| left.min(asked.within));
        let [position, _] = question.commands();
        let search = self
            .engine
            .search(&[position, asked.to_string()], within)
            .map_err(|failure| self.broke(failure, Some(question)))?;
        if search.stopped && within < asked.within {
            return Err(NoAnswer::OutOfTime);
        }
        Ok(reply(search))
    }
}

impl Running {
    fn broke(&self, failure: Failure, question: Option<&Question>) -> NoAnswer {
        self.shared.broke(failure, question, self.engine.transcript().to_string())
    }
}

fn reply(search: Search) -> Reply {
    let lines = search.infos.into_iter().filter_map(|(_, info)| info.line());
    Reply { lines: lines.collect(), best: Some(search.best.text), cut: search.stopped }
}
