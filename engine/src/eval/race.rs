//! The rule of the square: a passed pawn that a lone king cannot catch.
//!
//! A textbook rule with its usual exceptions: a pawn on its first square may step twice; the king may enter
//! the square if it is to move; a piece in the pawn's path, even its own king, voids the rule; and it holds
//! only against a side with only king and pawns.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use super::sink::{Term, TermSink};
use super::spans::{distance, front, rank_of};
use super::weights;
use crate::side::Side;
use crate::{Bitboard, Position, Role, Square};

/// Adds the bonus for the first pawn of one side that promotes without being caught.
#[inline(always)]
pub(super) fn enter<S: Side, K: TermSink>(
    position: &Position,
    kings: [Square; 2],
    passed: Bitboard,
    sink: &mut K,
) {
    let board = position.board();
    let passed = passed & board.color(S::US);
    let helpless =
        board.color(S::THEM) == board.color(S::THEM) & (board.role(Role::Pawn) | board.role(Role::King));
    if passed.is_empty() || !helpless {
        return;
    }
    let to_move = position.side_to_move() == S::US;
    let first = passed
        .into_iter()
        .filter(|&pawn| front::<S>(pawn.into()).is_disjoint(board.occupied()))
        .filter_map(|pawn| uncaught::<S>(pawn, kings[S::THEM.index()], to_move))
        .min();
    if let Some(steps) = first {
        sink.add(Term::Passed, S::US, &weights::UNSTOPPABLE[steps], 1);
    }
}

/// The number of moves to promotion of a pawn with a free path, if the king cannot catch it.
fn uncaught<S: Side>(pawn: Square, king: Square, to_move: bool) -> Option<usize> {
    let goal = (front::<S>(pawn.into()) & S::LAST_RANK).first()?;
    let steps = 7 - rank_of::<S>(pawn).max(2);
    let given = usize::from(!to_move);
    (distance(king, goal) as usize > steps + given).then_some(steps)
}
