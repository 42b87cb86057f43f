//! Text to positions and moves on shakmaty's board, and games with their history.
//!
//! No other module reads a FEN or a move in UCI notation, or counts repetitions and the fifty moves. A
//! parameter says how tolerant a reader is: [`Accept`] for positions, [`Spelling`] for moves.

mod game;
mod moves;
mod position;
mod wrong_moves;

pub use game::{DrawRule, FIFTY_MOVES, Game, GameError, REPETITION};
pub use moves::{Spelling, after, legal_move, numbered, standard_notation, uci_moves, uci_text};
pub use position::{
    Accept, FenError, epd, fen, fen_of, fen_with, from_setup, position, position_in, position_of_any_mode,
    setup, with_clock, without,
};
pub use wrong_moves::broken_rule;
