//! `census.csv`: counts of the positions of each table.

use serde::{Deserialize, Serialize};
use suites::census::SideToMove;

use crate::word;

/// The counts of one table with one side to move, over all placements on 64 squares. Wins, draws and losses are the table's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CensusRow {
    /// The table, in Syzygy notation, such as `KPvK`.
    pub table: String,
    /// The side to move; White is the stronger side.
    #[serde(with = "word")]
    pub side_to_move: SideToMove,
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
    /// Positions in which the side to move is checkmated, by shakmaty's rules.
    pub checkmates: u64,
    /// Positions in which the side to move is stalemated, by shakmaty's rules.
    pub stalemates: u64,
    /// The longest distance to mate in plies, won or lost; `None` if every position is drawn.
    pub longest_plies: Option<u32>,
    /// Positions with this distance.
    pub longest_count: u64,
}
