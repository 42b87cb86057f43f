//! From the rules' words to the specimen's and back: moves and scores.
//!
//! Knows no search.

use super::mailbox::Mailbox;
use super::piece_values::{DECIDED, MATE, Points};
use super::square0x88::{BoardMove, MoveKind, Square0x88};
use crate::Ply;
use crate::{CastlingSide, Move, Position, Role, Score};

/// The board's move for a legal one; `None` for underpromotions and for castling that is not of standard chess.
pub(super) fn step_of(board: &Mailbox, position: &Position, mv: Move) -> Option<BoardMove> {
    let us = position.side_to_move();
    let castles = position.board().color(us).contains(mv.to);
    let to = if castles { CastlingSide::of(mv.from, mv.to).king_target(us) } else { mv.to };
    let step = board.step_between(Square0x88::of(mv.from), Square0x88::of(to))?;
    let promotion = (step.kind == MoveKind::Promotion).then_some(Role::Queen);
    ((step.kind == MoveKind::Castling) == castles && promotion == mv.promotion).then_some(step)
}

/// The legal move for the board's, if it is one.
pub(super) fn move_of(board: &Mailbox, position: &Position, step: BoardMove) -> Option<Move> {
    position.legal_moves().into_iter().find(|&mv| step_of(board, position, mv) == Some(step))
}

/// A score of the root in the common words. Each move of the side that mates has taken one point off half a king; no
/// mate at the root is nearer than one move.
pub(super) fn spoken(value: Points) -> Score {
    let moves = (MATE - value.abs()).clamp(1, 500).unsigned_abs() as u16;
    if value > DECIDED {
        Score::mate_in(Ply(2 * moves - 1))
    } else if value < -DECIDED {
        Score::mated_in(Ply(2 * moves))
    } else {
        Score::centipawns(value)
    }
}
