//! Tables that can be probed, and the values they state.
//!
//! The oracle has its own types for values, so that nothing of the engine takes part in judging it.

mod engine_tables;
mod value;

/// What a table is probed with.
pub use shakmaty::{Board, Color};

pub use engine_tables::EngineTables;
pub(crate) use engine_tables::{engine_board, engine_color};
pub use value::{Dtm, Dtz, TableValue, Wdl, describe_dtm};

/// A subject's reason not to answer for a placement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeError(pub String);

/// Whatever claims values for placements: our tables, a specimen, a liar in a test.
pub trait TableProbe: Sync {
    /// Its name in reports.
    fn name(&self) -> &str;

    /// What it says of a placement without castling rights and en passant, or why it refuses.
    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError>;

    /// Whether it makes claims about DTZ.
    fn has_dtz(&self) -> bool;

    /// The command that shows its answer for a FEN.
    fn replay(&self, fen: &str) -> String {
        format!("cargo xtask tables probe \"{fen}\"")
    }
}
