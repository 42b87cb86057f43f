//! `draws.csv`: how a subject scores positions that rules of draws decide.

use serde::{Deserialize, Serialize};

use crate::Row;
use crate::natural::{Natural, ordered};

/// One position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRow {
    /// Who was asked.
    pub subject: String,
    /// Id of the position in the suite.
    pub case: String,
    /// The rule.
    pub class: String,
    /// Whether it had its tables.
    pub tables: bool,
    /// What is true: `win`, `draw` or `loss` for the side to move.
    pub expected: String,
    /// The score that it gave, as UCI writes it; empty if none.
    pub score: String,
    /// What is to be said of it: `agree`, `late` (right with more nodes), `not told apart` (right, but decided positions are called
    /// draws too), `found` and `missed` (in a class that may fail), `not asked`, or what is wrong: `score`, `move`, `unanswered`, `flaky`.
    pub verdict: String,
}

ordered!(DrawRow, row => {
    let DrawRow { subject, case, class, tables, expected, score, verdict } = row;
    (subject, Natural(case), class, tables, expected, score, verdict)
});

impl Row for DrawRow {
    const FILE: &'static str = "draws.csv";
}
