//! What a piece attacks from a square, given the occupied squares.

use crate::{Bitboard, Color, Role, Square};

const KING_STEPS: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
const KNIGHT_STEPS: [(i8, i8); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

static KING: [Bitboard; 64] = leaper(&KING_STEPS);
static KNIGHT: [Bitboard; 64] = leaper(&KNIGHT_STEPS);
static PAWN: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

const fn leaper(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut from = 0;
    while from < 64 {
        let mut step = 0;
        while step < steps.len() {
            if let Some(to) = Square::from_index(from).offset(steps[step].0, steps[step].1) {
                table[from] = table[from].with(to);
            }
            step += 1;
        }
        from += 1;
    }
    table
}

/// The squares next to `square`.
#[inline]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a knight leaps to from `square`.
#[inline]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a pawn of `color` on `square` takes on.
#[inline]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// The squares a bishop sees from `square`, up to and with the first occupied one each way.
#[inline]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    rays(square, occupied, &[(-1, -1), (-1, 1), (1, -1), (1, 1)])
}

/// The squares a rook sees from `square`, up to and with the first occupied one each way.
#[inline]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    rays(square, occupied, &[(-1, 0), (1, 0), (0, -1), (0, 1)])
}

/// The squares a queen sees from `square`, up to and with the first occupied one each way.
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

fn rays(square: Square, occupied: Bitboard, steps: &[(i8, i8)]) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    for &(files, ranks) in steps {
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
