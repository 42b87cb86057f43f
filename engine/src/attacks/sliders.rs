//! Bishops and rooks by look-up: the blockers around a square index a table of the squares seen.
//!
//! The index is the hardware's bit extraction where the build allows it (`target_feature = "bmi2"`), else a
//! multiplication. The table is computed at compile time. Knows no pieces.

#[cfg(not(target_feature = "bmi2"))]
use super::magics;
use crate::{Bitboard, Square};

/// The steps of a line, one way; the other way is their negation.
type Line = (i8, i8);

const ROOK_LINES: [Line; 2] = [(1, 0), (0, 1)];
const BISHOP_LINES: [Line; 2] = [(1, 1), (-1, 1)];

/// Where the squares seen from one square stand in the table, and how to find the one for given blockers.
#[derive(Clone, Copy)]
struct Entry {
    /// The squares whose occupation matters: the lines without their last squares.
    mask: u64,
    #[cfg(not(target_feature = "bmi2"))]
    magic: u64,
    #[cfg(not(target_feature = "bmi2"))]
    shift: u32,
    offset: u32,
}

impl Entry {
    #[cfg(not(target_feature = "bmi2"))]
    #[inline]
    const fn index(&self, occupied: u64) -> usize {
        let hash = (occupied & self.mask).wrapping_mul(self.magic) >> self.shift;
        self.offset as usize + hash as usize
    }

    #[cfg(target_feature = "bmi2")]
    #[inline]
    #[expect(unsafe_code, reason = "the intrinsic is unsafe where the compiler cannot see the feature")]
    fn index(&self, occupied: u64) -> usize {
        // SAFETY: `_pext_u64` needs a processor with BMI2; this function is compiled for such only.
        let bits = unsafe { std::arch::x86_64::_pext_u64(occupied, self.mask) };
        self.offset as usize + bits as usize
    }
}

/// Sum over all squares of the number of sets of blockers: 102,400 for rooks, 5,248 for bishops.
const TABLE_SIZE: usize = 102_400 + 5_248;

struct Sliders {
    rook: [Entry; 64],
    bishop: [Entry; 64],
}

static SLIDERS: Sliders = Sliders { rook: entries(ROOK_LINES, 0), bishop: entries(BISHOP_LINES, 102_400) };
#[allow(long_running_const_eval, reason = "about a second")]
static SEEN: [Bitboard; TABLE_SIZE] = table();

/// The squares a rook sees from `square`.
#[inline]
pub(super) fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    SEEN[SLIDERS.rook[square.index()].index(occupied.0)]
}

/// The squares a bishop sees from `square`.
#[inline]
pub(super) fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    SEEN[SLIDERS.bishop[square.index()].index(occupied.0)]
}

/// The squares of a line through `square`, both ways, without the square itself.
const fn line(square: Square, (files, ranks): Line) -> u64 {
    let mut squares = 0;
    let mut way: i8 = -1;
    while way <= 1 {
        let mut at = square.offset(way * files, way * ranks);
        while let Some(next) = at {
            squares |= 1 << next.index();
            at = next.offset(way * files, way * ranks);
        }
        way += 2;
    }
    squares
}

