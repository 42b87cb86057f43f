//! The un-moves of a board: the quiet moves that lead to it, taken back.

use super::successors::visit_unmoves;
use crate::tables::{Layout, Material, ProbeError};
use crate::{Bitboard, Board, Color, Square};

/// A quiet move taken back. It captured nothing, promoted no pawn, and was not castling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Unmove {
    /// The square that the man came from.
    pub from: Square,
    /// The square that it stands on.
    pub to: Square,
}

/// Room for the un-moves of most boards.
const USUAL: usize = 48;

/// The un-moves of a board with `side_to_move` to move: each leads to a legal position with the other side to
/// move. They are those by which [`Retrograde`](super::Retrograde) goes back from the mates. A position has
/// no castling or en passant rights, so a double step is taken back even if it allows an en passant capture.
///
/// ```
/// use engine::tables::builders::{Unmove, unmoves};
/// use engine::{Position, Square};
///
/// let mated = Position::from_fen("8/8/8/8/8/1K6/8/k1R5 b - - 0 1").unwrap();
/// let found = unmoves(mated.board(), mated.side_to_move()).unwrap();
/// let square = |name: &str| name.parse::<Square>().unwrap();
/// assert!(found.contains(&Unmove { from: square("c2"), to: square("c1") }));
/// // From b1 it would not have been White's turn: the rook gave check there.
/// assert!(!found.contains(&Unmove { from: square("b1"), to: square("c1") }));
/// ```
///
/// # Errors
/// No table has these men.
pub fn unmoves(board: &Board, side_to_move: Color) -> Result<Vec<Unmove>, ProbeError> {
    found(board, side_to_move, Bitboard::FULL)
}

/// The [`unmoves`] of the man on one square.
///
/// # Errors
/// As [`unmoves`].
pub fn unmoves_to(board: &Board, side_to_move: Color, to: Square) -> Result<Vec<Unmove>, ProbeError> {
    found(board, side_to_move, Bitboard::from_square(to))
}

/// The un-moves of the men on these squares.
fn found(board: &Board, side_to_move: Color, men: Bitboard) -> Result<Vec<Unmove>, ProbeError> {
    let (material, mirrored) = Material::from_board(board).ok_or(ProbeError::NoMaterial)?;
    let layout = Layout::new(material);
    let squares = layout.squares(board, mirrored);
    let mover = if mirrored { side_to_move } else { !side_to_move };
    let on_board = |square: Square| if mirrored { square.flip_vertical() } else { square };
    let mut found = Vec::with_capacity(USUAL);
    let men = if mirrored { men.flip_vertical() } else { men };
    visit_unmoves(&layout, &squares, mover, men, true, |before, man| {
        let unmove = Unmove { from: on_board(before.get(man)), to: on_board(squares.get(man)) };
        if layout.is_legal(&before, mover) && layout.slot(&before).is_some() {
            found.push(unmove);
        }
    });
    Ok(found)
}
