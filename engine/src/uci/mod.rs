//! The Universal Chess Interface: the text of moves and, on top of it, the protocol (Huber and Meyer-Kahlen, 2006).
//!
//! In reading order: the text of moves (`notation`), the lines and words of the input, what each command takes (`verb`,
//! `options`, `place`, `go`), what is printed (`info`, `chances`), what else is at hand (`host`, `perft`, `tables`), the
//! thinking thread (`work`), what is under way there (`under_way`), what the commands do (`session`), and what puts it all
//! together: [`run()`], or [`Dialogue`] without threads. Nothing here searches, reads a clock or opens a file.

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
