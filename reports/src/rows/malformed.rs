//! `malformed.csv`: rows of a dump that cannot be read.

use serde::{Deserialize, Serialize};

/// One row that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct MalformedRow {
    /// Its line in the dump, counted from 1.
    pub line: u64,
    /// The start of its text.
    pub found: String,
    /// What is wrong with it.
    pub fault: String,
}
