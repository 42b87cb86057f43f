//! `regression.csv`: the rows that changed between an earlier run, the baseline, and this one.

use serde::{Deserialize, Serialize};

use crate::natural::{Natural, ordered};
use crate::word;

suites::words! {
    /// What a change between two runs means. The worst comes first.
    pub enum RegressionVerdict: "verdict" {
        /// A new difference, or a check that compares less than before.
        Broken = "broken",
        /// A difference is gone, and its check compares as much as before.
        Fixed = "fixed",
        /// The figures changed.
        Changed = "changed",
        /// The row is new.
        Added = "added",
        /// The row is gone.
        Gone = "gone",
    }
}

/// One changed row of one report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RegressionRow {
    /// File name of the report.
    pub report: String,
    /// The key columns of the row, joined by blanks.
    pub case: String,
    /// The changed figures in the baseline: `agreed=331352 differed=0`; empty if the row is new.
    pub before: String,
    /// The same figures in this run; empty if the row is gone.
    pub after: String,
    /// What the change means.
    #[serde(with = "word")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = RegressionVerdict::ALL.map(RegressionVerdict::name))))]
    pub verdict: RegressionVerdict,
}

ordered!(RegressionRow, row => (&row.report, Natural(&row.case), &row.before, &row.after, row.verdict));
