//! One thread of a search: what it shares with the others, what it remembers, and when it must stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::history::{Earlier, Histories, PieceTo};
use super::mutation::Mutation;
use super::table::TranspositionTable;
use crate::Ply;
use crate::eval::{EvalOptions, Evaluator};
use crate::search_api::{Control, Limits, TimeBudget};
use crate::tables::{Dtm, TableSet};
use crate::{FIFTY_MOVES, Game, Move, Position, Score};

/// The search goes no deeper than this many plies from the root.
pub(super) const MOST_PLIES: usize = 127;

/// After so many nodes a thread looks at the clock and at what the others do.
const POLL: u64 = 512;

/// What all threads of one search see.
pub(super) struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) tables: Option<&'a TableSet>,
    pub(super) control: &'a Control,
    pub(super) limits: &'a Limits,
    pub(super) mutation: Option<Mutation>,
    stop: AtomicBool,
    counts: Vec<Counts>,
}

/// Tells all threads to stop when it is dropped.
pub(super) struct StopAtTheEnd<'a>(&'a AtomicBool);

impl Drop for StopAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// What a thread has done so far, brought up to date now and then.
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

    /// The same with a prover that overlooks this.
    pub(super) fn with_mutation(self, mutation: Option<Mutation>) -> Self {
        Self { mutation, ..self }
    }

    /// Tells all threads to stop when the guard goes.
    pub(super) fn stop_at_the_end(&self) -> StopAtTheEnd<'_> {
        StopAtTheEnd(&self.stop)
    }

    pub(super) fn nodes(&self) -> u64 {
        self.counts.iter().map(|counts| counts.nodes.load(Relaxed)).sum()
    }

    pub(super) fn table_hits(&self) -> u64 {
        self.counts.iter().map(|counts| counts.table_hits.load(Relaxed)).sum()
    }

    /// Whether a limit has been reached that holds at any moment.
    pub(super) fn is_over(&self) -> bool {
        let counted = self.limits.nodes.is_some_and(|most| self.nodes() >= most);
        counted || self.stop.load(Relaxed) || self.is_late()
    }

    /// Whether the word to stop was given or the time is up.
    pub(super) fn is_late(&self) -> bool {
        let late = |budget: TimeBudget| !self.control.is_pondering() && self.control.elapsed() >= budget.hard;
        self.control.is_stopped() || self.limits.time.is_some_and(late)
    }
}

/// What a thread keeps from one search to the next.
pub(super) struct ThreadData {
    pub(super) evaluator: Evaluator,
    pub(super) histories: Histories,
}

impl ThreadData {
    pub(super) fn new(options: EvalOptions) -> Self {
        Self { evaluator: Evaluator::new(options), histories: Histories::new() }
    }
}

/// What a thread knows of one ply of the line it is looking at.
#[derive(Debug, Clone, Default)]
pub(super) struct Frame {
    /// The static evaluation; `None` in check.
    pub(super) eval: Option<Score>,
    /// The move made here.
    pub(super) step: Option<PieceTo>,
    /// The move left out, while it is asked whether it is the only good one.
    pub(super) excluded: Option<Move>,
    /// Quiet moves that failed high at this ply (Huberman, 1968).
    pub(super) killers: [Option<Move>; 2],
    /// The best line from here.
    pub(super) line: Vec<Move>,
}

/// A thread.
pub(super) struct Worker<'a> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) data: &'a mut ThreadData,
    pub(super) index: usize,
    pub(super) frames: Vec<Frame>,
    /// Keys of all positions from the last irreversible move of the game to the one looked at.
    keys: Vec<u64>,
    /// How many of the keys are those of the game, the root's among them.
    played: usize,
    pub(super) nodes: u64,
    table_hits: u64,
    pub(super) selective_depth: usize,
    pub(super) stopped: bool,
    /// The iteration that is under way.
    pub(super) root_depth: i32,
    /// Above this ply passing is not tried: a null move is being verified.
    pub(super) no_null_before: usize,
}

