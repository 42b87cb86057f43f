//! What a tuner needs: the evaluation of a position as a linear function of the weights.
//!
//! Knows no games and no fitting: that is `examples/tune.rs`.

use super::sink::{Sink, Term};
use super::tapered::{Phase, Tapered};
use super::weights;
use super::{EvalOptions, enter, known, scale};
use crate::{Color, Position};

/// A weight as the data file has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    /// The name of its item.
    pub name: &'static str,
    /// Its place in the item, 0 if that is no list.
    pub place: usize,
    /// Its value.
    pub value: Tapered,
}

/// How often a weight counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Index into [`weights()`].
    pub weight: usize,
    /// White's count less Black's; never 0.
    pub count: i32,
}

/// An evaluation as a linear function: the sum of weight times count, blended by phase and scale.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    /// The weights that count, by rising index.
    pub shares: Vec<Share>,
    /// How much of the middlegame is left.
    pub phase: Phase,
    /// How much of the endgame's half counts, in 64ths.
    pub scale: u8,
}

/// All weights, in the order of the data file.
pub fn weights() -> Vec<Weight> {
    let item = |&(name, values): &(&'static str, &'static [Tapered])| {
        values.iter().enumerate().map(move |(place, &value)| Weight { name, place, value })
    };
    weights::ALL.iter().flat_map(item).collect()
}

/// Takes evaluations apart into the counts of their weights.
#[derive(Debug, Clone)]
pub struct Extractor {
    options: EvalOptions,
    /// Address of each item and index of its first weight, by rising address.
    items: Vec<(usize, usize)>,
    counts: Vec<i32>,
}

impl Extractor {
    /// For evaluations with these parts on.
    pub fn new(options: EvalOptions) -> Self {
        let mut items = Vec::new();
        let mut first = 0;
        for (_, values) in weights::ALL {
            items.push((address(&values[0]), first));
            first += values.len();
        }
        items.sort_unstable();
        Self { options, items, counts: vec![0; first] }
    }

    /// The linear function of a position; `None` where no weight decides: dead material and known endgames.
    pub fn linear(&mut self, position: &Position) -> Option<Linear> {
        let known = known(position, self.options).err()?;
        self.counts.fill(0);
        enter(position, self.options, self);
        let shares = self.counts.iter().enumerate().filter(|&(_, &count)| count != 0);
        let shares: Vec<_> = shares.map(|(weight, &count)| Share { weight, count }).collect();
        let values = weights();
        let total =
            shares.iter().fold(Tapered::ZERO, |sum, share| sum + values[share.weight].value * share.count);
        let scale = scale(position, total, known, self.options).0;
        Some(Linear { shares, phase: Phase::of(position.board()), scale })
    }

    /// The index of a weight, told by where it stands in memory: the terms name weights by reference.
    fn index(&self, weight: &'static Tapered) -> usize {
        let at = address(weight);
        let item = self.items.partition_point(|&(start, _)| start <= at) - 1;
        let (start, first) = self.items[item];
        first + (at - start) / size_of::<Tapered>()
    }
}

impl Sink for Extractor {
    fn add(&mut self, _term: Term, color: Color, weight: &'static Tapered, count: u32) {
        let count = count.cast_signed();
        let index = self.index(weight);
        self.counts[index] += color.pick(count, -count);
    }
}

fn address(weight: &'static Tapered) -> usize {
    std::ptr::from_ref(weight).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_weight_is_found_where_it_stands() {
        let extractor = Extractor::new(EvalOptions::default());
        let all = weights::ALL.iter().flat_map(|(_, values)| values.iter());
        for (index, weight) in all.enumerate() {
            assert_eq!(extractor.index(weight), index);
        }
        assert_eq!(weights().len(), extractor.counts.len());
    }
}
