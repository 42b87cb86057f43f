//! A position as its stronger side sees it: that side is White, its pawns go up the board.
//!
//! So each rule is written once, for White. Knows no rule itself.

use super::distance::distance;
use crate::{Bitboard, Board, Color, Position, Role, Square, attacks};

/// A board with the stronger side as White, and whose turn it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    board: Board,
    /// Whether it is the stronger side's turn.
    pub(super) strong_to_move: bool,
    /// The king of the stronger side.
    pub(super) strong_king: Square,
    /// The king of the other.
    pub(super) weak_king: Square,
}

impl View {
    /// The position as `strong` sees it.
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

    /// All men of a side: White is the stronger.
    #[inline]
    pub(super) fn men(&self, color: Color) -> Bitboard {
        self.board.color(color)
    }

    /// All men.
    #[inline]
    pub(super) fn occupied(&self) -> Bitboard {
        self.board.occupied()
    }

    /// The board.
    #[inline]
    pub(super) fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the weaker side has its king alone.
    #[inline]
    pub(super) fn is_bare(&self) -> bool {
        !self.men(Color::Black).many()
    }

    /// How far the kings are apart.
    #[inline]
    pub(super) fn kings_apart(&self) -> i32 {
        distance(self.strong_king, self.weak_king)
    }

    /// Whether the weaker side's king takes a man on `square` with its next move: it is its turn, and nothing guards
    /// the man.
    pub(super) fn takes(&self, square: Square) -> bool {
        !self.strong_to_move && distance(self.weak_king, square) == 1 && !self.is_guarded(square)
    }

    /// Whether the stronger side takes a man on `square` with its next move, and the other king does not take back.
    pub(super) fn catches(&self, square: Square) -> bool {
        self.strong_to_move && distance(self.weak_king, square) > 1 && self.attacks(square)
    }

    /// Whether the stronger side attacks a square.
    pub(super) fn attacks(&self, square: Square) -> bool {
        self.board.attackers(square, Color::White, self.occupied()).any()
    }

    /// Whether the stronger side attacks a square, seen through the other's king.
    pub(super) fn is_guarded(&self, square: Square) -> bool {
        let occupied = self.occupied().without(self.weak_king);
        self.board.attackers(square, Color::White, occupied).any()
    }

    /// Whether the weaker side, a lone king, is to move and cannot, without being in check.
    pub(super) fn is_stalemate(&self) -> bool {
        let mut steps = attacks::king(self.weak_king).into_iter();
        !self.strong_to_move && !self.is_guarded(self.weak_king) && steps.all(|to| self.is_guarded(to))
    }
}

/// The square of a man that the material promises to be there.
#[inline]
pub(super) fn only(men: Bitboard) -> Square {
    Square::from_index(men.0.trailing_zeros() as usize)
}
