//! A search thread: its shared and its own data, and when it stops.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::history::{Earlier, Histories, PieceTo};
use super::mutation::Mutation;
use super::table::TranspositionTable;
use crate::Ply;
use crate::eval::{EvalOptions, Evaluator};
use crate::search_api::{Control, Limits, TimeBudget};
use crate::tables::{Dtm, TableSet};
use crate::{FIFTY_MOVES, Game, Move, Position, Score};

/// The maximum ply.
pub(super) const MOST_PLIES: usize = 127;

/// The clock and the shared counters are checked every this many nodes.
const POLL: u64 = 512;

/// The data shared by all threads of a search.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) tables: Option<&'a TableSet>,
    pub(super) control: &'a Control,
    pub(super) limits: &'a Limits,
    pub(super) mutation: Option<Mutation>,
    stop: AtomicBool,
    counts: Vec<Counts>,
}

/// Stops all threads when dropped.
pub(super) struct StopOnDrop<'a>(&'a AtomicBool);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// The counters of a thread, updated periodically.
#[repr(align(64))]
#[derive(Default)]
struct Counts {
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

impl<'a> Shared<'a> {
    pub(super) fn new(
        table: &'a TranspositionTable,
        tables: Option<&'a TableSet>,
        control: &'a Control,
        limits: &'a Limits,
        threads: usize,
    ) -> Self {
        let counts = (0..threads).map(|_| Counts::default()).collect();
        Self { table, tables, control, limits, mutation: None, stop: AtomicBool::new(false), counts }
    }

    /// The same with a fault in the mate prover.
    pub(super) fn with_mutation(self, mutation: Option<Mutation>) -> Self {
        Self { mutation, ..self }
    }

    /// A guard that stops all threads when dropped.
    pub(super) fn stop_on_drop(&self) -> StopOnDrop<'_> {
        StopOnDrop(&self.stop)
    }

    pub(super) fn nodes(&self) -> u64 {
        self.counts.iter().map(|counts| counts.nodes.load(Relaxed)).sum()
    }

    pub(super) fn table_hits(&self) -> u64 {
        self.counts.iter().map(|counts| counts.table_hits.load(Relaxed)).sum()
    }

    /// Whether the search must stop now.
    pub(super) fn must_stop(&self) -> bool {
        let counted = self.limits.nodes.is_some_and(|most| self.nodes() >= most);
        counted || self.stop.load(Relaxed) || self.is_stopped_or_out_of_time()
    }

    /// Whether the search was stopped or its time is up.
    pub(super) fn is_stopped_or_out_of_time(&self) -> bool {
        let late = |budget: TimeBudget| !self.control.is_pondering() && self.control.elapsed() >= budget.hard;
        self.control.is_stopped() || self.limits.time.is_some_and(late)
    }
}

/// The data that a thread keeps between searches.
pub(super) struct ThreadData {
    pub(super) evaluator: Evaluator,
    pub(super) histories: Histories,
    /// The plies of the current line. Only their memory is kept.
    pub(super) frames: Vec<Frame>,
}

impl ThreadData {
    pub(super) fn new(options: EvalOptions) -> Self {
        let frames = vec![Frame::default(); MOST_PLIES + 4];
        Self { evaluator: Evaluator::new(options), histories: Histories::new(), frames }
    }
}

/// The data of one ply of the current line.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// The static evaluation; `None` in check.
    pub(super) eval: Option<Score>,
    /// The move made here.
    pub(super) step: Option<PieceTo>,
    /// The move excluded by a singular search.
    pub(super) excluded: Option<Move>,
    /// Killer moves: quiet moves that failed high at this ply (Huberman, 1968).
    pub(super) killers: [Option<Move>; 2],
    /// The principal variation from here.
    pub(super) line: Vec<Move>,
}

impl Frame {
    /// Resets the frame, but keeps the memory of its line.
    fn clear(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        *self = Self { line, ..Self::default() };
    }
}

