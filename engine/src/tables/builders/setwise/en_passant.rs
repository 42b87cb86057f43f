//! Double steps that allow an en passant capture. They are kept one by one, since their value is not that of
//! a position.

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
    /// Whether the fifty-move rule can save the side that loses by this value after the step. It cannot if a
    /// capture en passant is the only move, or wins, since the capture leads to four men.
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

    /// The value after the step, for the side then to move. `None` if it does not yet follow from the value
    /// of that position without en passant and from captures of less than `depth` plies.
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

/// All double steps of a side beside a pawn of the other side, in the order of the words of the positions
/// before them.
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

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: Value = Value::Win(Ply(3));
    const LATE_WIN: Value = Value::Win(Ply(9));
    const LOSS: Value = Value::Loss(Ply(4));
    const LATE_LOSS: Value = Value::Loss(Ply(8));

    fn step(capture: Option<Value>, only_capture: bool) -> DoubleStep {
        let place = Place { word: 0, line: Square::ALL[0] };
        DoubleStep { before: place, after: place, capture, only_capture, lost: false }
    }

    #[test]
    fn the_better_of_capture_and_other_moves_is_the_value() {
        for (capture, slot, expected) in [
            (None, Some(LOSS), LOSS),
            (Some(WIN), Some(LOSS), WIN),
            (Some(WIN), Some(LATE_WIN), WIN),
            (Some(LATE_WIN), Some(WIN), WIN),
            (Some(LOSS), Some(WIN), WIN),
            (Some(LOSS), Some(LATE_LOSS), LATE_LOSS),
            (Some(Value::Draw), Some(LOSS), Value::Draw),
            (Some(LOSS), Some(Value::Draw), Value::Draw),
        ] {
            assert_eq!(step(capture, false).value(slot, 100), Some(expected), "{capture:?} {slot:?}");
        }
    }

    #[test]
    fn a_value_that_is_not_due_is_not_told() {
        for (capture, slot, depth, expected) in [
            (None, None, 100, None),
            (Some(WIN), None, 3, None),
            (Some(WIN), None, 4, Some(WIN)),
            // The other moves may draw or win.
            (Some(LOSS), None, 100, None),
            (Some(Value::Draw), None, 100, None),
            (Some(LATE_LOSS), Some(LOSS), 8, None),
            (Some(LATE_LOSS), Some(LOSS), 9, Some(LATE_LOSS)),
        ] {
            assert_eq!(step(capture, false).value(slot, depth), expected, "{capture:?} {slot:?} {depth}");
        }
    }

    /// The table has a draw without en passant: there the side would be stalemated.
    #[test]
    fn a_capture_that_is_the_only_move_is_the_value() {
        for capture in [WIN, Value::Draw, LOSS] {
            let only = step(Some(capture), true);
            assert_eq!(only.value(Some(Value::Draw), 5), Some(capture));
            assert_eq!(only.value(None, 5), Some(capture));
        }
        assert_eq!(step(Some(LOSS), true).value(Some(Value::Draw), 4), None);
    }

    #[test]
    fn only_a_result_without_the_capture_can_be_saved_by_fifty_moves() {
        for (capture, only_capture, value, expected) in [
            (None, false, WIN, true),
            (Some(LOSS), false, WIN, true),
            (Some(WIN), false, WIN, false),
            (Some(LOSS), false, LOSS, true),
            (Some(LOSS), true, LOSS, false),
            (Some(Value::Draw), false, Value::Draw, false),
        ] {
            assert_eq!(step(capture, only_capture).rests_on_slot(value), expected, "{capture:?} {value:?}");
        }
    }
}
