//! Builds the books of openings that the program carries, each with a fixed seed.
//!
//! ```sh
//! cargo run -p touchstone-arbiter --example build_openings balanced > suites/data/openings/balanced.epd
//! cargo run -p touchstone-arbiter --example build_openings endings > suites/data/openings/endings.epd
//! ```

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

mod balanced;
mod endings;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// Draws numbers, the same ones from the same seed on each machine.
struct Random(ChaCha8Rng);

impl Random {
    fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// A number below `bound`. The bias of the remainder does not matter for bounds as small as these.
    fn below(&mut self, bound: u64) -> u64 {
        self.0.next_u64() % bound
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let book = std::env::args().nth(1).unwrap_or_default();
    let lines = match book.as_str() {
        "balanced" => balanced::lines(),
        "endings" => endings::lines()?,
        _ => return Err("name the book: balanced or endings".into()),
    };
    for line in lines {
        println!("{line}");
    }
    Ok(())
}