/// A search thread.
pub(super) struct Worker<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) data: &'a mut ThreadData,
    pub(super) index: usize,
    /// The keys of all positions from the last irreversible move of the game to the current node.
    keys: Vec<u64>,
    /// The number of keys that belong to the game, the root included.
    played: usize,
    pub(super) nodes: u64,
    table_hits: u64,
    pub(super) selective_depth: usize,
    pub(super) stopped: bool,
    /// The current iteration.
    pub(super) root_depth: i32,
    /// Null moves are off above this ply, while one is being verified.
    pub(super) no_null_before: usize,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, data: &'a mut ThreadData, index: usize, game: &Game) -> Self {
        let reversible = usize::from(game.position().halfmove_clock());
        let from = game.past().len().saturating_sub(reversible);
        let mut keys: Vec<u64> = game.past()[from..].iter().map(Position::key).collect();
        keys.push(game.position().key());
        data.frames.iter_mut().for_each(Frame::clear);
        Self {
            shared,
            data,
            index,
            played: keys.len(),
            keys,
            nodes: 0,
            table_hits: 0,
            selective_depth: 0,
            stopped: false,
            root_depth: 0,
            no_null_before: 0,
        }
    }

    /// Plays a move and makes the position after it current; [`Worker::unmake`] takes it back.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let after = position.play_unchecked(mv);
        self.shared.table.prefetch(after.key());
        self.data.frames[ply].step = Some(PieceTo::from_move(position, mv));
        self.keys.push(after.key());
        after
    }

    /// Plays a null move.
    #[inline]
    pub(super) fn make_null_move(&mut self, position: &Position, ply: usize) -> Option<Position> {
        let after = position.null_move()?;
        self.shared.table.prefetch(after.key());
        self.data.frames[ply].step = None;
        self.keys.push(after.key());
        Some(after)
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.keys.pop();
    }

    /// The keys of the moves one, two and four plies ago.
    #[inline]
    pub(super) fn earlier(&self, ply: usize) -> Earlier {
        let step = |back: usize| self.data.frames[ply.checked_sub(back)?].step;
        [step(1), step(2), step(4)]
    }

    /// Counts a node and returns its score if it is known without a search: stopped, mate, stalemate, draw by
    /// rule, or tables.
    #[inline]
    pub(super) fn enter_node(&mut self, position: &Position, ply: usize) -> Option<Score> {
        self.count(ply);
        self.data.frames[ply].line.clear();
        if self.stopped {
            return Some(Score::DRAW);
        }
        if !position.has_legal_move() {
            return Some(no_moves(position, ply));
        }
        if self.is_draw(position) {
            return Some(Score::DRAW);
        }
        self.probe_tables(position, ply)
    }

    /// Counts a node and checks whether to stop.
    #[inline]
    pub(super) fn count(&mut self, ply: usize) {
        if self.stopped {
            return;
        }
        self.nodes += 1;
        self.selective_depth = self.selective_depth.max(ply);
        let limited = self.shared.limits.nodes.is_some();
        if self.nodes.is_multiple_of(POLL) || limited {
            self.publish();
            self.stopped =
                self.stopped || if limited { self.must_stop_now() } else { self.shared.must_stop() };
        }
    }

    /// With a node limit every node is checked; the clock is still checked periodically.
    #[inline]
    fn must_stop_now(&self) -> bool {
        let counted = self.shared.limits.nodes.is_some_and(|most| self.shared.nodes() >= most);
        counted || self.nodes.is_multiple_of(POLL) && self.shared.must_stop()
    }

    /// Updates the shared counters.
    pub(super) fn publish(&self) {
        let counts = &self.shared.counts[self.index];
        counts.nodes.store(self.nodes, Relaxed);
        counts.table_hits.store(self.table_hits, Relaxed);
    }

    /// Whether the position is a draw by the fifty-move rule, repetition or dead material. Checkmate on the
    /// hundredth ply is not a draw.
    #[inline]
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        let fifty = || {
            position.halfmove_clock() >= FIFTY_MOVES
                && (position.checkers().is_empty() || position.has_legal_move())
        };
        self.is_repeated(position) || position.board().is_dead_material() || fifty()
    }

    /// Whether the position occurred once in the current line, or twice in the game.
    #[inline]
    fn is_repeated(&self, position: &Position) -> bool {
        let here = self.keys.len() - 1;
        let reversible = usize::from(position.halfmove_clock()).min(here);
        let mut in_game = 0;
        for back in (4..=reversible).step_by(2) {
            if self.keys[here - back] == position.key() {
                if here - back >= self.played {
                    return true;
                }
                in_game += 1;
                if in_game == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Probes the tables: a draw, or a mate that comes before the fifty-move draw.
    #[inline]
    pub(super) fn probe_tables(&mut self, position: &Position, ply: usize) -> Option<Score> {
        let set = self.shared.tables?;
        let dtm = set.dtm_of(position).ok()?;
        let score = match dtm {
            None => Score::DRAW,
            Some(dtm) if position.halfmove_clock() + dtm.plies() > FIFTY_MOVES => return None,
            Some(dtm) => of_distance(dtm).further(Ply(ply as u16)),
        };
        self.table_hits += 1;
        Some(score)
    }

    /// The static evaluation, without correction.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        self.data.evaluator.evaluate(position)
    }
}

/// The score of checkmate or stalemate.
#[inline]
fn no_moves(position: &Position, ply: usize) -> Score {
    if position.checkers().any() { Score::mated_in(Ply(ply as u16)) } else { Score::DRAW }
}

/// The score of a table's distance to mate.
pub(super) fn of_distance(dtm: Dtm) -> Score {
    if dtm.plies() % 2 == 1 { Score::mate_in(Ply(dtm.plies())) } else { Score::mated_in(Ply(dtm.plies())) }
}
