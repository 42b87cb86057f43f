//! `histogram.csv`: how many positions of a table have each value.

use serde::{Deserialize, Serialize};

use crate::{Row, Side};

/// How a position ends for the side to move, the fifty-move rule left aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wdl {
    /// Won, written `win`.
    Win,
    /// Drawn, written `draw`.
    Draw,
    /// Lost, written `loss`.
    Loss,
}

/// The positions of one side to move of one table that share a value.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct HistogramRow {
    /// The table, as Syzygy names it.
    pub table: String,
    /// Who is to move.
    pub side_to_move: Side,
    /// How it ends for the side to move.
    pub wdl: Wdl,
    /// Distance to mate in plies; 0 is checkmated, empty is a draw.
    pub dtm: Option<u32>,
    /// Legal positions on 64 squares.
    pub positions: u64,
    /// The same, one per symmetry class.
    pub positions_unique: u64,
}

impl Row for HistogramRow {
    const FILE: &'static str = "histogram.csv";
}
