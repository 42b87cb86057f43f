//! The program from outside: what it prints, what it writes, how it ends. One test program, so that it is linked once.
//!
//! Knows of the inside only what the reports are called and how their rows are read.

#![allow(clippy::unwrap_used, reason = "a helper of a test is a test")]

mod bench;
mod players;
mod runs;

mod baseline;
#[cfg(unix)]
mod benchmarks;
mod builders;
mod conversion;
mod docs;
mod dump;
mod dump_forms;
mod dump_reading;
mod engine;
mod epd;
mod faulty;
mod field_test;
mod file_judges;
mod formats;
mod layers;
mod limits;
mod malformed;
mod misprints;
mod oversights;
mod perft;
mod perft_files;
mod prove;
mod reports_page;
#[cfg(unix)]
mod scripts;
mod sources;
mod table_files;
mod usage;
mod verify;
