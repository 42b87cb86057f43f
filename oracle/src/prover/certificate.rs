//! The proof of a mate as text: symbols for moves, in the order of a walk through the proof tree.
//!
//! ```text
//! 2:85
//! ```
//!
//! The text begins with the number of moves: `2:` if the side to move mates in at most 2 moves, `-2:` if it
//! is mated in at most 2, `-0:` if it is checkmated. Then follows, depth first, one symbol for each position
//! in which the side that mates is to move: the index of its move among the legal moves, sorted by their UCI
//! text. The replies of the other side are walked in the same order and have no symbols. A move that mates
//! ends its branch.
//!
//! A position that is proven already has no symbol either. It is proven once its branch is complete, with the
//! number `d` of moves of its longest branch and with its halfmove clock `c`. The proof is used again where
//! the same position (men, side to move, castling rights, en passant if legal) occurs with at least `d` moves
//! to go, and with a clock that is at most `c` or at most 101 - 2d, so that the mate comes on the hundredth
//! ply at the latest. A later proof of the same position replaces an earlier one.
//!
//! An index is written with the 62 digits `0`-`9`, `A`-`Z`, `a`-`z`. From 62 on it has a prefix, `-`, `.` or
//! `~` for one, two or three times 62, and a digit for the rest.
//!
//! In the example White has Kb3 and Rc2, Black has Kb1, and White is to move (`8/8/8/8/8/1K6/2R5/1k6 w - - 0
//! 1`): mate in
//! 2. White has 19 moves, `b3a3 b3a4 b3b4 b3c3 b3c4 c2a2 c2b2 c2c1 c2c3` and so on; `8` stands for `c2c3`.
//!    Black has one
//! reply, `b1a1`. White then has `b3a3 b3a4 b3b4 b3c2 b3c4 c3c1` and so on; `5` stands for `c3c1`, which
//! mates: the proof ends.

use std::collections::HashMap;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position, Role};

/// A proof tree of a mate: one move in each position of the side that mates, and all replies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate(pub String);

/// The game is drawn on this ply if there was no capture and no pawn move.
pub(super) const LAST_PLY: u32 = 100;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIXES: &[u8; 3] = b"-.~";

/// The legal moves, sorted by their UCI text.
pub(super) fn sorted_moves(position: &Chess) -> Vec<Move> {
    let mode = position.castles().mode();
    let mut moves: Vec<_> = position.legal_moves().into_iter().collect();
    moves.sort_by_cached_key(|mv| match mv.to_uci(mode) {
        UciMove::Normal { from, to, promotion } => {
            let square = |square: shakmaty::Square| (square.file() as u8, square.rank() as u8);
            (square(from), square(to), promotion.map_or(' ', Role::char))
        }
        UciMove::Put { .. } | UciMove::Null => ((0, 0), (0, 0), ' '),
    });
    moves
}

/// Writes an index among at most 218 moves.
pub(super) fn push_place(text: &mut String, place: usize) {
    let digits = DIGITS.len();
    if let Some(&prefix) = (place / digits).checked_sub(1).and_then(|times| PREFIXES.get(times)) {
        text.push(char::from(prefix));
    }
    text.push(char::from(DIGITS[place % digits]));
}

/// The multiple of 62 for which a prefix stands.
pub(super) fn prefix_of(symbol: u8) -> Option<usize> {
    PREFIXES.iter().position(|&prefix| prefix == symbol).map(|times| times + 1)
}

/// The value of a digit.
pub(super) fn digit_of(symbol: u8) -> Option<usize> {
    DIGITS.iter().position(|&digit| digit == symbol)
}

/// The index that a prefix and a digit stand for.
pub(super) fn place_of(times: usize, digit: usize) -> usize {
    times * DIGITS.len() + digit
}

/// The positions that are proven, with the side that mates to move.
#[derive(Debug, Default)]
pub(super) struct ProvenPositions(HashMap<Chess, ProvenEntry>);

/// The proof of a position.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProvenEntry {
    /// The moves of its longest branch.
    pub(super) moves: u16,
    /// The halfmove clock with which it was proven.
    pub(super) clock: u32,
    /// The first move.
    pub(super) mv: Move,
}

impl ProvenPositions {
    /// The proof of a position that can be used with this many moves to go.
    pub(super) fn serving(&self, position: &Chess, to_go: u16) -> Option<ProvenEntry> {
        let entry = self.0.get(position).copied()?;
        let clock = position.halfmoves();
        let in_time = clock <= entry.clock || clock + 2 * u32::from(entry.moves) - 1 <= LAST_PLY;
        (entry.moves <= to_go && in_time).then_some(entry)
    }

    pub(super) fn enter(&mut self, position: &Chess, entry: ProvenEntry) {
        self.0.insert(position.clone(), entry);
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}
