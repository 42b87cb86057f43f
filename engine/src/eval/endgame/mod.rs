//! What is known of endgames by their material: dispatch by signature to an evaluator or to a scale function.

use crate::{Color, Position, Score};

/// What the knowledge of a material says of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// What it is worth, from the view of the side to move: in place of the general evaluation.
    Value(Score),
    /// How much of the advantage of the side that the general evaluation prefers is left.
    Scale(Scale),
}

/// A share of an advantage, in 64ths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Scale(pub(crate) u8);

impl Scale {
    /// All of it.
    pub(crate) const FULL: Self = Self(64);
}

/// What is known of a position's material, if it is a known one.
pub(crate) fn look_up(_position: &Position) -> Option<Known> {
    None
}

/// How much of the advantage of `strong` counts, by rules that hold for many materials: no pawns left, bishops of
/// opposite colours.
pub(crate) fn scale(_position: &Position, _strong: Color) -> Scale {
    Scale::FULL
}
