//! `wins_thrown.csv`: the games of won endings that were not won.

use serde::{Deserialize, Serialize};

use crate::word;

suites::words! {
    /// How a game of a won ending ended without a win.
    pub enum NotWonReason: "end" {
        /// Draw by the fifty-move rule in a won position.
        FiftyMoves = "fifty moves",
        /// Draw by repetition in a won position.
        Repetition = "repetition",
        /// A move gave the win away.
        Thrown = "thrown",
        /// There was no answer, or an illegal move.
        Unanswered = "unanswered",
    }
}

/// One game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WinThrownRow {
    /// Name of the engine, which has the winning side.
    pub subject: String,
    /// The ending, such as `KBNvK`.
    pub ending: String,
    /// The aids that were on, joined by `+`; `none` if none was.
    pub aids: String,
    /// The position at the start of the game.
    pub start: String,
    /// The position before the wrong move; the last position if no move was wrong.
    pub fen: String,
    /// The wrong move, as UCI writes it; empty if no move was wrong.
    pub played: String,
    /// How the game ended.
    #[serde(with = "word")]
    pub end: NotWonReason,
    /// The command that asks for the move again.
    pub replay: String,
}
