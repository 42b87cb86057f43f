//! King shelter: pawns before the king, pawn storm, and open files.
//!
//! As Stockfish's shelter and storm (Tord Romstad, Marco Costalba, Joona Kiiski), with fewer parameters.
//! Knows pawns and the king only.

use super::sink::{Term, TermSink};
use super::spans::{ahead, fill, rank_of};
use super::weights;
use crate::side::Side;
use crate::{Bitboard, File, Square};

/// Adds the shelter of one side's king.
pub(super) fn enter<S: Side, K: TermSink>(ours: Bitboard, theirs: Bitboard, king: Square, sink: &mut K) {
    // On an edge file shifted inwards, so that three files always count.
    let centre = king.file().index().clamp(1, 6);
    let not_behind = fill::<S>(Bitboard::rank(king.rank()));
    for index in centre - 1..=centre + 1 {
        let file = Bitboard::file(File::ALL[index]);
        let own = nearest::<S>(ours & file & not_behind);
        let rank = own.map_or(0, rank_of::<S>);
        let shield = if index == king.file().index() { &weights::SHIELD } else { &weights::SHIELD_BESIDE };
        sink.add(Term::Shelter, S::US, &shield[rank], 1);
        if (file & (ours | theirs)).is_empty() {
            sink.add(Term::Shelter, S::US, &weights::KING_OPEN_FILE, 1);
        }
        if let Some(enemy) = nearest::<S>(theirs & file & not_behind) {
            let blocked = !ahead::<S>(ours).is_disjoint(enemy.into());
            let storm = if blocked { &weights::STORM_BLOCKED } else { &weights::STORM };
            sink.add(Term::Shelter, S::US, &storm[rank_of::<S>(enemy)], 1);
        }
    }
}

/// The rank of the pawn nearest to the side's first rank, among those of one file.
#[inline]
fn nearest<S: Side>(pawns: Bitboard) -> Option<Square> {
    let last = || pawns.0.checked_ilog2().map(|index| Square::from_index(index as usize));
    if S::FORWARD > 0 { pawns.first() } else { last() }
}
