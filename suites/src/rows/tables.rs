//! The rows about tables: what they contain, and what a dump of one says.

use crate::census::SideToMove;
use crate::draws::GameResult;
use crate::{Decimal3, ordered, word};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

// `census.csv`: counts of the positions of each table.

/// The counts of one table with one side to move, over all placements on 64 squares. Wins, draws and losses
/// are the table's.
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

// `histogram.csv`: how many positions of a table have each value.

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

// `stalemates.csv`: all stalemates of the tables, one per symmetry class.

crate::words! {
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

// `edge_cases.csv`: positions of the tables in which a rule or an exception decides, and the longest wins.

crate::words! {
    /// What makes a position an edge case. Values are those of the table, without the fifty-move rule, for
    /// the side to move.
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
        /// A full-point mutual zugzwang: the side to move loses, be it White or Black.
        MutualZugzwangFull = "mutual-zugzwang-full",
        /// A half-point mutual zugzwang: the side to move loses, and it is a draw if the other side is to
        /// move.
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
    /// The first of them in the order of the texts of their FENs, of those that represent their symmetry
    /// class; empty if there is none.
    pub fen: String,
    /// Of the longest win the distance to mate in plies.
    pub plies: Option<u32>,
    /// Of the longest win the moves of best play from `fen` to mate, in UCI notation.
    pub line: String,
}

// `knowledge.csv`: evaluation heuristics compared with whole tables.

/// One heuristic on one table. A heuristic answers yes or no, or gives a number.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KnowledgeRow {
    /// The heuristic.
    pub heuristic: String,
    /// The table, in Syzygy notation, such as `KPvK`.
    pub table: String,
    /// Positions that the heuristic was applied to.
    pub positions: u64,
    /// Positions where it says yes and the table agrees.
    pub true_positive: Option<u64>,
    /// Positions where it says yes and the table does not agree.
    pub false_positive: Option<u64>,
    /// Positions where it says no and the table agrees.
    pub true_negative: Option<u64>,
    /// Positions where it says no and the table does not agree.
    pub false_negative: Option<u64>,
    /// True positives divided by all positives.
    pub precision: Option<Decimal3>,
    /// True positives divided by all positions where yes is right.
    pub recall: Option<Decimal3>,
    /// Spearman's rank correlation of its number with the nearness of mate: 1 if it grows as mate comes
    /// nearer.
    pub spearman: Option<Decimal3>,
}

// `dump.csv`: for each source, how many rows of a dump it confirms. A row that several sources find wrong is
// one finding.

/// One source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DumpRow {
    /// Name of the source, as in the column `source` of the differences.
    pub source: String,
    /// Rows that the source confirms, as far as it knows their values.
    pub agreed: u64,
    /// Rows that contradict the source.
    pub differed: u64,
    /// Rows with positions that the source does not have.
    pub unknown: u64,
}

// `malformed.csv`: rows of a dump that cannot be read.

/// One row that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MalformedRow {
    /// Its line in the dump, counted from 1.
    pub line: u64,
    /// The start of its text.
    pub found: String,
    /// What is wrong with it.
    pub fault: String,
}
