//! A quiet move, taken back.

use derive_more::Display;
use shakmaty::Square;

/// A quiet move taken back, by its squares. It captured nothing, promoted no pawn, and was not castling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Display)]
#[display("from {to} back to {from}")]
pub struct Unmove {
    /// The square that the man came from.
    pub from: Square,
    /// The square that it stands on.
    pub to: Square,
}
