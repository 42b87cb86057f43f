//! Symbols that often stand side by side become one, round by round. The choice of the pairs of a round differs between WDL tables
//! (`result_pairs`) and DTZ tables (`distance_pairs`).

/// The most positions that a symbol stands for.
const MOST_POSITIONS: u16 = 256;
/// The most candidates of a round.
const MOST_CANDIDATES: usize = 249;
/// The right part of a symbol that stands for one value.
pub(super) const NO_PART: u16 = u16::MAX;

/// A symbol: its value, or its two parts; and how many positions it stands for.
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
    pub(super) data: Vec<u16>,
    pub(super) symbols: Vec<Symbol>,
    /// How many symbols there can be.
    width: usize,
    counts: Vec<u32>,
    /// For each symbol the row of its replacements, 0 if no pair begins with it.
    rows: Vec<u16>,
    replacements: Vec<u16>,
}

impl Pairing {
    /// Data of so many symbols, of which there can be up to `limit`.
    pub(super) fn new(data: Vec<u16>, base: usize, limit: usize) -> Self {
        let value = |value: usize| Symbol { left: value as u16, right: NO_PART, positions: 1 };
        // A power of two: then a place in a table is found without a product.
        let width = (limit + 1).next_power_of_two();
        let mut pairing = Self {
            data,
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
        MOST_POSITIONS - self.symbols[usize::from(symbol)].positions
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
        for &symbol in &self.data {
            frequencies[usize::from(symbol)] += 1;
        }
        frequencies
    }

    fn count_again(&mut self) {
        for row in self.counts.chunks_mut(self.width).take(self.symbols.len()) {
            row[..self.symbols.len()].fill(0);
        }
        for pair in self.data.windows(2) {
            self.counts[usize::from(pair[0]) * self.width + usize::from(pair[1])] += 1;
        }
    }

    /// Replaces pairs from left to right, those of all replacements in one walk.
    pub(super) fn replace(&mut self, replacements: &[Replacement]) {
        self.prepare(replacements);
        let symbols = self.symbols.len();
        if symbols * symbols < self.data.len() {
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
                *row = (self.replacements.len() / self.width) as u16;
                self.replacements.resize(self.replacements.len() + self.width, 0);
            }
            self.replacements[usize::from(*row) * self.width + usize::from(pair.right)] = pair.by;
        }
    }

    /// Replaces pairs; counts each change if it is told to.
    fn replace_pairs<const COUNTS: bool>(&mut self) {
        let Self { data, counts, rows, replacements, width, .. } = self;
        let width = *width;
        let mut change = |left: u16, right: u16, by: u32| {
            let count = &mut counts[usize::from(left) * width + usize::from(right)];
            *count = count.wrapping_add(by);
        };
        let minus = u32::MAX;
        let (mut from, mut to) = (0, 0);
        while from + 1 < data.len() {
            let (left, right) = (data[from], data[from + 1]);
            let by = replacements[usize::from(rows[usize::from(left)]) * width + usize::from(right)];
            if by == 0 {
                data[to] = left;
                to += 1;
                from += 1;
                continue;
            }
            if COUNTS {
                if to > 0 {
                    change(data[to - 1], left, minus);
                    change(data[to - 1], by, 1);
                }
                if let Some(&next) = data.get(from + 2) {
                    change(right, next, minus);
                    change(by, next, 1);
                }
            }
            data[to] = by;
            to += 1;
            from += 2;
        }
        if let Some(&last) = data.get(from) {
            data[to] = last;
            to += 1;
        }
        data.truncate(to);
    }
}

/// The most frequent candidates, in the order in which they are looked at.
pub(super) fn best(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.count));
    candidates.truncate(MOST_CANDIDATES);
    candidates
}

/// How many places of the symbols to come are taken by candidates that were passed over, and by those that may come: they
/// count double each time that the frequency of the first has halved.
#[derive(Debug)]
pub(super) struct Passed {
    pub(super) places: usize,
    most: u32,
}

impl Passed {
    pub(super) fn new(candidates: &[Candidate]) -> Self {
        Self { places: 0, most: candidates.first().map_or(0, |first| first.count) }
    }

    /// Before the candidate of a place is looked at.
    pub(super) fn look_at(&mut self, place: usize, count: u32) {
        while self.most > 2 * count {
            self.places += place;
            self.most /= 2;
        }
    }
}
