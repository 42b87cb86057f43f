//! `differences.csv`: every wrong answer, with the command that reproduces it.

use serde::{Deserialize, Serialize};
use suites::catalogue::{self, Severity};
use suites::{Difference, Replay, UnknownWord};

use crate::natural;

/// One difference. Its fields are the columns; the column `severity`, which follows from the check, comes after `check`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "Columns", into = "Columns")]
pub struct DifferenceRow(pub Difference);

natural::ordered!(DifferenceRow, row => natural::key(&row.0));

/// The columns.
#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(rename = "DifferenceRow"))]
struct Columns {
    subject: String,
    check: String,
    #[cfg_attr(test, schemars(extend("enum" = Severity::ALL.map(Severity::name))))]
    severity: String,
    case: String,
    fen: String,
    stored: String,
    expected: String,
    source: String,
    explanation: String,
    /// Reports of earlier versions do not have it.
    #[serde(default)]
    cause: String,
    replay: String,
}

impl From<DifferenceRow> for Columns {
    fn from(DifferenceRow(difference): DifferenceRow) -> Self {
        let Difference { subject, check, case, fen, stored, expected, source, explanation, cause, replay } =
            difference;
        let severity = catalogue::severity(&check).to_string();
        let replay = replay.to_string();
        Self { subject, check, severity, case, fen, stored, expected, source, explanation, cause, replay }
    }
}

impl TryFrom<Columns> for DifferenceRow {
    type Error = UnknownWord;

    /// The severity is checked and not kept: the catalogue has it.
    fn try_from(columns: Columns) -> Result<Self, UnknownWord> {
        let Columns {
            subject,
            check,
            severity,
            case,
            fen,
            stored,
            expected,
            source,
            explanation,
            cause,
            replay,
        } = columns;
        severity.parse::<Severity>()?;
        let replay = Replay::shell(replay);
        Ok(Self(Difference {
            subject,
            check,
            case,
            fen,
            stored,
            expected,
            source,
            explanation,
            cause,
            replay,
        }))
    }
}
