//! Attack tables: the squares that a piece attacks, given the occupied squares.

mod sliders;

use crate::processor::{Compiled, Processor};
use crate::{Bitboard, Color, Role, Square};

const KING_STEPS: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

static KING: [Bitboard; 64] = step_table(&KING_STEPS, 1);
static KNIGHT: [Bitboard; 64] = step_table(&KNIGHT_STEPS, 1);
static PAWN: [[Bitboard; 64]; 2] = [step_table(&[(-1, 1), (1, 1)], 1), step_table(&[(-1, -1), (1, -1)], 1)];
static BETWEEN: [[Bitboard; 64]; 64] = between_table();
static BISHOP_LINES: [Bitboard; 64] = step_table(&[(-1, -1), (-1, 1), (1, -1), (1, 1)], 7);
static ROOK_LINES: [Bitboard; 64] = step_table(&[(-1, 0), (1, 0), (0, -1), (0, 1)], 7);
static KNIGHT_ZONE: [Bitboard; 64] = zone_table(&KNIGHT);
static BISHOP_ZONE: [Bitboard; 64] = zone_table(&BISHOP_LINES);
static ROOK_ZONE: [Bitboard; 64] = zone_table(&ROOK_LINES);

/// For each square, the union of the attack sets of its neighbours.
const fn zone_table(attacks: &[Bitboard; 64]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut king = 0;
    while king < 64 {
        let mut to = 0;
        while to < 64 {
            if KING[king].contains(Square::from_index(to)) {
                table[king] = Bitboard(table[king].0 | attacks[to].0);
            }
            to += 1;
        }
        king += 1;
    }
    table
}

/// For each square, the squares at most so many steps away in these directions.
const fn step_table(steps: &[(i8, i8)], most: u8) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut step = 0;
        while step < steps.len() {
            let (files, ranks) = steps[step];
            let (mut at, mut left) = (Square::from_index(from).offset(files, ranks), most);
            while let Some(to) = at
                && left > 0
            {
                table[from] = table[from].with(to);
                at = to.offset(files, ranks);
                left -= 1;
            }
            step += 1;
        }
        from += 1;
    }
    table
}

/// The squares between each pair of squares on one line.
#[allow(clippy::large_stack_arrays, reason = "it lives at compile time only")]
const fn between_table() -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut from = 0;
    while from < 64 {
        let mut step = 0;
        while step < KING_STEPS.len() {
            let (files, ranks) = KING_STEPS[step];
            let mut passed = Bitboard::EMPTY;
            let mut at = Square::from_index(from).offset(files, ranks);
            while let Some(to) = at {
                table[from][to.index()] = passed;
                passed = passed.with(to);
                at = to.offset(files, ranks);
            }
            step += 1;
        }
        from += 1;
    }
    table
}

/// The squares strictly between two squares on a rank, file or diagonal; empty for other pairs.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// Bishop attacks on an empty board.
#[inline]
pub(crate) fn bishop_lines(square: Square) -> Bitboard {
    BISHOP_LINES[square.index()]
}

/// Rook attacks on an empty board.
#[inline]
pub(crate) fn rook_lines(square: Square) -> Bitboard {
    ROOK_LINES[square.index()]
}

/// The squares from which a knight attacks a square next to `king`.
#[inline]
pub(crate) fn knight_zone(king: Square) -> Bitboard {
    KNIGHT_ZONE[king.index()]
}

/// The squares from which a bishop on an empty board attacks a square next to `king`.
#[inline]
pub(crate) fn bishop_zone(king: Square) -> Bitboard {
    BISHOP_ZONE[king.index()]
}

/// The squares from which a rook on an empty board attacks a square next to `king`.
#[inline]
pub(crate) fn rook_zone(king: Square) -> Bitboard {
    ROOK_ZONE[king.index()]
}

/// King attacks.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// Knight attacks.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares that a pawn of `color` attacks.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// Bishop attacks, up to and including the first occupied square in each direction.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::bishop::<Compiled>(square, occupied)
}

/// The same, on this processor.
#[inline]
pub(crate) fn bishop_on<P: Processor>(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::bishop::<P>(square, occupied)
}

/// Rook attacks, up to and including the first occupied square in each direction.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::rook::<Compiled>(square, occupied)
}

/// The same, on this processor.
#[inline]
pub(crate) fn rook_on<P: Processor>(square: Square, occupied: Bitboard) -> Bitboard {
    sliders::rook::<P>(square, occupied)
}

/// Queen attacks, up to and including the first occupied square in each direction.
#[inline]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The squares attacked from `square` by a piece of `role` and `color`.
#[inline]
pub fn of(role: Role, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => pawn(color, square),
        Role::Knight => knight(square),
        Role::Bishop => bishop(square, occupied),
        Role::Rook => rook(square, occupied),
        Role::Queen => queen(square, occupied),
        Role::King => king(square),
    }
}

/// Whether a piece of `role` and `color` on one square attacks another. It is as [`of`], without the large tables.
#[inline]
pub(crate) fn hits(role: Role, color: Color, from: Square, to: Square, occupied: Bitboard) -> bool {
    let lines = match role {
        Role::Pawn | Role::Knight | Role::King => return of(role, color, from, occupied).contains(to),
        Role::Bishop => bishop_lines(from),
        Role::Rook => rook_lines(from),
        Role::Queen => bishop_lines(from) | rook_lines(from),
    };
    lines.contains(to) && !(between(from, to) & occupied).any()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zobrist::splitmix64;

    #[test]
    fn a_hit_square_is_one_of_the_attacked_squares() {
        let mut hit = 0;
        for round in 0..40 {
            // From few men to many.
            let drawn = [0, 1, 2].map(|part| splitmix64(3 * round + part));
            let occupied = Bitboard(if round < 20 { drawn[0] & drawn[1] & drawn[2] } else { drawn[0] });
            for (role, color) in Role::ALL.into_iter().flat_map(|role| Color::ALL.map(|color| (role, color)))
            {
                for (from, to) in Square::ALL.into_iter().flat_map(|from| Square::ALL.map(|to| (from, to))) {
                    let expected = of(role, color, from, occupied).contains(to);
                    assert_eq!(hits(role, color, from, to, occupied), expected, "{role:?} {from} {to}");
                    hit += u32::from(expected);
                }
            }
        }
        assert!(hit > 100_000, "{hit}");
    }
}
