//! Sliding attacks by table look-up: the blockers around a square index a table of attack sets.
//!
//! The index is computed by bit extraction (`pext`) where the processor has it, by magic multiplication
//! elsewhere. The tables are computed at compile time. This module knows no pieces.

mod magic;
mod magic_numbers;

use crate::processor::Processor;
use crate::{Bitboard, Square};

use magic::Indexer;

/// One direction of a line, as a step; the opposite direction is its negation.
type Line = (i8, i8);

const ROOK_LINES: [Line; 2] = [(1, 0), (0, 1)];
const BISHOP_LINES: [Line; 2] = [(1, 1), (-1, 1)];

/// Sum over all squares of the number of blocker sets: 102,400 for rooks, 5,248 for bishops.
const TABLE_SIZE: usize = BISHOPS + 5_248;

/// Where the bishops' part of the table starts.
const BISHOPS: usize = 102_400;

static ROOK: [Indexer; 64] = indexers(ROOK_LINES, 0);
static BISHOP: [Indexer; 64] = indexers(BISHOP_LINES, BISHOPS);

static SEEN: [Bitboard; TABLE_SIZE] = TABLES.0;

/// The same, with the sets of blockers in the order of their numbers, as `pext` gives them.
#[cfg(target_arch = "x86_64")]
static SEEN_BY_NUMBER: [Bitboard; TABLE_SIZE] = TABLES.1;

#[allow(long_running_const_eval, reason = "about a second")]
const TABLES: ([Bitboard; TABLE_SIZE], [Bitboard; TABLE_SIZE]) = tables();

/// Rook attacks.
#[inline]
pub(super) fn rook<P: Processor>(square: Square, occupied: Bitboard) -> Bitboard {
    seen::<P>(&ROOK[square.index()], occupied)
}

/// Bishop attacks.
#[inline]
pub(super) fn bishop<P: Processor>(square: Square, occupied: Bitboard) -> Bitboard {
    seen::<P>(&BISHOP[square.index()], occupied)
}

