//! Scripted games (the suite `arbiter`) and match runners: the player that follows a script, and whether a game that a
//! runner wrote ended as it has to.
//!
//! Knows no runner: how one is started, and where it writes its games, is the caller's.

mod player;
mod verdict;

#[cfg(test)]
mod proofs;

pub use player::ScriptedSession;
pub use verdict::{Fault, judge};
