//! The interface of a search: limits and settings go in, lines of analysis and a best move come out.
//!
//! A [`Searcher`] chooses moves. The UCI session, the bench and the checks of other crates know a search
//! through this trait alone. Nothing here reads a clock: the caller brings a [`Clock`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::Ply;
use crate::eval::EvalOptions;
use crate::tables::TableSet;
use crate::{Game, Move, Position, Score};

/// Chooses a move for a position.
pub trait Searcher: Send {
    /// The name, as printed by `id name`.
    fn name(&self) -> String;

    /// Applies new settings. Settings that it does not use are ignored.
    fn configure(&mut self, settings: &Settings);

    /// The settings that change its behaviour.
    fn settings_used(&self) -> &'static [Setting];

    /// Clears the hash table and the histories, as for `ucinewgame`.
    fn new_game(&mut self);

    /// Searches the current position of the game until a limit is reached or `control` stops it. Calls
    /// `listener` for each line of analysis. Deterministic for one thread, without time limits, from the same
    /// state.
    ///
    /// Without a legal move, it reports one line of depth 0 (mate or draw) and returns no move. Otherwise it
    /// returns a legal move, even with small limits: one of `limits.moves`, if any of those is legal.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        listener: &mut dyn FnMut(&SearchInfo),
    ) -> SearchResult;
}

/// The settings of a search.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Size of the hash table in MiB: up to [`Settings::MOST_HASH`]; 0 for none.
    pub hash: usize,
    /// Number of search threads: 1 to [`Settings::MOST_THREADS`].
    pub threads: usize,
    /// Number of lines to report (`MultiPV`): 1 to [`Settings::MOST_LINES`].
    pub multi_pv: usize,
    /// Which parts of the evaluation are on.
    pub evaluation: EvalOptions,
    /// The endgame tables to probe; `None` for no tables.
    pub tables: Option<Arc<TableSet>>,
}

impl Settings {
    /// The largest hash table, in MiB.
    pub const MOST_HASH: usize = 4_096;
    /// The most threads.
    pub const MOST_THREADS: usize = 256;
    /// The most lines (`MultiPV`).
    pub const MOST_LINES: usize = 256;
}

impl Default for Settings {
    /// 16 MiB of hash, one thread, one line, all endgame knowledge, no tables.
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
    /// All settings.
    pub const ALL: &'static [Self] =
        &[Self::Hash, Self::Threads, Self::MultiPv, Self::Evaluation, Self::Tables];
}

/// When to stop. Several limits apply together; without any, only `stop` ends the search.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Iterations of iterative deepening.
    pub depth: Option<u16>,
    /// Nodes, over all threads.
    pub nodes: Option<u64>,
    /// Stop at a proven mate in at most this many moves.
    pub mate: Option<u16>,
    /// Search only these moves at the root; empty for all.
    pub moves: Vec<Move>,
    /// Time for this move.
    pub time: Option<TimeBudget>,
}

/// Time limits for one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeBudget {
    /// No new iteration starts after this. A search may stretch or shrink it by how clear the best move is.
    /// `None`: the search uses the time up to the hard limit.
    pub soft: Option<Duration>,
    /// The search stops at this time, even within an iteration.
    pub hard: Duration,
}

/// Measures the time since the search started.
pub trait Clock: Send + Sync {
    /// The elapsed time.
    fn elapsed(&self) -> Duration;
}

/// A clock that stands still, for searches without time limits.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoClock;

impl Clock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// Controls a running search: the stop flag, the ponder flag and the clock.
pub struct Control {
    stop: AtomicBool,
    pondering: AtomicBool,
    clock: Box<dyn Clock>,
}

impl Control {
    /// Neither stopped nor pondering.
    pub fn new(clock: impl Clock + 'static) -> Self {
        Self { stop: AtomicBool::new(false), pondering: AtomicBool::new(false), clock: Box::new(clock) }
    }

    /// Tells the search to stop and return its best move.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether [`Control::stop`] was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Sets whether the search is pondering. While it is, time limits do not apply.
    pub fn set_pondering(&self, pondering: bool) {
        self.pondering.store(pondering, Ordering::Relaxed);
    }

    /// Whether the search is pondering.
    #[inline]
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Relaxed)
    }

    /// Time since the search started.
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

/// One line of analysis: the data of a UCI `info` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchInfo {
    /// The iteration, in plies.
    pub depth: u16,
    /// The selective depth: the deepest ply reached, by the search or in the line.
    pub selective_depth: u16,
    /// The `MultiPV` rank: 1 for the best line.
    pub rank: usize,
    /// The score of the line, from the view of the side to move. A mate is proven.
    pub score: Score,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes since the search started, over all threads.
    pub nodes: u64,
    /// Use of the hash table, in thousandths.
    pub hash_full: u16,
    /// Successful table probes since the search started.
    pub table_hits: u64,
    /// The principal variation. If the score is a mate, the line ends in mate.
    pub line: Vec<Move>,
}

impl SearchInfo {
    /// The report for a position without legal moves: depth 0, and mate or draw.
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

/// How a score relates to the true value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// The true value is the score.
    Exact,
    /// The true value is the score or more.
    Lower,
    /// The true value is the score or less.
    Upper,
}

/// The outcome of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SearchResult {
    /// The best move; `None` only if there is no legal move.
    pub best: Option<Move>,
    /// The expected reply, to ponder on.
    pub ponder: Option<Move>,
    /// The score of the position, from the view of the side to move. A mate is proven.
    pub score: Score,
    /// Nodes, over all threads.
    pub nodes: u64,
}
