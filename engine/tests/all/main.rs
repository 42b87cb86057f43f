//! The integration tests of the crate: the rules against published data and a reference implementation, and
//! the `engine` program in a process.

#![allow(clippy::unwrap_used, reason = "these are tests")]

mod support;

mod fen;
mod game;
mod perft;
mod rules;
mod stalemate;

mod program;
