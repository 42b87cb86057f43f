//! `histogram.csv`: how many positions of a table have each value.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use suites::census::SideToMove;
use suites::draws::GameResult;

use crate::natural::ordered;
use crate::word;

/// The positions of one table with one side to move that have the same value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistogramRow {
    /// The table, in Syzygy notation, such as `KPvK`.
    pub table: String,
    /// The side to move; White is the stronger side.
    #[serde(with = "word")]
    pub side_to_move: SideToMove,
    /// The result for the side to move, without the fifty-move rule.
    #[serde(with = "word")]
    pub wdl: GameResult,
    /// Distance to mate in plies; 0 is checkmate, `None` a draw.
    pub dtm: Option<u32>,
    /// Legal positions on 64 squares.
    pub positions: u64,
    /// Legal positions, one per symmetry class.
    pub positions_unique: u64,
}

// Wins come first.
ordered!(HistogramRow, row => {
    let HistogramRow { table, side_to_move, wdl, dtm, positions, positions_unique } = row;
    (table, side_to_move, Reverse(wdl), dtm, positions, positions_unique)
});
