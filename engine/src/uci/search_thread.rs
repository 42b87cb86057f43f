//! The thinking thread: it does one job at a time and says what it finds on the way. Without threads the same is done in
//! place.
//!
//! Knows no command and writes nothing: what it says goes back as events. It owns the searcher, which is set up here too,
//! in turn with the jobs: that may take seconds, and the session has to go on.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Sender, SyncSender, channel};
use std::thread;

use super::info::{self, Style};
use super::lazy_tables::LazyTables;
use super::{lines, perft};
use crate::bench;
use crate::search_api::{Control, Limits, SearchResult, Searcher, Settings};
use crate::{CastlingMode, Game, Position, Score};

/// What reaches the session.
pub(super) enum Event {
    /// A line was read.
    Read(lines::InputLine),
    /// The searcher is set up, or has forgotten; or it failed with this.
    Prepared(Option<String>),
    /// The time of a job is up that still waits for the searcher.
    Due,
    /// The job has something to print.
    Said(String),
    /// The job is done.
    Done(Done),
}

/// How a job ended.
pub(super) struct Done {
    /// What is printed last, when it may be: then the session is free for the next job.
    pub(super) answer: String,
    /// A defect of the searcher: what it panicked with.
    pub(super) panicked: Option<String>,
}

/// What the thread is given. Each is answered once, in turn: by [`Event::Prepared`] or [`Event::Done`].
pub(super) enum Task {
    /// Take settings, with the tables of the tables if there is one.
    Configure(Settings, Option<Arc<LazyTables>>),
    /// Forget.
    Forget,
    /// Do a job.
    Do(Job, Arc<Control>),
}

/// What is to be done.
pub(super) enum Job {
    Think { game: Game, limits: Limits, style: Style },
    Perft { position: Position, depth: u32, mode: CastlingMode },
    Bench { depth: u16 },
}

/// Searches go deep, and each ply has its list of moves.
const STACK: usize = 64 << 20;

/// Does tasks, or has them done.
pub(super) type Tasks = Box<dyn FnMut(Task) -> io::Result<()> + Send>;

/// Starts the thread. It ends when no more tasks can come.
pub(super) fn start(mut searcher: Box<dyn Searcher>, events: SyncSender<Event>) -> io::Result<Tasks> {
    let (tasks, inbox) = channel();
    let work = move || {
        for task in inbox {
            // The session may have ended: then nobody listens.
            perform(&mut *searcher, task, &mut |event| drop(events.send(event)));
        }
    };
    thread::Builder::new().name("thinking".into()).stack_size(STACK).spawn(work)?;
    Ok(Box::new(move |task| tasks.send(task).map_err(|_| io::Error::other("the thinking thread has ended"))))
}

/// The same without a thread: each task is done before the call returns.
pub(super) fn in_place(mut searcher: Box<dyn Searcher>, events: Sender<Event>) -> Tasks {
    Box::new(move |task| {
        perform(&mut *searcher, task, &mut |event| drop(events.send(event)));
        Ok(())
    })
}

fn perform(searcher: &mut dyn Searcher, task: Task, tell: &mut dyn FnMut(Event)) {
    let event = match task {
        Task::Configure(settings, tables) => Event::Prepared(failure(|| {
            let tables = tables.map(|tables| tables.tables());
            searcher.configure(&Settings { tables, ..settings });
        })),
        Task::Forget => Event::Prepared(failure(|| searcher.new_game())),
        Task::Do(job, control) => {
            let mut answer = job.fallback();
            let panicked =
                failure(|| answer = job.run(searcher, &control, &mut |line| tell(Event::Said(line))));
            Event::Done(Done { answer, panicked })
        }
    };
    tell(event);
}

/// Does something, and says with what message it panicked, if it did.
fn failure(act: impl FnOnce()) -> Option<String> {
    catch_unwind(AssertUnwindSafe(act)).err().map(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

impl Job {
    /// What is answered if the searcher fails or is not to be had in time: a game goes on with any legal move.
    pub(super) fn fallback(&self) -> String {
        let Self::Think { game, limits, style } = self else { return "info string ended early".to_owned() };
        let legal = game.position().legal_moves();
        let best = limits.moves.first().or(legal.first()).copied();
        let answer = SearchResult { best, ponder: None, score: Score::DRAW, nodes: 0 };
        info::best_move(&answer, game.position(), style.mode)
    }

    fn run(self, searcher: &mut dyn Searcher, control: &Control, say: &mut dyn FnMut(String)) -> String {
        match self {
            Self::Think { game, limits, style } => {
                let position = game.position();
                let answer = searcher.search(&game, &limits, control, &mut |report| {
                    say(info::info(report, position, control.elapsed(), style));
                });
                info::best_move(&answer, position, style.mode)
            }
            Self::Perft { position, depth, mode } => perft::divide(&position, depth, mode, control, say),
            Self::Bench { depth } => bench(searcher, depth, control, say),
        }
    }
}

/// Runs the bench and returns the sums, in the shape that Stockfish prints, which tools read.
pub(super) fn bench(
    searcher: &mut dyn Searcher,
    depth: u16,
    control: &Control,
    say: &mut dyn FnMut(String),
) -> String {
    let of = bench::POSITIONS.len();
    let total = bench::run(searcher, depth, control, &mut |bench::PositionNodes { number, fen, nodes }| {
        say(format!("{number:>2}/{of} {nodes:>10} nodes  {fen}"));
    });
    let Some(bench::Total { nodes: sum, thinking }) = total else {
        return "info string bench stopped".to_owned();
    };
    format!(
        "\nDepth           : {depth}\nTotal time (ms) : {}\nNodes searched  : {sum}\nNodes/second    : {}\nSignature: {sum}",
        thinking.as_millis(),
        info::per_second(sum, thinking)
    )
}
