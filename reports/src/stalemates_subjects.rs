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
    /// Of these, with an answer that is due at this depth.
    pub due: u64,
    /// Of those that are due, right: but for those that are observed.
    pub agreed: u64,
    /// Without a fault, and nothing was demanded: the answer is not due, or any player gets it right and this one says it
    /// everywhere.
    pub observed: u64,
    /// With a score that is not true.
    pub wrong_score: u64,
    /// With a move that lets a won game go by stalemate.
    pub stalemated: u64,
    /// With a move that misses the stalemate that saves.
    pub missed: u64,
    /// Not answered, or without a score, or with a move that is not legal.
    pub unanswered: u64,
    /// With a fault that did not come again: it is counted in none of these.
    pub flaky: u64,
}

impl Row for StalemateSubjectRow {
    const FILE: &'static str = "stalemates_subjects.csv";
}
