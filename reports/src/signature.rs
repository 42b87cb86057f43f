//! `signature.csv`: how many nodes a search visits over fixed positions, which tells whether it still does what it did.

use serde::{Deserialize, Serialize};

use crate::Row;

/// The signature of one search at one depth.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SignatureRow {
    /// Whose search.
    pub subject: String,
    /// How deep each position was searched.
    pub depth: u32,
    /// How many positions.
    pub positions: u64,
    /// Nodes visited over all of them.
    pub signature: u64,
}

impl Row for SignatureRow {
    const FILE: &'static str = "signature.csv";
}
