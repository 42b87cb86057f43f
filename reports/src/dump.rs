//! `dump.csv`: what each source had to say of a dump. Figures, not cases: a row that three sources find wrong is one finding.

use serde::{Deserialize, Serialize};

use crate::Row;

/// One source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DumpRow {
    /// Its name, as in the column `source` of the differences.
    pub source: String,
    /// Rows of which it agrees with all that it knows of them.
    pub agreed: u64,
    /// Rows that it says are wrong.
    pub differed: u64,
    /// Rows of whose position it knows nothing.
    pub unknown: u64,
}

impl Row for DumpRow {
    const FILE: &'static str = "dump.csv";
}
