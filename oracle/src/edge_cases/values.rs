//! The values of a position and of the positions after its moves, as the tables state them.

use shakmaty::{Chess, Move, Position};

use crate::board;
use crate::checks::{quiet, resolved};
use crate::table_probe::{Dtm, Neighbours, ProbeError, TableProbe, Wdl, wdl_of};

/// A position with its legal moves.
pub(super) struct Valued<'a> {
    pub(super) position: &'a Chess,
    /// The moves in the order of shakmaty's generator.
    pub(super) moves: Vec<Move>,
    subject: &'a dyn TableProbe,
    neighbours: Option<Neighbours<'a>>,
}

impl<'a> Valued<'a> {
    pub(super) fn new(subject: &'a dyn TableProbe, position: &'a Chess) -> Self {
        let neighbours = subject.neighbours(position.board(), position.turn());
        Self { position, moves: position.legal_moves().into_iter().collect(), subject, neighbours }
    }

    /// The distance to mate after a move, for the side to move then; `None` for a draw.
    ///
    /// # Errors
    /// The table states no value for the position after the move.
    pub(super) fn dtm_after(&self, mv: Move) -> Result<Option<Dtm>, ProbeError> {
        match (&self.neighbours, quiet(mv)) {
            (Some(neighbours), Some((from, to))) => neighbours.dtm_after(from, to),
            _ => resolved(self.subject, &board::after(self.position, mv)).map(|value| value.dtm),
        }
    }

    /// Who wins after a move, for the side to move then; `None` if the table states no value.
    pub(super) fn wdl_after(&self, mv: Move) -> Option<Wdl> {
        self.dtm_after(mv).ok().map(wdl_of)
    }
}
