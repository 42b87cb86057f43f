//! Castling rights: which rooks may still castle. Serves standard chess and Chess960 alike.
//!
//! Knows squares only; whether a right is sound, or may be used now, the rules say.

use crate::{Bitboard, Board, Color, File, Rank, Role, Square};

/// How castling is written as a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum CastlingMode {
    /// The king's square and its destination: `e1g1`. Castling from other squares than those of standard chess
    /// is written as in Chess960, since its king's step may be an ordinary move too.
    #[default]
    Standard,
    /// The king's square and its rook's square: `e1h1`.
    Chess960,
}

/// Which way a king castles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CastlingSide {
    /// To the g-file, with a rook from its right.
    King,
    /// To the c-file, with a rook from its left.
    Queen,
}

impl CastlingSide {
    /// Both, king's side first, as FEN writes them.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side of a rook on the king's rank.
    #[inline]
    pub fn of(king: Square, rook: Square) -> Self {
        if rook > king { Self::King } else { Self::Queen }
    }

    /// The rook of one side that is farthest from its king on this side of it, if the king is on its first rank.
    pub(crate) fn outermost_rook(self, board: &Board, color: Color) -> Option<Square> {
        let back_rank = Bitboard::rank(Rank::First.relative_to(color));
        let king = (board.pieces(color, Role::King) & back_rank).first()?;
        let rooks = board.pieces(color, Role::Rook) & back_rank;
        let mut beyond = rooks.into_iter().filter(|&rook| Self::of(king, rook) == self);
        match self {
            Self::King => beyond.last(),
            Self::Queen => beyond.next(),
        }
    }

    /// Where the king ends.
    #[inline]
    pub fn king_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::G,
            Self::Queen => File::C,
        };
        Square::new(file, Rank::First.relative_to(color))
    }

    /// Where the rook ends.
    #[inline]
    pub fn rook_target(self, color: Color) -> Square {
        let file = match self {
            Self::King => File::F,
            Self::Queen => File::D,
        };
        Square::new(file, Rank::First.relative_to(color))
    }
}

/// The rooks that may still castle, as a set of their squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CastlingRights(Bitboard);

impl CastlingRights {
    /// None.
    pub const NONE: Self = Self(Bitboard::EMPTY);
    /// All four rights of standard chess.
    pub const ALL: Self = Self(Bitboard(0x8100_0000_0000_0081));

    /// The rights of the rooks on these squares.
    pub const fn of(rooks: Bitboard) -> Self {
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

    /// The rights with the ranks mirrored and the sides exchanged.
    pub const fn flip_colors(self) -> Self {
        Self(self.0.flip_vertical())
    }

    /// The rights that are left when these squares have been moved from or to.
    #[inline]
    pub(crate) fn without(self, squares: Bitboard) -> Self {
        Self(self.0 & !squares)
    }
}
