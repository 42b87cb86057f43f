//! The Universal Chess Interface: the text of moves and, on top of it, the protocol (Huber and Meyer-Kahlen, 2006).
//!
//! In reading order: the text of moves (`notation`), the lines and words of the input, what each command takes (`verb`,
//! `options`, `place`, `go`), what is printed (`info`, `chances`), the thinking thread (`work`), and the [session](run)
//! that puts them together. Nothing here searches, reads a clock or opens a file.

mod notation;

mod lines;
mod words;

mod go;
mod options;
mod place;
mod verb;

mod chances;
mod info;

mod perft;
mod session;
mod shelf;
mod work;

pub use lines::LONGEST as LONGEST_LINE;
pub use notation::UciError;
pub use session::{Host, run, run_bench};

#[cfg(test)]
mod tests;
