//! `knowledge.csv`: heuristics held against the truth of whole tables.

use serde::{Deserialize, Serialize};

use crate::{Row, Thousandths};

/// One heuristic on one table.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KnowledgeRow {
    /// The heuristic.
    pub heuristic: String,
    /// The table.
    pub table: String,
    /// Positions that it was asked for.
    pub positions: u64,
    /// It said yes, and so it is.
    pub true_positive: Option<u64>,
    /// It said yes, and so it is not.
    pub false_positive: Option<u64>,
    /// It said no, and so it is.
    pub true_negative: Option<u64>,
    /// It said no, and so it is not.
    pub false_negative: Option<u64>,
    /// Share of its yeses that are true.
    pub precision: Option<Thousandths>,
    /// Share of what is true that it says yes to.
    pub recall: Option<Thousandths>,
    /// Rank correlation of its number with the nearness of mate: 1 if it grows as mate comes nearer.
    pub spearman: Option<Thousandths>,
}

impl Row for KnowledgeRow {
    const FILE: &'static str = "knowledge.csv";
}
