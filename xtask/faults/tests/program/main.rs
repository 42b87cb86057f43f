//! The command, with shell scripts in the place of the programs that it judges.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a helper of a test is a test")]

mod blindness;
mod mutants;
#[path = "../../../tests/program/write_program.rs"]
mod write_program;
