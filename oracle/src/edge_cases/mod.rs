//! The edge cases of whole tables: positions that a rule or an exception decides, mutual zugzwangs, and the
//! longest wins.
//!
//! All positions are placements of the men of a table, as the checks walk them, one of each symmetry class.
//! shakmaty makes the moves, and the table states the values. Tables hold no positions with an en passant
//! right. This module makes them from the placements, one for each legal capture, and their values follow
//! from those of their successors. It uses them for the two cases of en passant only.
//!
//! `kinds` classifies a position, `count` counts a table, `line` is best play, and `find` lists positions.

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
