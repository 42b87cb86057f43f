//! Games of PGN files, as any program writes them: cut into blocks, and read one by one.
//!
//! Knows the rules by which moves are legal, and nothing of ends and results: `judge` holds a game against them.
//! In reading order: blocks of lines; a game; its words, its first position, its moves, and its comments.

mod blocks;
mod moves;
mod read;
mod remark;
mod start;
#[cfg(test)]
mod tests;
mod tokens;

pub use blocks::{Block, Blocks};
pub use moves::{MoveFault, Unplayable};
pub use read::{MOST_PLIES, PgnGame, Unreadable, UnreadableGame, read};
pub use remark::Remark;
pub(crate) use start::{is_chess960, start};
pub use tokens::TokenFault;
pub(crate) use tokens::{Token, Tokens};
