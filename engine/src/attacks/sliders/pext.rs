//! BMI2 bit extraction (`pext`): maps blockers to a table index.

use std::arch::x86_64::_pext_u64;

use super::Line;
use crate::Square;

/// Maps the blockers around one square to a table index.
#[derive(Clone, Copy)]
pub(super) struct Indexer {
    mask: u64,
    offset: u32,
}

impl Indexer {
    /// For a piece whose part of the table starts at `offset`.
    pub(super) const fn new(_square: Square, mask: u64, offset: usize, _lines: [Line; 2]) -> Self {
        Self { mask, offset: offset as u32 }
    }

    /// The index for an occupancy.
    #[inline]
    #[expect(unsafe_code, reason = "the one use of an instruction that not every processor has")]
    pub(super) fn index(&self, occupied: u64) -> usize {
        // SAFETY: `_pext_u64` needs a processor with BMI2; this module is compiled for such only.
        let bits = unsafe { _pext_u64(occupied, self.mask) };
        self.offset as usize + bits as usize
    }

    /// The index for the blocker subset with this number, at compile time.
    pub(super) const fn index_of_subset(&self, _blockers: u64, number: usize) -> usize {
        self.offset as usize + number
    }
}
