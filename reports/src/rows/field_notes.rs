//! `field-notes.csv`: what people saw when they repeated a finding on a third-party engine by hand.

use serde::{Deserialize, Serialize};

/// The findings of one check on one engine.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FieldNote {
    /// The engine's name.
    pub engine: String,
    /// Id of the check.
    pub check: String,
    /// What was seen.
    pub by_hand: String,
}
