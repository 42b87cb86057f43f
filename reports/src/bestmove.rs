//! `bestmove.csv`: what a subject played in positions of which a file names the best moves.

use serde::{Deserialize, Serialize};

use crate::Row;

/// One position. Moves are in standard notation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct BestMoveRow {
    /// Who was asked.
    pub subject: String,
    /// The file.
    pub suite: String,
    /// The line of the position in it.
    pub line: u64,
    /// What the file calls it; empty if nothing.
    pub id: String,
    /// The best moves by the file, with blanks between them; empty if it names none.
    pub best: String,
    /// Moves to avoid, in the same way.
    pub avoid: String,
    /// What was played, as it was said if that is no legal move; empty if nothing.
    pub played: String,
    /// The points for it; empty if the file gives none, or what it says is refuted.
    pub points: Option<u32>,
    /// The most points that there are for a move.
    pub most_points: Option<u32>,
    /// What is to be said of it: `solved`, `missed`, `overruled`, `thrown`, `flaky`, `bad move`, `unanswered`, `not asked`,
    /// `malformed`.
    pub verdict: String,
}

impl Row for BestMoveRow {
    const FILE: &'static str = "bestmove.csv";
}
