//! The 0x88 board representation: squares, and moves between them.
//!
//! The board has 16 columns, of which the left eight are real. A test of two bits tells whether a step has
//! left the board. Knows no pieces.

use crate::Square;

/// A square: 16 times the rank plus the file. Always on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Square0x88(u8);

impl Square0x88 {
    /// The bits that are set only in indices off the board.
    const OFF: u8 = 0x88;
    /// The size of the array; half of it is unused.
    pub(super) const COUNT: usize = 128;

    pub(super) fn from_square(square: Square) -> Self {
        let index = square.index();
        Self((index + (index & !7)) as u8)
    }

    pub(super) fn square(self) -> Square {
        Square::from_index((self.index() + usize::from(self.file())) >> 1)
    }

    /// The square of a file and a rank, from 0; only the low three bits of each are used.
    pub(super) fn at(file: u8, rank: u8) -> Self {
        Self((rank & 7) << 4 | file & 7)
    }

    #[inline]
    pub(super) fn index(self) -> usize {
        usize::from(self.0 & 0x7f)
    }

    #[inline]
    pub(super) fn file(self) -> u8 {
        self.0 & 7
    }

    #[inline]
    pub(super) fn rank(self) -> u8 {
        self.0 >> 4
    }

    /// The square one step away; `None` off the board.
    #[inline]
    pub(super) fn step(self, by: i8) -> Option<Self> {
        let to = self.0.wrapping_add_signed(by);
        (to & Self::OFF == 0).then_some(Self(to))
    }

    /// Whether the other square is the same or adjacent on the same rank.
    #[inline]
    pub(super) fn is_beside(self, other: Self) -> bool {
        self.0.abs_diff(other.0) <= 1
    }
}

/// The kind of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveKind {
    Plain,
    /// A pawn's double step.
    Double,
    EnPassant,
    /// The king's move of two squares, with the rook.
    Castling,
    /// A promotion to a queen.
    Promotion,
    /// Captures the king, or moves to a square where a king that has just castled was in check.
    TakesKing,
}

/// A pseudo-legal move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BoardMove {
    pub(super) from: Square0x88,
    pub(super) to: Square0x88,
    pub(super) kind: MoveKind,
}

impl BoardMove {
    /// The square of the captured piece, if any.
    #[inline]
    pub(super) fn victim(self) -> Square0x88 {
        if self.kind == MoveKind::EnPassant {
            Square0x88::at(self.to.file(), self.from.rank())
        } else {
            self.to
        }
    }

    /// In castling: origin and destination of the rook.
    #[inline]
    pub(super) fn rook(self) -> (Square0x88, Square0x88) {
        let (corner, between) = if self.to.file() > self.from.file() { (7, 5) } else { (0, 3) };
        (Square0x88::at(corner, self.to.rank()), Square0x88::at(between, self.to.rank()))
    }
}
