//! `census.csv`: what a table holds, counted.

use serde::{Deserialize, Serialize};

use crate::{Row, Side};

/// The counts of one side to move of one table, every placement on 64 squares counted once. Wins, draws and losses
/// are as the table says.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CensusRow {
    /// The table, as Syzygy names it.
    pub table: String,
    /// Who is to move.
    pub side_to_move: Side,
    /// Legal positions.
    pub legal: u64,
    /// Legal positions, one per symmetry class.
    pub legal_unique: u64,
    /// Positions won for the side to move.
    pub wins: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Positions lost for the side to move.
    pub losses: u64,
    /// Positions in which the side to move is checkmated, as the oracle says.
    pub checkmates: u64,
    /// Positions in which the side to move is stalemated, as the oracle says.
    pub stalemates: u64,
    /// The longest way to mate in plies, won or lost; empty if every position is drawn.
    pub longest_plies: Option<u32>,
    /// Positions as far from mate as that.
    pub longest_count: u64,
}

impl Row for CensusRow {
    const FILE: &'static str = "census.csv";
}
