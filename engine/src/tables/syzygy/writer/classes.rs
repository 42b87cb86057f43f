//! The class of every position of a material: its result, its distance, and whether a capture decides it.
//!
//! A file need not tell what a capture decides: a prober looks at captures itself. Knows nothing of numberings.

use rayon::prelude::*;

use super::WriteError;
use crate::tables::syzygy::file::men_of;
use crate::tables::syzygy::numbering::{Leading, leading_side};
use crate::tables::syzygy::squares::{FLAP, KING_SQUARES};
use crate::tables::table::MOST_WITHOUT_ZEROING;
use crate::tables::value::Value;
use crate::tables::{Material, Metric, Placement, Table, TableSet};
use crate::{Board, Color, Piece, Ply, Role, Square, attacks};

/// The numbers of kings from which on both stand on the diagonal.
const ON_DIAGONAL: usize = 441;

/// The class of a position, in a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// No legal position.
    Illegal,
    /// A capture wins.
    CaptureWin,
    /// A pawn move wins that is no capture, and no other move mates.
    PawnWin,
    /// A draw, which no capture reaches.
    Draw,
    /// A draw, which a capture reaches.
    CaptureDraw,
    /// A win in so many plies, by moves that do not zero.
    Win(u8),
    /// A loss in so many plies.
    Loss(u8),
}

impl Class {
    const LAST: u8 = MOST_WITHOUT_ZEROING as u8;

    pub(super) const fn code(self) -> u8 {
        match self {
            Self::Illegal => 0,
            Self::CaptureWin => 1,
            Self::PawnWin => 2,
            Self::Draw => 3,
            Self::CaptureDraw => 4,
            Self::Loss(plies) => 5 + plies,
            Self::Win(plies) => 6 + Self::LAST + plies,
        }
    }

    pub(super) const fn of_code(code: u8) -> Self {
        const WINS: u8 = 6 + Class::LAST;
        match code {
            1 => Self::CaptureWin,
            2 => Self::PawnWin,
            3 => Self::Draw,
            4 => Self::CaptureDraw,
            5..WINS => Self::Loss(code - 5),
            WINS.. => Self::Win(code - WINS),
            0 => Self::Illegal,
        }
    }
}

/// The classes of all placements of the men, in bytes.
pub(super) struct Classes {
    /// The men: those that lead first, if they are pawns.
    men: Vec<Piece>,
    leading: Leading,
    /// By place, then by side to move. The squares are the digits of a place to base 64; that of the leading pawn is its number among the
    /// files a to d.
    codes: Vec<[u8; 2]>,
}

/// How often each class occurs.
pub(super) type Census = [u64; 256];

impl Classes {
    /// Finds the classes from the DTM and DTZ tables of a material and the DTM tables of all smaller ones.
    pub(super) fn new(material: Material, tables: &TableSet) -> Result<Self, WriteError> {
        let table = |metric| tables.get(material, metric).ok_or(WriteError::Missing(material, metric));
        let (dtm, dtz) = (table(Metric::Dtm)?, table(Metric::Dtz)?);
        if let Some(&smaller) = material.smaller().iter().find(|&&smaller| !tables.has(smaller, Metric::Dtm))
        {
            return Err(WriteError::Missing(smaller, Metric::Dtm));
        }
        if Color::ALL.iter().any(|&side| dtz.longest(side) > Some(MOST_WITHOUT_ZEROING)) {
            return Err(WriteError::Cursed(material));
        }
        let mut men = men_of(material);
        let leading = Leading::of(&men);
        let first = Piece { color: leading_side(&men), role: Role::Pawn };
        men.sort_by_key(|&man| man != first);
        let first = if leading == Leading::Pawns { 24 } else { 64 };
        let mut codes = vec![[Class::Illegal.code(); 2]; first << (6 * (men.len() - 1))];
        for side in Color::ALL {
            Fill { dtm, dtz, tables, side, men: &men, leading }.fill(&mut codes);
        }
        Ok(Self { men, leading, codes })
    }

    pub(super) fn men(&self) -> &[Piece] {
        &self.men
    }

    /// The classes by place, in bytes, by side to move.
    pub(super) fn codes(&self) -> &[[u8; 2]] {
        &self.codes
    }

    /// The bits of the square of a man in a place.
    pub(super) fn shift(&self, man: usize) -> u32 {
        6 * (self.men.len() - 1 - man) as u32
    }

    /// The part of the place of a placement that the square of a man makes.
    #[inline]
    pub(super) fn digit(&self, man: usize, square: u8) -> usize {
        let digit =
            if man == 0 && self.leading == Leading::Pawns { FLAP[usize::from(square)] } else { square };
        usize::from(digit) << self.shift(man)
    }

