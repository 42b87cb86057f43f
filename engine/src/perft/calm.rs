//! Calm moves: quiet moves after which the other side has as many replies as it has on the unmoved board, but for
//! those along lines of its bishops, rooks and queens that the move opens or closes.
//!
//! At two plies, most of the time goes into counting replies. Those on the unmoved board are counted once, and
//! their number stands for each calm move; where lines change, the moves along them are counted again. What is not
//! certainly calm is played.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

use std::marker::PhantomData;

use arrayvec::ArrayVec;

use crate::castling::CastlingSide;
use crate::movegen::{self, MoveCounter, MoveSink};
use crate::processor::{Kernel, Processor};
use crate::side::{Side, back, shift};
use crate::state::State;
use crate::{Bitboard, Role, Square, attacks};

/// From so many men on, it is faster to count lines again than all replies.
const DENSE: u32 = 20;
/// The most bishops, rooks and queens; with more, moves that change lines are played.
const MOST_LINES: usize = 8;

/// The calm moves of a side.
pub(super) struct Calm {
    /// The replies on the unmoved board.
    replies: u64,
    /// For each role, the squares that a calm piece leaves and enters.
    open: [Bitboard; 6],
    /// The squares that no pawn of the other side attacks. A double step over another one may allow en passant.
    not_attacked_by_pawns: Bitboard,
    /// Those of the other side. The ways of pinned ones are not open.
    lines: Lines,
    them: Bitboard,
    occupied: Bitboard,
}

/// The bishops, rooks and queens of a side, and the squares that they may enter.
struct Lines {
    each: ArrayVec<Line, MOST_LINES>,
    squares: Bitboard,
    /// Whether there are more of them.
    is_over: bool,
}

impl Lines {
    const NONE: Self = Self { each: ArrayVec::new_const(), squares: Bitboard::EMPTY, is_over: false };
}

/// A bishop, rook or queen, and the squares that it may enter.
struct Line {
    role: Role,
    from: Square,
    targets: Bitboard,
}

impl Calm {
    /// No move is calm.
    pub(super) const NONE: Self = Self {
        replies: 0,
        open: [Bitboard::EMPTY; 6],
        not_attacked_by_pawns: Bitboard::EMPTY,
        lines: Lines::NONE,
        them: Bitboard::EMPTY,
        occupied: Bitboard::EMPTY,
    };

    /// For side `S`, which is to move. If it is in check, the replies on the unmoved board may capture its king. A move
    /// out of a check by a pawn is not calm, one out of a check by a line changes that line, and a knight that could
    /// capture the king can enter the square that it left.
    #[inline(always)]
    pub(super) fn new<S: Side>(state: &State) -> Self {
        let Some(king) = state.board.king(S::THEM) else { return Self::NONE };
        let mut replies = Replies { counter: MoveCounter::default(), lines: Lines::NONE };
        movegen::generate::<S::Them>(&state.turned::<S>(), &mut replies);

        let pawns = state.board.pieces(S::THEM, Role::Pawn);
        let steps = shift(pawns, -S::FORWARD);
        let double = shift(steps & S::Them::THIRD_RANK, -S::FORWARD);
        let captures = movegen::pawn_attacks::<S::Them>(pawns);
        let watched = Watched::new::<S>(state, king);
        let mut others = steps | double | captures | watched.lines;
        if replies.lines.is_over || state.board.occupied().count() < DENSE {
            others |= replies.lines.squares;
        }
        Self {
            replies: replies.counter.0,
            open: watched.from.map(|watching| !(others | watching)),
            not_attacked_by_pawns: !captures,
            lines: replies.lines,
            them: state.board.color(S::THEM),
            occupied: state.board.occupied(),
        }
    }

    /// The calm ones of a piece's quiet moves, and the leaves behind them.
    #[inline(always)]
    pub(super) fn piece<S: Side>(&self, role: Role, from: Square, quiet: Bitboard) -> (Bitboard, u64) {
        let open = self.open[role.index()];
        if !open.contains(from) {
            return (Bitboard::EMPTY, 0);
        }
        let calm = quiet & open;
        let changing = if self.lines.squares.contains(from) { calm } else { calm & self.lines.squares };
        let mut leaves = self.replies * u64::from(calm.count());
        if changing.any() {
            leaves = leaves.wrapping_add(self.change::<S>(from, changing));
        }
        (calm, leaves)
    }

    #[inline(always)]
    fn change<S: Side>(&self, from: Square, entered: Bitboard) -> u64 {
        S::Processor::run(Change { calm: self, from, entered, side: PhantomData::<S> })
    }

    /// The calm ones of the moves of pawns by the same step, and the leaves behind them.
    #[inline(always)]
    pub(super) fn pawns<S: Side>(&self, targets: Bitboard, step: i8) -> (Bitboard, u64) {
        let open = self.open[Role::Pawn.index()];
        let calm = match step {
            _ if step == S::FORWARD => targets & open & shift(open, step),
            _ if step == 2 * S::FORWARD => {
                targets & open & shift(open, step) & shift(self.not_attacked_by_pawns, S::FORWARD)
            }
            _ => return (Bitboard::EMPTY, 0),
        };
        let changing = calm & (self.lines.squares | shift(self.lines.squares, step));
        let mut leaves = self.replies * u64::from(calm.count());
        for to in changing {
            leaves = leaves.wrapping_add(self.change::<S>(back(to, step), to.into()));
        }
        (calm, leaves)
    }
}

/// How many replies more there are along lines, if a man goes from a square to each of these; modulo 2^64. A function of
/// its own, since it would be inlined for each role.
struct Change<'a, S> {
    calm: &'a Calm,
    from: Square,
    entered: Bitboard,
    side: PhantomData<S>,
}

impl<S: Side> Kernel for Change<'_, S> {
    type Output = u64;

    #[inline(always)]
    fn compute(self) -> u64 {
        let Self { calm, from, entered, .. } = self;
        let mut change = 0_u64;
        for to in entered {
            let occupied = calm.occupied.without(from).with(to);
            for &Line { role, from: slider, targets } in &calm.lines.each {
                if targets.contains(from) || targets.contains(to) {
                    let mut left = Bitboard::EMPTY;
                    if role != Role::Bishop {
                        left |= attacks::rook_on::<S::Processor>(slider, occupied);
                    }
                    if role != Role::Rook {
                        left |= attacks::bishop_on::<S::Processor>(slider, occupied);
                    }
                    let left = left & !calm.them;
                    change =
                        change.wrapping_add(u64::from(left.count())).wrapping_sub(u64::from(targets.count()));
                }
            }
        }
        change
    }
}

/// Counts replies, and collects the lines of bishops, rooks and queens.
struct Replies {
    counter: MoveCounter,
    lines: Lines,
}

impl MoveSink for Replies {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        if matches!(role, Role::Bishop | Role::Rook | Role::Queen) {
            self.lines.squares |= targets;
            self.lines.is_over |= self.lines.each.try_push(Line { role, from, targets }).is_err();
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
