//! The Universal Chess Interface (Huber and Meyer-Kahlen, 2006).
//!
//! In reading order: input lines and tokens (`lines`, `tokens`), the parsers of commands (`command`,
//! `options`, `position_command`, `go`), output (`info`, `wdl_model`), the environment (`host`), tables
//! (`lazy_tables`), `go perft` (`perft`), the search thread (`job`, `search_thread`), the commands
//! (`session`), and the entry points: [`run()`], and [`Dialogue`] without threads. Nothing here searches,
//! reads a clock or opens a file.

mod lines;
mod tokens;

mod command;
mod go;
mod options;
mod position_command;

mod info;
mod wdl_model;

mod dialogue;
mod host;
mod job;
mod lazy_tables;
mod perft;
mod run;
mod search_thread;
mod session;

pub use dialogue::Dialogue;
pub use host::Host;
pub use lines::LONGEST as LONGEST_LINE;
pub use run::{run, run_bench};

#[cfg(test)]
mod tests;
