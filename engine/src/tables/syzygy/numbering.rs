//! The number of a position in a Syzygy table: groups of men, and the order in which they make a number.
//!
//! [`Numbering`] describes the numbering. This module knows no values, no files, and not the best order.

use arrayvec::ArrayVec;

use super::squares::{
    DIAGONAL, FLAP, KINGS, LOWER, PAWN_INDEX, PAWN_RANK, PAWN_SPAN, THREE_MEN, TRIANGLE, TWO_KINGS, file,
    rank,
};
use crate::tables::MAX_MEN;
use crate::tables::layout::CHOOSE;
use crate::{Color, Piece, Role};

/// The squares of the men, in the sequence of a numbering.
pub(super) type Squares = [u8; MAX_MEN];

/// The men that are numbered together at the beginning of the sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leading {
    /// Three different men, each the only one of its kind.
    Three,
    /// The two kings, if no other man is the only one of its kind.
    Kings,
    /// The pawns of one side: the side with fewer, White if both have the same number.
    Pawns,
}

impl Leading {
    /// The leading men of a table.
    pub(super) fn new(men: &[Piece]) -> Self {
        let is_single = |man: &&Piece| men.iter().filter(|other| other == man).count() == 1;
        if men.iter().any(|man| man.role == Role::Pawn) {
            Self::Pawns
        } else if men.iter().filter(is_single).count() > 2 {
            Self::Three
        } else {
            Self::Kings
        }
    }
}

/// The side whose pawns lead.
pub(super) fn leading_side(men: &[Piece]) -> Color {
    let [white, black] =
        Color::ALL.map(|color| men.iter().filter(|man| man.color == color && man.role == Role::Pawn).count());
    if black > 0 && (white == 0 || black < white) { Color::Black } else { Color::White }
}

/// Men that are numbered together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Group {
    /// Its first man in the sequence.
    pub(super) first: usize,
    /// The number of its men.
    pub(super) len: usize,
    /// Whether they are pawns of the side that does not lead.
    pub(super) is_pawns: bool,
    /// How many numbers it has.
    pub(super) size: u64,
    /// The factor of its number.
    pub(super) factor: u64,
}

/// Why a sequence of men is not that of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NumberingError {
    /// The men are not those of the table.
    #[error("the men are not those of the table")]
    Men,
    /// The men that must come first do not.
    #[error("the men that are numbered together do not stand together")]
    Sequence,
    /// A group has an impossible place.
    #[error("a group has the place {place} of {groups}")]
    Place {
        /// The place.
        place: u8,
        /// The number of groups.
        groups: usize,
    },
}

/// The numbering of the positions of a table; with pawns, of those with the leading pawn on one file.
///
/// The men stand in a sequence, equal men together. The first of them are the leading group, which has a
/// number for each set of squares up to symmetry: three different men (31332 numbers), the kings (462), or
/// the pawns of one side with the first of them on a given file. Each other group of n equal men has C(free,
/// n) numbers, where the squares of the men before them in the sequence are not counted. The numbers of the
/// groups are digits in mixed radix. The order of the digits differs from the sequence: a table states the
/// place of the leading group's digit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Numbering {
    men: ArrayVec<Piece, MAX_MEN>,
    groups: ArrayVec<Group, MAX_MEN>,
    leading: Leading,
    size: u64,
}

/// The places of the digits of the leading group, and of the pawns of the other side if there are any.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) leading: u8,
    pub(super) pawns: Option<u8>,
}

