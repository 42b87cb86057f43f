//! The order in which a match takes the openings of its book.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// How the openings of a book are ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// As in the book.
    Sequential,
    /// Shuffled by this seed. The same seed gives the same order on each machine.
    Shuffled(u64),
}

/// A start that the book does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("start={start}: the book has the openings 1 to {openings}")]
pub struct StartError {
    start: usize,
    openings: usize,
}

/// The order of the openings of a match. After the last opening the first one comes again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpeningOrder {
    openings: usize,
    /// The index of the first opening in the order.
    first: usize,
    /// The indices in the order; `None` if they are in the order of the book.
    shuffled: Option<Vec<u32>>,
}

impl OpeningOrder {
    /// The order of this many openings, which begins with opening number `start`, from 1, of the order.
    ///
    /// # Errors
    /// If there is no opening with that number.
    pub fn new(openings: usize, order: Order, start: usize) -> Result<Self, StartError> {
        let is_known = (1..=openings).contains(&start) && u32::try_from(openings).is_ok();
        if !is_known {
            return Err(StartError { start, openings });
        }
        let shuffled = match order {
            Order::Sequential => None,
            Order::Shuffled(seed) => Some(shuffled(openings as u32, seed)),
        };
        Ok(Self { openings, first: start - 1, shuffled })
    }

    /// The index in the book of the opening of this pair, both from 0.
    pub fn index(&self, pair: u64) -> usize {
        let openings = self.openings as u64;
        let place = ((pair % openings + self.first as u64) % openings) as usize;
        self.shuffled.as_ref().map_or(place, |indices| indices[place] as usize)
    }
}

/// The shuffle of Fisher and Yates.
fn shuffled(openings: u32, seed: u64) -> Vec<u32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut indices: Vec<u32> = (0..openings).collect();
    for last in (1..indices.len()).rev() {
        let chosen = below(&mut rng, last as u64 + 1) as usize;
        indices.swap(last, chosen);
    }
    indices
}

/// A number below `bound`, all equally likely: draws from an incomplete last round of the bound are repeated.
fn below(rng: &mut ChaCha8Rng, bound: u64) -> u64 {
    let whole_rounds = u64::MAX - u64::MAX % bound;
    loop {
        let drawn = rng.next_u64();
        if drawn < whole_rounds {
            return drawn % bound;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn indices(openings: usize, order: Order, start: usize, pairs: u64) -> Vec<usize> {
        let order = OpeningOrder::new(openings, order, start).unwrap();
        (0..pairs).map(|pair| order.index(pair)).collect()
    }

    #[test]
    fn sequential_goes_around() {
        assert_eq!(indices(3, Order::Sequential, 1, 7), [0, 1, 2, 0, 1, 2, 0]);
        assert_eq!(indices(3, Order::Sequential, 3, 4), [2, 0, 1, 2]);
        let last = OpeningOrder::new(3, Order::Sequential, 3).unwrap();
        assert_eq!(last.index(u64::MAX), 2);
    }

    #[test]
    fn shuffled_takes_each_opening_once_a_round() {
        let found = indices(1000, Order::Shuffled(7), 1, 2000);
        assert_eq!(found[..1000].iter().collect::<BTreeSet<_>>().len(), 1000);
        assert_eq!(found[..1000], found[1000..]);
        assert_ne!(found[..1000], indices(1000, Order::Shuffled(8), 1, 1000));
        let later = indices(1000, Order::Shuffled(7), 400, 1000);
        assert_eq!(later[..601], found[399..1000]);
    }

    /// The order is part of a match: other versions and machines have to give the same.
    #[test]
    fn the_order_of_a_seed_stays() {
        assert_eq!(indices(10, Order::Shuffled(1), 1, 10), [2, 7, 6, 3, 4, 9, 0, 5, 8, 1]);
    }

    #[test]
    fn each_order_is_equally_likely() {
        let mut counts = std::collections::BTreeMap::new();
        for seed in 0..6000 {
            *counts.entry(indices(3, Order::Shuffled(seed), 1, 3)).or_insert(0_u32) += 1;
        }
        // Five standard deviations of a count are 144.
        assert!(counts.len() == 6 && counts.values().all(|count| count.abs_diff(1000) < 144), "{counts:?}");
    }

    #[test]
    fn starts_outside_the_book_are_refused() {
        for (openings, start) in [(3, 0), (3, 4), (0, 1), (0, 0)] {
            assert!(OpeningOrder::new(openings, Order::Sequential, start).is_err(), "{openings} {start}");
        }
        let error = OpeningOrder::new(3, Order::Shuffled(1), 4).unwrap_err();
        assert_eq!(error.to_string(), "start=4: the book has the openings 1 to 3");
    }
}
