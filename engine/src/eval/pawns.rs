//! Pawn structure: doubled, isolated, backward, connected and passed pawns.
//!
//! The notions are Hans Kmoch's ("Pawn Power in Chess", 1959); the set operations are those of Gerd Isenberg
//! on the Chess Programming Wiki. Depends on pawns and kings only, so that a cache can store the result.

use super::shelter;
use super::sink::{Term, TermSink};
use super::spans::{ahead, beside, distance, files, fill, front, pawn_attacks, rank_of};
use super::weights;
use crate::side::{Black, Side, White};
use crate::{Bitboard, Board, Role, Square};

/// Adds all terms that depend on pawns and kings only. Returns the passed pawns of both sides.
pub(super) fn enter<K: TermSink>(board: &Board, kings: [Square; 2], sink: &mut K) -> Bitboard {
    side::<White, K>(board, kings, sink) | side::<Black, K>(board, kings, sink)
}

fn side<S: Side, K: TermSink>(board: &Board, kings: [Square; 2], sink: &mut K) -> Bitboard {
    let ours = board.pieces(S::US, Role::Pawn);
    let theirs = board.pieces(S::THEM, Role::Pawn);
    weaknesses::<S, K>(ours, theirs, sink);
    connections::<S, K>(ours, sink);
    let passed = passed::<S>(ours, theirs);
    for pawn in passed {
        sink.add(Term::Passed, S::US, &weights::PASSED[rank_of::<S>(pawn)], 1);
    }
    let king = kings[S::US.index()];
    // The distance of the king to its pawns: a textbook rule of endgames, in Stockfish's form.
    if let Some(steps) = ours.into_iter().map(|pawn| distance(king, pawn)).min() {
        sink.add(Term::Pawns, S::US, &weights::KING_PAWN_DISTANCE, steps);
    }
    shelter::enter::<S, K>(ours, theirs, king, sink);
    passed
}

fn weaknesses<S: Side, K: TermSink>(ours: Bitboard, theirs: Bitboard, sink: &mut K) {
    let doubled = ours & front::<S>(ours);
    sink.add(Term::Pawns, S::US, &weights::DOUBLED, doubled.count());

    let isolated = ours & !beside(files::<S>(ours));
    let open = !front::<S::Them>(theirs);
    sink.add(Term::Pawns, S::US, &weights::ISOLATED, isolated.count());
    sink.add(Term::Pawns, S::US, &weights::ISOLATED_OPEN, (isolated & open).count());

    // No pawn can ever defend the square before it, and an enemy pawn attacks it.
    let guarded = fill::<S>(pawn_attacks::<S>(ours));
    let held = ahead::<S::Them>(pawn_attacks::<S::Them>(theirs) & !guarded);
    let backward = ours & held & !isolated;
    sink.add(Term::Pawns, S::US, &weights::BACKWARD, backward.count());
    sink.add(Term::Pawns, S::US, &weights::BACKWARD_OPEN, (backward & open).count());
}

fn connections<S: Side, K: TermSink>(ours: Bitboard, sink: &mut K) {
    for pawn in ours & pawn_attacks::<S>(ours) {
        sink.add(Term::Pawns, S::US, &weights::SUPPORTED[rank_of::<S>(pawn)], 1);
    }
    for pawn in ours & beside(ours) {
        sink.add(Term::Pawns, S::US, &weights::PHALANX[rank_of::<S>(pawn)], 1);
    }
}

/// Pawns without enemy pawns before them on their own and the adjacent files, and without own pawns before
/// them.
fn passed<S: Side>(ours: Bitboard, theirs: Bitboard) -> Bitboard {
    let stopped = front::<S::Them>(theirs) | fill::<S::Them>(pawn_attacks::<S::Them>(theirs));
    ours & !stopped & !front::<S::Them>(ours)
}
