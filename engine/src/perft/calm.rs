//! Calm moves: quiet moves after which the other side has as many replies as it has on the unmoved board.
//!
//! At two plies, most of the time goes into counting replies. Those on the unmoved board are counted once, and
//! their number stands for each calm move. What is not certainly calm is played.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use crate::castling::CastlingSide;
use crate::movegen::{self, MoveCounter, MoveSink};
use crate::side::{Side, shift};
use crate::state::State;
use crate::{Bitboard, Role, Square, attacks};

/// The calm moves of a side.
pub(super) struct Calm {
    /// The replies on the unmoved board.
    replies: u64,
    /// For each role, the squares that a piece may leave and enter.
    squares: [Bitboard; 6],
    /// The squares that no pawn of the other side attacks. A double step over another one may allow en passant.
    not_attacked_by_pawns: Bitboard,
}

impl Calm {
    /// No move is calm.
    pub(super) const NONE: Self =
        Self { replies: 0, squares: [Bitboard::EMPTY; 6], not_attacked_by_pawns: Bitboard::EMPTY };

    /// For side `S`, which is to move. If it is in check, the replies on the unmoved board may capture its king. Its
    /// moves out of a check by a line or a pawn are not calm, and a knight that could capture the king can enter the
    /// square that it left.
    #[inline(always)]
    pub(super) fn new<S: Side>(state: &State) -> Self {
        let Some(king) = state.board.king(S::THEM) else { return Self::NONE };
        let mut replies = Replies { counter: MoveCounter::default(), lines: Bitboard::EMPTY };
        movegen::generate::<S::Them>(&state.turned::<S>(), &mut replies);

        let pawns = state.board.pieces(S::THEM, Role::Pawn);
        let steps = shift(pawns, -S::FORWARD);
        let double = shift(steps & S::Them::THIRD_RANK, -S::FORWARD);
        let captures = movegen::pawn_attacks::<S::Them>(pawns);
        let watched = Watched::new::<S>(state, king);
        let shut = replies.lines | steps | double | captures | watched.lines;
        Self {
            replies: replies.counter.0,
            squares: watched.from.map(|watching| !(shut | watching)),
            not_attacked_by_pawns: !captures,
        }
    }

    /// The calm ones of a piece's quiet moves, and the leaves behind them.
    #[inline(always)]
    pub(super) fn piece(&self, role: Role, from: Square, quiet: Bitboard) -> (Bitboard, u64) {
        let squares = self.squares[role.index()];
        let calm = if squares.contains(from) { quiet & squares } else { Bitboard::EMPTY };
        (calm, self.replies * u64::from(calm.count()))
    }

    /// The calm ones of the moves of pawns by the same step, and the leaves behind them.
    #[inline(always)]
    pub(super) fn pawns<S: Side>(&self, targets: Bitboard, step: i8) -> (Bitboard, u64) {
        let squares = self.squares[Role::Pawn.index()];
        let calm = match step {
            _ if step == S::FORWARD => targets & squares & shift(squares, step),
            _ if step == 2 * S::FORWARD => {
                targets & squares & shift(squares, step) & shift(self.not_attacked_by_pawns, S::FORWARD)
            }
            _ => Bitboard::EMPTY,
        };
        (calm, self.replies * u64::from(calm.count()))
    }
}

/// Counts replies, and collects the squares that bishops, rooks and queens may enter. If a man of the side to move
/// leaves or enters one of these squares, the number of replies may change.
struct Replies {
    counter: MoveCounter,
    lines: Bitboard,
}

impl MoveSink for Replies {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        if matches!(role, Role::Bishop | Role::Rook | Role::Queen) {
            self.lines |= targets;
        }
        self.counter.piece(role, from, targets);
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        self.counter.pawns(targets, step);
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8) {
        self.counter.promotions(targets, step);
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.counter.en_passant(from, to);
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.counter.castling(king, rook);
    }
}

/// What the side to move attacks or pins around the other king, where that decides replies.
struct Watched {
    /// For each role, the squares from which a piece attacks a square that the king may enter or pass, gives
    /// check or pins.
    from: [Bitboard; 6],
    /// The lines of bishops, rooks and queens to these squares, and those of pins. The back rank too, if the king may
    /// castle: a man on it may stand in the way.
    lines: Bitboard,
}

impl Watched {
    #[inline(always)]
    fn new<S: Side>(state: &State, king: Square) -> Self {
        let board = &state.board;
        let (us, them) = (board.color(S::US), board.color(S::THEM));
        let occupied = us | them;
        let queens = board.role(Role::Queen);
        let straight = us & (board.role(Role::Rook) | queens);
        let diagonal = us & (board.role(Role::Bishop) | queens);

        let mut entered = attacks::king(king) & !them;
        let mut lines = Bitboard::EMPTY;
        let rooks = state.castling.rooks_of(S::THEM);
        if rooks.any() {
            lines |= S::Them::BACK_RANK;
        }
        for rook in rooks {
            if attacks::between(king, rook).is_disjoint(occupied) {
                let king_to = CastlingSide::from_squares(king, rook).king_target(S::THEM);
                entered |= attacks::between(king, king_to).with(king_to);
            }
        }

        // Checks, and pins behind one man.
        for sniper in attacks::rook_lines(king) & straight | attacks::bishop_lines(king) & diagonal {
            lines |= attacks::between(king, sniper);
        }
        let behind = |near: Bitboard| occupied & !near;
        let mut by_rook = attacks::rook_on::<S::Processor>(king, occupied);
        by_rook |= attacks::rook_on::<S::Processor>(king, behind(by_rook));
        let mut by_bishop = attacks::bishop_on::<S::Processor>(king, occupied);
        by_bishop |= attacks::bishop_on::<S::Processor>(king, behind(by_bishop));
        let mut by_pawn = attacks::pawn(S::THEM, king);
        let mut by_knight = attacks::knight(king);
        let mut by_king = Bitboard::EMPTY;
        for square in entered {
            let files_and_ranks = attacks::rook_on::<S::Processor>(square, occupied);
            let diagonals = attacks::bishop_on::<S::Processor>(square, occupied);
            by_rook |= files_and_ranks;
            by_bishop |= diagonals;
            by_pawn |= attacks::pawn(S::THEM, square);
            by_knight |= attacks::knight(square);
            by_king |= attacks::king(square);
            if !attacks::rook_lines(square).is_disjoint(straight) {
                lines |= files_and_ranks;
            }
            if !attacks::bishop_lines(square).is_disjoint(diagonal) {
                lines |= diagonals;
            }
        }
        Self { from: [by_pawn, by_knight, by_bishop, by_rook, by_rook | by_bishop, by_king], lines }
    }
}
