//! The rows of the reports on games: a game, a player, and a player in an ending.

use reports::Row;
use serde::{Deserialize, Serialize};

/// A row of games.csv, in the order of the files.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct GameRow {
    pub(super) file: String,
    /// The number in its file, from 1.
    pub(super) game: u64,
    /// The line in which it begins, from 1.
    pub(super) line: u64,
    pub(super) white: String,
    pub(super) black: String,
    pub(super) result: String,
    pub(super) plies: usize,
    /// The first ending that tables know; empty if there is none.
    pub(super) ending: String,
    /// The plies before its first position.
    pub(super) ending_ply: Option<usize>,
    /// The result of that position with best play.
    pub(super) ending_result: String,
    pub(super) errors: u64,
    pub(super) warnings: u64,
    pub(super) notes: u64,
    /// The kinds of the findings, in the order of the plies.
    pub(super) findings: String,
}

impl Row for GameRow {
    const FILE: &'static str = "games.csv";
}

/// What a side made of the positions in which tables first knew the result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct Outcomes {
    /// Games with a result that reached such a position.
    pub(super) reached: u64,
    /// Those in which it was won.
    pub(super) should_win: u64,
    /// And the games that were won.
    pub(super) won: u64,
    /// Those in which it was drawn.
    pub(super) should_draw: u64,
    /// And the games that were drawn or won.
    pub(super) held: u64,
    /// Those in which it was lost.
    pub(super) should_lose: u64,
    /// And the games that were drawn or won.
    pub(super) saved: u64,
}

/// A row of players.csv.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct PlayerRow {
    pub(super) player: String,
    /// Games with a result.
    pub(super) games: u64,
    pub(super) wins: u64,
    pub(super) draws: u64,
    pub(super) losses: u64,
    pub(super) reached: u64,
    pub(super) should_win: u64,
    pub(super) won: u64,
    pub(super) should_draw: u64,
    pub(super) held: u64,
    pub(super) should_lose: u64,
    pub(super) saved: u64,
    /// Findings for which it is at fault.
    pub(super) errors: u64,
    pub(super) warnings: u64,
    pub(super) notes: u64,
}

impl Row for PlayerRow {
    const FILE: &'static str = "players.csv";
}

/// A row of endings.csv.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct EndingRow {
    /// The men, as tables are named: `KRPvKR`.
    pub(super) ending: String,
    pub(super) player: String,
    pub(super) reached: u64,
    pub(super) should_win: u64,
    pub(super) won: u64,
    pub(super) should_draw: u64,
    pub(super) held: u64,
    pub(super) should_lose: u64,
    pub(super) saved: u64,
}

impl Row for EndingRow {
    const FILE: &'static str = "endings.csv";
}
