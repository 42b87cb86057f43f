//! Verdicts to CSV, text, workflow annotations and JSON: plain data in, bytes out.
//!
//! Judges nothing, opens nothing, reads no clock, and knows no board: a position here is the text of a FEN, and
//! a duration is handed in. What each report holds is specified in `docs/src/reference/reports.md`.
//!
//! In reading order: what a row is and how rows become bytes and come back; the rows, one report a file; the run
//! that gathers them; the comparison of two runs; and the forms for people and for machines.

mod natural;
mod read;
mod row;
mod side;
mod write;

mod thousandths;

mod bestmove;
mod census;
mod checks;
mod conversion;
mod differences;
mod draws;
mod dump;
mod histogram;
mod knowledge;
mod malformed;
mod mates;
mod perft;
mod signature;
mod stalemates;
mod stalemates_subjects;
mod timings;
mod wins_thrown;

pub mod engine_card;
mod run;

mod compare;
pub mod regression;

pub mod field;
pub mod github;
pub mod json;
pub mod junit;
pub mod text;

pub use bestmove::BestMoveRow;
pub use census::CensusRow;
pub use checks::CheckRow;
pub use compare::{CompareRow, compare};
pub use conversion::ConversionRow;
pub use differences::DifferenceRow;
pub use draws::DrawRow;
pub use dump::DumpRow;
pub use engine_card::{EngineCard, Machine};
pub use histogram::{HistogramRow, Wdl};
pub use knowledge::KnowledgeRow;
pub use malformed::MalformedRow;
pub use mates::MateRow;
pub use perft::{PerftRow, PerftVerdict};
pub use read::{ReadError, read};
pub use regression::{RegressionRow, RegressionVerdict, Scope};
pub use row::{Row, columns};
pub use run::{Check, FEATURES, Files, Run};
pub use side::Side;
pub use signature::SignatureRow;
pub use stalemates::StalemateRow;
pub use stalemates_subjects::StalemateSubjectRow;
pub use thousandths::Thousandths;
pub use timings::TimingRow;
pub use wins_thrown::WinThrownRow;
pub use write::{RowWriter, to_bytes};
