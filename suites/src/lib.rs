//! The data that is checked: suites of positions, published counts and checksums, their file formats, the
//! vocabulary of verdicts, and a page for each check. Knows no board: a position here is the text of a FEN.

mod decimal3;
mod reader;
mod table_name;
mod words;

pub mod natural;
pub mod word;

pub mod epd;

pub mod arbiter;
pub mod census;
pub mod draws;
pub mod mates;
pub mod openings;
pub mod perft;
pub mod stalemates;
pub mod syzygy;

pub mod epd_files;

pub mod answer;
pub mod catalogue;
pub mod cause;
pub mod replay;
pub mod verdict;

pub mod rows;

pub use answer::{Answer, End, EngineScore, Late, ScoreBound, Then, ToldScore};
pub use cause::{Cause, SharedCause};
pub use decimal3::Decimal3;
pub use reader::{FormatError, FormatFault};
pub use replay::{Invocation, Replay};
pub use verdict::{Difference, Evidence, Findings, Played, SkipReason, Tally, Verdict};
pub use words::UnknownWord;
