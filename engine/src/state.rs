//! The part of a position that determines its moves, and how a move changes it.
//!
//! Knows no clocks, no keys and no legality: the move generator calls it for legal moves only.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use crate::castling::CastlingSide;
use crate::side::{Side, back};
use crate::{Bitboard, Board, CastlingRights, Color, Role, Square, attacks};

/// Board, side to move, castling rights and en passant square: what FIDE compares for repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct State {
    pub(crate) board: Board,
    pub(crate) castling: CastlingRights,
    /// Set only if a pawn may legally capture there.
    pub(crate) en_passant: Option<Square>,
    pub(crate) side_to_move: Color,
}

impl State {
    /// After a piece other than a pawn moves to an empty square or captures.
    #[inline(always)]
    pub(crate) fn after_piece<S: Side>(&self, role: Role, from: Square, to: Square) -> Self {
        let mut next = self.turned::<S>();
        let both = Bitboard::from_square(from) | Bitboard::from_square(to);
        let lost = if role == Role::King { both | S::BACK_RANK } else { both };
        next.castling = self.castling.without(lost);
        next.board.clear(to);
        next.board.toggle(S::US, role, both);
        next
    }

    /// The same, to an empty square only, and faster.
    #[inline(always)]
    pub(crate) fn after_quiet<S: Side>(&self, role: Role, from: Square, to: Square) -> Self {
        let mut next = self.turned::<S>();
        match role {
            Role::King => next.castling = self.castling.without(S::BACK_RANK),
            Role::Rook => next.castling = self.castling.without(from.into()),
            _ => {}
        }
        next.board.toggle(S::US, role, Bitboard::from_square(from) | Bitboard::from_square(to));
        next
    }

    /// After a pawn's move by `step`: a step, a double step or a capture that neither promotes nor is en
    /// passant.
    #[inline(always)]
    pub(crate) fn after_pawn<S: Side>(&self, to: Square, step: i8) -> Self {
        let mut next = self.turned::<S>();
        let is_capture = step % 8 != 0;
        if is_capture {
            next.board.clear(to);
        }
        next.board.toggle(
            S::US,
            Role::Pawn,
            Bitboard::from_square(back(to, step)) | Bitboard::from_square(to),
        );
        if step == 2 * S::FORWARD {
            next.en_passant = next.takeable::<S::Them>(back(to, S::FORWARD));
        }
        next
    }

    /// After a promotion, by a step or a capture.
    #[inline]
    pub(crate) fn after_promotion<S: Side>(&self, from: Square, to: Square, role: Role) -> Self {
        let mut next = self.turned::<S>();
        next.castling = self.castling.without(to.into());
        next.board.clear(to);
        next.board.toggle(S::US, Role::Pawn, from.into());
        next.board.toggle(S::US, role, to.into());
        next
    }

    /// After a capture en passant.
    #[inline]
    pub(crate) fn after_en_passant<S: Side>(&self, from: Square, to: Square) -> Self {
        let mut next = self.turned::<S>();
        next.board.toggle(S::US, Role::Pawn, Bitboard::from_square(from) | Bitboard::from_square(to));
        next.board.toggle(S::THEM, Role::Pawn, back(to, S::FORWARD).into());
        next
    }

    /// After castling with the rook of a square.
    #[inline]
    pub(crate) fn after_castling<S: Side>(&self, king: Square, rook: Square) -> Self {
        let mut next = self.turned::<S>();
        let side = CastlingSide::from_squares(king, rook);
        next.castling = self.castling.without(S::BACK_RANK);
        next.board.toggle(S::US, Role::King, Bitboard::from_square(king) ^ side.king_target(S::US).into());
        next.board.toggle(S::US, Role::Rook, Bitboard::from_square(rook) ^ side.rook_target(S::US).into());
        next
    }

    /// The square behind a pawn that stepped twice, if a pawn of side `S` may legally capture there.
    pub(crate) fn takeable<S: Side>(&self, square: Square) -> Option<Square> {
        let takers = attacks::pawn(S::THEM, square) & self.board.pieces(S::US, Role::Pawn);
        takers.into_iter().any(|from| is_en_passant_legal::<S>(self, from, square)).then_some(square)
    }

    /// With the other side to move.
    #[inline(always)]
    pub(crate) fn turned<S: Side>(&self) -> Self {
        Self { en_passant: None, side_to_move: S::THEM, ..*self }
    }
}

/// Whether the king of side `S` is safe after the pawn on `from` captures en passant on `to`. Two pawns leave
/// one rank at once, so pins do not answer this; the board after the capture does.
pub(crate) fn is_en_passant_legal<S: Side>(state: &State, from: Square, to: Square) -> bool {
    let Some(king) = state.board.king(S::US) else { return false };
    let taken = back(to, S::FORWARD);
    let occupied = state.board.occupied().without(from).without(taken).with(to);
    state.board.attackers(king, S::THEM, occupied).without(taken).is_empty()
}
