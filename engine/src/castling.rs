//! Castling rights: which rooks may still castle, in standard chess and Chess960.
//!
//! Knows squares only: [`crate::validate`] checks the rights, and the move generator checks whether castling
//! is legal now.

use crate::{Bitboard, Board, Color, File, Rank, Role, Square};

/// How castling is written in UCI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum CastlingMode {
    /// By the king's destination: `e1g1`. Castling from other squares than those of standard chess is written
    /// as in Chess960, because the king's step may also be an ordinary move.
    #[default]
    Standard,
    /// By the rook's square: `e1h1`.
    Chess960,
}

/// The direction of castling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CastlingSide {
    /// The king goes to the g-file, with the rook on its right.
    King,
    /// The king goes to the c-file, with the rook on its left.
    Queen,
}

impl CastlingSide {
    /// Both; king's side first, as in FEN.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side of a rook on the king's rank.
    #[inline]
    pub fn from_squares(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    /// The outermost rook of one side in this direction, if the king is on its first rank.
    pub(crate) fn outermost_rook(self, board: &Board, color: Color) -> Option<Square> {
        let back_rank = Bitboard::rank(Rank::First.relative_to(color));
        let king = (board.pieces(color, Role::King) & back_rank).first()?;
        let rooks = board.pieces(color, Role::Rook) & back_rank;
        let mut beyond = rooks.into_iter().filter(|&rook| Self::from_squares(king, rook) == self);
        match self {
            Self::King => beyond.last(),
            Self::Queen => beyond.next(),
        }
    }

    /// The king's destination.
    #[inline]
    pub fn king_target(self, color: Color) -> Square {
        self.target(File::G, File::C, color)
    }

    /// The rook's destination.
    #[inline]
    pub fn rook_target(self, color: Color) -> Square {
        self.target(File::F, File::D, color)
    }

    #[inline]
    fn target(self, king_side: File, queen_side: File, color: Color) -> Square {
        let file = if self == Self::King { king_side } else { queen_side };
        Square::new(file, Rank::First.relative_to(color))
    }
}

/// The rooks that may still castle, as a set of their squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// No rights.
    pub const NONE: Self = Self(Bitboard::EMPTY);
    /// All four rights of standard chess.
    pub const ALL: Self = Self(Bitboard(0x8100_0000_0000_0081));

    /// Rights for the rooks on these squares.
    pub const fn from_rooks(rooks: Bitboard) -> Self {
        Self(rooks)
    }

    /// The squares of the rooks of both sides.
    #[inline]
    pub const fn rooks(self) -> Bitboard {
        self.0
    }

    /// The squares of the rooks of one side.
    #[inline]
    pub fn rooks_of(self, color: Color) -> Bitboard {
        self.0 & Bitboard::rank(Rank::First.relative_to(color))
    }

    /// The rights mirrored vertically with colours swapped.
    pub const fn flip_colors(self) -> Self {
        Self(self.0.flip_vertical())
    }

    /// The rights that remain after moves from or to these squares.
    #[inline]
    pub(crate) fn without(self, squares: Bitboard) -> Self {
        Self(self.0 & !squares)
    }
}
