//! The thinking thread: it does one job at a time and says what it finds on the way.
//!
//! Knows no command and writes nothing: what it says goes back as events. The thinker travels with the job, so that it
//! can be set up between jobs without locks.

use std::any::Any;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel};
use std::thread;

use super::info::{self, Style};
use super::{lines, perft};
use crate::bench;
use crate::thinking::{Answer, Control, Limits, Thinker};
use crate::{CastlingMode, Game, Position, Score};

/// What reaches the session.
pub(super) enum Event {
    /// A line was read.
    Read(lines::Line),
    /// The job has something to print.
    Said(String),
    /// The job is done.
    Done(Done),
}

/// How a job ended.
pub(super) struct Done {
    pub(super) thinker: Box<dyn Thinker>,
    /// What is printed last, when it may be: then the session is free for the next job.
    pub(super) answer: String,
    /// A defect of the thinker: what it panicked with.
    pub(super) panicked: Option<String>,
}

/// A job and all that it needs.
pub(super) struct Task {
    pub(super) thinker: Box<dyn Thinker>,
    pub(super) control: Arc<Control>,
    pub(super) job: Job,
}

/// What is to be done.
pub(super) enum Job {
    Think { game: Game, limits: Limits, style: Style },
    Perft { position: Position, depth: u32, mode: CastlingMode },
    Bench { depth: u16 },
}

/// Searches go deep, and each ply has its list of moves.
const STACK: usize = 64 << 20;

/// Starts the thread. It ends when no more tasks can come.
pub(super) fn start(events: SyncSender<Event>) -> io::Result<Sender<Task>> {
    let (tasks, inbox) = channel();
    thread::Builder::new().name("thinking".into()).stack_size(STACK).spawn(move || work(&inbox, &events))?;
    Ok(tasks)
}

fn work(inbox: &Receiver<Task>, events: &SyncSender<Event>) {
    for Task { mut thinker, control, job } in inbox {
        let fallback = job.fallback();
        // The session may have ended: then nobody listens.
        let mut say = |line| drop(events.send(Event::Said(line)));
        let run = AssertUnwindSafe(|| job.run(&mut *thinker, &control, &mut say));
        let (answer, panicked) = match catch_unwind(run) {
            Ok(answer) => (answer, None),
            Err(payload) => (fallback, Some(message(&*payload))),
        };
        drop(events.send(Event::Done(Done { thinker, answer, panicked })));
    }
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied()).unwrap_or("no message").to_owned()
}

impl Job {
    /// What is answered if the thinker fails: a game goes on with any legal move.
    fn fallback(&self) -> String {
        let Self::Think { game, limits, style } = self else { return "info string ended early".to_owned() };
        let legal = game.position().legal_moves();
        let best = limits.moves.first().or(legal.first()).copied();
        let answer = Answer { best, ponder: None, score: Score::DRAW, nodes: 0 };
        info::best_move(&answer, game.position(), style.mode)
    }

    fn run(self, thinker: &mut dyn Thinker, control: &Control, say: &mut dyn FnMut(String)) -> String {
        match self {
            Self::Think { game, limits, style } => {
                let position = game.position();
                let answer = thinker.think(&game, &limits, control, &mut |report| {
                    say(info::info(report, position, control.elapsed(), style));
                });
                info::best_move(&answer, position, style.mode)
            }
            Self::Perft { position, depth, mode } => perft::divide(&position, depth, mode, control, say),
            Self::Bench { depth } => bench(thinker, depth, control, say),
        }
    }
}

/// Runs the bench and returns the sums, in the shape that Stockfish prints, which tools read.
pub(super) fn bench(
    thinker: &mut dyn Thinker,
    depth: u16,
    control: &Control,
    say: &mut dyn FnMut(String),
) -> String {
    let of = bench::POSITIONS.len();
    let sum = bench::run(thinker, depth, control, &mut |bench::Row { number, fen, nodes }| {
        say(format!("{number:>2}/{of} {nodes:>10} nodes  {fen}"));
    });
    let Some(sum) = sum else {
        return "info string bench stopped".to_owned();
    };
    let elapsed = control.elapsed();
    format!(
        "\nDepth           : {depth}\nTotal time (ms) : {}\nNodes searched  : {sum}\nNodes/second    : {}\nSignature: {sum}",
        elapsed.as_millis(),
        info::per_second(sum, elapsed)
    )
}
