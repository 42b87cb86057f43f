//! What the judges use of the engine, the perft suites counted again, tables with faults against Gaviota and
//! Prophet, and the engine's Syzygy files.

#![allow(clippy::unwrap_used, reason = "a helper of a test is a test")]

mod borrowed;
#[cfg(any(feature = "gaviota", feature = "prophet"))]
mod faulty_dtm;
mod perft_suites;
mod syzygy_files;
