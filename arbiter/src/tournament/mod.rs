//! What is around the games of a match: openings, schedule, standings, the journal, and the lines that other
//! match programs print. Opens no file; [`host`] and [`trial`] alone know engines.

pub mod host;
mod in_order;
pub mod journal;
mod number_set;
pub mod openings;
pub mod result_lines;
pub mod schedule;
pub mod standings;
mod tally;
pub mod trial;

pub use in_order::InOrder;
pub use number_set::NumberSet;
pub use tally::{Score, Tally};
