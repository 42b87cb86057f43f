//! Zobrist keys: hash keys of states.
//!
//! The key of a state is the exclusive or of one random number for each feature: each piece on its square,
//! each rook that may castle, the file of a legal en passant capture, Black to move. So the key after a move
//! follows from the key before it and the changes. Different states may, very rarely, share a key. Knows no
//! moves.

use crate::state::State;
use crate::{Color, Role, Square};

struct ZobristKeys {
    pieces: [[[u64; 64]; 6]; 2],
    castling: [u64; 64],
    en_passant: [u64; 8],
    black_to_move: u64,
}

static KEYS: ZobristKeys = keys();

/// Computes the key of a state.
pub(crate) fn key(state: &State) -> u64 {
    let mut key = rest(state);
    for (square, piece) in state.board.iter() {
        key ^= KEYS.pieces[piece.color.index()][piece.role.index()][square.index()];
    }
    key
}

/// The change of the key from `before` to `after`: combine by exclusive or.
#[inline]
pub(crate) fn change(before: &State, after: &State) -> u64 {
    let mut change = rest(before) ^ rest(after);
    let [white, black] = [Color::White, Color::Black];
    let other_color = before.board.color(white) ^ after.board.color(white)
        | before.board.color(black) ^ after.board.color(black);
    for role in Role::ALL {
        let men = before.board.role(role);
        // A move changes few roles. A promotion that captures a man of the new role changes only the colour
        // of a square.
        if men == after.board.role(role) && men.is_disjoint(other_color) {
            continue;
        }
        for color in Color::ALL {
            for square in before.board.pieces(color, role) ^ after.board.pieces(color, role) {
                change ^= KEYS.pieces[color.index()][role.index()][square.index()];
            }
        }
    }
    change
}

/// The part of the key for castling, en passant and side to move.
#[inline]
fn rest(state: &State) -> u64 {
    let mut key = match state.side_to_move {
        Color::White => 0,
        Color::Black => KEYS.black_to_move,
    };
    for rook in state.castling.rooks() {
        key ^= KEYS.castling[rook.index()];
    }
    state.en_passant.map_or(key, |square: Square| key ^ KEYS.en_passant[square.file().index()])
}

/// Fixed: keys are the same in every build.
const fn keys() -> ZobristKeys {
    let mut keys =
        ZobristKeys { pieces: [[[0; 64]; 6]; 2], castling: [0; 64], en_passant: [0; 8], black_to_move: 0 };
    let mut drawn = 0;
    let mut index = 0;
    while index < 64 {
        let mut role = 0;
        while role < 6 {
            keys.pieces[0][role][index] = draw(&mut drawn);
            keys.pieces[1][role][index] = draw(&mut drawn);
            role += 1;
        }
        keys.castling[index] = draw(&mut drawn);
        keys.en_passant[index % 8] = draw(&mut drawn);
        index += 1;
    }
    keys.black_to_move = draw(&mut drawn);
    keys
}

/// The next number of the sequence splitmix64.
const fn draw(drawn: &mut u64) -> u64 {
    let number = splitmix64(*drawn);
    *drawn = drawn.wrapping_add(GOLDEN_GAMMA);
    number
}

/// The step of the sequence.
const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// The splitmix64 hash of a number (Steele, Lea, Flood: Fast splittable pseudorandom number generators,
/// 2014).
#[inline]
pub(crate) const fn splitmix64(seed: u64) -> u64 {
    let z = seed.wrapping_add(GOLDEN_GAMMA);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
