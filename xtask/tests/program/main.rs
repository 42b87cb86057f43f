//! Tests of the program from outside: its output, its files and its exit codes. One test binary, so that it
//! is linked once.
//!
//! They use of our crates only the names of reports and the types of their rows.

#![allow(clippy::unwrap_used, reason = "a helper of a test is a test")]

#[cfg(target_os = "linux")]
mod job;
mod judge;
mod killed;
mod players;
mod runs;
mod sandbox;

mod accepted;
#[cfg(target_os = "linux")]
mod action;
mod arbiter_test;
mod baseline;
#[cfg(unix)]
mod benchmarks;
#[cfg(unix)]
mod bisect;
mod builders;
#[cfg(unix)]
mod commits;
mod conversion;
mod docs;
mod dump;
mod dump_forms;
mod dump_reading;
mod edge_cases;
mod engine;
mod epd;
mod exports;
mod faulty;
mod faulty_suites;
mod field_test;
mod file_judges;
mod first_steps;
mod formats;
mod layers;
mod limits;
mod malformed;
#[cfg(unix)]
mod match_failures;
mod match_output;
#[cfg(unix)]
mod match_shards;
mod match_starved;
#[cfg(unix)]
mod match_tables;
#[cfg(unix)]
mod match_versions;
mod matches;
mod messages;
mod misprints;
mod oversights;
mod perft;
mod perft_files;
#[cfg(unix)]
mod planted_faults;
mod prove;
#[cfg(target_os = "linux")]
mod recipes;
#[cfg(unix)]
mod regress;
#[cfg(target_os = "linux")]
mod release;
mod report;
mod reports_page;
#[cfg(unix)]
mod repository;
mod schemas;
#[cfg(unix)]
mod scripts;
mod shards;
mod sources;
mod sprt;
mod table_files;
#[cfg(target_os = "linux")]
mod terminal;
mod unsafe_blocks;
mod usage;
mod verify;
#[cfg(unix)]
mod write_program;
