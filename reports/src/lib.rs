//! Verdicts to CSV, text, workflow annotations and JSON: plain data in, bytes out.
//!
//! Judges nothing, opens nothing, reads no clock, and knows no board: a position here is the text of a FEN, and
//! a duration is handed in. What each report holds is specified in `docs/reports.md`.
//!
//! In reading order: what a row is and how rows become bytes and come back; the rows, one report a file; the run
//! that gathers them; the comparison of two runs; and the forms for people and for machines.

mod read;
mod row;
mod side;
mod write;

mod census;
mod checks;
mod differences;
mod histogram;
mod malformed;
mod perft;
mod signature;
mod stalemates;
mod timings;

mod run;

pub mod regression;

pub mod github;
pub mod json;
pub mod text;

pub use census::CensusRow;
pub use checks::CheckRow;
pub use differences::DifferenceRow;
pub use histogram::{HistogramRow, Wdl};
pub use malformed::MalformedRow;
pub use perft::{PerftRow, PerftVerdict};
pub use read::{ReadError, read};
pub use regression::{RegressionRow, RegressionVerdict, Scope};
pub use row::{Row, columns};
pub use run::{Check, FEATURES, Files, Run};
pub use side::Side;
pub use signature::SignatureRow;
pub use stalemates::StalemateRow;
pub use timings::TimingRow;
pub use write::{RowWriter, to_bytes};
