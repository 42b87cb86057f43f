//! How an engine may misread a game: what a case of each class is there to find.

use shakmaty::{Bitboard, CastlingMode, Chess, EnPassantMode, FromSetup, Position};

use oracle::board::{Game, GameError};

/// One thing about a game that is overlooked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Misreading {
    /// The clock of the FEN: it is taken for 0.
    FenClock,
    /// What the moves add to the clock, but for the last dozen.
    MovesClock,
    /// The positions before the present one.
    Past,
    /// Castling rights and en passant: positions that look alike are taken for the same.
    Identity,
    /// That an en passant square matters only where the capture is legal.
    Square,
}

/// Moves that [`Misreading::MovesClock`] remembers: more than any repetition of the suite needs.
const REMEMBERED: usize = 12;

impl Misreading {
    /// All.
    pub const ALL: [Self; 5] = [Self::FenClock, Self::MovesClock, Self::Past, Self::Identity, Self::Square];

    /// The game as it is misread.
    ///
    /// # Errors
    /// If there is no such game, or it cannot be misread so.
    pub fn read(self, fen: &str, moves: &[String]) -> Result<Game, GameError> {
        let game = Game::new(fen, moves)?;
        let wrong = || GameError::Fen(fen.to_owned());
        let positions = match self {
            Self::FenClock => return Game::new(&with_clock(fen, 0), moves),
            Self::MovesClock if moves.len() <= REMEMBERED => return Ok(game),
            Self::MovesClock => {
                let (forgotten, remembered) = moves.split_at(moves.len() - REMEMBERED);
                let start = Game::new(fen, forgotten)?;
                let clock = Game::new(fen, &[])?.clock();
                let start = with_clock(&oracle::board::fen(start.position()), clock);
                return Game::new(&start, remembered);
            }
            Self::Past => vec![game.position().clone()],
            Self::Identity => {
                game.positions().iter().map(bare).collect::<Option<Vec<_>>>().ok_or_else(wrong)?
            }
            // In its place stands a position that is equal to none of the game's.
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

/// A FEN of six fields with another clock.
pub fn with_clock(fen: &str, clock: u32) -> String {
    let clock = clock.to_string();
    let fields = fen.split_whitespace().enumerate();
    fields.map(|(place, field)| if place == 4 { &clock } else { field }).collect::<Vec<_>>().join(" ")
}

/// The position without castling rights and en passant.
fn bare(position: &Chess) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Always);
    setup.castling_rights = Bitboard::EMPTY;
    setup.ep_square = None;
    Chess::from_setup(setup, CastlingMode::Standard).ok()
}
