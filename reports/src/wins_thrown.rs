//! `wins_thrown.csv`: games of endings that were not won, each with the move that gave the win away.

use serde::{Deserialize, Serialize};

use crate::Row;

/// One game.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct WinThrownRow {
    /// Who played for the win.
    pub subject: String,
    /// The ending.
    pub ending: String,
    /// The aids that were on, joined by `+`.
    pub aids: String,
    /// Where the game began.
    pub start: String,
    /// The position in which it went wrong, or in which the game was drawn while still won.
    pub fen: String,
    /// The move there, as UCI writes it; empty if there is none to blame.
    pub played: String,
    /// How the game ended: `thrown`, `fifty moves`, `repetition`, `unanswered`.
    pub end: String,
    /// The command that shows the move again.
    pub replay: String,
}

impl Row for WinThrownRow {
    const FILE: &'static str = "wins_thrown.csv";
}
