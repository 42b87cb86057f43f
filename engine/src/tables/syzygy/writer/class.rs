//! The class of a position: its result, its distance, and whether a capture decides it.
//!
//! A file may leave open the values that a capture decides, since a prober looks at captures itself.

use rayon::prelude::*;

use super::WriteError;
use crate::tables::Table;
use crate::tables::table::MOST_WITHOUT_ZEROING;
use crate::tables::value::Value;
use crate::{Color, Ply};

/// The plies of a win by a pawn move that the fifty-move rule makes a draw.
pub(super) const LATE: u16 = MOST_WITHOUT_ZEROING + 1;

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
pub(super) struct Codes {
    pub(super) classes: Vec<Class>,
    /// The numbers of wins and losses by their plies.
    pub(super) wins: Vec<u8>,
    pub(super) losses: Vec<u8>,
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
    pub(super) fn from_table(dtz: &Table) -> Result<Self, WriteError> {
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
    pub(super) fn number(class: Class) -> u8 {
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
