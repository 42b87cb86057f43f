//! The pawn hash table: results by pawns and kings, which change seldom in a search.
//!
//! See Chess Programming Wiki, "Pawn Hash Table". Entries hold everything that the result depends on, so
//! collisions cannot change a result.

use std::fmt;

use super::tapered::Tapered;
use crate::{Bitboard, Board, Color, Role, Square};

/// The number of entries.
const SLOTS: usize = 1 << 13;

/// The input of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Structure {
    white_pawns: Bitboard,
    black_pawns: Bitboard,
    /// Indices of the kings' squares.
    kings: [u8; 2],
}

/// The result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PawnScore {
    /// The sum, White's minus Black's.
    pub(super) total: Tapered,
    /// The passed pawns of both sides.
    pub(super) passed: Bitboard,
}

/// A table of fixed size; a new entry replaces the old one.
#[derive(Clone)]
pub(super) struct PawnCache {
    slots: Box<[(Structure, PawnScore)]>,
}

impl Structure {
    /// The structure of a board.
    #[inline]
    pub(super) fn new(board: &Board, kings: [Square; 2]) -> Self {
        let [white, black] = kings;
        Self {
            white_pawns: board.pieces(Color::White, Role::Pawn),
            black_pawns: board.pieces(Color::Black, Role::Pawn),
            kings: [white.index() as u8, black.index() as u8],
        }
    }

    /// The slot: the high bits of products with odd constants.
    #[inline]
    fn slot(&self) -> usize {
        let kings = u64::from(self.kings[0]) << 6 | u64::from(self.kings[1]);
        let mixed = self.white_pawns.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
            ^ self.black_pawns.0.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(21)
            ^ kings.wrapping_mul(0x1656_67b1_9e37_79f9);
        (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> (64 - SLOTS.ilog2())) as usize
    }
}

impl PawnCache {
    /// An empty table: no position equals the default structure, which has both kings on one square.
    pub(super) fn new() -> Self {
        Self { slots: vec![Default::default(); SLOTS].into_boxed_slice() }
    }

    /// Returns the stored result, or computes and stores it.
    #[inline]
    pub(super) fn get(&mut self, structure: Structure, find: impl FnOnce() -> PawnScore) -> PawnScore {
        let slot = &mut self.slots[structure.slot()];
        if slot.0 != structure {
            *slot = (structure, find());
        }
        slot.1
    }
}

impl fmt::Debug for PawnCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PawnCache").field("slots", &self.slots.len()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_slot_does_not_share_the_result() {
        let mut cache = PawnCache::new();
        let structure =
            |pawns| Structure { white_pawns: Bitboard(pawns), black_pawns: Bitboard::EMPTY, kings: [4, 60] };
        let first = structure(1);
        let second =
            (2..1_000_000).map(structure).find(|other| other.slot() == first.slot()).expect("slots are few");
        let found = |passed| PawnScore { total: Tapered::ZERO, passed: Bitboard(passed) };
        assert_eq!(cache.get(first, || found(1)), found(1));
        assert_eq!(cache.get(first, || found(2)), found(1), "remembered");
        assert_eq!(cache.get(second, || found(3)), found(3), "not the other's");
        assert_eq!(cache.get(first, || found(4)), found(4), "forgotten");
    }
}
