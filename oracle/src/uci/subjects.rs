//! Programs as subjects of the suites.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::engine::{Engine, Search};
use super::failure::Failure;
use super::patience::Patience;
use super::program::Program;
use crate::subject::{Aid, Limit, Line, NoAnswer, Question, Reply, Setup, Subject, Subjects};

/// A program, started as often as there is work for.
#[derive(Clone)]
pub struct UciSubjects(Arc<Shared>);

/// What all that run share.
struct Shared {
    program: Program,
    patience: Patience,
    /// When questions are no longer put.
    until: Option<Instant>,
    incidents: Mutex<Vec<Incident>>,
}

/// A program broke over a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incident {
    /// How.
    pub failure: Failure,
    /// Over what; `None` if at its start.
    pub question: Option<Question>,
    /// What went over the pipes before.
    pub transcript: String,
}

impl UciSubjects {
    /// This program, with this patience; it is asked nothing more after `until`.
    pub fn new(program: Program, patience: Patience, until: Option<Instant>) -> Self {
        Self(Arc::new(Shared { program, patience, until, incidents: Mutex::default() }))
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.0.program
    }

    /// Its patience.
    pub fn patience(&self) -> Patience {
        self.0.patience
    }

    /// How it broke until now. Their order depends on that of the threads.
    pub fn incidents(&self) -> Vec<Incident> {
        self.0.incidents.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Shared {
    fn broke(&self, failure: Failure, question: Option<&Question>, transcript: String) -> NoAnswer {
        let why = NoAnswer::Broken(failure.to_string());
        let mut incidents = self.incidents.lock().unwrap_or_else(PoisonError::into_inner);
        incidents.push(Incident { failure, question: question.cloned(), transcript });
        why
    }
}

impl Subjects for UciSubjects {
    fn name(&self) -> &str {
        &self.0.program.name
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Subject>, NoAnswer> {
        let shared = &self.0;
        let mut engine = Engine::launch(&shared.program, shared.patience)
            .map_err(|failure| shared.broke(failure, None, String::new()))?;
        let set_up = engine.handshake().map(|_| ()).and_then(|()| engine.set_up());
        match set_up {
            Ok(()) => Ok(Box::new(Running { shared: Arc::clone(shared), engine })),
            Err(failure) => Err(shared.broke(failure, None, engine.transcript().to_string())),
        }
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn may_be_late(&self) -> bool {
        true
    }

    fn replay(&self, _: Setup, question: &Question) -> String {
        let lines: Vec<String> = std::iter::once("uci".to_owned())
            .chain(
                self.0
                    .program
                    .options
                    .iter()
                    .map(|(name, value)| format!("setoption name {name} value {value}")),
            )
            .chain(question.commands())
            .collect();
        let arguments =
            self.0.program.arguments.iter().map(|argument| format!(" {}", argument.to_string_lossy()));
        let command = format!("{}{}", self.0.program.path.display(), arguments.collect::<String>());
        format!("(printf '{}\\n'; sleep 3) | {command}", lines.join("\\n"))
    }
}

/// One that runs.
struct Running {
    shared: Arc<Shared>,
    engine: Engine,
}

impl Subject for Running {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        self.engine.say("ucinewgame");
        let ready = self.engine.ready();
        ready
            .map(|_| ())
            .map_err(|failure| self.shared.broke(failure, None, self.engine.transcript().to_string()))
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        if self.shared.until.is_some_and(|until| Instant::now() >= until) {
            return Err(NoAnswer::OutOfTime);
        }
        let [position, go] = question.commands();
        let within = match question.limit {
            Limit::MoveTime(time) => time + Duration::from_secs(2),
            Limit::Depth(_) | Limit::Nodes(_) => self.shared.patience.think,
        };
        self.engine.say(&position);
        self.engine.say(&go);
        match self.engine.hear_search(within) {
            Ok(search) => Ok(reply(search)),
            Err(failure) => {
                Err(self.shared.broke(failure, Some(question), self.engine.transcript().to_string()))
            }
        }
    }
}

fn reply(search: Search) -> Reply {
    let lines = search.infos.into_iter().filter_map(|(_, info)| {
        let (score, bound) = info.score?;
        let line = Line {
            depth: info.depth.unwrap_or_default(),
            score,
            bound,
            nodes: info.nodes,
            pv: info.pv.unwrap_or_default(),
        };
        (info.multipv.unwrap_or(1) == 1).then_some(line)
    });
    Reply { lines: lines.collect(), best: Some(search.best.text) }
}
