//! The class of every position of a material: its result, its distance, and whether a capture decides it.
//!
//! A file may leave open the values that a capture decides, since a prober looks at captures itself. This
//! module knows no numberings.

use rayon::prelude::*;

use super::WriteError;
use crate::tables::syzygy::file::men_of;
use crate::tables::syzygy::numbering::{Leading, leading_side};
use crate::tables::syzygy::squares::{FLAP, KING_SQUARES};
use crate::tables::table::MOST_WITHOUT_ZEROING;
use crate::tables::value::Value;
use crate::tables::{MAX_MEN, Material, Metric, Placement, Table, TableSet};
use crate::{Board, Color, Piece, Ply, Position, Role, Square, attacks};

/// From this number of kings on, both kings stand on the diagonal.
const ON_DIAGONAL: usize = 441;
/// The plies of a win by a pawn move that the fifty-move rule makes a draw.
const LATE: u16 = MOST_WITHOUT_ZEROING + 1;

/// The class of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// The position is not legal.
    Illegal,
    /// A capture wins.
    CaptureWin,
    /// A pawn move that is not a capture wins, and no other move mates.
    PawnWin,
    /// A pawn move that is not a capture wins, but the fifty-move rule makes it a draw, and no move wins
    /// before.
    PawnCursedWin,
    /// A draw that no capture reaches.
    Draw,
    /// A draw that a capture reaches.
    CaptureDraw,
    /// A win in this many plies, at most 100, by moves that do not zero.
    Win(u16),
    /// A loss in this many plies, at most 100.
    Loss(u16),
    /// A win by moves that do not zero, which the fifty-move rule makes a draw: in 101 or 102 plies for 0,
    /// and so on.
    CursedWin(u16),
    /// A loss that the fifty-move rule makes a draw.
    BlessedLoss(u16),
}

impl Class {
    fn win(Ply(plies): Ply) -> Self {
        match plies.checked_sub(LATE) {
            Some(late) => Self::CursedWin(late / 2),
            None => Self::Win(plies),
        }
    }

    fn loss(Ply(plies): Ply) -> Self {
        match plies.checked_sub(LATE) {
            Some(late) => Self::BlessedLoss(late / 2),
            None => Self::Loss(plies),
        }
    }
}

/// The classes that occur in a material, each with a number of one byte.
struct Codes {
    classes: Vec<Class>,
    /// The numbers of wins and losses by their plies.
    wins: Vec<u8>,
    losses: Vec<u8>,
}

impl Codes {
    /// The index of each of these classes is its number; distances follow.
    const FIRST: [Class; 6] = [
        Class::Illegal,
        Class::CaptureWin,
        Class::PawnWin,
        Class::PawnCursedWin,
        Class::Draw,
        Class::CaptureDraw,
    ];

    /// The classes of a DTZ table.
    fn from_table(dtz: &Table) -> Result<Self, WriteError> {
        let mut classes = Self::FIRST.to_vec();
        let mut numbers = |occurs: &[bool], class: fn(Ply) -> Class| -> Result<Vec<u8>, WriteError> {
            let mut numbers = vec![Self::number(Class::Illegal); occurs.len()];
            for (plies, number) in numbers.iter_mut().enumerate().filter(|(plies, _)| occurs[*plies]) {
                let class = class(Ply(plies as u16));
                if matches!(class, Class::CursedWin(moves) | Class::BlessedLoss(moves) if moves > u8::MAX.into())
                {
                    return Err(WriteError::Distances(dtz.material()));
                }
                let known = classes.iter().position(|&other| other == class);
                let place = known.unwrap_or(classes.len());
                if known.is_none() {
                    classes.push(class);
                }
                *number = u8::try_from(place).map_err(|_| WriteError::Distances(dtz.material()))?;
            }
            Ok(numbers)
        };
        let [wins, losses] = distances(dtz);
        let (wins, losses) = (numbers(&wins, Class::win)?, numbers(&losses, Class::loss)?);
        Ok(Self { classes, wins, losses })
    }

    /// The number of a class without a distance.
    fn number(class: Class) -> u8 {
        Self::FIRST.iter().position(|&other| other == class).unwrap_or_default() as u8
    }
}

/// The distances that occur, by plies: those of wins, and those of losses.
fn distances(dtz: &Table) -> [Vec<bool>; 2] {
    let longest = Color::ALL.iter().filter_map(|&side| dtz.longest(side)).max().unwrap_or_default();
    let none = || [(); 2].map(|()| vec![false; usize::from(longest) + 1]);
    let of_part = |mut occurs: [Vec<bool>; 2], cell: &crate::tables::value::Cell| {
        match cell.value() {
            Some(Value::Win(ply)) => occurs[0][usize::from(ply.0)] = true,
            Some(Value::Loss(ply)) => occurs[1][usize::from(ply.0)] = true,
            _ => {}
        }
        occurs
    };
    let join = |mut one: [Vec<bool>; 2], other: [Vec<bool>; 2]| {
        for (one, other) in one.iter_mut().flatten().zip(other.iter().flatten()) {
            *one |= other;
        }
        one
    };
    let cells = dtz.cells().par_iter().flat_map(|cells| cells.par_chunks(1 << 20));
    cells.map(|cells| cells.iter().fold(none(), of_part)).reduce(none, join)
}

