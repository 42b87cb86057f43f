//! The changes as one JSON document.
//!
//! Its shape, keys always in this order:
//!
//! ```json
//! {
//!   "schema": 1,
//!   "verdict": "1 broken",
//!   "broken": true,
//!   "incomplete": false,
//!   "old": {"label": "1a2b3c4 Add null move", "engine": "Mine 2.0 by A. Person", "compared": 2310},
//!   "new": {"label": "working tree", "engine": "Mine 2.0 by A. Person", "compared": 2310},
//!   "changes": [
//!     {"check": "", "case": "", "a": "agrees", "b": "differs: mate 3", "verdict": "broken", "severity": "error", "fen": "",
//!      "expected": "", "source": "", "explanation": "", "cause": "", "replay": ""}
//!   ],
//!   "speed": [
//!     {"measure": "nodes per second", "rounds": 10, "a": "812000.000", "b": "655000.000", "ratio": "0.807", "low": "0.790",
//!      "high": "0.830", "p": "0.002", "verdict": "slower", "builds": 2}
//!   ],
//!   "notes": []
//! }
//! ```
//!
//! `broken` says whether the run fails. `changes` are the rows of `compare.csv`: a is the old version, b the
//! new one. `schema` is raised when a key is renamed, removed or given another meaning, not when a key is
//! added.

use serde::Serialize;

use super::{Regress, Side};
use crate::{CompareRow, SpeedRow};

/// The version of the document's schema.
const SCHEMA: u32 = 1;

/// What changed between two versions: `regress.json`, and `touchstone regress --format json`.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "regress.json"))]
pub(crate) struct Document<'a> {
    /// Raised when a key is renamed, removed or given another meaning, not when a key is added.
    #[cfg_attr(test, schemars(extend("const" = SCHEMA)))]
    schema: u32,
    /// The result in one line.
    verdict: String,
    /// Whether the run fails: something broke that is grave enough.
    broken: bool,
    /// Whether something is not known: the new version was not asked what the old one answered, or the time
    /// limit was reached.
    incomplete: bool,
    /// The version before.
    old: &'a Side,
    /// The version after.
    new: &'a Side,
    /// The rows of compare.csv: a is the old version, b the new one.
    changes: &'a [CompareRow],
    /// The rows of speed.csv; empty if the speed was not measured.
    speed: &'a [SpeedRow],
    /// What else the reader must know; one sentence each.
    notes: &'a [String],
}

pub(super) fn document(regress: &Regress) -> Vec<u8> {
    let Regress { old, new, rows, speed, notes, .. } = regress;
    let (verdict, broken, incomplete) = (regress.verdict(), regress.is_broken(), regress.is_incomplete());
    let schema = SCHEMA;
    let document = Document { schema, verdict, broken, incomplete, old, new, changes: rows, speed, notes };
    let mut bytes = serde_json::to_vec_pretty(&document).expect("a document is text and numbers");
    bytes.push(b'\n');
    bytes
}
