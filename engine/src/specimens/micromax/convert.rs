//! Converts moves and scores between the engine's types and those of the specimen.
//!
//! Knows no search.

use super::mailbox::Mailbox;
use super::piece_values::{DECIDED, MATE, Points};
use super::square0x88::{BoardMove, MoveKind, Square0x88};
use crate::Ply;
use crate::{CastlingSide, Move, Position, Role, Score};

/// The specimen's move for a legal move; `None` for underpromotions and for castling of Chess960.
pub(super) fn from_move(board: &Mailbox, position: &Position, mv: Move) -> Option<BoardMove> {
    let us = position.side_to_move();
    let castles = position.board().color(us).contains(mv.to);
    let to = if castles { CastlingSide::from_squares(mv.from, mv.to).king_target(us) } else { mv.to };
    let step = board.move_between(Square0x88::from_square(mv.from), Square0x88::from_square(to))?;
    let promotion = (step.kind == MoveKind::Promotion).then_some(Role::Queen);
    ((step.kind == MoveKind::Castling) == castles && promotion == mv.promotion).then_some(step)
}

/// The legal move for a move of the specimen, if it is legal.
pub(super) fn to_move(board: &Mailbox, position: &Position, step: BoardMove) -> Option<Move> {
    position.legal_moves().into_iter().find(|&mv| from_move(board, position, mv) == Some(step))
}

/// A root score as a [`Score`]. Each move of the mating side takes one point off half a king; a mate at the
/// root takes at least one move.
pub(super) fn to_score(value: Points) -> Score {
    let moves = (MATE - value.abs()).clamp(1, 500).unsigned_abs() as u16;
    if value > DECIDED {
        Score::mate_in(Ply(2 * moves - 1))
    } else if value < -DECIDED {
        Score::mated_in(Ply(2 * moves))
    } else {
        Score::centipawns(value)
    }
}
