//! `engine.json`: which program was checked, and how, so that each finding can be seen again.
//!
//! Its shape, keys always in this order:
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
//!   "limit": null
//! }
//! ```
//!
//! No baseline holds it: it tells of the machine.

use std::collections::BTreeMap;

use serde::Serialize;

/// A program, and how it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EngineCard {
    /// The version of the document's shape.
    pub schema: u32,
    /// Its name in the reports.
    pub name: String,
    /// What it says of itself after `id`, by the word that follows.
    pub id: BTreeMap<String, String>,
    /// The file that was started.
    pub path: String,
    /// SHA-256 of that file in hexadecimal; `None` if it could not be read.
    pub sha256: Option<String>,
    /// Arguments that it was given.
    pub arguments: Vec<String>,
    /// Where it was started; `None` if in the folder of the run.
    pub directory: Option<String>,
    /// Variables of its environment that were set for it.
    pub environment: BTreeMap<String, String>,
    /// UCI options that the user wanted set.
    pub options: BTreeMap<String, String>,
    /// All that was set at its start, these and what is set unasked, such as books off; `None` if that was not found out.
    pub set_up: Option<BTreeMap<String, String>>,
    /// How the hash table of an earlier case was kept from the next one; `None` if that was not found out.
    pub hash: Option<String>,
    /// How it ended after `quit`.
    pub after_quit: String,
    /// How it keeps the limits of `go`, by their names; `None` if that was not found out.
    pub keeps: Option<BTreeMap<String, String>>,
    /// Where it ran.
    pub machine: Machine,
    /// Version of this program.
    pub touchstone: String,
    /// Seed of what was drawn.
    pub seed: u64,
    /// How much was asked: `quick`, `plain`, `thorough`.
    pub effort: String,
    /// After how many seconds nothing more was asked; `None` if it had all the time it takes.
    pub seconds: Option<u64>,
    /// How many of it ran at once.
    pub jobs: u64,
    /// How long it thought about each move of the suite conversion, as `go` takes it.
    pub conversion: String,
    /// How long it thought about each question of the suites that take a limit, where the user says so; `None` if each suite has its
    /// own.
    pub limit: Option<String>,
}

/// A machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Machine {
    /// Its system, such as `linux`.
    pub os: String,
    /// Its processor, such as `x86_64`.
    pub arch: String,
    /// How many threads run at once.
    pub cores: u64,
    /// The name of its processor; `None` if the system does not tell.
    pub processor: Option<String>,
    /// Its memory in MiB; `None` if the system does not tell.
    pub memory_mib: Option<u64>,
}

impl EngineCard {
    /// The file's name.
    pub const FILE: &'static str = "engine.json";
    /// The version of the shape.
    pub const SCHEMA: u32 = 3;

    /// Who it says that it is: its name and its author.
    pub fn introduction(&self) -> String {
        let said = |key: &str| self.id.get(key).map(String::as_str).filter(|text| !text.is_empty());
        match (said("name"), said("author")) {
            (Some(name), Some(author)) => format!("{name} by {author}"),
            (Some(name), None) => name.to_owned(),
            (None, _) => "a program that does not say its name".to_owned(),
        }
    }

    /// The document, indented, with a line end after it.
    ///
    /// # Panics
    /// Never: it is text, numbers and lists of them, and memory takes every write.
    pub fn document(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec_pretty(self).expect("a document is text and numbers");
        bytes.push(b'\n');
        bytes
    }
}
