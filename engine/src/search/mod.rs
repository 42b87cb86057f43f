//! The search: which move is best, by looking ahead.

#[cfg_attr(not(test), expect(dead_code, reason = "the search does not ask it yet"))]
mod proof;

use crate::eval::Evaluator;
use crate::tables::Ply;
use crate::thinking::{Answer, Bound, Control, Limits, Report, Setting, Settings, Thinker};
use crate::{Game, Move, Position, Score};

/// The engine's own thinker.
pub struct Searcher {
    evaluator: Evaluator,
    nodes: u64,
}

impl Searcher {
    /// With these settings.
    pub fn new(settings: &Settings) -> Self {
        Self { evaluator: Evaluator::new(settings.evaluation), nodes: 0 }
    }

    fn value(
        &mut self,
        position: &Position,
        depth: u16,
        ply: u16,
        alpha: Score,
        beta: Score,
        control: &Control,
    ) -> Score {
        self.nodes += 1;
        let moves = position.legal_moves();
        if moves.is_empty() {
            return if position.checkers().any() { Score::mated_in(Ply(ply)) } else { Score::DRAW };
        }
        if depth == 0 || control.is_stopped() {
            return self.evaluator.evaluate(position);
        }
        let mut alpha = alpha;
        for mv in moves {
            let after = position.play_unchecked(mv);
            alpha = alpha.max(-self.value(&after, depth - 1, ply + 1, -beta, -alpha, control));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }
}

impl Thinker for Searcher {
    fn name(&self) -> String {
        "Touchstone".to_owned()
    }

    fn configure(&mut self, settings: &Settings) {
        *self = Self::new(settings);
    }

    fn uses(&self) -> &'static [Setting] {
        Setting::ALL
    }

    fn forget(&mut self) {}

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        control: &Control,
        listener: &mut dyn FnMut(&Report),
    ) -> Answer {
        self.nodes = 0;
        let position = game.position();
        let mut best: Option<Move> = position.legal_moves().first().copied();
        let mut score = if position.checkers().any() { Score::mated_in(Ply(0)) } else { Score::DRAW };
        for depth in 1..=limits.depth.unwrap_or(6).min(100) {
            let mut top = -Score::INFINITE;
            for mv in position.legal_moves() {
                let value =
                    -self.value(&position.play_unchecked(mv), depth - 1, 1, -Score::INFINITE, -top, control);
                if value > top && !control.is_stopped() {
                    (top, best, score) = (value, Some(mv), value);
                }
            }
            if control.is_stopped() || limits.nodes.is_some_and(|most| self.nodes >= most) {
                break;
            }
            let line = best.into_iter().collect();
            listener(&Report {
                depth,
                selective_depth: depth,
                rank: 1,
                score,
                bound: Bound::Exact,
                nodes: self.nodes,
                hash_full: 0,
                table_hits: 0,
                line,
            });
        }
        Answer { best, ponder: None, score, nodes: self.nodes }
    }
}
