//! Positions from random games: three in four of standard chess, one in four of Chess960.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position};
use suites::perft::Castling;

use crate::board::{self, Accept};

/// The longest random game, in plies. Games of this length reach promotions and nearly empty boards.
const MAX_PLIES: usize = 200;

/// Which positions to draw, and at what depth to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RandomPositions {
    /// The seed. Each position depends on the seed and its index, not on the count.
    pub seed: u64,
    /// The number of positions.
    pub count: usize,
    /// Depth of perft in plies.
    pub depth: u32,
}

impl Default for RandomPositions {
    /// 2,000 positions at depth 3.
    fn default() -> Self {
        Self { seed: 1, count: 2_000, depth: 3 }
    }
}

impl RandomPositions {
    /// The FEN of a position, by its index.
    pub(crate) fn position(&self, index: usize) -> (Castling, String) {
        let mut draw = Draw::new(self.seed, index);
        let castling = if index % 4 == 3 { Castling::Chess960 } else { Castling::Standard };
        let mut position = match castling {
            Castling::Standard => Chess::default(),
            Castling::Chess960 => draw.start(),
        };
        for _ in 0..draw.below(MAX_PLIES) {
            let mut moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // The draw does not depend on the order of the generator.
            moves.sort_unstable_by_key(|m| (m.from(), m.to(), m.promotion().map(u8::from)));
            position.play_unchecked(moves[draw.below(moves.len())]);
        }
        (castling, board::fen_with(&position, EnPassantMode::Always))
    }
}

/// Random numbers, in a stream of its own for each position.
#[derive(Debug)]
pub(crate) struct Draw(ChaCha8Rng);

impl Draw {
    pub(crate) fn new(seed: u64, index: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(index as u64);
        Self(rng)
    }

    /// A number below `bound`. The slight bias towards small numbers does not matter here.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = bound as u64;
        usize::try_from(self.number() % bound).unwrap_or_default()
    }

    /// Any number.
    pub(crate) fn number(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A start position of Chess960: bishops on squares of both colours, the king between the rooks.
    fn start(&mut self) -> Chess {
        let mut rank = [None; 8];
        rank[2 * self.below(4)] = Some('b');
        rank[2 * self.below(4) + 1] = Some('b');
        for (piece, free) in [('q', 6), ('n', 5), ('n', 4)] {
            let place = self.below(free);
            if let Some(square) = rank.iter_mut().filter(|square| square.is_none()).nth(place) {
                *square = Some(piece);
            }
        }
        let mut rest = ['r', 'k', 'r'].into_iter();
        let pieces: String = rank.into_iter().filter_map(|piece| piece.or_else(|| rest.next())).collect();
        let fen = format!("{pieces}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", pieces.to_uppercase());
        board::position_in(&fen, CastlingMode::Chess960, Accept::Legal).expect("a start position of Chess960")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_seed_decides_and_the_count_does_not() {
        let draw = |seed, count| RandomPositions { seed, count, depth: 1 };
        assert_eq!(draw(1, 10).position(7), draw(1, 2_000).position(7));
        assert_ne!(draw(1, 10).position(7), draw(2, 10).position(7));
    }

    #[test]
    fn the_draw_is_the_same_in_every_version() {
        let draw = RandomPositions::default();
        let fen = |index| draw.position(index).1;
        assert_eq!(fen(0), "rnbqkbnr/pppppppp/8/8/5P2/8/PPPPP1PP/RNBQKBNR b KQkq f3 0 1");
        assert_eq!(fen(1), "3k4/2p5/b2p3b/p5pp/P1Q3RP/B1K5/8/RN1r3r b - - 1 48");
        assert_eq!(fen(3), "r4k2/4R3/1P2p3/P2rP1K1/3b2R1/8/4p3/1b6 w - - 9 80");
    }

    #[test]
    fn positions_are_many_and_of_all_kinds() {
        let draw = RandomPositions::default();
        let fens: BTreeSet<_> = (0..draw.count).map(|index| draw.position(index).1).collect();
        assert!(fens.len() > draw.count * 95 / 100, "{} different ones", fens.len());
        let with = |what: fn(&str, &str) -> bool| {
            fens.iter().filter(|fen| what(fen, fen.split(' ').nth(2).unwrap_or_default())).count()
        };
        let counts = [
            with(|_, castling| castling != "-"),
            with(|fen, _| fen.split(' ').nth(3) != Some("-")),
            with(|fen, _| fen.chars().filter(|piece| *piece == 'q' || *piece == 'Q').count() > 2),
            with(|fen, _| {
                fen.split(' ')
                    .next()
                    .is_some_and(|board| board.chars().filter(char::is_ascii_alphabetic).count() < 12)
            }),
        ];
        assert!(counts.iter().all(|&count| count >= 20), "{counts:?}");
    }

    #[test]
    fn chess960_starts_are_sound_and_differ() {
        let starts: BTreeSet<_> = (0..300).map(|index| board::fen(&Draw::new(1, index).start())).collect();
        assert!(starts.len() > 200, "{} different ones of 960", starts.len());
    }
}
