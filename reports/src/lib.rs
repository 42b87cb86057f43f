//! Verdicts to CSV, text, workflow annotations, `JUnit` and JSON: plain data in, bytes out.
//!
//! Judges nothing, opens no file, reads no clock, and knows no board. A position here is the text of a FEN,
//! and the caller hands in each duration. The reports are specified in `docs/src/reference/reports.md`.
//!
//! In reading order: rows as CSV, and their order; the rows, one report a file; the run that has them; its
//! differences by cause, and a finding as text; the comparison of two runs; and the other output formats.

mod csv_file;
mod layout;
mod order;

mod rows;

pub mod engine_card;
mod run;

mod causes;
mod verdict;

mod board;
mod finding;
pub mod replays;

pub mod badge;
pub mod engine_row;

mod compare;
pub mod field_report;
pub mod github;
pub mod json;
pub mod junit;
pub mod markdown;
mod regress;
pub mod schema;
pub mod text;

mod files;
mod from_files;
pub mod html;
pub mod match_data;
pub mod regression;

pub use causes::{CauseGroup, causes};
pub use compare::{changes, compare, confirm, excuse, insist};
pub use csv_file::{Files, ReadError, ReadFault, Row, RowWriter, columns, read, to_bytes};
pub use engine_card::{EngineCard, Machine};
pub use files::FEATURES;
pub use layout::{decimals, plain};
pub use regress::{ChangeGroup, Regress, Side};
pub use regression::Scope;
pub use rows::*;
pub use run::{CheckRun, Run};
