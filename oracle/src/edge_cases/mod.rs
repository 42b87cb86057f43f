//! The edge cases of whole tables: where a rule or an exception decides, mutual zugzwangs, and the longest wins.
//!
//! All positions are placements of the men of a table, as the checks walk them, one of each symmetry class. Moves are
//! shakmaty's, values those that the table states. Tables hold no positions with an en passant right; these are made from the
//! placements, one for each capture that is legal, and their values follow from those of their successors. They are looked at
//! for the two cases of en passant alone.
//!
//! `kinds` says which edge cases a position is, `count` counts a table, `line` is best play, and `find` lists positions.

mod count;
mod en_passant;
mod find;
mod kinds;
mod line;
mod values;

#[cfg(test)]
mod tests;

pub use count::count;
pub use find::{FoundPosition, Search, find};