impl Numbering {
    /// The numbering of a sequence of men, which are those of a table; `leading_file` is the file, from 0 for
    /// a to 3 for d, of the first pawn.
    ///
    /// # Errors
    /// The sequence does not begin with the leading men, equal men do not stand together, or a place is
    /// impossible.
    pub(super) fn new(
        sequence: &[Piece],
        places: Places,
        leading_file: usize,
    ) -> Result<Self, NumberingError> {
        let men: ArrayVec<Piece, MAX_MEN> = sequence.iter().copied().take(MAX_MEN).collect();
        if men.len() != sequence.len() || men.len() < 2 {
            return Err(NumberingError::Men);
        }
        let leading = Leading::new(&men);
        let mut groups = groups(&men, leading)?;
        let mut free = 64;
        let (mut pawns, mut pawn_squares) = (0, 48);
        for (number, group) in groups.iter_mut().enumerate() {
            group.size = match leading {
                Leading::Three if number == 0 => THREE_MEN,
                Leading::Kings if number == 0 => TWO_KINGS,
                Leading::Pawns if number == 0 => u64::from(PAWN_SPAN[group.len - 1][leading_file & 3]),
                _ if group.is_pawns => CHOOSE[pawn_squares][group.len] as u64,
                _ => CHOOSE[free][group.len] as u64,
            };
            free -= group.len;
            if men[group.first].role == Role::Pawn {
                pawns += group.len;
                pawn_squares = 48 - pawns;
            }
        }
        let size = multiply(&mut groups, places)?;
        Ok(Self { men, groups, leading, size })
    }

    /// The men, in the sequence.
    pub(super) fn men(&self) -> &[Piece] {
        &self.men
    }

    /// The groups, in the sequence.
    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The kind of the leading men.
    pub(super) fn leading(&self) -> Leading {
        self.leading
    }

    /// How many positions have numbers.
    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// The number of a position. The squares are those of the men in the sequence; pawns are not on back
    /// ranks.
    #[inline]
    pub(super) fn number(&self, mut squares: Squares) -> u64 {
        let squares = &mut squares[..self.men.len()];
        let mut number = match self.leading {
            Leading::Pawns => self.groups[0].factor * pawns_number(squares, self.groups[0].len),
            Leading::Three => {
                fold(squares, 3);
                self.groups[0].factor * three_number(squares)
            }
            Leading::Kings => {
                fold(squares, 2);
                let number = KINGS[usize::from(TRIANGLE[usize::from(squares[0])])][usize::from(squares[1])];
                self.groups[0].factor * u64::from(number)
            }
        };
        for group in &self.groups[1..] {
            let (before, rest) = squares.split_at_mut(group.first);
            let own = &mut rest[..group.len];
            own.sort_unstable();
            let before = if group.is_pawns { &before[..self.groups[0].len] } else { &*before };
            let skipped = if group.is_pawns { 8 } else { 0 };
            let mut digit = 0;
            for (place, &square) in own.iter().enumerate() {
                let lower = before.iter().filter(|&&other| other < square).count() + skipped;
                digit += CHOOSE[usize::from(square).saturating_sub(lower)][place + 1] as u64;
            }
            number += group.factor * digit;
        }
        number
    }
}

/// Cuts a sequence into its groups; sizes and factors are not yet known.
fn groups(men: &[Piece], leading: Leading) -> Result<ArrayVec<Group, MAX_MEN>, NumberingError> {
    let run = |first: usize| men[first..].iter().take_while(|man| **man == men[first]).count();
    let first = match leading {
        Leading::Three => 3,
        Leading::Kings => 2,
        Leading::Pawns => run(0),
    };
    let head = &men[..first];
    let side = leading_side(men);
    let leads = match leading {
        Leading::Pawns => head[0] == Piece { color: side, role: Role::Pawn },
        Leading::Kings => head.iter().all(|man| man.role == Role::King),
        Leading::Three => true,
    };
    let mut groups = ArrayVec::new();
    let mut next = first;
    groups.push(Group { first: 0, len: first, is_pawns: false, size: 0, factor: 0 });
    while next < men.len() {
        let is_pawns = men[next].role == Role::Pawn;
        let len = run(next);
        if is_pawns && next != first {
            return Err(NumberingError::Sequence);
        }
        groups.push(Group { first: next, len, is_pawns, size: 0, factor: 0 });
        next += len;
    }
    // Equal men in two groups would count as different ones.
    let single = |group: &Group| {
        let man = men[group.first];
        men.iter().filter(|other| **other == man).count() == group.len
    };
    let heads_are_single = leading == Leading::Pawns
        || head.iter().all(|man| men.iter().filter(|other| *other == man).count() == 1);
    if leads && heads_are_single && groups[usize::from(leading != Leading::Pawns)..].iter().all(single) {
        Ok(groups)
    } else {
        Err(NumberingError::Sequence)
    }
}

