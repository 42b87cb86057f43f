//! Ways to misread a game. Each class of cases finds engines that misread games in one of these ways.

use oracle::board::{self, Accept, Game, GameError};
use shakmaty::{Bitboard, CastlingMode, Chess, EnPassantMode, Position};

/// A part of a game that an engine may overlook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misreading {
    /// The halfmove clock of the FEN is read as 0.
    FenClock,
    /// The moves of the game do not add to the halfmove clock, except the last dozen.
    MovesClock,
    /// The earlier positions of the game are forgotten.
    Past,
    /// Positions that differ in castling rights or en passant captures alone count as the same.
    Identity,
    /// Positions count as different if one has an en passant square, even where the capture is not legal.
    Square,
}

/// Moves that count in [`Misreading::MovesClock`]: more than any repetition of the suite needs.
const REMEMBERED: usize = 12;

impl Misreading {
    /// All.
    pub const ALL: [Self; 5] = [Self::FenClock, Self::MovesClock, Self::Past, Self::Identity, Self::Square];

    /// The game as it is misread.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be misread in this way.
    pub fn read(self, fen: &str, moves: &[String]) -> Result<Game, GameError> {
        let game = Game::new(fen, moves)?;
        let wrong = || GameError::Fen(fen.to_owned());
        let positions = match self {
            Self::FenClock => return Game::new(&board::with_clock(fen, 0).map_err(|_| wrong())?, moves),
            Self::MovesClock if moves.len() <= REMEMBERED => return Ok(game),
            Self::MovesClock => {
                let (forgotten, remembered) = moves.split_at(moves.len() - REMEMBERED);
                let start = Game::new(fen, forgotten)?;
                let clock = Game::new(fen, &[])?.clock();
                let start = board::with_clock(&board::fen(start.position()), clock).map_err(|_| wrong())?;
                return Game::new(&start, remembered);
            }
            Self::Past => vec![game.position().clone()],
            Self::Identity => {
                game.positions().iter().map(bare).collect::<Option<Vec<_>>>().ok_or_else(wrong)?
            }
            // This replaces a position with an en passant square by one that equals no position of the game.
            Self::Square => {
                let seen = |past: &Chess| {
                    if past.maybe_ep_square().is_some() { Chess::default() } else { past.clone() }
                };
                game.positions().iter().map(seen).collect()
            }
        };
        Ok(Game::of_positions(positions))
    }
}

/// The position without castling rights and en passant square.
fn bare(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Always);
    setup.castling_rights = Bitboard::EMPTY;
    setup.ep_square = None;
    board::from_setup(setup, CastlingMode::Standard, Accept::Legal).ok()
}
