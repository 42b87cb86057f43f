//! The moves of an opening on the board, while it is read.

use oracle::board::{self, Accept, DrawRule, Game};
use shakmaty::san::{San, SanError};
use shakmaty::{CastlingMode, Chess, Position};

use super::fault::{Ending, OpeningFault};
use super::{BookOpening, MOST_PLIES};
use crate::pgn::{MoveFault, Unplayable, start};

/// An opening that is being read.
pub(super) struct Line {
    game: Game,
    is_standard_start: bool,
}

impl Line {
    /// The line that starts here; without a FEN it starts in the initial position of standard chess. Castling
    /// rights that standard chess does not have make it one of Chess960 in any case.
    pub(super) fn at(fen: Option<&str>, is_chess960: bool) -> Result<Self, OpeningFault> {
        let start = start(fen, is_chess960, Accept::Legal)?;
        let is_standard_start = board::fen(&start) == board::fen(&Chess::default());
        Ok(Self { game: Game::at(start), is_standard_start })
    }

    /// The plies that were played.
    pub(super) fn plies(&self) -> usize {
        self.game.moves().len()
    }

    /// Plays a move in standard algebraic notation. Castling may be written with zeros.
    pub(super) fn play(&mut self, text: &str) -> Result<(), OpeningFault> {
        self.check_not_over()?;
        if self.plies() == MOST_PLIES {
            return Err(OpeningFault::Plies);
        }
        let plain = text.trim_end_matches(['+', '#']);
        let plain = if plain.starts_with("0-0") { plain.replace('0', "O") } else { plain.to_owned() };
        let position = self.game.position();
        let read = San::from_ascii(plain.as_bytes()).map_err(|_| MoveFault::NoMove);
        let mv = read.and_then(|san| {
            san.to_move(position).map_err(|error| match error {
                SanError::IllegalSan => MoveFault::Illegal,
                SanError::AmbiguousSan => MoveFault::Ambiguous,
            })
        });
        self.game.play(mv.map_err(|fault| Unplayable::new(position, text, fault))?);
        Ok(())
    }

    /// The opening, if it can be played on.
    pub(super) fn finish(self, name: Option<String>) -> Result<BookOpening, OpeningFault> {
        self.check_not_over()?;
        let start = &self.game.positions()[0];
        Ok(BookOpening {
            fen: (!self.is_standard_start).then(|| board::fen(start)),
            moves: self.game.uci_moves(),
            name,
            is_chess960: start.castles().mode() == CastlingMode::Chess960,
        })
    }

    fn check_not_over(&self) -> Result<(), OpeningFault> {
        match (ending(&self.game), self.plies()) {
            (None, _) => Ok(()),
            (Some(ending), 0) => Err(OpeningFault::StartsOver(ending)),
            (Some(ending), plies) => Err(OpeningFault::Over { plies, ending }),
        }
    }
}

/// How a game has ended, if it has.
fn ending(game: &Game) -> Option<Ending> {
    let position = game.position();
    if position.legal_moves().is_empty() {
        return Some(if position.is_check() { Ending::Checkmate } else { Ending::Stalemate });
    }
    if position.is_insufficient_material() {
        return Some(Ending::InsufficientMaterial);
    }
    game.drawn().map(|rule| match rule {
        DrawRule::Repetition => Ending::Repetition,
        DrawRule::FiftyMoves => Ending::FiftyMoves,
    })
}
