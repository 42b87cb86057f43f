//! `engine.json`: the engine that was checked, and how it was run, so that each finding can be reproduced.
//!
//! Keys are always in this order:
//!
//! ```json
//! {
//!   "schema": 3,
//!   "name": "mine",
//!   "id": {"author": "A. Person", "name": "Mine 2.0"},
//!   "path": "/home/me/mine",
//!   "sha256": "9f86d081...",
//!   "arguments": ["--uci"],
//!   "directory": null,
//!   "environment": {},
//!   "options": {"Hash": "16"},
//!   "set_up": {"Hash": "16", "OwnBook": "false"},
//!   "hash": "cleared by ucinewgame before each case",
//!   "after_quit": "status 0",
//!   "keeps": {"depth": "kept", "movetime": "late", "nodes": "kept"},
//!   "machine": {
//!     "os": "linux", "arch": "x86_64", "cores": 8, "processor": "AMD EPYC 9B14", "memory_mib": 16003
//!   },
//!   "touchstone": "0.1.0",
//!   "seed": 1,
//!   "effort": "plain",
//!   "seconds": 120,
//!   "jobs": 8,
//!   "conversion": "nodes 20000",
//!   "limit": null,
//!   "command": "touchstone verify --engine ./mine",
//!   "revision": "v2.0-3-g1a2b3c4",
//!   "day": "2027-01-31"
//! }
//! ```
//!
//! It is in no baseline, since it describes the machine.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{ReadError, ReadFault};

/// An engine, and how it was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[cfg_attr(test, schemars(title = "engine.json"))]
pub struct EngineCard {
    /// The version of the schema.
    #[cfg_attr(test, schemars(extend("const" = Self::SCHEMA)))]
    pub schema: u32,
    /// Its name in the reports.
    pub name: String,
    /// What it prints after `id`: `name` and `author`.
    pub id: BTreeMap<String, String>,
    /// The file that was started.
    pub path: String,
    /// SHA-256 of that file in hexadecimal; `None` if it could not be read.
    pub sha256: Option<String>,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Its working directory; `None` if that of this program.
    pub directory: Option<String>,
    /// Whether each process of it had an empty folder, and no variables of the environment but `PATH` and its own.
    #[serde(default)]
    pub isolated: bool,
    /// Environment variables that were set for it.
    pub environment: BTreeMap<String, String>,
    /// UCI options set by the user.
    pub options: BTreeMap<String, String>,
    /// All UCI options that were set at its start, including those set by default, such as `OwnBook`; `None`
    /// if not known.
    pub set_up: Option<BTreeMap<String, String>>,
    /// How its hash table was cleared between cases; `None` if not known.
    pub hash: Option<String>,
    /// How it ended after `quit`.
    pub after_quit: String,
    /// How well it keeps each limit of `go`, by its name; the clock only if it was tried. `None` if not
    /// known.
    pub keeps: Option<BTreeMap<String, String>>,
    /// The machine that it ran on.
    pub machine: Machine,
    /// Version of touchstone.
    pub touchstone: String,
    /// Seed of the random samples.
    pub seed: u64,
    /// The effort of the run: `quick`, `plain`, `thorough`.
    pub effort: String,
    /// The time limit of the run in seconds; `None` if there was none.
    pub seconds: Option<u64>,
    /// How many processes of it ran at the same time.
    pub jobs: u64,
    /// The search limit for each move of the suite `conversion`, as `go` takes it.
    pub conversion: String,
    /// The search limit that the user set for all suites, as `go` takes it; `None` if each suite used its
    /// own.
    pub limit: Option<String>,
    /// The command line of the run; `None` if not known.
    #[serde(default)]
    pub command: Option<String>,
    /// The revision that is checked out where the engine lies, as `git describe --always --dirty` names it;
    /// `None` if there is none.
    #[serde(default)]
    pub revision: Option<String>,
    /// The day of the run in UTC, such as 2027-01-31; `None` if not known.
    #[serde(default)]
    pub day: Option<String>,
}

/// The version of a document.
#[derive(Deserialize)]
struct Version {
    schema: u32,
}

/// A machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Machine {
    /// Operating system, such as `linux`.
    pub os: String,
    /// Processor architecture, such as `x86_64`.
    pub arch: String,
    /// Number of hardware threads.
    pub cores: u64,
    /// Processor name; `None` if not known.
    pub processor: Option<String>,
    /// Memory in MiB; `None` if not known.
    pub memory_mib: Option<u64>,
}

impl EngineCard {
    /// The file's name.
    pub const FILE: &'static str = "engine.json";
    /// The version of the schema.
    pub const SCHEMA: u32 = 3;

    /// Its name and author, as it prints them after `id`.
    pub fn introduction(&self) -> String {
        let id = |key: &str| self.id.get(key).map(String::as_str).filter(|text| !text.is_empty());
        match (id("name"), id("author")) {
            (Some(name), Some(author)) => format!("{name} by {author}"),
            (Some(name), None) => name.to_owned(),
            (None, _) => "an engine without a name".to_owned(),
        }
    }

    /// The document, indented, with a line end after it.
    ///
    /// # Panics
    /// Never: the document is text, numbers and lists, and writing to memory does not fail.
    pub fn document(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("a document is text and numbers");
        bytes.push(b'\n');
        bytes
    }

    /// Reads a document of this version of the schema.
    pub fn read(document: &[u8]) -> Result<Self, ReadError> {
        let refused = |line: Option<u64>, why: String| ReadError {
            file: Self::FILE,
            line,
            fault: ReadFault::Document(why.chars().take(200).collect()),
        };
        let misread = |error: serde_json::Error| refused(Some(error.line() as u64), error.to_string());
        let Version { schema } = serde_json::from_slice(document).map_err(misread)?;
        if schema != Self::SCHEMA {
            return Err(refused(None, format!("expected schema {}, got {schema}", Self::SCHEMA)));
        }
        serde_json::from_slice(document).map_err(misread)
    }
}
