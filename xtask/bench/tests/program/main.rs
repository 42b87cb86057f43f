//! The program, with shell scripts in the place of its peers.
#![cfg(unix)]

#[cfg(target_os = "linux")]
mod judge;
#[cfg(target_os = "linux")]
mod matches;
mod search;
#[path = "../../../tests/program/write_program.rs"]
mod write_program;
