//! The positions on which the writer tries orders: all of a small table, random segments of a large one.

use std::collections::VecDeque;

/// Tables with at most this many positions are sampled whole.
const WHOLE: u64 = 100_000;
/// The segments of tables of four men and of small ones of five men, and those of others, with how many
/// positions each has.
const SEGMENTS: u64 = 100;
const MORE_SEGMENTS: u64 = 500;
const SEGMENT: u64 = 16_384;
/// Tables of five men with at most this many positions are small.
const SMALL: u64 = 1_001 * SEGMENT;

/// Consecutive numbers of positions: the first, and how many.
pub(super) type Segment = (u64, u64);

/// The additive generator of the GNU C library with its default seed: `random()` in a program that sets no
/// seed.
pub(super) struct Random {
    /// The last 31 numbers.
    last: VecDeque<u32>,
}

impl Random {
    pub(super) fn new() -> Self {
        let mut last = VecDeque::from([1]);
        while last.len() < 31 {
            let before = u64::from(last[last.len() - 1]);
            last.push_back((16_807 * before % 2_147_483_647) as u32);
        }
        // The first three follow once more.
        for place in 0..3 {
            let again = last[place];
            last.push_back(again);
        }
        last.drain(..3);
        let mut random = Self { last };
        for _ in 34..344 {
            random.step();
        }
        random
    }

    fn step(&mut self) -> u32 {
        let next = self.last[28].wrapping_add(self.last[0]);
        self.last.pop_front();
        self.last.push_back(next);
        next
    }

    /// A number of 31 bits.
    pub(super) fn next(&mut self) -> u64 {
        u64::from(self.step() >> 1)
    }
}

/// The segments of a table with this many positions and men.
pub(super) fn segments(size: u64, men: usize, random: &mut Random) -> Vec<Segment> {
    if size <= WHOLE {
        return vec![(0, size)];
    }
    let (count, len) =
        if men < 5 || size <= SMALL { (SEGMENTS, size / SEGMENTS) } else { (MORE_SEGMENTS, SEGMENT) };
    let choices = size - count * len + 1;
    let mut starts: Vec<u64> = (0..count)
        .map(|_| {
            let high = random.next() << 24;
            (high + random.next()) % choices
        })
        .collect();
    starts.sort_unstable();
    starts.iter().zip(0..).map(|(start, place)| (start + place * len, len)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers that the C library gives to a program that sets no seed.
    #[test]
    fn numbers_are_those_of_the_c_library() {
        let mut random = Random::new();
        let numbers = [1_804_289_383, 846_930_886, 1_681_692_777, 1_714_636_915, 1_957_747_793];
        assert_eq!(numbers.map(|_| random.next()), numbers);
    }
}
