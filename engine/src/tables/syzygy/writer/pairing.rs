//! Symbols that often stand side by side become one, round by round. WDL tables (`result_pairs`) and DTZ
//! tables (`distance_pairs`) choose the pairs of a round differently.

use super::runs::{Run, Runs};
use crate::tables::syzygy::pairs::MOST_PER_SYMBOL;

/// The most candidates of a round.
const MOST_CANDIDATES: usize = 249;
/// The right part of a symbol that stands for one value.
pub(super) const NO_PART: u16 = u16::MAX;

/// A symbol: its value, or its two parts; and the number of its positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) left: u16,
    pub(super) right: u16,
    pub(super) positions: u16,
}

/// A pair of symbols, and how often it can be replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) left: u16,
    pub(super) right: u16,
    pub(super) count: u32,
}

/// A pair of symbols in the data, and the symbol that replaces it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Replacement {
    pub(super) left: u16,
    pub(super) right: u16,
    pub(super) by: u16,
}

/// Data, its symbols, and how often these stand side by side.
pub(super) struct Pairing {
    pub(super) data: Runs,
    /// The data of the round before.
    before: Runs,
    pub(super) symbols: Vec<Symbol>,
    /// The greatest number of symbols.
    width: usize,
    counts: Vec<u32>,
    /// For each symbol where its replacements begin, 0 if no pair begins with it.
    rows: Vec<u32>,
    replacements: Vec<u16>,
}

impl Pairing {
    /// Data of `base` symbols. There can be up to `limit`.
    pub(super) fn new(data: Runs, base: usize, limit: usize) -> Self {
        let value = |value: usize| Symbol { left: value as u16, right: NO_PART, positions: 1 };
        // A power of two, so that a place in a table is found without a multiplication.
        let width = (limit + 1).next_power_of_two();
        let mut pairing = Self {
            data,
            before: Runs::default(),
            symbols: (0..base).map(value).collect(),
            width,
            counts: vec![0; width * width],
            rows: vec![0; width],
            replacements: Vec::new(),
        };
        pairing.count_again();
        pairing
    }

    /// How often a symbol follows another one.
    #[inline]
    pub(super) fn count(&self, left: u16, right: u16) -> u32 {
        self.counts[usize::from(left) * self.width + usize::from(right)]
    }

    /// How often each symbol follows this one.
    #[inline]
    pub(super) fn followers(&self, left: u16) -> &[u32] {
        &self.counts[usize::from(left) * self.width..][..self.symbols.len()]
    }

    /// The longest symbol that may follow this one in a pair.
    pub(super) fn room_beside(&self, symbol: u16) -> u16 {
        MOST_PER_SYMBOL - self.symbols[usize::from(symbol)].positions
    }

    /// Adds the symbol of a pair.
    pub(super) fn add(&mut self, left: u16, right: u16) -> u16 {
        let of = |symbol: u16| self.symbols[usize::from(symbol)].positions;
        self.symbols.push(Symbol { left, right, positions: of(left) + of(right) });
        (self.symbols.len() - 1) as u16
    }

    /// How often each symbol occurs.
    pub(super) fn frequencies(&self) -> Vec<u64> {
        let mut frequencies = vec![0; self.symbols.len()];
        for run in self.data.as_slice() {
            frequencies[usize::from(run.symbol)] += u64::from(run.len);
        }
        frequencies
    }

    fn count_again(&mut self) {
        for row in self.counts.chunks_mut(self.width).take(self.symbols.len()) {
            row[..self.symbols.len()].fill(0);
        }
        let runs = self.data.as_slice();
        for run in runs {
            self.counts[usize::from(run.symbol) * (self.width + 1)] += run.len - 1;
        }
        for pair in runs.windows(2) {
            self.counts[usize::from(pair[0].symbol) * self.width + usize::from(pair[1].symbol)] += 1;
        }
    }

    /// Replaces pairs from left to right, those of all replacements in one walk.
    pub(super) fn replace(&mut self, replacements: &[Replacement]) {
        self.prepare(replacements);
        let symbols = self.symbols.len();
        if symbols * symbols < self.data.as_slice().len() {
            self.replace_pairs::<false>();
            self.count_again();
        } else {
            self.replace_pairs::<true>();
            for pair in replacements {
                self.counts[usize::from(pair.left) * self.width + usize::from(pair.right)] = 0;
            }
        }
    }

