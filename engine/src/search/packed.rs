//! Moves packed into sixteen bits for tables.

use crate::{Move, Role, Square};

/// A move or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PackedMove(pub(super) u16);

impl PackedMove {
    /// No move: encoded as a1a1.
    pub(super) const NONE: Self = Self(0);

    #[inline]
    pub(super) fn new(mv: Move) -> Self {
        let promotion = mv.promotion.map_or(0, |role| 1 + role.index() as u16);
        Self(mv.from.index() as u16 | (mv.to.index() as u16) << 6 | promotion << 12)
    }

    #[inline]
    pub(super) fn unpack(self) -> Option<Move> {
        let square = |shift: u16| Square::from_index(usize::from(self.0 >> shift & 63));
        let role = |index: u16| Role::ALL.get(usize::from(index)).copied();
        let promotion = (self.0 >> 12).checked_sub(1).and_then(role);
        (self != Self::NONE).then(|| Move { from: square(0), to: square(6), promotion })
    }
}

impl From<Option<Move>> for PackedMove {
    #[inline]
    fn from(mv: Option<Move>) -> Self {
        mv.map_or(Self::NONE, Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_comes_back() {
        let promotions = [None].into_iter().chain(Role::PROMOTIONS.map(Some));
        for promotion in promotions {
            for (from, to) in [(0, 1), (63, 0), (12, 28), (52, 60)] {
                let mv = Move { from: Square::from_index(from), to: Square::from_index(to), promotion };
                assert_eq!(PackedMove::new(mv).unpack(), Some(mv));
            }
        }
        assert_eq!(PackedMove::NONE.unpack(), None);
    }
}
