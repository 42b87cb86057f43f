//! A proof of a mate as text, and how it is read: symbols for moves, in the order in which both sides walk the tree.
//!
//! ```text
//! 2:85
//! ```
//!
//! First the claim: `2:` that the side to move mates in at most 2 moves, `-2:` that it is mated in at most 2, `-0:` that
//! it is checkmated. Then, depth first, one symbol for each position in which the side that mates is to move: its move's
//! place among the legal moves, which are sorted by their text in UCI. All moves of the other side are walked in that
//! same order and have no symbol. A move that mates ends its branch.
//!
//! A position that stands proven already has no symbol either. It stands proven once its branch is complete, with the
//! number `d` of moves that its longest branch took and with its clock `c`. That serves where the same position (men, side
//! to move, castling rights, en passant if legal) comes again with at least `d` moves to go, and a clock of at most `c`
//! or one that does not matter: at most 101 - 2d, so that the mate comes on the hundredth ply at the latest. What
//! was entered last for a position is what counts.
//!
//! A place is written with the 62 digits `0`-`9`, `A`-`Z`, `a`-`z`; 62 and more as `-`, `.` or `~` for one, two or three
//! times 62, and a digit for the rest.
//!
//! The example is that of White Kb3 and Rc2, Black Kb1, White to move (`8/8/8/8/8/1K6/2R5/1k6 w - - 0 1`): mate in 2. White
//! has 19 moves, `b3a3 b3a4 b3b4 b3c3 b3c4 c2a2 c2b2 c2c1 c2c3` and so on; `8` stands for `c2c3`. Black has one answer,
//! `b1a1`. White then has `b3a3 b3a4 b3b4 b3c2 b3c4 c3c1` and so on; `5` stands for `c3c1`, which mates: the proof ends.

use std::collections::HashMap;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Position, Role};

/// A proof tree of a mate: for the side that mates a move in each position, for the other side all moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate(pub String);

/// The ply on which the game ends if nothing was taken and no pawn moved.
pub(super) const LAST_PLY: u32 = 100;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIXES: &[u8; 3] = b"-.~";

/// The legal moves in the order of their text in UCI.
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

/// Writes a place among at most 218 moves.
pub(super) fn push_place(text: &mut String, place: usize) {
    let digits = DIGITS.len();
    if let Some(&prefix) = (place / digits).checked_sub(1).and_then(|times| PREFIXES.get(times)) {
        text.push(char::from(prefix));
    }
    text.push(char::from(DIGITS[place % digits]));
}

/// How many times 62 a prefix stands for.
pub(super) fn prefix_of(symbol: u8) -> Option<usize> {
    PREFIXES.iter().position(|&prefix| prefix == symbol).map(|times| times + 1)
}

/// What a digit stands for.
pub(super) fn digit_of(symbol: u8) -> Option<usize> {
    DIGITS.iter().position(|&digit| digit == symbol)
}

/// What 62 times a prefix and a digit come to.
pub(super) fn place_of(times: usize, digit: usize) -> usize {
    times * DIGITS.len() + digit
}

/// The positions that stand proven: for the side that mates, before its move.
#[derive(Debug, Default)]
pub(super) struct ProvenPositions(HashMap<Chess, ProvenEntry>);

/// How a position stands proven.
#[derive(Debug, Clone, Copy)]
pub(super) struct ProvenEntry {
    /// Moves of the longest branch.
    pub(super) moves: u16,
    /// The halfmove clock it was proven with.
    pub(super) clock: u32,
    /// What is played.
    pub(super) mv: Move,
}

impl ProvenPositions {
    /// The proof that serves here, with so many moves to go.
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
