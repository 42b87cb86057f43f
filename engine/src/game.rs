//! A game: a position, the positions before it, and the moves between them.

use crate::outcome::FIFTY_MOVES;
use crate::{Draw, DrawClaim, IllegalMove, Move, Outcome, Position};

/// The positions of a game, the current one last, and the moves between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    past: Vec<Position>,
    present: Position,
    moves: Vec<Move>,
}

impl Game {
    /// A game that begins with this position.
    pub fn new(position: Position) -> Self {
        Self { past: Vec::new(), present: position, moves: Vec::new() }
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.present
    }

    /// The positions before the current one, oldest first.
    pub fn past(&self) -> &[Position] {
        &self.past
    }

    /// The moves so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Plays a move. A game that has ended can be continued: see [`Game::outcome`].
    ///
    /// # Errors
    /// If the move is not legal; the game stays as it is.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = self.present.try_play(mv)?;
        self.past.push(std::mem::replace(&mut self.present, next));
        self.moves.push(mv);
        Ok(())
    }

    /// How often the current position has occurred, including now.
    pub fn repetitions(&self) -> usize {
        // Captures and pawn moves are irreversible: no position before the last one repeats.
        let reversible = usize::from(self.present.halfmove_clock());
        let earlier = self.past.iter().rev().take(reversible).skip(1).step_by(2);
        1 + earlier.filter(|position| position.repeats(&self.present)).count()
    }

    /// The outcome of the game, without claims.
    pub fn outcome(&self) -> Option<Outcome> {
        let fivefold = || (self.repetitions() >= 5).then_some(Outcome::Draw(Draw::FivefoldRepetition));
        self.present.outcome().or_else(fivefold)
    }

    /// The draw that the side to move may claim now. `None` once the game has ended.
    pub fn claim(&self) -> Option<DrawClaim> {
        if self.outcome().is_some() {
            return None;
        }
        if self.present.halfmove_clock() >= FIFTY_MOVES {
            return Some(DrawClaim::FiftyMoves);
        }
        (self.repetitions() >= 3).then_some(DrawClaim::ThreefoldRepetition)
    }
}
