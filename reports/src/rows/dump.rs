//! `dump.csv`: for each source, how many rows of a dump it confirms. A row that several sources find wrong is one finding.

use serde::{Deserialize, Serialize};

/// One source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DumpRow {
    /// Name of the source, as in the column `source` of the differences.
    pub source: String,
    /// Rows that the source confirms, as far as it knows their values.
    pub agreed: u64,
    /// Rows that contradict the source.
    pub differed: u64,
    /// Rows with positions that the source does not have.
    pub unknown: u64,
}
