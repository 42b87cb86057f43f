//! The values of a table in the order of a numbering.
//!
//! The reverse of [`Numbering::number`]: splits a number into digits, and the digits into squares.

use std::ops::Range;

use arrayvec::ArrayVec;

use super::classes::Classes;
use super::runs::Runs;
use super::sample::Segment;
use crate::tables::MAX_MEN;
use crate::tables::layout::CHOOSE;
use crate::tables::syzygy::numbering::{Group, Leading, Numbering, Squares};
use crate::tables::syzygy::squares::{
    FLAP, KING_SQUARES, LOWER_SQUARES, PAWN_INDEX, PAWN_RANK, TRIANGLE_SQUARES,
};

/// The leading men of one number: their part of the place, and their squares in ascending order.
#[derive(Clone, Copy)]
struct Head {
    place: u32,
    sorted: Squares,
}

/// Placed men: their part of the place, their squares in ascending order, and those of the leading ones.
#[derive(Clone, Copy)]
struct Placed {
    place: usize,
    sorted: Squares,
    leading: Squares,
}

/// Walks the positions of a numbering.
pub(super) struct Walk<'a> {
    classes: &'a Classes,
    numbering: Numbering,
    heads: Vec<Head>,
    /// For each man of the sequence the bits of its square in a place of the classes.
    shifts: ArrayVec<u32, MAX_MEN>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(classes: &'a Classes, numbering: &Numbering, leading_file: usize) -> Self {
        let mut men = Vec::new();
        for man in numbering.men() {
            let is_free = |other: &usize| !men.contains(other);
            let same = (0..classes.men().len()).filter(|&other| classes.men()[other] == *man).find(is_free);
            men.extend(same);
        }
        let len = numbering.groups()[0].len;
        let heads = (0..numbering.groups()[0].size)
            .map(|number| {
                let mut squares = head(numbering.leading(), number, len, leading_file);
                let place = (0..len).map(|man| classes.digit(men[man], squares[man])).sum::<usize>() as u32;
                squares[len..].fill(u8::MAX);
                squares.sort_unstable();
                Head { place, sorted: squares }
            })
            .collect();
        let shifts = men.iter().map(|&man| classes.shift(man)).collect();
        Self { classes, numbering: numbering.clone(), heads, shifts }
    }

    /// The classes of these positions, in bytes, by side to move.
    pub(super) fn codes(&self, segments: &[Segment]) -> Runs<[u8; 2]> {
        let codes = self.classes.codes();
        let mut found = Runs::default();
        for &(start, len) in segments {
            self.segment(start, len, |place| found.push(codes[place], 1));
        }
        found
    }

    /// The places of consecutive positions.
    fn segment(&self, start: u64, len: u64, mut put: impl FnMut(usize)) {
        let groups = self.numbering.groups();
        // The digits that vary fastest come first.
        let mut order: ArrayVec<usize, MAX_MEN> = (0..groups.len()).collect();
        order.sort_by_key(|&group| groups[group].factor);
        let mut digits = [0; MAX_MEN];
        for (group, digit) in groups.iter().zip(&mut digits) {
            *digit = start / group.factor % group.size;
        }
        let mut left = len;
        while left > 0 {
            let fastest = order[0];
            let run = (groups[fastest].size - digits[fastest]).min(left);
            self.run(fastest, run, digits, &mut put);
            left -= run;
            digits[fastest] = 0;
            for &group in &order[1..] {
                digits[group] += 1;
                if digits[group] < groups[group].size {
                    break;
                }
                digits[group] = 0;
            }
        }
    }

    /// The places of positions that differ in one digit only, which increases from one to the next.
    fn run(&self, fastest: usize, len: u64, digits: [u64; MAX_MEN], put: &mut impl FnMut(usize)) {
        let groups = self.numbering.groups();
        if fastest > 0 && groups[fastest].len == 1 && !groups[fastest].is_pawns {
            self.run_of_one(fastest, len, &digits, put);
            return;
        }
        let mut digits = digits;
        for _ in 0..len {
            put(self.put_groups(self.head(&digits), &digits, 1..groups.len()).place);
            digits[fastest] += 1;
        }
    }

    /// The places where one man moves up, square by square.
    fn run_of_one(&self, fastest: usize, len: u64, digits: &[u64; MAX_MEN], put: &mut impl FnMut(usize)) {
        let groups = self.numbering.groups();
        let shift = self.shifts[groups[fastest].first];
        // The men before it stay in place.
        let fixed = self.put_groups(self.head(digits), digits, 1..fastest);
        let occupied =
            fixed.sorted.iter().filter(|&&square| square < 64).fold(0_u64, |set, &square| set | 1 << square);
        let mut square = digits[fastest] as u8;
        for other in fixed.sorted {
            square += u8::from(square >= other);
        }
        let (mut others, mut limit) = (0, 0);
        for _ in 0..len {
            if square >= limit {
                // The men after it stay in place until it comes to the square of one of them.
                let mut men = fixed;
                insert(&mut men.sorted, square);
                let after = self.put_groups(men, digits, fastest + 1..groups.len());
                others = after.place;
                let ahead =
                    after.sorted.iter().filter(|&&other| other > square && occupied >> (other & 63) & 1 == 0);
                limit = ahead.copied().min().unwrap_or(u8::MAX);
            }
            put(others + (usize::from(square) << shift));
            square += 1;
            while square < 64 && occupied >> square & 1 != 0 {
                square += 1;
            }
        }
    }

    /// The leading men.
    #[inline]
    fn head(&self, digits: &[u64; MAX_MEN]) -> Placed {
        let Head { place, sorted } = self.heads[digits[0] as usize];
        Placed { place: place as usize, sorted, leading: sorted }
    }

    /// Adds groups to the placed men.
    #[inline]
    fn put_groups(&self, mut men: Placed, digits: &[u64; MAX_MEN], groups: Range<usize>) -> Placed {
        for number in groups {
            let group = &self.numbering.groups()[number];
            let digit = digits[number];
            let before = if group.is_pawns { men.leading } else { men.sorted };
            if group.len == 1 {
                let mut square = digit as u8 + if group.is_pawns { 8 } else { 0 };
                for other in before {
                    square += u8::from(square >= other);
                }
                men.place += usize::from(square) << self.shifts[group.first];
                insert(&mut men.sorted, square);
            } else {
                self.several(group, digit, before, &mut men);
            }
        }
        men
    }

    /// Places a group of several men.
    fn several(&self, group: &Group, mut digit: u64, before: Squares, men: &mut Placed) {
        for man in (0..group.len).rev() {
            let is_low = |&square: &usize| CHOOSE[square][man + 1] as u64 <= digit;
            let rank = (man..64).rev().find(is_low).unwrap_or(man);
            digit -= CHOOSE[rank][man + 1] as u64;
            let mut square = rank as u8 + if group.is_pawns { 8 } else { 0 };
            for other in before {
                square += u8::from(square >= other);
            }
            men.place += usize::from(square) << self.shifts[group.first + man];
            insert(&mut men.sorted, square);
        }
    }
}

