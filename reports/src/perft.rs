//! `perft.csv`: leaf counts of the move generator beside those of the authority.

use serde::{Deserialize, Serialize};

use crate::Row;
use crate::natural::{Natural, ordered};

/// What was said of one count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PerftVerdict {
    /// The counts are equal.
    Agree,
    /// They are not, or there is no count of ours.
    Differ,
    /// A figure of a file was not counted: it is above the bound, or a smaller depth was wrong already.
    #[serde(rename = "left out")]
    LeftOut,
}

/// One position at one depth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerftRow {
    /// The suite that the position stands in.
    pub suite: String,
    /// Its id there.
    pub case: String,
    /// The position.
    pub fen: String,
    /// How deep the moves were counted, in plies.
    pub depth: u32,
    /// Leaves counted; empty if the position was refused, or nothing was counted.
    pub nodes: Option<u64>,
    /// Leaves expected.
    pub expected: u64,
    /// What was said of it.
    pub verdict: PerftVerdict,
}

ordered!(PerftRow, row => {
    let PerftRow { suite, case, fen, depth, nodes, expected, verdict } = row;
    (suite, Natural(case), fen, depth, nodes, expected, verdict)
});

impl Row for PerftRow {
    const FILE: &'static str = "perft.csv";
}
