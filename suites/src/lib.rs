//! What there is to check, as data: suites of positions, published counts and checksums, their formats, and
//! the vocabulary of verdicts. Knows no board: a position here is the text of a FEN.

mod csv_rows;
mod format;
mod table_name;

pub mod bestmove;
pub mod catalogue;
pub mod census;
pub mod draws;
pub mod epd;
pub mod mates;
pub mod outside;
pub mod perft;
pub mod stalemates;
pub mod syzygy;
pub mod verdict;

pub use format::{Fault, FormatError};
pub use verdict::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};
