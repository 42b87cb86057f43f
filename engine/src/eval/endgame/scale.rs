//! How much of an advantage counts, by rules that hold for many materials.

use super::Scale;
use crate::{Color, Position};

/// How much of the advantage of `strong` counts, by rules that hold for many materials: no pawns left, bishops of
/// opposite colours.
pub(crate) fn scale(_position: &Position, _strong: Color) -> Scale {
    Scale::FULL
}
