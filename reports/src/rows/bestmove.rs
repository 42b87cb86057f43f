//! `bestmove.csv`: the move played in each position of a file with best moves.

use serde::{Deserialize, Serialize};

use crate::word;

suites::words! {
    /// How a position with best moves came out.
    pub enum BestMoveVerdict: "verdict" {
        /// The move is not legal.
        BadMove = "bad move",
        /// The answer was wrong, and right when the position was asked again.
        Flaky = "flaky",
        /// The line of the file cannot be read; the engine was not asked.
        Malformed = "malformed",
        /// The move is none of the best moves, or one to avoid.
        Missed = "missed",
        /// The engine was not asked: the time limit was reached, or the engine was given up.
        NotAsked = "not asked",
        /// The best moves of the file are refuted.
        Overruled = "overruled",
        /// The move is one of the best moves and none to avoid.
        Solved = "solved",
        /// The move is proved to be worse than another one.
        Thrown = "thrown",
        /// There was no answer.
        Unanswered = "unanswered",
    }
}

/// One position. Moves are in SAN.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BestMoveRow {
    /// Name of the engine.
    pub subject: String,
    /// Name of the file.
    pub suite: String,
    /// Line of the position in the file, counted from 1.
    pub line: u64,
    /// The `id` of the line; empty if it has none.
    pub id: String,
    /// The best moves of the line, separated by blanks; empty if it names none.
    pub best: String,
    /// The moves to avoid, separated by blanks; empty if it names none.
    pub avoid: String,
    /// The move that was played; the text of the answer if it is not a legal move; empty if there was no answer.
    pub played: String,
    /// Points for the move; `None` if the line gives no points, or its best moves are refuted.
    pub points: Option<u32>,
    /// The most points for any move of the line; `None` as above.
    pub most_points: Option<u32>,
    /// How it came out.
    #[serde(with = "word")]
    pub verdict: BestMoveVerdict,
    /// The limit of the search, as `go` takes it; empty if the position was not asked.
    pub limit: String,
}
