//! The search thread: does one job at a time and reports its results as events. Without threads the same code
//! runs in the caller.
//!
//! Knows no command and writes nothing. It owns the searcher and also configures it, between jobs: that may
//! take seconds, and the session must stay responsive.

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

/// An event for the session.
pub(super) enum Event {
    /// A line was read.
    Read(lines::InputLine),
    /// The searcher was configured or cleared; or it panicked with this message.
    Configured(Option<String>),
    /// The answer of a job that still waits for the configuration is due.
    Due,
    /// The job has something to print.
    Output(String),
    /// The job has ended.
    Done(Done),
}

/// The end of a job.
pub(super) struct Done {
    /// The last line to print. It may have to be held back.
    pub(super) answer: String,
    /// The message of a panic of the searcher.
    pub(super) panicked: Option<String>,
}

/// A request to the thread. The thread answers each once, in order, by [`Event::Configured`] or
/// [`Event::Done`].
pub(super) enum Task {
    /// Apply settings, with these tables if any.
    Configure(Settings, Option<Arc<LazyTables>>),
    /// Clear hash table and histories, for a new game.
    Clear,
    /// Run a job.
    Do(Job, Arc<Control>),
}

/// A long-running command.
pub(super) enum Job {
    Think { game: Game, limits: Limits, style: Style },
    Perft { position: Position, depth: u32, mode: CastlingMode },
    Bench { depth: u16 },
}

/// Stack size in bytes: searches are deep, and each ply has its move list.
const STACK: usize = 64 << 20;

/// Runs tasks, or sends them to the thread.
pub(super) type Tasks = Box<dyn FnMut(Task) -> io::Result<()> + Send>;

/// Starts the thread. It ends when the sender of tasks is dropped.
pub(super) fn start(mut searcher: Box<dyn Searcher>, events: SyncSender<Event>) -> io::Result<Tasks> {
    let (tasks, inbox) = channel();
    let work = move || {
        for task in inbox {
            // If the session has ended, the event is dropped.
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
        Task::Configure(settings, tables) => Event::Configured(failure(|| {
            let tables = tables.map(|tables| tables.tables());
            searcher.configure(&Settings { tables, ..settings });
        })),
        Task::Clear => Event::Configured(failure(|| searcher.new_game())),
        Task::Do(job, control) => {
            let mut answer = job.fallback();
            let panicked =
                failure(|| answer = job.run(searcher, &control, &mut |line| tell(Event::Output(line))));
            Event::Done(Done { answer, panicked })
        }
    };
    tell(event);
}

/// Runs a closure; returns the panic message if it panicked.
fn failure(act: impl FnOnce()) -> Option<String> {
    catch_unwind(AssertUnwindSafe(act)).err().map(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

impl Job {
    /// The answer if the searcher panics or is not ready in time: any legal move, so that the game can go on.
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

/// Runs the bench and returns its totals in Stockfish's format, which other tools read.
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
