//! Our own chess: the rules of the game and, on top of them, endgame tables.
//!
//! Nothing here depends on a foreign chess crate, and nothing here does IO: text and bytes go in, text and
//! bytes come out. In reading order: the nouns of the board, then the rules, then the tables.

mod bitboard;
mod board;
mod color;
mod role;
mod square;

pub mod attacks;
pub mod tables;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use color::Color;
pub use role::{Piece, Role};
pub use square::{File, ParseSquareError, Rank, Square};
