//! The suites for programs on the test engine, without faults and with each of its faults.

mod common;
mod hostile;
mod kill_all;
mod movegen;
mod players;
mod protocol;
mod time;
