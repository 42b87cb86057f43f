//! The words in which a searcher is asked and answers: limits, reports, the chosen move.
//!
//! A [`Searcher`] is anything that chooses moves: the search, or a specimen. What asks it (the UCI program, the
//! checks of other crates) knows it through this trait alone. Nothing here reads a clock: time is asked of a
//! [`Clock`] that the caller brings.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::Ply;
use crate::eval::EvalOptions;
use crate::tables::TableSet;
use crate::{Game, Move, Position, Score};

/// Something that chooses moves.
pub trait Searcher: Send {
    /// Its name, as `id name` tells it.
    fn name(&self) -> String;

    /// Takes new settings. What it has no use for it ignores.
    fn configure(&mut self, settings: &Settings);

    /// Which of the settings make a difference to it.
    fn settings_used(&self) -> &'static [Setting];

    /// Forgets all it learnt: hash table, histories.
    fn new_game(&mut self);

    /// Thinks about the present position of the game until a limit is reached or `control` says stop, and says what it
    /// finds on the way. Deterministic for the same state, game and limits without time, with one thread.
    ///
    /// With no legal move, one report of depth 0 tells mate or draw, and the answer is no move. Otherwise the answer is a
    /// legal move (one of `limits.moves`, if any of those is legal), however small the limits are.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        listener: &mut dyn FnMut(&SearchInfo),
    ) -> SearchResult;
}

/// How a searcher is set up.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Size of the hash table in MiB: up to [`Settings::MOST_HASH`]; 0 for none.
    pub hash: usize,
    /// Threads that search together: 1 to [`Settings::MOST_THREADS`].
    pub threads: usize,
    /// How many first moves get a line of their own: 1 to 256.
    pub multi_pv: usize,
    /// Which parts of the evaluation are on.
    pub evaluation: EvalOptions,
    /// The tables to probe; `None` turns them off.
    pub tables: Option<Arc<TableSet>>,
}

impl Settings {
    /// The largest hash table, in MiB.
    pub const MOST_HASH: usize = 4_096;
    /// The most threads.
    pub const MOST_THREADS: usize = 256;
    /// The most lines.
    pub const MOST_LINES: usize = 256;
}

impl Default for Settings {
    /// 16 MiB, one thread, one line, all knowledge, no tables.
    fn default() -> Self {
        Self { hash: 16, threads: 1, multi_pv: 1, evaluation: EvalOptions::default(), tables: None }
    }
}

/// The name of one of the [`Settings`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Setting {
    /// [`Settings::hash`].
    Hash,
    /// [`Settings::threads`].
    Threads,
    /// [`Settings::multi_pv`].
    MultiPv,
    /// [`Settings::evaluation`].
    Evaluation,
    /// [`Settings::tables`].
    Tables,
}

impl Setting {
    /// All.
    pub const ALL: &'static [Self] =
        &[Self::Hash, Self::Threads, Self::MultiPv, Self::Evaluation, Self::Tables];
}

/// When to stop thinking. Several limits hold together; without any, only `stop` ends it.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Iterations of deepening.
    pub depth: Option<u16>,
    /// Positions visited, over all threads.
    pub nodes: Option<u64>,
    /// Stop at a proven mate in at most so many moves.
    pub mate: Option<u16>,
    /// Consider these first moves alone; empty for all.
    pub moves: Vec<Move>,
    /// How long.
    pub time: Option<TimeBudget>,
}

/// How long a searcher may take for a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBudget {
    /// No new iteration is begun after this; a searcher may stretch or shrink it by how clear the choice is. `None`: the
    /// time up to the hard limit is there to be used.
    pub soft: Option<Duration>,
    /// Whatever is under way ends.
    pub hard: Duration,
}

/// Time since thinking began.
pub trait Clock: Send + Sync {
    /// How long it has been.
    fn elapsed(&self) -> Duration;
}

/// For callers that give no time limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// What reaches a searcher while it thinks: the word to stop, the opponent's move on the board, and the time.
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    clock: Box<dyn Clock>,
}

impl Control {
    /// Nothing said yet.
    pub fn new(clock: impl Clock + 'static) -> Self {
        Self { stop: AtomicBool::new(false), pondering: AtomicBool::new(false), clock: Box::new(clock) }
    }

    /// Tells the searcher to answer now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether it was told to.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Says whether it is the opponent's time that is used: then time limits do not hold.
    pub fn set_pondering(&self, pondering: bool) {
        self.pondering.store(pondering, Ordering::Relaxed);
    }

    /// Whether time limits are off.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Time since thinking began.
    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }
}

impl Default for Control {
    /// Without a clock.
    fn default() -> Self {
        Self::new(NoClock)
    }
}

/// What a searcher says while it thinks: one line of one iteration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchInfo {
    /// The iteration.
    pub depth: u16,
    /// The most plies that the search went down.
    pub selective_depth: u16,
    /// Which line: 1 for the best.
    pub rank: usize,
    /// What the line is worth. A mate here is sure.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Positions visited since thinking began, over all threads.
    pub nodes: u64,
    /// How full the hash table is, in thousandths.
    pub hash_full: u16,
    /// Successful probes of tables since thinking began.
    pub table_hits: u64,
    /// Best play as far as it is known. If the score is a mate, the whole way to it.
    pub line: Vec<Move>,
}

impl SearchInfo {
    /// What is said of a position without moves: depth 0, and mate or draw.
    pub fn of_end(position: &Position) -> Self {
        let score = if position.checkers().any() { Score::mated_in(Ply(0)) } else { Score::DRAW };
        Self {
            depth: 0,
            selective_depth: 0,
            rank: 1,
            score,
            bound: Bound::Exact,
            nodes: 0,
            hash_full: 0,
            table_hits: 0,
            line: Vec::new(),
        }
    }
}

/// What a score says of the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// It is this.
    Exact,
    /// It is this or more.
    Lower,
    /// It is this or less.
    Upper,
}

/// What a searcher chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchResult {
    /// The move; `None` only if there is none.
    pub best: Option<Move>,
    /// The answer it expects.
    pub ponder: Option<Move>,
    /// What it thinks of the position. A mate here is sure.
    pub score: Score,
    /// Positions visited.
    pub nodes: u64,
}
