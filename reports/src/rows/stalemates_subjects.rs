//! `stalemates_subjects.csv`: answers to the suite `stalemates`, counted by class and depth.

use serde::{Deserialize, Serialize};

/// One class at one depth.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StalemateSubjectRow {
    /// Name of the engine.
    pub subject: String,
    /// The class of positions.
    pub class: String,
    /// Search depth in plies.
    pub depth: u32,
    /// Whether the engine had its tables.
    pub tables: bool,
    /// Positions asked.
    pub positions: u64,
    /// Positions whose answer is judged at this depth.
    pub due: u64,
    /// Right answers to these, without those that count as observed.
    pub agreed: u64,
    /// Answers without a fault where nothing is required: the answer is not judged at this depth, or the engine gives the same score
    /// to every position. Notes of `stalemate/shallow` count here too.
    pub observed: u64,
    /// Wrong scores.
    pub wrong_score: u64,
    /// Moves that stalemate in a won position.
    pub stalemated: u64,
    /// Moves that miss a saving stalemate.
    pub missed: u64,
    /// No answer, no score, or an illegal move.
    pub unanswered: u64,
    /// Wrong answers that were right when asked again; not counted in the columns before.
    pub flaky: u64,
}
