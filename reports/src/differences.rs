//! `differences.csv`: every claim that is not true, with the command that shows it again.

use serde::{Deserialize, Serialize};
use suites::Difference;

use crate::Row;

/// One difference. Its fields are columns in their own order.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DifferenceRow(#[serde(with = "Columns")] pub Difference);

impl Row for DifferenceRow {
    const FILE: &'static str = "differences.csv";
}

impl From<Difference> for DifferenceRow {
    fn from(difference: Difference) -> Self {
        Self(difference)
    }
}

/// The columns, which serde holds against the fields of [`Difference`] when this is compiled.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Difference")]
struct Columns {
    subject: String,
    check: String,
    case: String,
    fen: String,
    stored: String,
    expected: String,
    source: String,
    explanation: String,
    replay: String,
}