/// Sets the factors of groups by the places of their digits, and returns how many numbers there are.
fn multiply(groups: &mut [Group], places: Places) -> Result<u64, NumberingError> {
    let count = groups.len();
    let wrong = |place: u8| NumberingError::Place { place, groups: count };
    let has_pawns = groups.get(1).is_some_and(|group| group.is_pawns);
    let leading = usize::from(places.leading);
    let pawns = places.pawns.map(usize::from);
    if leading >= count {
        return Err(wrong(places.leading));
    }
    if pawns.is_some() != has_pawns || pawns.is_some_and(|place| place >= count || place == leading) {
        return Err(wrong(places.pawns.unwrap_or(u8::MAX)));
    }
    let mut size = 1;
    let mut next = if has_pawns { 2 } else { 1 };
    for place in 0..count {
        let group = if place == leading {
            0
        } else if Some(place) == pawns {
            1
        } else {
            next += 1;
            next - 1
        };
        groups[group].factor = size;
        size *= groups[group].size;
    }
    Ok(size)
}

/// Mirrors the board so that the first man is on the files a to d and the ranks 1 to 4. Then the first man
/// off the diagonal from a1 to h8 comes below it, if it is one of the first `leading`.
#[inline]
fn fold(squares: &mut [u8], leading: usize) {
    let mut mirror = 0;
    if file(squares[0]) > 3 {
        mirror |= 0x07;
    }
    if rank(squares[0]) > 3 {
        mirror |= 0x38;
    }
    for square in squares.iter_mut() {
        *square ^= mirror;
    }
    let off = squares[..leading].iter().find(|&&square| file(square) != rank(square));
    if off.is_some_and(|&square| rank(square) > file(square)) {
        for square in squares {
            *square = *square >> 3 | (*square & 7) << 3;
        }
    }
}

/// The number of three different men, the first of them in the triangle.
#[inline]
fn three_number(squares: &[u8]) -> u64 {
    let [one, two, three] = [squares[0], squares[1], squares[2]].map(usize::from);
    let after_one = usize::from(two > one);
    let after_two = usize::from(three > one) + usize::from(three > two);
    let is_off = |square: usize| square & 7 != square >> 3;
    let diagonal = |square: usize| usize::from(DIAGONAL[square]);
    let number = if is_off(one) {
        usize::from(TRIANGLE[one]) * 63 * 62 + (two - after_one) * 62 + three - after_two
    } else if is_off(two) {
        6 * 63 * 62 + diagonal(one) * 28 * 62 + usize::from(LOWER[two]) * 62 + three - after_two
    } else if is_off(three) {
        6 * 63 * 62
            + 4 * 28 * 62
            + diagonal(one) * 7 * 28
            + (diagonal(two) - after_one) * 28
            + usize::from(LOWER[three])
    } else {
        6 * 63 * 62
            + 4 * 28 * 62
            + 4 * 7 * 28
            + diagonal(one) * 7 * 6
            + (diagonal(two) - after_one) * 6
            + (diagonal(three) - after_two)
    };
    number as u64
}

/// The number of the leading pawns. Moves the pawn that leads them to the front, and mirrors all men so that
/// this pawn is on the files a to d.
#[inline]
fn pawns_number(squares: &mut [u8], pawns: usize) -> u64 {
    let mut first = 0;
    for pawn in 1..pawns {
        if FLAP[usize::from(squares[pawn])] < FLAP[usize::from(squares[first])] {
            first = pawn;
        }
    }
    squares.swap(0, first);
    if file(squares[0]) > 3 {
        for square in squares.iter_mut() {
            *square ^= 0x07;
        }
    }
    let others = &mut squares[1..pawns];
    others.sort_unstable_by_key(|&square| PAWN_RANK[usize::from(square)]);
    let others = others.iter().enumerate();
    let sets: usize =
        others.map(|(place, &square)| CHOOSE[usize::from(PAWN_RANK[usize::from(square)])][place + 1]).sum();
    u64::from(PAWN_INDEX[pawns - 1][usize::from(FLAP[usize::from(squares[0])])]) + sets as u64
}
