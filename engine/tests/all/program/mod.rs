//! Tests of the `engine` program in a process, through pipes. The session without a process is tested in
//! `uci`.
//!
//! Every wait has a deadline, so that a hang fails. No time is measured.

mod command_line;
mod process;
mod robustness;
mod search;
