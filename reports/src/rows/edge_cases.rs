//! `edge_cases.csv`: positions of the tables in which a rule or an exception decides, and the longest wins.

use serde::{Deserialize, Serialize};
use suites::census::SideToMove;

use crate::word;

suites::words! {
    /// What makes a position an edge case. Values are those of the table, without the fifty-move rule, for the side to move.
    pub enum EdgeCase: "edge case" {
        /// The side to move is checkmated.
        Checkmate = "checkmate",
        /// En passant captures are the only legal moves.
        EnPassantOnly = "en-passant-only",
        /// En passant captures win, and no other move does.
        EnPassantWins = "en-passant-wins",
        /// The longest distance to mate of all won positions of the table with this side to move.
        LongestWin = "longest-win",
        /// A mutual zugzwang of either kind.
        MutualZugzwang = "mutual-zugzwang",
        /// A full-point mutual zugzwang: whoever moves loses.
        MutualZugzwangFull = "mutual-zugzwang-full",
        /// A half-point mutual zugzwang: the side to move loses, and it is a draw if the other side is to move.
        MutualZugzwangHalf = "mutual-zugzwang-half",
        /// After each winning move the other side can capture a man at once.
        Sacrifice = "sacrifice",
        /// The side to move is stalemated.
        Stalemate = "stalemate",
        /// Promotions to knight, bishop or rook win, and no other move does.
        Underpromotion = "underpromotion",
        /// Promotions to bishop win, and no other move does.
        UnderpromotionBishop = "underpromotion-bishop",
        /// No move wins; promotions to knight, bishop or rook draw, and no other move does.
        UnderpromotionDraws = "underpromotion-draws",
        /// No move wins; promotions to bishop draw, and no other move does.
        UnderpromotionDrawsBishop = "underpromotion-draws-bishop",
        /// No move wins; promotions to knight draw, and no other move does.
        UnderpromotionDrawsKnight = "underpromotion-draws-knight",
        /// No move wins; promotions to rook draw, and no other move does.
        UnderpromotionDrawsRook = "underpromotion-draws-rook",
        /// Promotions to knight win, and no other move does.
        UnderpromotionKnight = "underpromotion-knight",
        /// Promotions to rook win, and no other move does.
        UnderpromotionRook = "underpromotion-rook",
    }
}

/// The positions of one table with one side to move that are an edge case of one kind.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EdgeCaseRow {
    /// The table, in Syzygy notation, such as `KPvK`.
    pub table: String,
    /// The side to move; White is the stronger side.
    #[serde(with = "word")]
    pub side_to_move: SideToMove,
    /// The kind.
    #[serde(with = "word")]
    pub edge_case: EdgeCase,
    /// Positions on 64 squares.
    pub positions: u64,
    /// Positions, one per symmetry class.
    pub positions_unique: u64,
    /// The first of them in the order of the texts of their FENs, of those that represent their symmetry class; empty if there is
    /// none.
    pub fen: String,
    /// Of the longest win the distance to mate in plies.
    pub plies: Option<u32>,
    /// Of the longest win the moves of best play from `fen` to mate, in UCI notation.
    pub line: String,
}
