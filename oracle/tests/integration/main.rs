//! What the judges use of the engine, the perft suites counted again, and tables with faults against Gaviota and Prophet.

#![allow(clippy::unwrap_used, reason = "a helper of a test is a test")]

mod borrowed;
#[cfg(any(feature = "gaviota", feature = "prophet"))]
mod faulty_dtm;
mod perft_suites;
