//! Tapered evaluation: a middlegame and an endgame value, blended by the phase.
//!
//! Two numbers in one, and a phase counted from the pieces, are Fruit's form (Fabien Letouzey, 2005). Knows
//! no terms.

use derive_more::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use crate::{Board, Role};

/// Centipawns for the middlegame and the endgame. Both must fit 16 bits, sums included: they are packed into
/// one integer, so that one addition adds both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Add, AddAssign, Mul, Neg, Sub, SubAssign)]
pub struct Tapered(i32);

impl Tapered {
    /// Zero in both.
    pub const ZERO: Self = Self(0);

    /// A middlegame and an endgame value.
    pub const fn new(middlegame: i16, endgame: i16) -> Self {
        Self(((endgame as i32) << 16).wrapping_add(middlegame as i32))
    }

    /// The middlegame value.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // A negative lower half has borrowed one from the upper half; rounding restores it.
        ((self.0.wrapping_add(0x8000)) >> 16) as i16 as i32
    }
}

/// The phase: 24 with all pieces, 0 with only kings and pawns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phase(u8);

impl Phase {
    /// The phase of the starting position; the maximum.
    pub const FULL: Self = Self(24);

    /// The phase of a board: one for each knight and bishop, two for a rook, four for a queen.
    #[inline]
    pub fn from_board(board: &Board) -> Self {
        let minors = (board.role(Role::Knight) | board.role(Role::Bishop)).count();
        let sum = minors + 2 * board.role(Role::Rook).count() + 4 * board.role(Role::Queen).count();
        Self(sum.min(u32::from(Self::FULL.0)) as u8)
    }

    /// 0 to 24.
    #[inline]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Blends two scaled values to centipawns by the phase. Rounds towards zero, so that both sides round
    /// alike.
    #[inline]
    pub(super) fn blend(self, value: Tapered, scales: Scales) -> i32 {
        let full = i32::from(Self::FULL.0);
        let phase = i32::from(self.0);
        let middlegame = value.middlegame() * i32::from(scales.middlegame) * phase;
        let endgame = value.endgame() * i32::from(scales.endgame) * (full - phase);
        (middlegame + endgame) / (64 * full)
    }
}

/// The scale of each half of an evaluation, in 64ths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scales {
    /// The scale of the middlegame value.
    pub middlegame: u8,
    /// The scale of the endgame value.
    pub endgame: u8,
}

impl Scales {
    /// No scaling.
    pub const FULL: Self = Self::whole(64);

    /// The same scale for both halves.
    pub(super) const fn whole(scale: u8) -> Self {
        Self { middlegame: scale, endgame: scale }
    }

    /// A scale for the endgame half only.
    pub(super) const fn endgame(scale: u8) -> Self {
        Self { middlegame: 64, endgame: scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_independent() {
        let values = [0, 1, -1, 77, -77, 9_999, -9_999];
        for (mg, eg) in values.into_iter().flat_map(|mg| values.map(|eg| (mg, eg))) {
            let value = Tapered::new(mg, eg);
            let pair = |value: Tapered| (value.middlegame(), value.endgame());
            let (mg, eg) = (i32::from(mg), i32::from(eg));
            assert_eq!(pair(value), (mg, eg));
            assert_eq!(pair(-value), (-mg, -eg));
            assert_eq!(pair(value * -3), (-3 * mg, -3 * eg));
            assert_eq!(pair(value + Tapered::new(-50, 60)), (mg - 50, eg + 60));
            assert_eq!(pair(value - Tapered::new(-50, 60)), (mg + 50, eg - 60));
        }
    }

    #[test]
    fn the_blend_goes_from_middlegame_to_endgame() {
        let value = Tapered::new(240, -480);
        assert_eq!(Phase(24).blend(value, Scales::FULL), 240);
        assert_eq!(Phase(0).blend(value, Scales::FULL), -480);
        assert_eq!(Phase(12).blend(value, Scales::FULL), -120);
        assert_eq!(Phase(0).blend(value, Scales::endgame(32)), -240, "half of the endgame");
        assert_eq!(
            Phase(24).blend(value, Scales::endgame(0)),
            240,
            "the endgame's is no matter in the middlegame"
        );
        assert_eq!(Phase(12).blend(value, Scales::whole(32)), -60, "half of both");
        assert_eq!(Phase(24).blend(value, Scales::whole(0)), 0, "nothing of both");
        assert_eq!(Phase(7).blend(-value, Scales::FULL), -Phase(7).blend(value, Scales::FULL));
    }
}
