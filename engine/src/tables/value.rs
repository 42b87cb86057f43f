//! The values of tables: result, distance to mate, distance to the next zeroing move.
//!
//! From the view of the side to move.

use std::fmt;
use std::ops::Neg;

use derive_more::Display;

use crate::Ply;

/// The result with best play, from the view of the side to move. The fifty-move rule is ignored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
#[display(rename_all = "lowercase")]
pub enum Wdl {
    /// The side to move is checkmated or will be.
    Loss,
    /// Neither side can force mate.
    Draw,
    /// The side to move can force mate.
    Win,
}

impl Neg for Wdl {
    type Output = Self;

    /// The result from the other side's view.
    fn neg(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

/// Distance to mate of a decided position, in plies: 0 is checkmate, odd is a win for the side to move, even
/// a loss. A draw is `None` of an `Option<Dtm>`.
///
/// ```
/// use engine::tables::{Dtm, Wdl};
/// use engine::Ply;
/// assert_eq!(Dtm(Ply(31)).to_string(), "mate in 16");
/// assert_eq!(Dtm(Ply(32)).to_string(), "mated in 16");
/// assert_eq!(Dtm(Ply(0)).wdl(), Wdl::Loss);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Dtm(pub Ply);

impl Dtm {
    /// The side to move is checkmated.
    pub const MATED: Self = Self(Ply(0));

    /// The distance in plies.
    pub fn plies(self) -> u16 {
        self.0.0
    }

    /// The distance in moves of the winning side: 16 for a mate in 16 (31 plies) and for mated in 16 (32
    /// plies).
    pub fn moves(self) -> u16 {
        self.0.0.div_ceil(2)
    }

    /// The result: odd distances are wins, even ones losses.
    pub fn wdl(self) -> Wdl {
        if self.0.0 % 2 == 1 { Wdl::Win } else { Wdl::Loss }
    }
}

impl fmt::Display for Dtm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wdl() {
            Wdl::Win => write!(f, "mate in {}", self.moves()),
            _ if *self == Self::MATED => f.write_str("checkmated"),
            _ => write!(f, "mated in {}", self.moves()),
        }
    }
}

/// Distance in plies to the next capture, pawn move or mate under play that keeps the result: positive for a
/// win, negative for a loss, 0 for a draw. Checkmate is -1, as in Syzygy tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
pub struct Dtz(pub i16);

impl Dtz {
    /// A draw.
    pub const DRAW: Self = Self(0);

    /// The result: positive distances are wins, negative ones losses.
    pub fn wdl(self) -> Wdl {
        match self.0.signum() {
            1 => Wdl::Win,
            0 => Wdl::Draw,
            _ => Wdl::Loss,
        }
    }
}

/// A value of either metric while tables are built, with the distance in plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Draw,
    Win(Ply),
    Loss(Ply),
}

impl Value {
    pub(crate) const MATED: Self = Self::Loss(Ply(0));

    /// The value of a move to a position with this value, for the side that moves.
    pub(crate) fn before_move(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win(Ply(plies)) => Self::Loss(Ply(plies + 1)),
            Self::Loss(Ply(plies)) => Self::Win(Ply(plies + 1)),
        }
    }

    /// Orders values by preference of the side to move: quick wins, slow wins, draws, slow losses, quick
    /// losses.
    pub(crate) fn preference(self) -> i32 {
        match self {
            Self::Draw => 0,
            Self::Win(Ply(plies)) => i32::from(u16::MAX) - i32::from(plies),
            Self::Loss(Ply(plies)) => i32::from(plies) - i32::from(u16::MAX),
        }
    }

    /// The value that the side to move prefers.
    pub(crate) fn better(self, other: Self) -> Self {
        std::cmp::max_by_key(self, other, |value| value.preference())
    }

    /// The DTZ of a zeroing move to a position with this value, for the side that moves.
    pub(crate) fn before_zeroing_move(self) -> Self {
        match self {
            Self::Draw => Self::Draw,
            Self::Win(_) => Self::Loss(Ply(1)),
            Self::Loss(_) => Self::Win(Ply(1)),
        }
    }

    pub(crate) fn wdl(self) -> Wdl {
        match self {
            Self::Draw => Wdl::Draw,
            Self::Win(_) => Wdl::Win,
            Self::Loss(_) => Wdl::Loss,
        }
    }
}

/// A value as stored in a table, in 16 bits.
///
/// 0 is an unused slot, 1 a draw, 2 + 2n a win in n plies, 3 + 2n a loss in n plies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cell(pub(crate) u16);

impl Cell {
    pub(crate) const UNUSED: Self = Self(0);
    /// Only during a build: a legal position without a value yet.
    pub(crate) const UNDECIDED: Self = Self(u16::MAX);
    /// The longest distance that fits, in plies.
    pub(crate) const LONGEST: u16 = 32_000;

    pub(crate) fn from_value(value: Value) -> Self {
        match value {
            Value::Draw => Self(1),
            Value::Win(Ply(plies)) => Self(2 + 2 * plies),
            Value::Loss(Ply(plies)) => Self(3 + 2 * plies),
        }
    }

    /// The value; `None` for unused or undecided slots.
    #[inline]
    pub(crate) fn value(self) -> Option<Value> {
        let plies = Ply((self.0 / 2).saturating_sub(1));
        match self {
            Self::UNUSED | Self::UNDECIDED => None,
            Self(1) => Some(Value::Draw),
            Self(bits) if bits % 2 == 0 => Some(Value::Win(plies)),
            _ => Some(Value::Loss(plies)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_hold_every_value() {
        let decisive = (0..=Cell::LONGEST).flat_map(|n| [Value::Win(Ply(n)), Value::Loss(Ply(n))]);
        for value in decisive.chain([Value::Draw]) {
            assert_eq!(Cell::from_value(value).value(), Some(value));
        }
        assert_eq!(Cell::UNUSED.value(), None);
        assert_eq!(Cell::UNDECIDED.value(), None);
    }

    #[test]
    fn preference_orders_values() {
        let best_first =
            [Value::Win(Ply(1)), Value::Win(Ply(31)), Value::Draw, Value::Loss(Ply(32)), Value::MATED];
        assert!(best_first.is_sorted_by_key(|value| -value.preference()));
    }

    #[test]
    fn moves_and_plies() {
        for (plies, text) in
            [(0, "checkmated"), (1, "mate in 1"), (2, "mated in 1"), (55, "mate in 28"), (56, "mated in 28")]
        {
            assert_eq!(Dtm(Ply(plies)).to_string(), text);
        }
    }
}
