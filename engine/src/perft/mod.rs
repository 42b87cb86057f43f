//! Perft: counts the leaf nodes at a given depth. The standard test of a move generator.
//!
//! The last ply is counted without being played: the sizes of the generated target sets are enough. Of the ply
//! before it, calm moves are not played either.

#![allow(clippy::inline_always, reason = "only inlined code is compiled for the processor of its caller")]

mod calm;
mod hash;
mod parallel;

use std::marker::PhantomData;

use crate::movegen::{self, MoveCounter, MoveSink};
use crate::processor::{Kernel, Processor, Work, dispatch};
use crate::side::{Black, Side, White, back};
use crate::state::State;
use crate::{Bitboard, Color, Move, Position, Role, Square};

use calm::Calm;
use hash::{CountCache, NoCache};
pub use parallel::{PerftError, PerftOptions, divide_with, perft_with};

/// The number of leaf nodes at `depth` plies; 1 at depth 0.
///
/// # Examples
/// ```
/// assert_eq!(engine::perft(&engine::Position::starting(), 3), 8_902);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    count(position.state(), depth, &NoCache)
}

/// The perft count of each legal move, in the order of [`Position::legal_moves`]. Empty at depth 0.
pub fn divide(position: &Position, depth: u32) -> Vec<(Move, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let moves = position.legal_moves();
    moves.iter().map(|&mv| (mv, perft(&position.play_unchecked(mv), rest))).collect()
}

fn count(state: &State, depth: u32, cache: &impl CountCache) -> u64 {
    dispatch(Count { state, depth, cache })
}

/// A count, compiled for each kind of processor.
struct Count<'a, M> {
    state: &'a State,
    depth: u32,
    cache: &'a M,
}

impl<M: CountCache> Work for Count<'_, M> {
    type Output = u64;

    fn on<P: Processor>(self) -> u64 {
        let Self { state, depth, cache } = self;
        match state.side_to_move {
            Color::White => count_for::<White<P>, _>(state, depth, cache),
            Color::Black => count_for::<Black<P>, _>(state, depth, cache),
        }
    }
}

/// The leaves of a side's moves. It is one function for each side and processor, for all depths.
#[inline(always)]
fn count_for<S: Side, M: CountCache>(state: &State, depth: u32, cache: &M) -> u64 {
    match depth {
        0 => 1,
        1 => S::Processor::run(Leaves { state, side: PhantomData::<S> }),
        _ => S::Processor::run(Subtrees { state, depth, cache, side: PhantomData::<S> }),
    }
}

/// The number of moves.
struct Leaves<'a, S> {
    state: &'a State,
    side: PhantomData<S>,
}

impl<S: Side> Kernel for Leaves<'_, S> {
    type Output = u64;

    #[inline(always)]
    fn compute(self) -> u64 {
        let mut counter = MoveCounter::default();
        movegen::generate::<S>(self.state, &mut counter);
        counter.0
    }
}

/// The leaves behind each move, at two plies or more.
struct Subtrees<'a, S, M> {
    state: &'a State,
    depth: u32,
    cache: &'a M,
    side: PhantomData<S>,
}

impl<S: Side, M: CountCache> Kernel for Subtrees<'_, S, M> {
    type Output = u64;

    #[inline(always)]
    fn compute(self) -> u64 {
        let Self { state, depth, cache, side } = self;
        if let Some(known) = cache.get(state, depth) {
            return known;
        }
        let calm = if depth == 2 { Calm::new::<S>(state) } else { Calm::NONE };
        let mut sink = PlayingSink { state, depth: depth - 1, cache, calm: &calm, nodes: 0, side };
        movegen::generate::<S>(state, &mut sink);
        cache.put(state, depth, sink.nodes);
        sink.nodes
    }
}

/// Plays each move that is not calm, and counts its subtree.
struct PlayingSink<'a, S, M> {
    state: &'a State,
    /// Remaining plies after the move.
    depth: u32,
    cache: &'a M,
    calm: &'a Calm,
    nodes: u64,
    side: PhantomData<S>,
}

impl<S: Side, M: CountCache> PlayingSink<'_, S, M> {
    #[inline(always)]
    fn follow(&mut self, next: &State) {
        self.nodes += count_for::<S::Them, M>(next, self.depth, self.cache);
    }
}

impl<S: Side, M: CountCache> MoveSink for PlayingSink<'_, S, M> {
    #[inline(always)]
    fn piece(&mut self, role: Role, from: Square, targets: Bitboard) {
        let them = self.state.board.color(S::THEM);
        let (calm, leaves) = self.calm.piece::<S>(role, from, targets);
        self.nodes = self.nodes.wrapping_add(leaves);
        let played = targets & !calm;
        for to in played & !them {
            self.follow(&self.state.after_quiet::<S>(role, from, to));
        }
        for to in played & them {
            self.follow(&self.state.after_piece::<S>(role, from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, step: i8) {
        let (calm, leaves) = self.calm.pawns::<S>(targets, step);
        self.nodes = self.nodes.wrapping_add(leaves);
        for to in targets & !calm {
            self.follow(&self.state.after_pawn::<S>(to, step));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, step: i8) {
        for to in targets {
            for role in Role::PROMOTIONS {
                self.follow(&self.state.after_promotion::<S>(back(to, step), to, role));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.follow(&self.state.after_en_passant::<S>(from, to));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        match self.calm.castling::<S>(king, rook) {
            Some(leaves) => self.nodes += leaves,
            None => self.follow(&self.state.after_castling::<S>(king, rook)),
        }
    }
}
