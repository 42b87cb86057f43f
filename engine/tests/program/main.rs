//! The program as a user interface meets it: spawned, talked to through pipes. What needs no process is tested beside
//! the session itself.
//!
//! Every wait has a deadline, so that a hang fails; nothing is measured.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod command_line;
mod hardship;
mod talk;
mod thinking;
