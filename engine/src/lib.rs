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

mod castling;
mod chess_move;
mod setup;

mod fen;
mod soundness;

mod movegen;
mod side;
mod state;
mod zobrist;

mod position;
pub mod uci;

mod game;
mod outcome;

mod perft;
mod score;

pub mod tables;

pub mod bench;
pub mod eval;
pub mod search;
pub mod thinking;
pub mod time;

mod micromax;
pub mod specimen;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::{CastlingMode, CastlingRights, CastlingSide};
pub use chess_move::{Move, MoveList};
pub use color::Color;
pub use fen::{FenFault, InvalidFen, MAX_LENGTH as MAX_FEN_LENGTH};
pub use game::Game;
pub use outcome::{Claim, Draw, FIFTY_MOVES, Outcome, SEVENTY_FIVE_MOVES};
pub use perft::{PerftError, PerftOptions, divide, divide_with, perft, perft_with};
pub use position::{IllegalMove, InvalidPosition, Position};
pub use role::{Piece, Role};
pub use score::{Score, ScoreKind};
pub use setup::Setup;
pub use soundness::{EnPassantFault, Fault, MAX_COUNTER};
pub use square::{File, ParseSquareError, Rank, Square};
pub use uci::UciError;
