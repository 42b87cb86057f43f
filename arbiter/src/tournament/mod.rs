//! What is around the games of a match: openings, schedule, standings, the journal, and the lines that other
//! match programs print. Knows no engine, and opens no file.

pub mod openings;
pub mod schedule;
