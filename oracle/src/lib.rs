//! The cross-checks: the only crate that knows shakmaty, Syzygy tables and the other authorities.
//!
//! In reading order: what a subject claims, which positions there are, who is asked, and the checks. Checks
//! return verdicts; they print nothing, open no files and read no clock.

pub mod authorities;
pub mod board;
pub mod checks;
pub mod dtm_source;
pub mod dump;
pub mod knowledge;
pub mod perft;
pub mod positions;
pub mod prover;
pub mod run;
pub mod syzygy;
pub mod syzygy_files;
pub mod table_probe;

#[cfg(feature = "gaviota")]
pub mod gaviota;
#[cfg(any(feature = "gaviota", feature = "prophet"))]
mod lease;
#[cfg(feature = "prophet")]
pub mod prophet;
