//! The side to move as a type, so that the move generator is compiled once for each side and each kind of
//! processor.
//!
//! Knows directions and ranks; no pieces.

use std::marker::PhantomData;

use crate::processor::{Compiled, Processor};
use crate::{Bitboard, Color, Rank, Square};

/// White or Black at compile time.
pub(crate) trait Side: Copy {
    /// The side.
    const US: Color;
    /// The other side.
    const THEM: Color;
    /// A pawn's step, as a difference of square indices.
    const FORWARD: i8;
    /// The rank that a pawn's double step passes.
    const THIRD_RANK: Bitboard;
    /// The rank pawns promote on.
    const LAST_RANK: Bitboard;
    /// The rank of the king and the rooks at the start.
    const BACK_RANK: Bitboard;
    /// The other side, as a type.
    type Them: Side<Them = Self, Processor = Self::Processor>;
    /// The processor that the code is compiled for.
    type Processor: Processor;
}

/// White to move.
#[derive(Clone, Copy)]
pub(crate) struct White<P = Compiled>(PhantomData<P>);

/// Black to move.
#[derive(Clone, Copy)]
pub(crate) struct Black<P = Compiled>(PhantomData<P>);

impl<P: Processor> Side for White<P> {
    const US: Color = Color::White;
    const THEM: Color = Color::Black;
    const FORWARD: i8 = 8;
    const THIRD_RANK: Bitboard = Bitboard::rank(Rank::Third);
    const LAST_RANK: Bitboard = Bitboard::rank(Rank::Eighth);
    const BACK_RANK: Bitboard = Bitboard::rank(Rank::First);
    type Them = Black<P>;
    type Processor = P;
}

impl<P: Processor> Side for Black<P> {
    const US: Color = Color::Black;
    const THEM: Color = Color::White;
    const FORWARD: i8 = -8;
    const THIRD_RANK: Bitboard = Bitboard::rank(Rank::Sixth);
    const LAST_RANK: Bitboard = Bitboard::rank(Rank::First);
    const BACK_RANK: Bitboard = Bitboard::rank(Rank::Eighth);
    type Them = White<P>;
    type Processor = P;
}

/// Shifts squares by `step` indices; squares that leave the top or the bottom are dropped. Files wrap around,
/// so the caller removes the squares of the edge file first.
#[inline]
pub(crate) fn shift(squares: Bitboard, step: i8) -> Bitboard {
    if step > 0 { Bitboard(squares.0 << step) } else { Bitboard(squares.0 >> -step) }
}

/// The square `step` indices before `to`.
#[inline]
#[allow(clippy::cast_sign_loss, reason = "only the low six bits count, and they are right")]
pub(crate) fn back(to: Square, step: i8) -> Square {
    Square::from_index((to as i8).wrapping_sub(step) as usize)
}
