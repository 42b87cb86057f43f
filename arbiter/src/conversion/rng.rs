//! Seeded random numbers: one stream for the starts of each ending, and one for each game.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// A stream of random numbers.
pub(super) struct GameRng(ChaCha8Rng);

impl GameRng {
    /// The stream that draws the starts of an ending.
    pub(super) fn of_starts(seed: u64, ending: &str) -> Self {
        Self::stream(seed, ending, 0)
    }

    /// The stream of a game. It depends on the seed, the ending and the number of the game alone.
    pub(super) fn of_game(seed: u64, ending: &str, game: usize) -> Self {
        Self::stream(seed, ending, 1 + game as u64)
    }

    /// The number of a stream is made of up to five letters of the ending and a number, so that no two
    /// endings share a stream.
    fn stream(seed: u64, ending: &str, number: u64) -> Self {
        let name = ending.bytes().fold(0, |name: u64, letter| name << 8 | u64::from(letter));
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(name << 24 | number);
        Self(rng)
    }

    /// A number below `bound`. The modulo prefers small numbers by less than one part in 2^32, which does not
    /// matter here.
    pub(super) fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound.max(1)
    }
}
