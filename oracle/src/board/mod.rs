//! Text to positions and moves, and games with their history.

mod game;

pub use game::{FIFTY_MOVES, Game, NoGame};
