//! Seeded chance, with a stream of its own for the starts of an ending and for each game.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A stream of numbers.
#[derive(Clone)]
pub(super) struct GameRng(ChaCha8Rng);

impl GameRng {
    /// What draws the starts of an ending.
    pub(super) fn of_starts(seed: u64, ending: &str) -> Self {
        Self::stream(seed, ending, 0)
    }

    /// What chooses among equals in a game: the same whatever else is played, and whoever plays.
    pub(super) fn of_game(seed: u64, ending: &str, game: usize) -> Self {
        Self::stream(seed, ending, 1 + game as u64)
    }

    /// Five letters of a name, then a number, so that no ending shares a stream with another.
    fn stream(seed: u64, ending: &str, number: u64) -> Self {
        let name = ending.bytes().fold(0, |name: u64, letter| name << 8 | u64::from(letter));
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        chance.set_stream(name << 24 | number);
        Self(chance)
    }

    /// A number below `bound`. Exact for powers of two; else the slight preference for small ones does not matter here.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound.max(1)
    }
}
