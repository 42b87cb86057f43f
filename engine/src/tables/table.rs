//! A table: a material, a metric, and a cell for each slot and side to move.

use std::num::NonZeroU64;
use std::str::FromStr;

use derive_more::Display;
use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::Ply;
use crate::parallel::collected;
use crate::tables::value::{Cell, Value};
use crate::tables::{Layout, Material, Placement, Wdl};
use crate::zobrist::splitmix64;
use crate::{Board, Color};

/// The event to which the distances of a table count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
#[display(rename_all = "lowercase")]
pub enum Metric {
    /// Distance to mate.
    Dtm,
    /// Distance to the next capture, pawn move or mate.
    Dtz,
}

impl Metric {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Dtm, Self::Dtz];
}

/// A text that is not a metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected dtm or dtz, got \"{0}\"")]
pub struct ParseMetricError(String);

impl FromStr for Metric {
    type Err = ParseMetricError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|metric| metric.to_string() == text)
            .ok_or_else(|| ParseMetricError(text.chars().take(16).collect()))
    }
}

/// Numbers of used entries. Each entry stands for one position up to symmetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Won for the side to move.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost for the side to move.
    pub losses: u64,
}

impl Counts {
    fn plus(self, other: Self) -> Self {
        Self {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
        }
    }

    /// Number of used entries.
    pub fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// The most plies without a capture or pawn move that the fifty-move rule allows.
pub(crate) const MOST_WITHOUT_ZEROING: u16 = 100;

/// A complete table.
#[derive(Debug, Clone)]
pub struct Table {
    layout: Layout,
    metric: Metric,
    cells: [Vec<Cell>; 2],
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.material() == other.material() && self.metric == other.metric && self.cells == other.cells
    }
}

impl Table {
    /// A table of these cells, first with White to move, then with Black to move; one cell for each slot of
    /// the layout.
    pub(crate) fn new(layout: Layout, metric: Metric, cells: [Vec<Cell>; 2]) -> Self {
        debug_assert!(cells.iter().all(|half| half.len() == layout.slots()));
        Self { layout, metric, cells }
    }

    /// The men.
    pub fn material(&self) -> Material {
        self.layout.material()
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.metric
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The SHA-256 sum of the cells, part by part: equal tables have equal sums.
    pub fn digest(&self) -> [u8; 32] {
        let sum = |cells: &[Cell]| {
            let mut hash = Sha256::new();
            for part in cells.chunks(1 << 12) {
                let bytes: Vec<u8> = part.iter().flat_map(|cell| cell.0.to_le_bytes()).collect();
                hash.update(bytes);
            }
            hash.finalize()
        };
        let sums = self.cells.iter().flat_map(|cells| collected(cells.par_chunks(1 << 20).map(sum)));
        let mut hash = Sha256::new();
        sums.for_each(|sum| hash.update(sum));
        hash.finalize().into()
    }

    pub(crate) fn cells(&self) -> &[Vec<Cell>; 2] {
        &self.cells
    }

    /// The value of a placement, or `None` if it is not legal.
    #[inline]
    pub(crate) fn value(&self, squares: &Placement, side_to_move: Color) -> Option<Value> {
        self.cells[side_to_move.index()][self.layout.slot(squares)?].value()
    }

    /// Every legal position on all 64 squares, identical men counted once: its board, the side to move, and
    /// its value: `None` for a draw, else the result and the distance in plies. Positions with White to move
    /// come first.
    pub fn positions(&self) -> impl Iterator<Item = (Board, Color, Option<(Wdl, Ply)>)> + '_ {
        self.sample(NonZeroU64::MIN, 0)
    }

    /// The same for about one of `one_of` placements of men, drawn by a seed: with both sides to move.
    pub fn sample(
        &self,
        one_of: NonZeroU64,
        seed: u64,
    ) -> impl Iterator<Item = (Board, Color, Option<(Wdl, Ply)>)> + '_ {
        let men = self.layout.men().len();
        let is_drawn = move |number: &u64| splitmix64(splitmix64(seed) ^ number).is_multiple_of(one_of.get());
        let placements = move || {
            (0..1u64 << (6 * men)).filter(is_drawn).filter_map(move |number| self.layout.numbered(number))
        };
        Color::ALL.into_iter().flat_map(move |side| {
            placements().filter_map(move |squares| {
                let value = self.value(&squares, side)?;
                let distance = match value {
                    Value::Draw => None,
                    Value::Win(ply) | Value::Loss(ply) => Some((value.wdl(), ply)),
                };
                Some((self.layout.board(&squares), side, distance))
            })
        })
    }

    /// The numbers of wins, draws and losses with `side_to_move` to move. White is the stronger side.
    pub fn counts(&self, side_to_move: Color) -> Counts {
        self.counts_of(side_to_move, |_| true)
    }

    /// The numbers of wins and losses with `side_to_move` to move that the fifty-move rule makes draws: in a
    /// DTZ table, those of more than 100 plies.
    pub fn cursed(&self, side_to_move: Color) -> Counts {
        self.counts_of(side_to_move, |value| match value {
            Value::Win(ply) | Value::Loss(ply) => self.metric == Metric::Dtz && ply.0 > MOST_WITHOUT_ZEROING,
            Value::Draw => false,
        })
    }

    fn counts_of(&self, side_to_move: Color, is_counted: impl Fn(Value) -> bool + Sync) -> Counts {
        let add = |mut counts: Counts, cell: &Cell| {
            match cell.value().filter(|&value| is_counted(value)).map(Value::wdl) {
                Some(Wdl::Win) => counts.wins += 1,
                Some(Wdl::Draw) => counts.draws += 1,
                Some(Wdl::Loss) => counts.losses += 1,
                None => {}
            }
            counts
        };
        let cells = self.cells[side_to_move.index()].par_chunks(1 << 16);
        cells.map(|cells| cells.iter().fold(Counts::default(), add)).reduce(Counts::default, Counts::plus)
    }

    /// The longest distance in plies with `side_to_move` to move; `None` if all positions are drawn.
    pub fn longest(&self, side_to_move: Color) -> Option<u16> {
        let values = self.cells[side_to_move.index()].iter().filter_map(|cell| cell.value());
        values
            .filter_map(|value| match value {
                Value::Draw => None,
                Value::Win(ply) | Value::Loss(ply) => Some(ply.0),
            })
            .max()
    }
}
