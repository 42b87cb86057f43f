//! Double steps that a pawn may capture en passant: they are kept one by one, as their value is not that of a position.

use rayon::prelude::*;

use super::exits::Exits;
use super::space::{Space, Word};
use crate::Ply;
use crate::tables::value::Value;
use crate::{Bitboard, Color, Piece, Rank, Role, Square};

/// A position: its word and the square of the line man.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) word: usize,
    pub(super) line: Square,
}

/// A double step beside a pawn of the other side.
pub(super) struct DoubleStep {
    pub(super) before: Place,
    pub(super) after: Place,
    /// The best legal en passant capture, for the side that captures.
    capture: Option<Value>,
    /// Whether that side has no other move and is not in check.
    pub(super) only_capture: bool,
    /// Whether it is known to lead to a win of the other side.
    pub(super) lost: bool,
}

impl DoubleStep {
    /// Whether the fifty-move rule can save the side that loses by this value after the step: not if a capture en passant is
    /// the only move, or wins, for it leads to four men.
    pub(super) fn rests_on_slot(&self, value: Value) -> bool {
        match value {
            Value::Win(_) => !matches!(self.capture, Some(Value::Win(_))),
            Value::Loss(_) => !self.only_capture,
            Value::Draw => false,
        }
    }

    /// The largest distance of the capture, in plies.
    pub(super) fn plies(&self) -> u16 {
        match self.capture {
            Some(Value::Win(Ply(plies)) | Value::Loss(Ply(plies))) => plies,
            _ => 0,
        }
    }

    /// The value after the step, for the side then to move, as far as it follows from the value of that position without
    /// en passant and from captures of less than `depth` plies.
    pub(super) fn value(&self, slot: Option<Value>, depth: u16) -> Option<Value> {
        let is_due = |value: &Value| match value {
            Value::Win(Ply(plies)) | Value::Loss(Ply(plies)) => *plies < depth,
            Value::Draw => true,
        };
        match (self.capture, slot) {
            (Some(capture), _) if self.only_capture => Some(capture).filter(is_due),
            (Some(capture), Some(slot)) => Some(capture.better(slot)).filter(is_due),
            (Some(capture @ Value::Win(_)), None) => Some(capture).filter(is_due),
            (_, slot) => slot,
        }
    }
}

/// All double steps of a side beside a pawn of the other, in the order of the words before them.
pub(super) fn double_steps(
    space: &Space<'_>,
    exits: &Exits<'_>,
    side: Color,
    legal: &[Bitboard],
    legal_after: &[Bitboard],
) -> Vec<DoubleStep> {
    if !space.material().has_opposing_pawns() {
        return Vec::new();
    }
    let start = Bitboard::rank(Rank::Second.relative_to(side));
    let pawn = Piece { color: side, role: Role::Pawn };
    let of_word = |(index, &legal): (usize, &Bitboard)| {
        let mut steps = Vec::new();
        if legal.any() {
            let word = space.word(index);
            for man in (2..space.layout().men().len()).filter(|&man| space.man(man) == pawn) {
                let lines = match man == space.line() {
                    true => legal & start,
                    false if start.contains(word.squares.get(man)) => legal,
                    false => Bitboard::EMPTY,
                };
                let step = |line| double_step(space, exits, side, &word, line, man, legal_after);
                steps.extend(lines.into_iter().filter_map(step));
            }
        }
        steps
    };
    legal.par_iter().enumerate().flat_map_iter(of_word).collect()
}

fn double_step(
    space: &Space<'_>,
    exits: &Exits<'_>,
    side: Color,
    word: &Word,
    line: Square,
    man: usize,
    legal_after: &[Bitboard],
) -> Option<DoubleStep> {
    let squares = word.squares.with(space.line(), line);
    let occupied = word.occupied.with(line);
    let ahead = side.pick(1, -1);
    let free = |square: &Square| !occupied.contains(*square);
    let passed = squares.get(man).offset(0, ahead).filter(free)?;
    let to = passed.offset(0, ahead).filter(free)?;
    let capturing = space.pawns_beside(&squares, side, passed);
    let moved = squares.with(man, to);
    let (after, after_line) = space.place(&moved);
    if capturing.is_empty() || !legal_after[after].contains(after_line) {
        return None;
    }
    let captures =
        capturing.into_iter().filter_map(|pawn| exits.en_passant(&moved.with(pawn, passed), man, !side));
    Some(DoubleStep {
        before: Place { word: word.index, line },
        after: Place { word: after, line: after_line },
        capture: captures.reduce(Value::better),
        only_capture: false,
        lost: false,
    })
}
