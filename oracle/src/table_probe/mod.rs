//! Tables that can be probed, and the values they state.
//!
//! The oracle has its own types for values, so that no code of the engine takes part in judging it.

mod engine_tables;
mod unmove;
mod value;

use std::borrow::Cow;

use shakmaty::{Piece, Square};
use suites::Replay;

use crate::positions::Image;

/// The types of a probe.
pub use shakmaty::{Board, Color};

pub use engine_tables::{EngineTables, Neighbours};
pub(crate) use engine_tables::{engine_board, engine_color};
pub use unmove::Unmove;
pub use value::{Dtm, Dtz, TableValue, Wdl, describe_dtm, distance, wdl_of};

/// Why a table does not answer a probe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeError(pub Cow<'static, str>);

/// A table that states values of placements: ours, a specimen's, or a faulty one in a test.
pub trait TableProbe: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// The value of a placement without castling rights and en passant square, or why there is none.
    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError>;

    /// The same for an image of a placement of these men with this side to move.
    ///
    /// # Errors
    /// As [`TableProbe::probe`].
    fn probe_image(
        &self,
        men: &[(Square, Piece)],
        image: Image,
        turn: Color,
    ) -> Result<TableValue, ProbeError> {
        let (board, turn) = image.position(men, turn);
        self.probe(&board, turn)
    }

    /// A shortcut to probe the positions after those moves of a position that capture nothing and promote no
    /// pawn; `None` if there is none.
    fn neighbours(&self, _board: &Board, _turn: Color) -> Option<Neighbours<'_>> {
        None
    }

    /// The quiet moves that lead to a placement, as un-moves. Its builder uses them to go back from the
    /// mates.
    ///
    /// # Errors
    /// It has none: its builder goes forwards, or is not known.
    fn unmoves(&self, _board: &Board, _turn: Color) -> Result<Vec<Unmove>, ProbeError> {
        Err(ProbeError("it has none".into()))
    }

    /// Those of [`TableProbe::unmoves`] that take back a move to this square.
    ///
    /// # Errors
    /// As [`TableProbe::unmoves`].
    fn unmoves_to(&self, board: &Board, turn: Color, to: Square) -> Result<Vec<Unmove>, ProbeError> {
        let unmoves = self.unmoves(board, turn)?;
        Ok(unmoves.into_iter().filter(|unmove| unmove.to == to).collect())
    }

    /// Whether it has un-moves.
    fn has_unmoves(&self) -> bool {
        false
    }

    /// Whether it states DTZ.
    fn has_dtz(&self) -> bool;

    /// The command that shows its value for a FEN.
    fn replay(&self, fen: &str) -> Replay {
        Replay::touchstone(format_args!("tables probe \"{fen}\""))
    }
}
