//! `stalemates.csv`: all stalemates of the tables, one per symmetry class.

use serde::{Deserialize, Serialize};

use crate::word;

suites::words! {
    /// Where the stalemated king is, and what blocks it.
    pub enum StalemateKind: "kind" {
        /// A pawn of the stalemated side is on the king's file.
        BeforeItsOwnPawn = "before its own pawn",
        /// In a corner.
        Corner = "corner",
        /// On an edge, not in a corner.
        Edge = "edge",
        /// On neither an edge nor a corner.
        Inside = "inside",
        /// An enemy pawn is on the square in front of the king.
        PawnInFront = "pawn in front of its king",
    }
}

/// One stalemate.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StalemateRow {
    /// The table, in Syzygy notation, such as `KPvK`.
    pub table: String,
    /// The position; the side to move is stalemated.
    pub fen: String,
    /// Its kind: the first that fits, pawns before corner and edge.
    #[serde(with = "word")]
    pub kind: StalemateKind,
}
