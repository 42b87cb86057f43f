//! The draw of the places of faults, by a seed.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// How much is planted, and where.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Draw {
    pub(crate) seed: u64,
    pub(crate) quick: bool,
}

impl Draw {
    /// The generator of one group. Its draws do not depend on the other groups.
    pub(crate) fn of(self, id: &str) -> Random {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(fnv(id));
        Random(rng)
    }

    /// One of `count` parts, the same for the same text. The low bits of the hash depend on few bits of the text, so the high ones are taken.
    pub(crate) fn part_of(self, text: &str, count: usize) -> usize {
        (fnv(&format!("{}/{text}", self.seed)) >> 32) as usize % count
    }

    /// One of these in a quick run, else all.
    pub(crate) fn share<'a>(self, what: &str, all: &'a [&'a str]) -> Vec<&'a str> {
        if self.quick { vec![all[self.of(what).below(all.len())]] } else { all.to_vec() }
    }
}

/// FNV-1a, 64 bits: offset basis and prime of the authors' page.
fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Draws numbers.
pub(crate) struct Random(ChaCha8Rng);

impl Random {
    /// A number below `count`, which is not 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.0.next_u64() % count as u64) as usize
    }
}
