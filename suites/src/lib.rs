//! What there is to check, as data: suites of positions, published counts and checksums, their formats, and
//! the vocabulary of verdicts. Knows no board: a position here is the text of a FEN.

pub mod verdict;

pub use verdict::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};