/// Inserts a square into squares in ascending order; drops the last one, which is empty.
#[inline]
fn insert(sorted: &mut Squares, square: u8) {
    let mut square = square;
    for place in sorted {
        let (low, high) = (square.min(*place), square.max(*place));
        *place = low;
        square = high;
    }
}

/// The squares of the leading men of a number.
fn head(leading: Leading, number: u64, len: usize, leading_file: usize) -> Squares {
    let number = number as usize;
    match leading {
        Leading::Three => three(number),
        Leading::Kings => {
            let (first, second) = KING_SQUARES[number];
            squares_of([first, second])
        }
        Leading::Pawns => pawns(number, len, leading_file),
    }
}

/// The square with this number when the squares in `before` are left out.
fn after(mut square: usize, before: &mut [usize]) -> usize {
    before.sort_unstable();
    for &mut other in before {
        square += usize::from(square >= other);
    }
    square
}

/// Three different men: the parts of the numbering by how many of the first are on the diagonal.
fn three(mut number: usize) -> Squares {
    let lower = |number: usize| usize::from(LOWER_SQUARES[number]);
    let squares = if number < 6 * 63 * 62 {
        let one = usize::from(TRIANGLE_SQUARES[number / (63 * 62)]);
        let two = after(number / 62 % 63, &mut [one]);
        [one, two, after(number % 62, &mut [one, two])]
    } else {
        number -= 6 * 63 * 62;
        if number < 4 * 28 * 62 {
            let one = 9 * (number / (28 * 62));
            let two = lower(number / 62 % 28);
            [one, two, after(number % 62, &mut [one, two])]
        } else {
            number -= 4 * 28 * 62;
            if number < 4 * 7 * 28 {
                let one = number / (7 * 28);
                let two = after(number / 28 % 7, &mut [one]);
                [9 * one, 9 * two, lower(number % 28)]
            } else {
                number -= 4 * 7 * 28;
                let one = number / (7 * 6);
                let two = after(number / 6 % 7, &mut [one]);
                [9 * one, 9 * two, 9 * after(number % 6, &mut [one, two])]
            }
        }
    };
    squares_of(squares.map(|square| square as u8))
}

