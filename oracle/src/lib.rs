//! The truth about chess positions and endgame tables: the only crate that knows Syzygy, Gaviota and Prophet.
//!
//! `board` reads FENs and moves, `positions` enumerates the positions of a table, and `authorities` are the
//! sources of true values. `checks` compares a table with them, and `dump` does so with tables as text.
//! `edge_cases` counts and finds the edge cases of tables, `perft` checks move generators, and `prover`
//! decides mates outside the tables. `helpmate` decides whether a side can still mate at all. `knowledge` measures rules of thumb, and `library` checks the results
//! that a user of the crate `engine` gets. Checks return verdicts; they print nothing.

pub mod authorities;
pub mod board;
pub mod checks;
pub mod dtm_source;
pub mod dump;
pub mod edge_cases;
pub mod helpmate;
pub mod knowledge;
pub mod library;
pub mod parallel;
pub mod perft;
pub mod positions;
pub mod prover;
pub mod run;
pub mod syzygy;
pub mod syzygy_files;
pub mod table_probe;

#[cfg(feature = "gaviota")]
pub mod gaviota;
#[cfg(any(feature = "gaviota", feature = "prophet"))]
mod lease;
#[cfg(feature = "prophet")]
pub mod prophet;
