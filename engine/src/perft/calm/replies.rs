//! The replies of the other side on the unmoved board, and how their number changes when men move.
//!
//! A pinned man is never counted again: the squares that it may enter are not open to calm moves.

use std::marker::PhantomData;

use arrayvec::ArrayVec;

use crate::movegen::{self, MoveCounter, MoveSink};
use crate::processor::{Kernel, Processor};
use crate::side::{Side, shift};
use crate::state::State;
use crate::{Bitboard, Board, Role, Square, attacks};

/// The most bishops, rooks and queens; with more, each move that changes a reply is played.
const MOST_LINES: usize = 8;

/// The replies on the unmoved board.
pub(super) struct Replies {
    board: Board,
    /// The men that have the replies.
    men: Bitboard,
    /// Those that are not pinned.
    free: Bitboard,
    number: u64,
    /// The number of those of free pawns, but for en passant.
    of_pawns: u64,
    lines: Lines,
}

/// The bishops, rooks and queens of a side, and the squares that they may enter.
struct Lines {
    each: ArrayVec<Line, MOST_LINES>,
    squares: Bitboard,
    /// Whether there are more of them.
    overflows: bool,
}

impl Lines {
    const NONE: Self = Self { each: ArrayVec::new_const(), squares: Bitboard::EMPTY, overflows: false };
}

/// A bishop, rook or queen, and the squares that it may enter.
struct Line {
    role: Role,
    from: Square,
    targets: Bitboard,
}

impl Replies {
    pub(super) const NONE: Self = Self {
        board: Board::EMPTY,
        men: Bitboard::EMPTY,
        free: Bitboard::EMPTY,
        number: 0,
        of_pawns: 0,
        lines: Lines::NONE,
    };

    /// The replies to side `S`. `pinned` are the men that cannot leave a line to their king.
    #[inline(always)]
    pub(super) fn new<S: Side>(state: &State, pinned: Bitboard) -> Self {
        let mut found = Counter { counter: MoveCounter::default(), lines: Lines::NONE };
        movegen::generate::<S::Them>(&state.turned::<S>(), &mut found);
        let board = state.board;
        let (us, them) = (board.color(S::US), board.color(S::THEM));
        let free = them & !pinned;
        Self {
            board,
            men: them,
            free,
            number: found.counter.0,
            of_pawns: count_of_pawns::<S::Them>(board.role(Role::Pawn) & free, them, us),
            lines: found.lines,
        }
    }

    /// The men that have the replies.
    #[inline(always)]
    pub(super) fn men(&self) -> Bitboard {
        self.men
    }

    /// The squares that bishops, rooks and queens may enter.
    #[inline(always)]
    pub(super) fn squares_of_lines(&self) -> Bitboard {
        self.lines.squares
    }

    /// Whether the lines of all of them are known.
    #[inline(always)]
    pub(super) fn has_all_lines(&self) -> bool {
        !self.lines.overflows
    }

    /// The leaves behind so many moves that change no reply.
    #[inline(always)]
    pub(super) fn behind(&self, moves: u64) -> u64 {
        self.number * moves
    }

    /// How many more there are after a calm move of side `S`, whose men leave squares and enter others; modulo 2^64.
    #[inline(always)]
    pub(super) fn change<S: Side>(&self, left: Bitboard, entered: Bitboard) -> u64 {
        S::Processor::run(Change { replies: self, left, entered, side: PhantomData::<S> })
    }
}

/// The moves of pawns of side `S` that are not pinned, but for en passant.
#[inline(always)]
fn count_of_pawns<S: Side>(pawns: Bitboard, us: Bitboard, them: Bitboard) -> u64 {
    let empty = !(us | them);
    let single = shift(pawns, S::FORWARD) & empty;
    let double = shift(single & S::THIRD_RANK, S::FORWARD) & empty;
    let [west, east] = movegen::pawn_attacks_west_and_east::<S>(pawns);
    let [west, east] = [west & them, east & them];
    let all = [single, double, west, east].map(|targets| u64::from(targets.count()));
    let promoting = [single, west, east].map(|targets| 3 * u64::from((targets & S::LAST_RANK).count()));
    all.iter().sum::<u64>() + promoting.iter().sum::<u64>()
}

/// A function of its own, since it would be inlined for each role.
struct Change<'a, S> {
    replies: &'a Replies,
    left: Bitboard,
    entered: Bitboard,
    side: PhantomData<S>,
}

impl<S: Side> Kernel for Change<'_, S> {
    type Output = u64;

    #[inline(always)]
    fn compute(self) -> u64 {
        let Self { replies, left, entered, .. } = self;
        let board = &replies.board;
        let occupied = board.occupied() & !left | entered;
        let them = replies.men & !entered;
        let (mut more, mut fewer) = (0, replies.of_pawns);

        // Those that can capture where one of them was captured.
        let mut capturing = Bitboard::EMPTY;
        if let Some(captured) = (replies.men & entered).first() {
            capturing = attackers::<S::Processor>(board, captured) & replies.free;
            if (board.role(Role::Knight) & replies.free).contains(captured) {
                fewer += u64::from((attacks::knight(captured) & !replies.men).count());
            }
        }
        for &Line { role, from, targets } in &replies.lines.each {
            if entered.contains(from) {
                fewer += u64::from(targets.count());
            } else if !targets.is_disjoint(left | entered) {
                capturing = capturing.without(from);
                fewer += u64::from(targets.count());
                more += u64::from((line::<S::Processor>(role, from, occupied) & !them).count());
            }
        }
        more += u64::from(capturing.count());
        let pawns = board.role(Role::Pawn) & replies.free & !entered;
        more += count_of_pawns::<S::Them>(pawns, them, occupied & !them);
        more.wrapping_sub(fewer)
    }
}

/// What a bishop, rook or queen attacks.
#[inline(always)]
fn line<P: Processor>(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    let mut line = Bitboard::EMPTY;
    if role != Role::Bishop {
        line |= attacks::rook_on::<P>(from, occupied);
    }
    if role != Role::Rook {
        line |= attacks::bishop_on::<P>(from, occupied);
    }
    line
}

/// The knights, bishops, rooks and queens that attack a square.
#[inline(always)]
fn attackers<P: Processor>(board: &Board, square: Square) -> Bitboard {
    let (occupied, queens) = (board.occupied(), board.role(Role::Queen));
    attacks::knight(square) & board.role(Role::Knight)
        | attacks::rook_on::<P>(square, occupied) & (board.role(Role::Rook) | queens)
        | attacks::bishop_on::<P>(square, occupied) & (board.role(Role::Bishop) | queens)
}

/// Counts replies, and collects the lines of bishops, rooks and queens.
struct Counter {
    counter: MoveCounter,
    lines: Lines,
}

impl MoveSink for Counter {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        if matches!(role, Role::Bishop | Role::Rook | Role::Queen) {
            self.lines.squares |= targets;
            self.lines.overflows |= self.lines.each.try_push(Line { role, from, targets }).is_err();
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
