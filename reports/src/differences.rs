//! `differences.csv`: every claim that is not true, with the command that shows it again.

use serde::{Deserialize, Serialize};
use suites::Difference;
use suites::catalogue::{self, Severity};

use crate::{Row, natural};

/// One difference. Its fields are columns in their own order; the severity, which follows from the check, stands after
/// it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Columns", into = "Columns")]
pub struct DifferenceRow(pub Difference);

impl Row for DifferenceRow {
    const FILE: &'static str = "differences.csv";
}

natural::ordered!(DifferenceRow, row => natural::key(&row.0));

impl From<Difference> for DifferenceRow {
    fn from(difference: Difference) -> Self {
        Self(difference)
    }
}

/// The columns.
#[derive(Serialize, Deserialize)]
struct Columns {
    subject: String,
    check: String,
    severity: String,
    case: String,
    fen: String,
    stored: String,
    expected: String,
    source: String,
    explanation: String,
    replay: String,
}

impl From<DifferenceRow> for Columns {
    fn from(DifferenceRow(difference): DifferenceRow) -> Self {
        let Difference { subject, check, case, fen, stored, expected, source, explanation, replay } =
            difference;
        let severity = catalogue::severity(&check).to_string();
        Self { subject, check, severity, case, fen, stored, expected, source, explanation, replay }
    }
}

/// A word that is no severity.
#[derive(Debug, thiserror::Error)]
#[error("expected note, warning or error, got \"{0}\"")]
struct NoSeverity(String);

impl TryFrom<Columns> for DifferenceRow {
    type Error = NoSeverity;

    /// How grave a finding was when it was written is not kept: that is for the catalogue to say.
    fn try_from(columns: Columns) -> Result<Self, NoSeverity> {
        let Columns { subject, check, severity, case, fen, stored, expected, source, explanation, replay } =
            columns;
        if !Severity::ALL.iter().any(|known| known.name() == severity) {
            return Err(NoSeverity(severity));
        }
        Ok(Self(Difference { subject, check, case, fen, stored, expected, source, explanation, replay }))
    }
}
