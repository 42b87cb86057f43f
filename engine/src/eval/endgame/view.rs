//! A position from the view of its stronger side: that side is White and moves up the board.
//!
//! This way each rule is written once, for White. This module contains no rules.

use super::distance::distance;
use crate::{Bitboard, Board, Color, Position, Role, Square, attacks};

/// A board with the stronger side as White, and the side to move.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    board: Board,
    /// Whether the stronger side is to move.
    pub(super) strong_to_move: bool,
    /// The king of the stronger side.
    pub(super) strong_king: Square,
    /// The king of the weaker side.
    pub(super) weak_king: Square,
}

impl View {
    /// The view of a position with `strong` as the stronger side.
    pub(super) fn new(position: &Position, strong: Color) -> Self {
        Self {
            board: strong.pick(*position.board(), position.board().flip_colors()),
            strong_to_move: position.side_to_move() == strong,
            strong_king: position.king(strong).relative_to(strong),
            weak_king: position.king(!strong).relative_to(strong),
        }
    }

    /// The men of a role of the stronger side.
    #[inline]
    pub(super) fn strong(&self, role: Role) -> Bitboard {
        self.board.pieces(Color::White, role)
    }

    /// The men of a role of the weaker side.
    #[inline]
    pub(super) fn weak(&self, role: Role) -> Bitboard {
        self.board.pieces(Color::Black, role)
    }

    /// The men of a side; the stronger is White.
    #[inline]
    pub(super) fn men(&self, color: Color) -> Bitboard {
        self.board.color(color)
    }

    /// The occupied squares.
    #[inline]
    pub(super) fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The board.
    #[inline]
    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the weaker side has only its king.
    #[inline]
    pub(super) fn is_bare(&self) -> bool {
        !self.men(Color::Black).many()
    }

    /// The distance of the kings.
    #[inline]
    pub(super) fn kings_apart(&self) -> i32 {
        distance(self.strong_king, self.weak_king)
    }

    /// Whether the weaker side's king captures a man on `square` with its next move: it is to move, and the
    /// man is not defended.
    pub(super) fn takes(&self, square: Square) -> bool {
        !self.strong_to_move && distance(self.weak_king, square) == 1 && !self.is_guarded(square)
    }

    /// Whether the stronger side captures a man on `square` with its next move, and the other king does not
    /// recapture.
    pub(super) fn catches(&self, square: Square) -> bool {
        self.strong_to_move && distance(self.weak_king, square) > 1 && self.attacks(square)
    }

    /// Whether the stronger side attacks a square.
    pub(super) fn attacks(&self, square: Square) -> bool {
        self.board.attackers(square, Color::White, self.occupied()).any()
    }

    /// Whether the stronger side attacks a square, seeing through the weaker king.
    pub(super) fn is_guarded(&self, square: Square) -> bool {
        let occupied = self.occupied().without(self.weak_king);
        self.board.attackers(square, Color::White, occupied).any()
    }

    /// Whether the weaker side, a lone king to move, is stalemated.
    pub(super) fn is_stalemate(&self) -> bool {
        let mut steps = attacks::king(self.weak_king).into_iter();
        !self.strong_to_move && !self.is_guarded(self.weak_king) && steps.all(|to| self.is_guarded(to))
    }
}

/// The square of a man that the material guarantees.
#[inline]
pub(super) fn only(men: Bitboard) -> Square {
    Square::from_index(men.0.trailing_zeros() as usize)
}
