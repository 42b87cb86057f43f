//! Moves and move lists.
//!
//! Knows no position.

use std::fmt;
use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

use crate::{Role, Square};

/// A move: origin, destination and promotion.
///
/// Castling is written as the king capturing its own rook: from the king's square to the rook's square. No other move
/// ends on a piece of the moving side, so the two squares identify every move, in Chess960 too.
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
        write!(f, "{}{}", self.from, self.to)?;
        self.promotion.map_or(Ok(()), |role| write!(f, "{}", role.to_char()))
    }
}

/// Capacity of a move list. 218 is the largest known number of legal moves in a position with at most sixteen pieces
/// on each side.
const CAPACITY: usize = 256;

/// The legal moves of a position, stored on the stack.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MoveList(ArrayVec<Move, CAPACITY>);

impl MoveList {
    #[inline]
    pub(crate) fn push(&mut self, mv: Move) {
        self.0.push(mv);
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl DerefMut for MoveList {
    #[inline]
    fn deref_mut(&mut self) -> &mut [Move] {
        &mut self.0
    }
}

impl IntoIterator for MoveList {
    type Item = Move;
    type IntoIter = arrayvec::IntoIter<Move, CAPACITY>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
