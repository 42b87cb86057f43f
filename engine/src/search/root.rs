//! The root moves and their scores.

use super::margins;
use super::window::Window;
use super::worker::Worker;
use crate::search_api::Bound;
use crate::{Move, Position, Score};

/// A root move.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// The score in the current iteration; minus infinity if the move failed low.
    pub(super) score: Score,
    /// Whether the score is exact or a bound.
    pub(super) bound: Bound,
    /// The score of the last complete iteration.
    pub(super) previous: Score,
    /// The principal variation, starting with this move.
    pub(super) line: Vec<Move>,
    pub(super) selective_depth: usize,
    /// Nodes spent on this move.
    pub(super) nodes: u64,
}

impl RootMove {
    pub(super) fn new(mv: Move) -> Self {
        let score = -Score::INFINITE;
        Self { mv, score, bound: Bound::Exact, previous: score, line: vec![mv], selective_depth: 0, nodes: 0 }
    }
}

impl Worker<'_> {
    /// One iteration for the best of `moves`, with an aspiration window that is widened as needed. Afterwards
    /// the moves are sorted.
    pub(super) fn iterate(&mut self, position: &Position, moves: &mut [RootMove], depth: i32) {
        let Some(first) = moves.first() else { return };
        let mut delta = margins::ASPIRATION;
        let guess = first.previous;
        let mut window = Window::FULL;
        if depth >= margins::ASPIRATION_DEPTH && !guess.is_mate() {
            window = Window { alpha: guess - delta, beta: guess + delta };
        }
        let mut searched = depth;
        loop {
            let score = self.search_root(position, moves, searched, window);
            moves.sort_by_key(|root| std::cmp::Reverse(root.score));
            if self.stopped {
                return;
            }
            delta *= 2;
            if score <= window.alpha {
                let middle = i32::midpoint(window.alpha.raw(), window.beta.raw());
                window = Window { alpha: wider(score, -delta), beta: Score::from_raw(middle) };
                searched = depth;
            } else if score >= window.beta {
                window.beta = wider(score, delta);
                searched = (searched - 1).max(depth - 3).max(1);
            } else {
                return;
            }
        }
    }

    fn search_root(
        &mut self,
        position: &Position,
        moves: &mut [RootMove],
        depth: i32,
        window: Window,
    ) -> Score {
        let mut best = -Score::INFINITE;
        let mut alpha = window.alpha;
        self.data.frames[0].eval = position.checkers().is_empty().then(|| self.evaluate(position));
        for (number, root) in moves.iter_mut().enumerate() {
            let before = self.nodes;
            self.selective_depth = 0;
            let score = self.search_root_move(position, root.mv, number, depth, Window { alpha, ..window });
            if self.stopped {
                break;
            }
            root.nodes += self.nodes - before;
            if number == 0 || score > alpha {
                root.score = score;
                root.bound = bound(score, window);
                root.selective_depth = self.selective_depth;
                root.line.truncate(1);
                root.line.extend_from_slice(&self.data.frames[1].line);
            } else {
                root.score = -Score::INFINITE;
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if alpha >= window.beta {
                break;
            }
        }
        best
    }

    fn search_root_move(
        &mut self,
        position: &Position,
        mv: Move,
        number: usize,
        depth: i32,
        window: Window,
    ) -> Score {
        let after = self.make(position, mv, 0);
        let in_check = position.checkers().any();
        let depth = depth - 1 + i32::from(in_check);
        let mut score = Score::INFINITE;
        if number > 0 {
            let empty = Window::above(window.alpha).negated();
            let late = number >= 3 && depth >= 3 && !in_check && !super::order::is_noisy(position, mv);
            let reduction = if late { margins::late_move_reduction(depth, number as i32) / 2 } else { 0 };
            score = -self.search(&after, 1, depth - reduction, empty, true);
            if score > window.alpha && reduction > 0 {
                score = -self.search(&after, 1, depth, empty, true);
            }
        }
        if number == 0 || score > window.alpha {
            score = -self.search(&after, 1, depth, window.negated(), false);
        }
        self.unmake();
        score
    }
}

/// The bound type of a score from a search with this window.
fn bound(score: Score, window: Window) -> Bound {
    if score >= window.beta {
        Bound::Lower
    } else if score <= window.alpha {
        Bound::Upper
    } else {
        Bound::Exact
    }
}

/// A widened bound; beyond the range of evaluations it becomes infinite.
fn wider(bound: Score, by: i32) -> Score {
    if by.abs() > 500 || bound.is_mate() {
        return if by > 0 { Score::INFINITE } else { -Score::INFINITE };
    }
    bound + by
}
