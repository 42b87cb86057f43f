//! shakmaty as the authority on perft.
//!
//! Positions that no game can reach but that are otherwise legal are accepted: impossible checks, and more
//! material than promotions explain.

use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use suites::SharedCause;
use suites::perft::Castling;

use crate::board::{self, Accept};

/// Positions that may be visited in addition to the bound on leaves: there are few leaves where lines end
/// early.
const SPARE: u64 = 1_000_000;

/// The result of a count with a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bounded {
    /// The exact count.
    Exactly(u64),
    /// The count is greater than the bound.
    More,
    /// The count was given up after too many positions.
    Unknown,
}

/// A position as shakmaty sees it.
#[derive(Debug, Clone)]
pub(super) struct Authority {
    position: Chess,
}

impl Authority {
    /// Reads a FEN; `None` if it is no position.
    pub(super) fn read(fen: &str, castling: Castling) -> Option<Self> {
        let position = board::position_in(fen, mode(castling), Accept::Unreachable).ok()?;
        Some(Self::new(position))
    }

    /// Whether shakmaty finds a FEN legal without exceptions.
    pub(super) fn is_possible(fen: &str, castling: Castling) -> bool {
        board::position_in(fen, mode(castling), Accept::Legal).is_ok()
    }

    pub(super) fn new(position: Chess) -> Self {
        Self { position }
    }

    /// The FEN with the en passant square after every double step. An engine that judges this square wrongly
    /// shows the fault only if the square is there.
    pub(super) fn fen(&self) -> String {
        board::fen_with(&self.position, EnPassantMode::Always)
    }

    pub(super) fn perft(&self, depth: u32) -> u64 {
        shakmaty::perft(&self.position, depth)
    }

    /// The same with a bound: it stops when the count is greater than `most`.
    pub(super) fn perft_within(&self, depth: u32, most: u64) -> Bounded {
        let mut count = BoundedCount { leaves: 0, most, visited: 0, left: most.saturating_add(SPARE) };
        match count.add(&self.position, depth) {
            Ok(()) => Bounded::Exactly(count.leaves),
            Err(end) => end,
        }
    }

    /// The legal moves in UCI notation, sorted.
    pub(super) fn legal_moves(&self) -> Vec<String> {
        let mut moves = board::uci_moves(&self.position);
        moves.sort_unstable();
        moves
    }

    /// The rule that is broken by moves that a list has too many or lacks.
    pub(super) fn broken_rule(&self, extra: &[&str], missing: &[&str]) -> Option<SharedCause> {
        board::broken_rule(&self.position, extra.iter().copied(), missing.iter().copied())
    }

    /// Each legal move with the position after it.
    pub(super) fn successors(&self) -> impl Iterator<Item = (String, Self)> + '_ {
        let mode = self.position.castles().mode();
        let successor = move |mv| (board::uci_text(mv, mode), Self::new(board::after(&self.position, mv)));
        self.position.legal_moves().into_iter().map(successor)
    }
}

/// shakmaty's castling mode.
pub(super) fn mode(castling: Castling) -> CastlingMode {
    match castling {
        Castling::Standard => CastlingMode::Standard,
        Castling::Chess960 => CastlingMode::Chess960,
    }
}

/// A count with a bound.
struct BoundedCount {
    leaves: u64,
    most: u64,
    visited: u64,
    /// Positions that may still be visited.
    left: u64,
}

impl BoundedCount {
    /// Adds the leaves below a position. The error says why the count ended.
    fn add(&mut self, position: &Chess, depth: u32) -> Result<(), Bounded> {
        if depth <= 1 {
            self.leaves += if depth == 0 { 1 } else { position.legal_moves().len() as u64 };
            return if self.leaves > self.most { Err(Bounded::More) } else { Ok(()) };
        }
        self.visited += 1;
        if self.visited > self.left {
            return Err(Bounded::Unknown);
        }
        for m in position.legal_moves() {
            self.add(&board::after(position, m), depth - 1)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_with_a_bound() {
        let start = Authority::new(Chess::default());
        let check = |depth, most, expected| assert_eq!(start.perft_within(depth, most), expected);
        check(0, 1, Bounded::Exactly(1));
        check(0, 0, Bounded::More);
        check(3, 8_902, Bounded::Exactly(8_902));
        check(3, 8_901, Bounded::More);
        check(4, 1_000_000, Bounded::Exactly(start.perft(4)));
        check(60, 100_000, Bounded::More);
        // Each position has a single move, so the lines never end.
        let prison = "2b5/kpPp4/1p1P4/1P6/6p1/4p1P1/4PpPK/5B2 w - - 0 1";
        let prison = Authority::read(prison, Castling::Standard).unwrap();
        assert_eq!(prison.perft_within(32, 1), Bounded::Exactly(1));
    }
}