/// The squares of the first men.
fn squares_of<const N: usize>(first: [u8; N]) -> Squares {
    let mut squares = [0; MAX_MEN];
    squares[..N].copy_from_slice(&first);
    squares
}

/// The leading pawns: the first is on a file, the others stand behind it in [`PAWN_RANK`].
fn pawns(number: usize, len: usize, leading_file: usize) -> Squares {
    let of_file = &PAWN_INDEX[len - 1][6 * leading_file..6 * leading_file + 6];
    let rank = of_file.iter().rposition(|&first| first as usize <= number).unwrap_or_default();
    let mut rest = number - of_file[rank] as usize;
    let flap = 6 * leading_file + rank;
    let mut squares = [0; MAX_MEN];
    let square_where = |is_it: &dyn Fn(usize) -> bool| (8..56).find(|&square| is_it(square)).unwrap_or(8);
    let is_first = |square: usize| usize::from(FLAP[square]) == flap && square & 7 < 4;
    squares[0] = square_where(&is_first) as u8;
    for (man, behind) in squares.iter_mut().enumerate().take(len).skip(1) {
        let others = len - man;
        let is_low = |&rank: &usize| CHOOSE[rank][others] <= rest;
        let rank = (others - 1..48).rev().find(is_low).unwrap_or(others - 1);
        rest -= CHOOSE[rank][others];
        *behind = square_where(&|square| usize::from(PAWN_RANK[square]) == rank) as u8;
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::Material;
    use crate::tables::syzygy::tests::Numbers;
    use crate::tables::syzygy::writer::permutations;

    /// The squares of a place, in the sequence of the numbering.
    fn squares(walk: &Walk<'_>, place: usize) -> Squares {
        let leading_pawn = walk.classes.shift(0);
        let mut squares = [0; MAX_MEN];
        for (square, &shift) in squares.iter_mut().zip(&walk.shifts) {
            let digit = (place >> shift & 63) as u8;
            let is_flap = walk.numbering.leading() == Leading::Pawns && shift == leading_pawn;
            *square = if is_flap { 8 * (digit % 6 + 1) + digit / 6 } else { digit };
        }
        squares
    }

    /// For each table of up to five men, in each order of its men that the writer may choose.
    #[test]
    fn a_walk_comes_by_the_positions_in_the_order_of_their_numbers() {
        let mut numbers = Numbers(3);
        let mut walked = 0;
        for material in Material::up_to(MAX_MEN).into_iter().filter(|material| material.men() > 2) {
            let classes = Classes::unfilled(material);
            for order in permutations::all(classes.men()) {
                let leading_file = if material.has_pawns() { numbers.below(4) } else { 0 };
                let numbering = Numbering::new(&order.sequence, order.places, leading_file).unwrap();
                let walk = Walk::new(&classes, &numbering, leading_file);
                let size = numbering.size();
                for start in
                    [0, size - 1, numbers.below(size as usize) as u64, numbers.below(size as usize) as u64]
                {
                    let mut number = start;
                    walk.segment(start, 100.min(size - start), |place| {
                        let squares = squares(&walk, place);
                        assert_eq!(
                            numbering.number(squares),
                            number,
                            "{material} {:?} {squares:?}",
                            order.sequence
                        );
                        number += 1;
                    });
                    walked += number - start;
                }
            }
        }
        assert!(walked > 1_000_000, "{walked}");
    }
}
