//! The suites for programs, on the test engine without faults and with each of its faults.
//!
//! Deadlines that must pass are short. Those that must not are far longer than a busy machine needs.

mod capabilities;
mod checks;
mod common;
mod faulty_players;
mod game;
mod hostile;
mod kill_all;
mod movegen;
mod players;
mod protocol;
mod protocol_runs;
mod protocol_syzygy;
mod scripted_games;
mod sessions;
mod time;
mod tournament;
