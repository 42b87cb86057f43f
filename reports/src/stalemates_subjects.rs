//! `stalemates_subjects.csv`: how a subject treats stalemates, by class and depth.

use serde::{Deserialize, Serialize};

use crate::Row;

/// One class at one depth.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StalemateSubjectRow {
    /// Who was asked.
    pub subject: String,
    /// What the positions have in common.
    pub class: String,
    /// How deep it searched.
    pub depth: u32,
    /// Whether it had its tables.
    pub tables: bool,
    /// Positions asked for.
    pub positions: u64,
    /// Of these, answered rightly.
    pub agreed: u64,
    /// Of these, with a score that is not true.
    pub wrong_score: u64,
    /// Of these, with a move that stalemates in a won game.
    pub stalemated: u64,
    /// Of these, with a move that misses the stalemate that saves.
    pub missed: u64,
    /// Of these, not answered, or with what is no legal move.
    pub unanswered: u64,
}

impl Row for StalemateSubjectRow {
    const FILE: &'static str = "stalemates_subjects.csv";
}