/// The squares seen along a line: up to the first blocker on either side, that one included.
///
/// Subtracting the slider twice from the blockers of its line borrows from the first blocker above it, and so
/// flips exactly the squares seen; the other way is the same on the reversed board.
const fn seen_along(square: Square, line: u64, occupied: u64) -> u64 {
    let slider = 1 << square.index();
    let blockers = occupied & line | slider;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

/// The last squares of the lines of one direction, where a blocker changes nothing.
const fn edges((files, ranks): Line) -> u64 {
    let sides = if files == 0 { 0 } else { 0x8181_8181_8181_8181 };
    let ends = if ranks == 0 { 0 } else { Bitboard::BACK_RANKS.0 };
    sides | ends
}

const fn blocker_mask(square: Square, lines: [Line; 2]) -> u64 {
    line(square, lines[0]) & !edges(lines[0]) | line(square, lines[1]) & !edges(lines[1])
}

const fn entries(lines: [Line; 2], first: usize) -> [Entry; 64] {
    let mut offset = first;
    let mut entries = [entry(0, 0, 0, lines); 64];
    let mut index = 0;
    while index < 64 {
        let mask = blocker_mask(Square::from_index(index), lines);
        entries[index] = entry(mask, index, offset as u32, lines);
        offset += 1 << mask.count_ones();
        index += 1;
    }
    entries
}

#[cfg(not(target_feature = "bmi2"))]
const fn entry(mask: u64, square: usize, offset: u32, lines: [Line; 2]) -> Entry {
    let magic = if lines[0].1 == 0 { magics::ROOK[square] } else { magics::BISHOP[square] };
    Entry { mask, magic, shift: 64 - mask.count_ones(), offset }
}

#[cfg(target_feature = "bmi2")]
const fn entry(mask: u64, _square: usize, offset: u32, _lines: [Line; 2]) -> Entry {
    Entry { mask, offset }
}

#[allow(clippy::large_stack_arrays, reason = "it lives at compile time only")]
const fn table() -> [Bitboard; TABLE_SIZE] {
    let mut table = [Bitboard::EMPTY; TABLE_SIZE];
    let (rook, bishop) = (entries(ROOK_LINES, 0), entries(BISHOP_LINES, 102_400));
    let mut index = 0;
    while index < 64 {
        fill(&mut table, Square::from_index(index), &rook[index], ROOK_LINES);
        fill(&mut table, Square::from_index(index), &bishop[index], BISHOP_LINES);
        index += 1;
    }
    table
}

/// Fills the part of one square: every subset of the mask, in the order in which bit extraction numbers them.
const fn fill(table: &mut [Bitboard; TABLE_SIZE], square: Square, entry: &Entry, lines: [Line; 2]) {
    let lines = [line(square, lines[0]), line(square, lines[1])];
    let mut blockers: u64 = 0;
    let mut number = 0;
    loop {
        let seen = seen_along(square, lines[0], blockers) | seen_along(square, lines[1], blockers);
        table[slot(entry, blockers, number)] = Bitboard(seen);
        blockers = blockers.wrapping_sub(entry.mask) & entry.mask;
        number += 1;
        if blockers == 0 {
            break;
        }
    }
}

#[cfg(not(target_feature = "bmi2"))]
const fn slot(entry: &Entry, blockers: u64, _number: usize) -> usize {
    entry.index(blockers)
}

#[cfg(target_feature = "bmi2")]
const fn slot(entry: &Entry, _blockers: u64, number: usize) -> usize {
    entry.offset as usize + number
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition: walk until something stands in the way.
    fn walk(square: Square, occupied: Bitboard, lines: [Line; 2]) -> Bitboard {
        let mut seen = Bitboard::EMPTY;
        for (files, ranks) in lines.into_iter().flat_map(|(f, r)| [(f, r), (-f, -r)]) {
            let mut at = square;
            while let Some(next) = at.offset(files, ranks) {
                seen = seen.with(next);
                if occupied.contains(next) {
                    break;
                }
                at = next;
            }
        }
        seen
    }

    /// Every set of blockers on the lines of every square, with the rest of the board empty and full.
    fn check(lookup: fn(Square, Bitboard) -> Bitboard, lines: [Line; 2]) -> u32 {
        let mut cases = 0;
        for square in Square::ALL {
            let all = line(square, lines[0]) | line(square, lines[1]);
            let mut blockers: u64 = 0;
            loop {
                let expected = walk(square, Bitboard(blockers), lines);
                assert_eq!(lookup(square, Bitboard(blockers)), expected, "{square} {blockers:#x}");
                assert_eq!(lookup(square, Bitboard(blockers | !all)), expected, "{square} {blockers:#x}");
                cases += 1;
                blockers = blockers.wrapping_sub(all) & all;
                if blockers == 0 {
                    break;
                }
            }
        }
        cases
    }

    #[test]
    fn rooks_see_what_a_walk_finds() {
        assert_eq!(check(rook, ROOK_LINES), 64 << 14);
    }

    #[test]
    fn bishops_see_what_a_walk_finds() {
        assert_eq!(check(bishop, BISHOP_LINES), (28 << 7) + (20 << 9) + (12 << 11) + (4 << 13));
    }
}
