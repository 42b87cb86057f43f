//! A chess engine: the rules, endgame tables, evaluation, search, and the UCI protocol.
//!
//! The library depends on no other chess crate. It does no IO except in `program`: text and bytes go in, text
//! and bytes come out. The modules are declared in reading order: the nouns of the board, the rules, the
//! tables, the search, the protocol.

mod color;
mod role;
mod square;

mod bitboard;
mod processor;

pub mod attacks;
mod board;

mod castling;
mod chess_move;
mod setup;
mod validate;

mod side;
mod state;

mod movegen;
mod zobrist;

mod position;

mod fen;
mod notation;

mod game;
mod outcome;

mod parallel;
mod perft;

mod ply;
mod score;

pub mod tables;

pub mod eval;
pub mod search_api;

pub mod search;
pub mod specimens;

pub mod bench;
pub mod time_management;

pub mod uci;

pub mod program;

pub use bitboard::{Bitboard, Squares};
pub use board::Board;
pub use castling::{CastlingMode, CastlingRights, CastlingSide};
pub use chess_move::{Move, MoveList};
pub use color::Color;
pub use fen::{FenFault, InvalidFen, MAX_LENGTH as MAX_FEN_LENGTH};
pub use game::Game;
pub use notation::UciError;
pub use outcome::{Draw, DrawClaim, FIFTY_MOVES, Outcome, SEVENTY_FIVE_MOVES};
pub use perft::{PerftError, PerftOptions, divide, divide_with, perft, perft_with};
pub use ply::Ply;
pub use position::{IllegalMove, InvalidPosition, Position};
pub use role::{Piece, Role};
pub use score::{Score, ScoreKind};
pub use setup::Setup;
pub use square::{File, ParseSquareError, Rank, Square};
pub use validate::{EnPassantFault, MAX_COUNTER, SetupFault};