/// The classes of all placements of the men, in bytes.
pub(super) struct Classes {
    /// The men: those that lead first, if they are pawns.
    men: Vec<Piece>,
    leading: Leading,
    /// By place, then by side to move. The squares are the base-64 digits of a place. The digit of the
    /// leading pawn is its number among the files a to d.
    codes: Vec<[u8; 2]>,
    /// The classes, by their codes.
    list: Vec<Class>,
}

/// The classes by their codes, and how often each occurs.
pub(super) type Census = Vec<(Class, u64)>;

impl Classes {
    /// Finds the classes from the DTZ table of a material, in memory, the DTM tables of all smaller ones of
    /// up to four men, in memory, and the DTZ tables of those of five men.
    pub(super) fn new(material: Material, tables: &TableSet) -> Result<Self, WriteError> {
        let dtz = tables.get(material, Metric::Dtz).ok_or(WriteError::Missing(material, Metric::Dtz))?;
        for &smaller in &material.smaller() {
            let metric = if smaller.men() < MAX_MEN { Metric::Dtm } else { Metric::Dtz };
            if !tables.has(smaller, metric) {
                return Err(WriteError::Missing(smaller, metric));
            }
        }
        let numbers = Codes::from_table(dtz)?;
        let illegal = Codes::number(Class::Illegal);
        let mut classes = Self::unfilled(material);
        let (men, leading) = (&classes.men[..], classes.leading);
        let first = if leading == Leading::Pawns { 24 } else { 64 };
        let mut codes = vec![[illegal; 2]; first << (6 * (men.len() - 1))];
        for side in Color::ALL {
            Fill { dtz, tables, side, men, leading, numbers: &numbers }.fill(&mut codes);
        }
        classes.codes = codes;
        classes.list = numbers.classes;
        Ok(classes)
    }

    /// The men of a material, without their classes.
    pub(super) fn unfilled(material: Material) -> Self {
        let mut men = men_of(material);
        let leading = Leading::new(&men);
        let first = Piece { color: leading_side(&men), role: Role::Pawn };
        men.sort_by_key(|&man| man != first);
        Self { men, leading, codes: Vec::new(), list: Vec::new() }
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

    /// The part of the place of a placement that comes from the square of a man.
    #[inline]
    pub(super) fn digit(&self, man: usize, square: u8) -> usize {
        let digit =
            if man == 0 && self.leading == Leading::Pawns { FLAP[usize::from(square)] } else { square };
        usize::from(digit) << self.shift(man)
    }

    /// How often each class occurs with this side to move; identical men are told apart. With pawns, it
    /// counts the positions with a leading pawn on this file. Without pawns, it counts each placement up to
    /// the symmetries twice.
    pub(super) fn census(&self, side: Color, leading_file: usize) -> Census {
        let named = |counts: [u64; 256]| self.list.iter().copied().zip(counts).collect();
        if self.leading == Leading::Pawns {
            let span = 6 << (6 * (self.men.len() - 1));
            return named(count(&self.codes[leading_file * span..][..span], side));
        }
        let king = |color| self.men.iter().position(|man| *man == Piece { color, role: Role::King });
        let kings = [king(Color::White), king(Color::Black)].map(Option::unwrap_or_default);
        // White's king is the first of the men, Black's the second.
        debug_assert_eq!(kings, [0, 1]);
        let span = 1_usize << (6 * (self.men.len() - 2));
        let of_kings = |(number, &(white, black)): (usize, &(u8, u8))| {
            let start = self.digit(0, white) + self.digit(1, black);
            let mut counts = count(&self.codes[start..start + span], side);
            if number >= ON_DIAGONAL {
                // Placements that the diagonal mirror changes are there twice.
                let is_fixed = |place: usize| {
                    (0..self.men.len() - 2).all(|man| {
                        let square = place >> (6 * man) & 63;
                        square & 7 == square >> 3
                    })
                };
                for place in (0..span).filter(|&place| is_fixed(place)) {
                    counts[usize::from(self.codes[start + place][side.index()])] += 1;
                }
            } else {
                for count in &mut counts {
                    *count *= 2;
                }
            }
            counts
        };
        named(sum(KING_SQUARES.par_iter().enumerate().map(of_kings)))
    }
}

fn count(codes: &[[u8; 2]], side: Color) -> [u64; 256] {
    let of_part = |codes: &[[u8; 2]]| {
        let mut counts = [0; 256];
        for code in codes {
            counts[usize::from(code[side.index()])] += 1;
        }
        counts
    };
    sum(codes.par_chunks(1 << 20).map(of_part))
}

fn sum(parts: impl ParallelIterator<Item = [u64; 256]>) -> [u64; 256] {
    parts.reduce(
        || [0; 256],
        |mut one, other| {
            for (one, other) in one.iter_mut().zip(other) {
                *one += other;
            }
            one
        },
    )
}

/// Fills in the classes with one side to move.
struct Fill<'a> {
    dtz: &'a Table,
    tables: &'a TableSet,
    side: Color,
    men: &'a [Piece],
    leading: Leading,
    numbers: &'a Codes,
}

impl Fill<'_> {
    fn fill(&self, codes: &mut [[u8; 2]]) {
        let layout = self.dtz.layout();
        let arrangements = self.arrangements();
        let chunk = 1 << 15;
        // All cores find classes, a part at a time. One thread writes them.
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