impl<'a> Worker<'a> {
    pub(super) fn new(shared: &'a Shared<'a>, data: &'a mut ThreadData, index: usize, game: &Game) -> Self {
        let reversible = usize::from(game.position().halfmove_clock());
        let from = game.past().len().saturating_sub(reversible);
        let mut keys: Vec<u64> = game.past()[from..].iter().map(Position::key).collect();
        keys.push(game.position().key());
        Self {
            shared,
            data,
            index,
            frames: vec![Frame::default(); MOST_PLIES + 4],
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

    /// The position after a move, which is now the one looked at; [`Worker::unmake`] goes back.
    #[inline]
    pub(super) fn make(&mut self, position: &Position, mv: Move, ply: usize) -> Position {
        let after = position.play_unchecked(mv);
        self.frames[ply].step = Some(PieceTo::of(position, mv));
        self.keys.push(after.key());
        after
    }

    /// The position after passing.
    #[inline]
    pub(super) fn make_pass(&mut self, position: &Position, ply: usize) -> Option<Position> {
        let after = position.pass()?;
        self.frames[ply].step = None;
        self.keys.push(after.key());
        Some(after)
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.keys.pop();
    }

    /// The steps one, two and four plies before this one.
    #[inline]
    pub(super) fn earlier(&self, ply: usize) -> Earlier {
        [1, 2, 4].map(|back| self.frames[ply.checked_sub(back)?].step)
    }

    /// Counts a node, and tells what is known of it before anything is thought: that there is no time for it, mate,
    /// stalemate, draws by the rules, the tables' word.
    #[inline]
    pub(super) fn enter(&mut self, position: &Position, ply: usize) -> Option<Score> {
        self.count(ply);
        self.frames[ply].line.clear();
        if self.stopped {
            return Some(Score::DRAW);
        }
        if !position.has_legal_move() {
            return Some(no_moves(position, ply));
        }
        if self.is_draw(position) {
            return Some(Score::DRAW);
        }
        self.known(position, ply)
    }

    /// Counts a node, and sees whether it is time to stop.
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
            self.stopped = self.stopped || if limited { self.is_over_now() } else { self.shared.is_over() };
        }
    }

    /// With a limit of nodes every node is looked at, the clock still only now and then.
    #[inline]
    fn is_over_now(&self) -> bool {
        let counted = self.shared.limits.nodes.is_some_and(|most| self.shared.nodes() >= most);
        counted || self.nodes.is_multiple_of(POLL) && self.shared.is_over()
    }

    /// Tells the others what this thread has done.
    pub(super) fn publish(&self) {
        let counts = &self.shared.counts[self.index];
        counts.nodes.store(self.nodes, Relaxed);
        counts.table_hits.store(self.table_hits, Relaxed);
    }

    /// Whether the position is a draw by the fifty-move rule, by repetition or by its material. (A mate that stands on the
    /// board at the hundredth ply is no draw.)
    #[inline]
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        let fifty = || {
            position.halfmove_clock() >= FIFTY_MOVES
                && (position.checkers().is_empty() || position.has_legal_move())
        };
        self.is_repeated(position) || position.board().is_dead_material() || fifty()
    }

    /// Whether the position stood once before in the line looked at, or twice in the game.
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

    /// What the tables say: a mate or a draw that the fifty-move rule does not touch.
    #[inline]
    pub(super) fn known(&mut self, position: &Position, ply: usize) -> Option<Score> {
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

    /// The static evaluation as it is, without what searches learnt of it.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        self.data.evaluator.evaluate(position)
    }
}

/// The score of a position in which the side to move has no move.
#[inline]
fn no_moves(position: &Position, ply: usize) -> Score {
    if position.checkers().any() { Score::mated_in(Ply(ply as u16)) } else { Score::DRAW }
}

/// The score of a distance to mate.
pub(super) fn of_distance(dtm: Dtm) -> Score {
    if dtm.plies() % 2 == 1 { Score::mate_in(Ply(dtm.plies())) } else { Score::mated_in(Ply(dtm.plies())) }
}
