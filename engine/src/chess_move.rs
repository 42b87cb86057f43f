//! Moves and move lists.
//!
//! Knows no position.

use std::fmt::{self, Write};

use arrayvec::ArrayVec;

use crate::{Role, Square};

/// A move: origin, destination and promotion.
///
/// Castling is written as the king capturing its own rook: from the king's square to the rook's square. No
/// other move ends on a piece of the moving side, so the two squares identify every move, in Chess960 too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The origin square.
    pub from: Square,
    /// The destination square; in castling, the rook's square.
    pub to: Square,
    /// The role a pawn promotes to.
    pub promotion: Option<Role>,
}

impl Move {
    /// A move without promotion.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        Self { from, to, promotion: None }
    }

    /// A promotion.
    #[inline]
    pub const fn promoting(from: Square, to: Square, role: Role) -> Self {
        Self { from, to, promotion: Some(role) }
    }
}

/// The two squares and the promotion, as in UCI except for castling, which needs the position.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.from.fmt(f)?;
        self.to.fmt(f)?;
        self.promotion.map_or(Ok(()), |role| f.write_char(role.to_char()))
    }
}

/// Capacity of a move list. 218 is the largest known number of legal moves in a position with at most sixteen
/// pieces on each side.
const CAPACITY: usize = 256;

/// The legal moves of a position, stored on the stack.
pub type MoveList = ArrayVec<Move, CAPACITY>;
