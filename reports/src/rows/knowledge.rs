//! `knowledge.csv`: evaluation heuristics compared with whole tables.

use serde::{Deserialize, Serialize};

use crate::Decimal3;

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
    /// Spearman's rank correlation of its number with the nearness of mate: 1 if it grows as mate comes nearer.
    pub spearman: Option<Decimal3>,
}