#[inline]
fn seen<P: Processor>(indexer: &Indexer, occupied: Bitboard) -> Bitboard {
    #[cfg(target_arch = "x86_64")]
    if let Some(number) = P::extract(occupied.0, indexer.mask()) {
        return SEEN_BY_NUMBER[indexer.index_of_number(number as usize)];
    }
    SEEN[indexer.index(occupied.0)]
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

/// The attacks along one line: up to and including the first blocker on either side (o^(o-2r)).
///
/// Subtracting the slider twice from the blockers borrows from the first blocker above it, which flips
/// exactly the attacked squares. The other direction is the same on the reversed board.
const fn seen_along(square: Square, line: u64, occupied: u64) -> u64 {
    let slider = 1 << square.index();
    let blockers = occupied & line | slider;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers.reverse_bits().wrapping_sub(slider.reverse_bits() << 1).reverse_bits();
    (up ^ down) & line
}

/// The edge squares of one direction, where a blocker changes nothing.
const fn edges((files, ranks): Line) -> u64 {
    let sides = if files == 0 { 0 } else { 0x8181_8181_8181_8181 };
    let ends = if ranks == 0 { 0 } else { Bitboard::BACK_RANKS.0 };
    sides | ends
}

/// The relevant blockers: the lines without their edge squares.
const fn blocker_mask(square: Square, lines: [Line; 2]) -> u64 {
    inner(square, lines[0]) | inner(square, lines[1])
}

/// A line without its edge squares.
const fn inner(square: Square, line_of: Line) -> u64 {
    line(square, line_of) & !edges(line_of)
}

/// The part of the table for each square, from `offset` on.
const fn indexers(lines: [Line; 2], mut offset: usize) -> [Indexer; 64] {
    let mut indexers = [Indexer::new(Square::A1, 0, 0, lines); 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::from_index(index);
        let mask = blocker_mask(square, lines);
        indexers[index] = Indexer::new(square, mask, offset, lines);
        offset += 1 << mask.count_ones();
        index += 1;
    }
    indexers
}

/// The table in the order of the magic indices, and in that of the numbers.
#[allow(clippy::large_stack_arrays, reason = "it lives at compile time only")]
const fn tables() -> ([Bitboard; TABLE_SIZE], [Bitboard; TABLE_SIZE]) {
    let mut tables = ([Bitboard::EMPTY; TABLE_SIZE], [Bitboard::EMPTY; TABLE_SIZE]);
    let (rooks, bishops) = (indexers(ROOK_LINES, 0), indexers(BISHOP_LINES, BISHOPS));
    let mut index = 0;
    while index < 64 {
        fill(&mut tables, Square::from_index(index), &rooks[index], ROOK_LINES);
        fill(&mut tables, Square::from_index(index), &bishops[index], BISHOP_LINES);
        index += 1;
    }
    tables
}

/// Fills the part of one square: every subset of the mask. It is a union of a subset of either line, so that
/// little is left to do for each.
const fn fill(
    (by_index, by_number): &mut ([Bitboard; TABLE_SIZE], [Bitboard; TABLE_SIZE]),
    square: Square,
    indexer: &Indexer,
    lines: [Line; 2],
) {
    let mask = blocker_mask(square, lines);
    let (one, other) = (Subsets::new(square, lines[0], mask), Subsets::new(square, lines[1], mask));
    let mut i = 0;
    while i < one.count {
        let mut j = 0;
        while j < other.count {
            let seen = Bitboard(one.seen[i] | other.seen[j]);
            by_index[indexer.index(one.blockers[i] | other.blockers[j])] = seen;
            by_number[indexer.index_of_number(one.numbers[i] | other.numbers[j])] = seen;
            j += 1;
        }
        i += 1;
    }
}

/// The subsets of the blockers on one line, their numbers among those of both lines, and what is attacked.
struct Subsets {
    count: usize,
    blockers: [u64; 64],
    numbers: [usize; 64],
    seen: [u64; 64],
}

impl Subsets {
    const fn new(square: Square, line_of: Line, mask: u64) -> Self {
        let (all, inner) = (line(square, line_of), inner(square, line_of));
        let mut subsets = Self { count: 0, blockers: [0; 64], numbers: [0; 64], seen: [0; 64] };
        let mut blockers: u64 = 0;
        loop {
            subsets.blockers[subsets.count] = blockers;
            subsets.numbers[subsets.count] = number(blockers, mask);
            subsets.seen[subsets.count] = seen_along(square, all, blockers);
            subsets.count += 1;
            blockers = blockers.wrapping_sub(inner) & inner;
            if blockers == 0 {
                return subsets;
            }
        }
    }
}

/// The bits of a subset, moved together as `pext` does.
const fn number(mut subset: u64, mask: u64) -> usize {
    let mut number = 0;
    while subset != 0 {
        let bit = subset & subset.wrapping_neg();
        number |= 1 << (mask & (bit - 1)).count_ones();
        subset ^= bit;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::processor::{Compiled, Work, dispatch};

    /// The definition: walk until a square is occupied.
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

    /// Checks every blocker set of every square, with the rest of the board empty and full.
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

    /// The cases of each version of the look-up.
    struct Cases([Line; 2]);

    impl Work for Cases {
        type Output = u32;

        fn on<P: Processor>(self) -> u32 {
            check(if self.0 == ROOK_LINES { rook::<P> } else { bishop::<P> }, self.0)
        }
    }

    #[test]
    fn rook_attacks_agree_with_a_walk() {
        assert_eq!(Cases(ROOK_LINES).on::<Compiled>(), 64 << 14);
        assert_eq!(dispatch(Cases(ROOK_LINES)), 64 << 14);
    }

    #[test]
    fn bishop_attacks_agree_with_a_walk() {
        let cases = (28 << 7) + (20 << 9) + (12 << 11) + (4 << 13);
        assert_eq!(Cases(BISHOP_LINES).on::<Compiled>(), cases);
        assert_eq!(dispatch(Cases(BISHOP_LINES)), cases);
    }
}