    /// Fills the table of replacements.
    fn prepare(&mut self, replacements: &[Replacement]) {
        self.rows.fill(0);
        self.replacements.clear();
        self.replacements.resize(self.width, 0);
        for pair in replacements {
            let row = &mut self.rows[usize::from(pair.left)];
            if *row == 0 {
                *row = self.replacements.len() as u32;
                self.replacements.resize(self.replacements.len() + self.width, 0);
            }
            self.replacements[*row as usize + usize::from(pair.right)] = pair.by;
        }
    }

    /// Replaces pairs. Counts each change if `COUNTS` is set.
    fn replace_pairs<const COUNTS: bool>(&mut self) {
        std::mem::swap(&mut self.data, &mut self.before);
        self.data.clear();
        let Self { data, before, counts, rows, replacements, width, .. } = self;
        let by = |left: u16, right: u16| replacements[rows[usize::from(left)] as usize + usize::from(right)];
        let mut counter = Counter { counts, width: *width };
        let runs = before.as_slice();
        // A symbol that was read, but is not yet written.
        let mut read: Option<u16> = None;
        for (place, &Run { symbol, mut len }) in runs.iter().enumerate() {
            let after = runs.get(place + 1).map(|run| run.symbol);
            if let Some(left) = read.take() {
                let by = by(left, symbol);
                if by == 0 {
                    data.push(left, 1);
                } else {
                    len -= 1;
                    if COUNTS {
                        let next = if len > 0 { Some(symbol) } else { after };
                        counter.replaced(data.last(), (left, symbol), by, next, 1);
                    }
                    data.push(by, 1);
                    if len == 0 {
                        continue;
                    }
                }
            }
            let by = by(symbol, symbol);
            if by != 0 && len > 1 {
                if COUNTS {
                    let next = if len % 2 == 1 { Some(symbol) } else { after };
                    counter.replaced(data.last(), (symbol, symbol), by, next, len / 2);
                }
                data.push(by, len / 2);
                len %= 2;
            } else {
                data.push(symbol, len - 1);
                len = 1;
            }
            read = (len == 1).then_some(symbol);
        }
        if let Some(symbol) = read {
            data.push(symbol, 1);
        }
    }
}

/// Updates the counts of pairs.
struct Counter<'a> {
    counts: &'a mut [u32],
    width: usize,
}

impl Counter<'_> {
    fn change(&mut self, left: u16, right: u16, by: u32) {
        let count = &mut self.counts[usize::from(left) * self.width + usize::from(right)];
        *count = count.wrapping_add(by);
    }

    /// A pair was replaced this many times in a row.
    fn replaced(&mut self, last: Option<Run>, pair: (u16, u16), by: u16, next: Option<u16>, times: u32) {
        let minus = |times: u32| times.wrapping_neg();
        let (left, right) = pair;
        if let Some(last) = last {
            self.change(last.symbol, left, minus(1));
            self.change(last.symbol, by, 1);
        }
        // Between the pairs of a row.
        self.change(right, left, minus(times - 1));
        self.change(by, by, times - 1);
        if let Some(next) = next {
            self.change(right, next, minus(1));
            self.change(by, next, 1);
        }
    }
}

/// The most frequent candidates, in the order of the selection.
pub(super) fn best(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.count));
    candidates.truncate(MOST_CANDIDATES);
    candidates
}

/// The places for new symbols that a round leaves to later ones: one for each candidate that it passes over,
/// and each time that the frequency has halved, as many as there were candidates until then.
#[derive(Debug)]
pub(super) struct Passed {
    pub(super) places: usize,
    most: u32,
}

impl Passed {
    pub(super) fn new(candidates: &[Candidate]) -> Self {
        Self { places: 0, most: candidates.first().map_or(0, |first| first.count) }
    }

    /// Updates the places before a candidate is looked at.
    pub(super) fn look_at(&mut self, place: usize, count: u32) {
        while self.most > 2 * count {
            self.places += place;
            self.most /= 2;
        }
    }
}
