//! The rows of findings: each difference, and what people saw who repeated one.

use serde::{Deserialize, Serialize};
use suites::catalogue::{self, Severity};
use suites::natural;
use suites::{Answer, Cause, Difference, Played, Replay, UnknownWord};

// `differences.csv`: every wrong answer, with the command that reproduces it.

/// One difference. Its fields are the columns; the column `severity`, which follows from the check, comes
/// after `check`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(try_from = "Columns", into = "Columns")]
pub struct DifferenceRow(pub Difference);

impl Ord for DifferenceRow {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        natural::differences(&self.0, &other.0)
    }
}

impl PartialOrd for DifferenceRow {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

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
    /// The moves that were played after the position, as they were sent.
    #[serde(default)]
    moves: String,
    /// The position after them.
    #[serde(default)]
    position_after: String,
    /// The move of the answer, in UCI notation.
    #[serde(default)]
    given: String,
    /// The moves that are right, in UCI notation, as far as they are known.
    #[serde(default)]
    best: String,
    /// The answer as JSON, if it is more than words; `stored` has its words.
    #[serde(default)]
    stored_value: String,
    /// The same of the right answer.
    #[serde(default)]
    expected_value: String,
    /// What the search was limited to: the words after `go`, such as `depth 4`.
    #[serde(default)]
    limit: String,
}

/// The JSON of an answer. Empty for words.
fn to_json(answer: &Answer) -> String {
    match answer {
        Answer::Words(_) => String::new(),
        other => serde_json::to_string(other).expect("numbers and texts are JSON"),
    }
}

fn from_json(words: String, json: &str) -> Result<Answer, BadAnswer> {
    if json.is_empty() {
        return Ok(Answer::Words(words));
    }
    serde_json::from_str(json).map_err(|error| BadAnswer(json.to_owned(), error.to_string()))
}

/// A row that cannot be read.
#[derive(Debug, thiserror::Error)]
enum RowError {
    #[error(transparent)]
    Severity(#[from] UnknownWord),
    #[error(transparent)]
    Answer(#[from] BadAnswer),
}

#[derive(Debug, thiserror::Error)]
#[error("{0} is no answer: {1}")]
struct BadAnswer(String, String);

impl From<DifferenceRow> for Columns {
    fn from(DifferenceRow(difference): DifferenceRow) -> Self {
        let Difference {
            subject,
            check,
            case,
            fen,
            played,
            limit,
            stored,
            given,
            expected,
            best,
            source,
            explanation,
            cause,
            replay,
        } = difference;
        let cause = cause.map(|cause| cause.to_string()).unwrap_or_default();
        let severity = catalogue::severity(&check).to_string();
        let replay = replay.to_string();
        let moves = played.as_ref().map(|played| played.moves.join(" ")).unwrap_or_default();
        let position_after = played.map(|played| played.fen).unwrap_or_default();
        Self {
            subject,
            check,
            severity,
            case,
            fen,
            stored_value: to_json(&stored),
            expected_value: to_json(&expected),
            stored: stored.to_string(),
            expected: expected.to_string(),
            source,
            explanation,
            cause,
            replay,
            moves,
            position_after,
            given: given.unwrap_or_default(),
            best: best.join(" "),
            limit: limit.unwrap_or_default(),
        }
    }
}

impl TryFrom<Columns> for DifferenceRow {
    type Error = RowError;

    /// The severity is checked and not kept: the catalogue has it.
    fn try_from(columns: Columns) -> Result<Self, RowError> {
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
            moves,
            position_after,
            given,
            best,
            stored_value,
            expected_value,
            limit,
        } = columns;
        severity.parse::<Severity>()?;
        let replay = Replay::shell(replay);
        let cause = Cause::read(cause, &check);
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        let played = (!moves.is_empty()).then_some(Played { moves, fen: position_after });
        Ok(Self(Difference {
            subject,
            check,
            case,
            fen,
            played,
            limit: Some(limit).filter(|limit| !limit.is_empty()),
            stored: from_json(stored, &stored_value)?,
            given: Some(given).filter(|given| !given.is_empty()),
            expected: from_json(expected, &expected_value)?,
            best: best.split_whitespace().map(str::to_owned).collect(),
            source,
            explanation,
            cause,
            replay,
        }))
    }
}

// `field-notes.csv`: what people saw when they repeated a finding on a third-party engine by hand.

/// The findings of one check on one engine, or the engine itself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FieldNote {
    /// The engine's name.
    pub engine: String,
    /// Id of the check; empty in a note about the engine.
    pub check: String,
    /// What a person says of the findings.
    pub judged: Option<FieldVerdict>,
    /// What was seen.
    pub by_hand: String,
}

/// What a person says of the findings of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldVerdict {
    /// The engine does what the findings say, and it is wrong.
    True,
    /// The engine does it, but its author has a reason, or the severity is too high.
    Unfair,
    /// The engine does not do it.
    False,
}
