//! Calm moves: those after which the replies of the other side can be counted without playing the move.
//!
//! At two plies, most of the time goes into counting replies. Those on the unmoved board are counted once, and
//! their number stands for each calm move. Where a move opens or closes the ways of the other side's men, or captures one, the
//! replies of these men are counted again (`replies`). A move that may change what the king can do, or which men are pinned, is not calm: it is
//! played (`watched`).

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

mod replies;
mod watched;

use crate::castling::CastlingSide;
use crate::side::{Side, back, shift};
use crate::state::State;
use crate::{Bitboard, Role, Square, attacks};

use replies::Replies;
use watched::Watched;

/// From so many men on, it is faster to count changes than to play the move.
const DENSE: u32 = 20;

/// The calm moves of a side.
pub(super) struct Calm {
    replies: Replies,
    /// For each role, the squares that a calm piece leaves and enters.
    open: [Bitboard; 6],
    /// The men of the other side that a calm move captures.
    capturable: Bitboard,
    /// The squares that change replies if a man leaves or enters them.
    changing: Bitboard,
    /// The squares that no pawn of the other side attacks. A double step over another one may allow en passant.
    not_attacked_by_pawns: Bitboard,
}

impl Calm {
    /// No move is calm.
    pub(super) const NONE: Self = Self {
        replies: Replies::NONE,
        open: [Bitboard::EMPTY; 6],
        capturable: Bitboard::EMPTY,
        changing: Bitboard::EMPTY,
        not_attacked_by_pawns: Bitboard::EMPTY,
    };

    /// For side `S`, which is to move. If it is in check, the replies on the unmoved board may capture its king. A move out of the
    /// check ends that reply: it closes the line, captures the man, or takes the king away; then a line or a pawn is counted again, and a
    /// knight can enter the square that the king left.
    #[inline(always)]
    pub(super) fn new<S: Side>(state: &State) -> Self {
        let Some(king) = state.board.king(S::THEM) else { return Self::NONE };
        let watched = Watched::new::<S>(state, king);
        let replies = Replies::new::<S>(state, watched.pinned);

        let pawns = state.board.pieces(S::THEM, Role::Pawn);
        let (ways, attacked) = ways_of_pawns::<S::Them>(pawns);
        let changing = ways | attacked | replies.squares_of_lines();
        let is_counted = state.board.occupied().count() >= DENSE && replies.has_all_lines();
        let closed = if is_counted { watched.lines } else { watched.lines | changing };
        let when_counted = |squares: Bitboard| if is_counted { squares } else { Bitboard::EMPTY };
        Self {
            replies,
            open: watched.from.map(|watching| !(closed | watching)),
            // The king may capture a man next to it, unless that is protected.
            capturable: when_counted(state.board.color(S::THEM) & !attacks::king(king)),
            changing: when_counted(changing),
            not_attacked_by_pawns: !attacked,
        }
    }

    /// The calm ones of a piece's moves, and the leaves behind them.
    #[inline(always)]
    pub(super) fn piece<S: Side>(&self, role: Role, from: Square, targets: Bitboard) -> (Bitboard, u64) {
        let open = self.open[role.index()];
        if !open.contains(from) {
            return (Bitboard::EMPTY, 0);
        }
        let them = self.replies.men();
        let calm = targets & open & (self.capturable | !them);
        let changing = if self.changing.contains(from) { calm } else { calm & (self.changing | them) };
        let mut leaves = self.replies.behind(calm.count().into());
        for to in changing {
            leaves = leaves.wrapping_add(self.replies.change::<S>(from.into(), to.into()));
        }
        (calm, leaves)
    }

    /// The calm ones of the moves of pawns by the same step, and the leaves behind them.
    #[inline(always)]
    pub(super) fn pawns<S: Side>(&self, targets: Bitboard, step: i8) -> (Bitboard, u64) {
        let open = self.open[Role::Pawn.index()];
        let mut calm = targets & open & shift(open, step);
        let mut changing = self.changing | shift(self.changing, step);
        if step == 2 * S::FORWARD {
            calm &= shift(self.not_attacked_by_pawns, S::FORWARD);
        } else if step != S::FORWARD {
            calm &= self.capturable;
            changing = calm;
        }
        let mut leaves = self.replies.behind(calm.count().into());
        for to in calm & changing {
            leaves = leaves.wrapping_add(self.replies.change::<S>(back(to, step).into(), to.into()));
        }
        (calm, leaves)
    }

    /// The leaves behind castling, if it is calm. On a line along the back rank, one man fewer may stand between the rook and a square, not
    /// two: what holds for each of both moves holds for them together.
    #[inline(always)]
    pub(super) fn castling<S: Side>(&self, king: Square, rook: Square) -> Option<u64> {
        let side = CastlingSide::from_squares(king, rook);
        let (king_to, rook_to) = (side.king_target(S::US), side.rook_target(S::US));
        let is_open = |role: Role, from: Square, to: Square| {
            let open = self.open[role.index()];
            open.contains(from) && open.contains(to)
        };
        if !is_open(Role::King, king, king_to) || !is_open(Role::Rook, rook, rook_to) {
            return None;
        }
        let entered = Bitboard::from_square(king_to).with(rook_to);
        let left = Bitboard::from_square(king).with(rook);
        let leaves = self.replies.behind(1);
        Some(leaves.wrapping_add(self.replies.change::<S>(left, entered)))
    }
}

/// The squares that pawns of side `S` step onto or over if they are empty, and those that they attack.
#[inline(always)]
fn ways_of_pawns<S: Side>(pawns: Bitboard) -> (Bitboard, Bitboard) {
    let steps = shift(pawns, S::FORWARD);
    let double = shift(steps & S::THIRD_RANK, S::FORWARD);
    (steps | double, crate::movegen::pawn_attacks::<S>(pawns))
}
