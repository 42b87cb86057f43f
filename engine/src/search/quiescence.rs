//! Quiescence search: captures and promotions until the position is quiet; all evasions in check.
//!
//! Mate and stalemate are detected before anything else.

use super::order::{Hints, Picker, taken};
use super::packed::PackedMove;
use super::table::TTEntry;
use super::window::Window;
use super::worker::{MOST_PLIES, Worker};
use super::{exchange, margins};
use crate::Ply;
use crate::search_api::Bound;
use crate::{Move, Position, Score};

impl Worker<'_> {
    /// The quiescence score of a position.
    pub(super) fn quiescence(&mut self, position: &Position, ply: usize, window: Window) -> Score {
        if let Some(score) = self.enter_node(position, ply) {
            return score;
        }
        let entry = self.shared.table.get(position.key());
        if !window.is_open()
            && let Some(score) = entry.and_then(|entry| usable(&entry, 0, window, ply, position))
        {
            return score;
        }
        let eval = if position.checkers().any() {
            None
        } else {
            let raw = entry.and_then(|entry| entry.eval).unwrap_or_else(|| self.evaluate(position));
            Some((raw, self.data.histories.corrected(position, raw)))
        };
        if ply >= MOST_PLIES {
            return eval.map_or(Score::DRAW, |(_, eval)| eval);
        }
        self.captures(position, ply, window, eval, entry)
    }

    fn captures(
        &mut self,
        position: &Position,
        ply: usize,
        window: Window,
        eval: Option<(Score, Score)>,
        entry: Option<TTEntry>,
    ) -> Score {
        let Window { mut alpha, beta } = window;
        let mut best = Score::mated_in(Ply(ply as u16));
        if let Some((_, eval)) = eval {
            best = eval;
            alpha = alpha.max(eval);
        }
        let mut best_move = None;
        if alpha < beta {
            let hash = entry.and_then(|entry| entry.best.unpack());
            let hints = self.hints(position, ply, hash);
            let mut picker = Picker::new(position);
            if eval.is_some() {
                picker.add_noisy(&hints);
            } else {
                picker.add_legal(&hints);
            }
            while let Some(mv) = picker.next() {
                if best > -Score::centipawns(Score::MOST_CENTIPAWNS) && is_hopeless(position, mv, eval, alpha)
                {
                    continue;
                }
                let after = self.make(position, mv, ply);
                let score = -self.quiescence(&after, ply + 1, Window { alpha: -beta, beta: -alpha });
                self.unmake();
                if self.stopped {
                    return Score::DRAW;
                }
                if score > best {
                    best = score;
                    if score > alpha {
                        (alpha, best_move) = (score, Some(mv));
                        self.extend_line(ply, mv, window.is_open());
                    }
                    if alpha >= beta {
                        break;
                    }
                }
            }
        }
        let bound = if best >= beta { Bound::Lower } else { Bound::Upper };
        self.store(position, ply, 0, best, best_move, eval.map(|(raw, _)| raw), bound);
        best
    }

    /// The data for ordering the moves of a node.
    #[inline]
    pub(super) fn hints(&self, position: &Position, ply: usize, hash: Option<Move>) -> Hints<'_> {
        let histories = &self.data.histories;
        Hints {
            hash,
            killers: self.data.frames[ply].killers,
            histories,
            quiet: histories.quiet(position.side_to_move(), &self.earlier(ply)),
        }
    }

    /// Sets the principal variation: this move and the line after it.
    #[inline]
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move, open: bool) {
        if open {
            let (here, after) = self.data.frames.split_at_mut(ply + 1);
            let line = &mut here[ply].line;
            line.clear();
            line.push(mv);
            line.extend_from_slice(&after[0].line);
        }
    }

    /// Stores a result in the hash table.
    #[allow(clippy::too_many_arguments, reason = "they are the fields of an entry")]
    pub(super) fn store(
        &self,
        position: &Position,
        ply: usize,
        depth: i32,
        score: Score,
        best: Option<Move>,
        eval: Option<Score>,
        bound: Bound,
    ) {
        let score = score.nearer(Ply(ply as u16));
        self.shared
            .table
            .put(position.key(), &TTEntry { best: PackedMove::from(best), score, eval, depth, bound });
    }
}

/// Whether a capture loses material, or cannot reach alpha even if the captured piece is free (delta
/// pruning).
fn is_hopeless(position: &Position, mv: Move, eval: Option<(Score, Score)>, alpha: Score) -> bool {
    let Some((_, eval)) = eval else { return false };
    let gain = taken(position, mv).map_or(0, exchange::worth);
    let underpromotes = mv.promotion.is_some_and(|role| role != crate::Role::Queen);
    underpromotes
        || mv.promotion.is_none() && eval + (gain + margins::DELTA) <= alpha
        || !exchange::gains(position, mv, 0)
}

/// The score of a hash entry, if it is deep enough and causes a cutoff. Entries are not used near the
/// fifty-move draw: they may come from another clock.
#[inline]
pub(super) fn usable(
    entry: &TTEntry,
    depth: i32,
    window: Window,
    ply: usize,
    position: &Position,
) -> Option<Score> {
    let score = entry.score.further(Ply(ply as u16));
    let decides = match entry.bound {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    (entry.depth >= depth && decides && position.halfmove_clock() < 90).then_some(score)
}
