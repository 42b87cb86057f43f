//! A set of numbers of games or pairs, stored as ranges: games that are finished nearly in order take little
//! memory.

use std::collections::BTreeMap;

/// A set of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NumberSet {
    /// The first and the last number of each range. Between two ranges a number is missing.
    ranges: BTreeMap<u64, u64>,
    count: u64,
}

impl NumberSet {
    /// Adds a number. Returns whether it was missing.
    pub fn insert(&mut self, number: u64) -> bool {
        if self.contains(number) {
            return false;
        }
        self.count += 1;
        let last = number.checked_add(1).and_then(|next| self.ranges.remove(&next)).unwrap_or(number);
        let before = self.ranges.range_mut(..number).next_back();
        match before.filter(|(_, end)| number.checked_sub(1) == Some(**end)) {
            Some((_, end)) => *end = last,
            None => {
                self.ranges.insert(number, last);
            }
        }
        true
    }

    /// Whether it has a number.
    pub fn contains(&self, number: u64) -> bool {
        self.ranges.range(..=number).next_back().is_some_and(|(_, &last)| number <= last)
    }

    /// How many numbers it has.
    pub fn len(&self) -> u64 {
        self.count
    }

    /// Whether it has no number.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::{Rng, SeedableRng};

    use super::*;

    #[test]
    fn it_is_a_set() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for bound in [4, 40, 400] {
            let (mut ranges, mut plain) = (NumberSet::default(), BTreeSet::new());
            for _ in 0..300 {
                let number = rng.next_u64() % bound;
                assert_eq!(ranges.insert(number), plain.insert(number));
                assert_eq!(ranges.len(), plain.len() as u64);
            }
            for number in 0..bound {
                assert_eq!(ranges.contains(number), plain.contains(&number), "{number} of {bound}");
            }
            let firsts = plain.iter().filter(|number| !plain.contains(&number.wrapping_sub(1)));
            assert_eq!(ranges.ranges.len(), firsts.count());
        }
    }

    #[test]
    fn extreme_numbers() {
        let mut set = NumberSet::default();
        assert!(set.is_empty() && !set.contains(0) && !set.contains(u64::MAX));
        for number in [u64::MAX, 0, u64::MAX - 1, 1] {
            assert!(set.insert(number) && !set.insert(number));
        }
        assert_eq!((set.len(), set.ranges.len(), set.contains(2)), (4, 2, false));
    }

    #[test]
    fn games_nearly_in_order_take_few_ranges() {
        let mut set = NumberSet::default();
        for block in 0..25_000 {
            for number in [3, 1, 4, 2] {
                set.insert(4 * block + number);
                assert!(set.ranges.len() <= 3);
            }
        }
        assert_eq!((set.len(), set.ranges.len()), (100_000, 1));
    }
}