    /// How often each class occurs with this side to move, identical men told apart. With pawns, where a leading pawn is on this file; else
    /// twice for each placement up to the symmetries.
    pub(super) fn census(&self, side: Color, leading_file: usize) -> Census {
        if self.leading == Leading::Pawns {
            let span = 6 << (6 * (self.men.len() - 1));
            return count(&self.codes[leading_file * span..][..span], side);
        }
        let king = |color| self.men.iter().position(|man| *man == Piece { color, role: Role::King });
        let kings = [king(Color::White), king(Color::Black)].map(Option::unwrap_or_default);
        // White's king is the first of the men, Black's the second.
        debug_assert_eq!(kings, [0, 1]);
        let span = 1_usize << (6 * (self.men.len() - 2));
        let of_kings = |(number, &(white, black)): (usize, &(u8, u8))| {
            let start = self.digit(0, white) + self.digit(1, black);
            let mut census = count(&self.codes[start..start + span], side);
            if number >= ON_DIAGONAL {
                // What the diagonal does not fix is there twice.
                let is_fixed = |place: usize| {
                    (0..self.men.len() - 2).all(|man| {
                        let square = place >> (6 * man) & 63;
                        square & 7 == square >> 3
                    })
                };
                for place in (0..span).filter(|&place| is_fixed(place)) {
                    census[usize::from(self.codes[start + place][side.index()])] += 1;
                }
            } else {
                for count in &mut census {
                    *count *= 2;
                }
            }
            census
        };
        let sum = |mut one: Census, other: Census| {
            for (one, other) in one.iter_mut().zip(other) {
                *one += other;
            }
            one
        };
        KING_SQUARES.par_iter().enumerate().map(of_kings).reduce(|| [0; 256], sum)
    }
}

fn count(codes: &[[u8; 2]], side: Color) -> Census {
    let mut census = [0; 256];
    for code in codes {
        census[usize::from(code[side.index()])] += 1;
    }
    census
}

/// Fills in the classes with one side to move.
struct Fill<'a> {
    dtm: &'a Table,
    dtz: &'a Table,
    tables: &'a TableSet,
    side: Color,
    men: &'a [Piece],
    leading: Leading,
}

impl Fill<'_> {
    fn fill(&self, codes: &mut [[u8; 2]]) {
        let layout = self.dtz.layout();
        let arrangements = self.arrangements();
        let chunk = 1 << 15;
        // Classes are found on all cores, a part at a time, and written one by one.
        let starts: Vec<usize> = (0..layout.slots()).step_by(chunk).collect();
        for starts in starts.chunks(8) {
            let parts: Vec<Vec<(Placement, u8)>> =
                starts.par_iter().map(|&start| self.part(start..layout.slots().min(start + chunk))).collect();
            for (squares, code) in parts.into_iter().flatten() {
                for arrangement in &arrangements {
                    let own = arrangement.map(|man| squares.get(man).index() as u8);
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
        for mirror in [0, 0x07, 0x38, 0x3f] {
            let squares = squares.map(|square| square ^ mirror);
            codes[place(squares)][self.side.index()] = code;
            codes[place(squares.map(|square| square >> 3 | (square & 7) << 3))][self.side.index()] = code;
        }
    }

    /// The ways in which the men of the layout are men here: identical ones are exchanged.
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
                let class = self.class(value, slot, &squares);
                found.push((squares, class.code()));
            }
        }
        found
    }

    fn class(&self, value: Value, slot: usize, squares: &Placement) -> Class {
        match value {
            Value::Loss(Ply(plies)) => Class::Loss(plies as u8),
            Value::Draw if self.best_capture(squares) == Some(Value::Draw) => Class::CaptureDraw,
            Value::Draw => Class::Draw,
            Value::Win(Ply(1)) => {
                if let Some(Value::Win(_)) = self.best_capture(squares) {
                    return Class::CaptureWin;
                }
                let mates = self.dtm.cells()[self.side.index()][slot].value() == Some(Value::Win(Ply(1)));
                let has_pawns = self.leading == Leading::Pawns;
                if has_pawns && !(mates && self.mates_quietly(squares)) {
                    Class::PawnWin
                } else {
                    Class::Win(1)
                }
            }
            Value::Win(Ply(plies)) => Class::Win(plies as u8),
        }
    }

    /// The value of the best legal capture, distances aside; `None` without one. En passant is not looked at.
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

    /// Whether a move mates that is neither a capture nor a pawn move.
    fn mates_quietly(&self, squares: &Placement) -> bool {
        let layout = self.dtm.layout();
        let occupied = squares.occupied();
        let men = layout.men().iter().enumerate();
        let mut own = men.filter(|(_, man)| man.color == self.side && man.role != Role::Pawn);
        own.any(|(man, &Piece { color, role })| {
            let targets = attacks::of(role, color, squares.get(man), occupied) & !occupied;
            let mates = |to| self.dtm.value(&squares.with(man, to), !self.side) == Some(Value::MATED);
            targets.into_iter().any(mates)
        })
    }
}
