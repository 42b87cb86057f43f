//! `signature.csv`: nodes searched over fixed positions. The number changes when the behaviour of the search changes.

use serde::{Deserialize, Serialize};

/// The signature of one search at one depth.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SignatureRow {
    /// Name of the search.
    pub subject: String,
    /// Search depth in plies.
    pub depth: u32,
    /// Number of positions.
    pub positions: u64,
    /// Nodes searched over all positions.
    pub signature: u64,
}
