//! Finds the class of each slot of a DTZ table, by its value and by the captures of the position.

use rayon::prelude::*;

use super::class::{Class, Codes, LATE};
use crate::parallel::collected;
use crate::tables::syzygy::numbering::Leading;
use crate::tables::syzygy::squares::FLAP;
use crate::tables::table::MOST_WITHOUT_ZEROING;
use crate::tables::value::Value;
use crate::tables::{Metric, Placement, Table, TableSet};
use crate::{Board, Color, Piece, Ply, Position, Role, Square, attacks};

/// One in each byte.
const EACH: u64 = 0x0101_0101_0101_0101;
/// The three low bits of each byte.
const LOW: u64 = 7 * EACH;

/// Finds the classes with one side to move.
pub(super) struct Classifier<'a> {
    pub(super) dtz: &'a Table,
    pub(super) tables: &'a TableSet,
    pub(super) side: Color,
    pub(super) men: &'a [Piece],
    pub(super) leading: Leading,
    pub(super) numbers: &'a Codes,
}

impl Classifier<'_> {
    /// Writes the classes of all placements.
    pub(super) fn classify(&self, codes: &mut [[u8; 2]]) {
        let layout = self.dtz.layout();
        let arrangements = self.arrangements();
        let chunk = 1 << 15;
        // All cores find classes, a part at a time. One thread writes them.
        let starts: Vec<usize> = (0..layout.slots()).step_by(chunk).collect();
        for starts in starts.chunks(8) {
            let part = |&start: &usize| self.part(start..layout.slots().min(start + chunk));
            let parts = collected(starts.par_iter().map(part));
            for (squares, code) in parts.into_iter().flatten() {
                for arrangement in &arrangements {
                    let mut own = [0; 8];
                    for (square, &man) in own.iter_mut().zip(arrangement).take(self.men.len()) {
                        *square = squares.get(man).index() as u8;
                    }
                    self.put(codes, own, code);
                }
            }
        }
    }

    /// Writes the class of a placement, and of its images.
    fn put(&self, codes: &mut [[u8; 2]], squares: [u8; 8], code: u8) {
        let count = self.men.len();
        let place = |squares: [u8; 8]| {
            squares[..count].iter().fold(0, |place, &square| place << 6 | usize::from(square))
        };
        if self.leading == Leading::Pawns {
            let mirror = if squares[0] & 7 > 3 { 7 } else { 0 };
            let mut squares = squares.map(|square| square ^ mirror);
            squares[0] = FLAP[usize::from(squares[0])];
            codes[place(squares)][self.side.index()] = code;
            return;
        }
        // All squares in one word, six bits in each byte.
        let squares = u64::from_le_bytes(squares);
        for mirror in [0, 0x07, 0x38, 0x3f] {
            let squares = squares ^ (mirror * EACH);
            let transposed = ((squares >> 3) & LOW) | ((squares & LOW) << 3);
            codes[place(squares.to_le_bytes())][self.side.index()] = code;
            codes[place(transposed.to_le_bytes())][self.side.index()] = code;
        }
    }

    /// The orders of identical men: each assigns the men of the layout to the men here.
    fn arrangements(&self) -> Vec<[usize; 8]> {
        let theirs = self.dtz.layout().men();
        let mut found: Vec<[usize; 8]> = vec![[0; 8]];
        for (place, man) in self.men.iter().enumerate() {
            let with = |before: [usize; 8]| {
                let is_free = move |other: &usize| !before[..place].contains(other);
                let equal = (0..theirs.len()).filter(|&other| theirs[other] == *man).filter(is_free);
                equal.map(move |other| {
                    let mut arrangement = before;
                    arrangement[place] = other;
                    arrangement
                })
            };
            found = found.into_iter().flat_map(with).collect();
        }
        found
    }

    /// The classes of some slots that are used.
    fn part(&self, slots: std::ops::Range<usize>) -> Vec<(Placement, u8)> {
        let layout = self.dtz.layout();
        let side = self.side.index();
        let mut found = Vec::with_capacity(slots.len());
        for run in layout.runs(slots) {
            let first = run.first().index();
            for slot in run.slots.clone() {
                let Some(value) = self.dtz.cells()[side][slot].value() else { continue };
                let square = Square::from_index(first + slot - run.slots.start);
                let squares = run.squares.with(run.man, square);
                found.push((squares, self.code(value, &squares)));
            }
        }
        found
    }

    fn code(&self, value: Value, squares: &Placement) -> u8 {
        let has_pawns = self.leading == Leading::Pawns;
        let number = |plies: Ply, numbers: &[u8]| numbers[usize::from(plies.0)];
        let class = match value {
            Value::Loss(plies) => return number(plies, &self.numbers.losses),
            Value::Draw if self.best_capture(squares) == Some(Value::Draw) => Class::CaptureDraw,
            Value::Draw => Class::Draw,
            Value::Win(Ply(1)) if matches!(self.best_capture(squares), Some(Value::Win(_))) => {
                Class::CaptureWin
            }
            Value::Win(Ply(1)) if has_pawns && !self.has_quiet_move_to(Ply(0), squares) => Class::PawnWin,
            // A capture leads to at most four men, where no win is that long.
            Value::Win(Ply(LATE))
                if has_pawns
                    && (!self.has_quiet_move_to(Ply(MOST_WITHOUT_ZEROING), squares)
                        || self.wins_by_pawn(squares)) =>
            {
                Class::PawnCursedWin
            }
            Value::Win(plies) => return number(plies, &self.numbers.wins),
        };
        Codes::number(class)
    }

    /// The value of the best legal capture, without its distance; `None` if there is none. En passant is
    /// ignored.
    fn best_capture(&self, squares: &Placement) -> Option<Value> {
        let men = self.dtz.layout().men();
        let occupied = squares.occupied();
        let mut best = None;
        for (man, &Piece { color, role }) in men.iter().enumerate().filter(|(_, man)| man.color == self.side)
        {
            let attacked = attacks::of(role, color, squares.get(man), occupied);
            for (victim, other) in men.iter().enumerate() {
                let target = squares.get(victim);
                if other.color == color || other.role == Role::King || !attacked.contains(target) {
                    continue;
                }
                let value = self.after_capture(squares, man, victim);
                match value {
                    Some(Value::Win(_)) => return value,
                    Some(value) => best = Some(best.map_or(value, |best: Value| best.better(value))),
                    None => {}
                }
            }
        }
        best
    }

    /// The best value of a capture for the side that captures; `None` if it is not legal.
    fn after_capture(&self, squares: &Placement, man: usize, victim: usize) -> Option<Value> {
        let men = self.dtz.layout().men();
        let target = squares.get(victim);
        let mut board = Board::EMPTY;
        for (other, (&piece, square)) in men.iter().zip(squares.iter()).enumerate() {
            if other != man && other != victim {
                board.put(square, piece);
            }
        }
        let Piece { color, role } = men[man];
        let promotes = role == Role::Pawn && crate::Bitboard::BACK_RANKS.contains(target);
        let roles: &[Role] = if promotes { &Role::PROMOTIONS } else { std::slice::from_ref(&role) };
        let value = |&role: &Role| {
            board.put(target, Piece { color, role });
            let value = self.tables.value(Metric::Dtm, &board, !self.side).ok()?;
            Some(value.before_move())
        };
        roles.iter().filter_map(value).reduce(Value::better)
    }

    /// Whether a move that is neither a capture nor a pawn move leads to a loss in this many plies.
    fn has_quiet_move_to(&self, loss: Ply, squares: &Placement) -> bool {
        let men = self.dtz.layout().men();
        let occupied = squares.occupied();
        let mut own =
            men.iter().enumerate().filter(|(_, man)| man.color == self.side && man.role != Role::Pawn);
        own.any(|(man, &Piece { color, role })| {
            let targets = attacks::of(role, color, squares.get(man), occupied) & !occupied;
            let leads = |to| self.dtz.value(&squares.with(man, to), !self.side) == Some(Value::Loss(loss));
            targets.into_iter().any(leads)
        })
    }

    /// Whether a pawn move that is not a capture wins without the fifty-move rule.
    fn wins_by_pawn(&self, squares: &Placement) -> bool {
        let board = self.dtz.layout().board(squares);
        let Ok(position) = Position::from_board(board, self.side) else { return false };
        let pawns = board.pieces(self.side, Role::Pawn);
        let moves = position.legal_moves();
        let mut steps =
            moves.iter().filter(|mv| pawns.contains(mv.from) && !board.occupied().contains(mv.to));
        steps.any(|&step| {
            let after = self.tables.value_of(Metric::Dtz, &position.play_unchecked(step));
            matches!(after, Ok(Value::Loss(_)))
        })
    }
}
