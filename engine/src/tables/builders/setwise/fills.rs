//! Moves of many pieces of one kind at once: a set of squares goes in, the set of squares that any of them
//! reaches comes out.

use crate::{Bitboard, File};

/// The files that a step to the east can lead to.
const NOT_A: u64 = !Bitboard::file(File::A).0;
const NOT_AB: u64 = NOT_A & !Bitboard::file(File::B).0;
/// The files that a step to the west can lead to.
const NOT_H: u64 = !Bitboard::file(File::H).0;
const NOT_GH: u64 = NOT_H & !Bitboard::file(File::G).0;

/// A direction: by how many bits a step to higher squares shifts a set, and the squares that such a step, and
/// a step back, can lead to.
struct Line {
    bits: u32,
    up: u64,
    down: u64,
}

const DIAGONALS: [Line; 2] =
    [Line { bits: 7, up: NOT_H, down: NOT_A }, Line { bits: 9, up: NOT_A, down: NOT_H }];
const STRAIGHTS: [Line; 2] = [Line { bits: 1, up: NOT_A, down: NOT_H }, Line { bits: 8, up: !0, down: !0 }];

/// The squares to the east and to the west.
#[inline]
pub(super) fn beside(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 << 1 & NOT_A | squares.0 >> 1 & NOT_H)
}

/// The squares that knights on these squares attack.
#[inline]
pub(super) fn knight(Bitboard(from): Bitboard) -> Bitboard {
    let one = from << 1 & NOT_A | from >> 1 & NOT_H;
    let two = from << 2 & NOT_AB | from >> 2 & NOT_GH;
    Bitboard(one << 16 | one >> 16 | two << 8 | two >> 8)
}

/// The empty squares that bishops on these squares reach.
#[inline]
pub(super) fn bishop(from: Bitboard, empty: Bitboard) -> Bitboard {
    slide(from, empty, &DIAGONALS)
}

/// The empty squares that rooks on these squares reach.
#[inline]
pub(super) fn rook(from: Bitboard, empty: Bitboard) -> Bitboard {
    slide(from, empty, &STRAIGHTS)
}

/// Kogge-Stone fills, as in the Chess Programming Wiki: three doublings cover the seven steps of the longest
/// line.
#[inline]
fn slide(Bitboard(from): Bitboard, Bitboard(empty): Bitboard, lines: &[Line; 2]) -> Bitboard {
    let mut reached = 0;
    for &Line { bits, up, down } in lines {
        let (mut set, mut open) = (from, empty & up);
        for step in [bits, 2 * bits, 4 * bits] {
            set |= open & set << step;
            open &= open << step;
        }
        reached |= set << bits & up;
        let (mut set, mut open) = (from, empty & down);
        for step in [bits, 2 * bits, 4 * bits] {
            set |= open & set >> step;
            open &= open >> step;
        }
        reached |= set >> bits & down;
    }
    Bitboard(reached & empty)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Role, Square, attacks};

    #[test]
    fn sets_reach_what_their_pieces_reach() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random
        };
        for _ in 0..2000 {
            let (occupied, from) = (Bitboard(next() & next()), Bitboard(next() & next()));
            let from = from & !occupied;
            let expected = |role: Role| {
                from.into_iter().fold(Bitboard::EMPTY, |set, square| {
                    set | attacks::of(role, Color::White, square, occupied) & !occupied
                })
            };
            assert_eq!(bishop(from, !occupied), expected(Role::Bishop));
            assert_eq!(rook(from, !occupied), expected(Role::Rook));
            assert_eq!(knight(from) & !occupied, expected(Role::Knight));
        }
        assert_eq!(beside(Bitboard::from_square(Square::A4)), Bitboard::from_square(Square::B4));
    }
}
