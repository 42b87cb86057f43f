//! `perft.csv`: perft counts of a move generator, and the expected counts.

use crate::natural::Natural;
use crate::{ordered, word};
use serde::{Deserialize, Serialize};

crate::words! {
    /// How one count came out.
    pub enum PerftVerdict: "verdict" {
        /// The counts are equal.
        Agree = "agree",
        /// The counts differ, or the generator refused the position.
        Differ = "differ",
        /// The count of a file was not verified: it is too large, or a smaller depth is wrong already.
        LeftOut = "left out",
    }
}

/// One position at one depth.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PerftRow {
    /// The suite or file of the position; `random` for random positions.
    pub suite: String,
    /// Id of the position in the suite.
    pub case: String,
    /// The position.
    pub fen: String,
    /// Depth in plies.
    pub depth: u32,
    /// Leaf nodes that were counted; `None` if the position was refused or not counted.
    pub nodes: Option<u64>,
    /// Expected leaf nodes.
    pub expected: u64,
    /// How it came out.
    #[serde(with = "word")]
    pub verdict: PerftVerdict,
}

ordered!(PerftRow, row => {
    let PerftRow { suite, case, fen, depth, nodes, expected, verdict } = row;
    (suite, Natural(case), fen, depth, nodes, expected, verdict)
});
