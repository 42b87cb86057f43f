//! Magic multiplication: maps blockers to a table index on any processor.

use super::{Line, magic_numbers};
use crate::Square;

/// Maps the blockers around one square to a table index.
#[derive(Clone, Copy)]
pub(super) struct Indexer {
    mask: u64,
    magic: u64,
    shift: u32,
    offset: u32,
}

impl Indexer {
    /// For a rook or a bishop on `square`; its part of the table starts at `offset`.
    pub(super) const fn new(square: Square, mask: u64, offset: usize, lines: [Line; 2]) -> Self {
        let straight = lines[0].1 == 0;
        let numbers = if straight { magic_numbers::ROOK } else { magic_numbers::BISHOP };
        let shift = 64 - mask.count_ones();
        Self { mask, magic: numbers[square.index()], shift, offset: offset as u32 }
    }

    /// The index for an occupancy.
    #[inline]
    pub(super) const fn index(&self, occupied: u64) -> usize {
        let hash = (occupied & self.mask).wrapping_mul(self.magic) >> self.shift;
        self.offset as usize + hash as usize
    }

    /// The index for blockers that are given as the number of their subset of the mask.
    pub(super) const fn index_of_number(&self, number: usize) -> usize {
        self.offset as usize + number
    }

    /// The squares whose occupancy counts.
    #[inline]
    pub(super) const fn mask(&self) -> u64 {
        self.mask
    }
}
