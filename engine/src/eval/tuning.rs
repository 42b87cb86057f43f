//! For tuners: the evaluation of a position as a linear function of the weights.
//!
//! Knows no games and no fitting: see `examples/tune`.

use super::sink::{Term, TermSink};
use super::tapered::{Phase, Scales, Tapered};
use super::weights;
use super::{EvalOptions, enter, known, scales};
use crate::{Color, Position};

/// A weight of the data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weight {
    /// The name of its constant.
    pub name: &'static str,
    /// Its index in the constant; 0 if that is not a list.
    pub place: usize,
    /// Its value.
    pub value: Tapered,
}

/// The coefficient of a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// Index into [`weights()`].
    pub weight: usize,
    /// White's count minus Black's; never 0.
    pub count: i32,
}

/// A linear evaluation: the sum of weight times coefficient, blended by phase and scales.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    /// The coefficients, by ascending index.
    pub shares: Vec<Share>,
    /// The phase.
    pub phase: Phase,
    /// The scale of each half.
    pub scales: Scales,
}

/// All weights, in the order of the data file.
pub fn weights() -> Vec<Weight> {
    let item = |&(name, values): &(&'static str, &'static [Tapered])| {
        values.iter().enumerate().map(move |(place, &value)| Weight { name, place, value })
    };
    weights::ALL.iter().flat_map(item).collect()
}

/// Computes the linear function of positions.
#[derive(Debug, Clone)]
pub struct Extractor {
    options: EvalOptions,
    /// The address of each constant and the index of its first weight, by ascending address.
    items: Vec<(usize, usize)>,
    counts: Vec<i32>,
    values: Vec<Tapered>,
}

impl Extractor {
    /// For evaluations with these parts.
    pub fn new(options: EvalOptions) -> Self {
        let mut items = Vec::new();
        let mut first = 0;
        for (_, values) in weights::ALL {
            items.push((address(&values[0]), first));
            first += values.len();
        }
        items.sort_unstable();
        let values = weights().into_iter().map(|weight| weight.value).collect();
        Self { options, items, counts: vec![0; first], values }
    }

    /// The linear function of a position; `None` if the weights do not decide: dead material and known
    /// endgames.
    pub fn linear(&mut self, position: &Position) -> Option<Linear> {
        let known = known(position, self.options).err()?;
        self.counts.fill(0);
        enter(position, self.options, self);
        let shares = self.counts.iter().enumerate().filter(|&(_, &count)| count != 0);
        let shares: Vec<_> = shares.map(|(weight, &count)| Share { weight, count }).collect();
        let total =
            shares.iter().fold(Tapered::ZERO, |sum, share| sum + self.values[share.weight] * share.count);
        let phase = Phase::from_board(position.board());
        let scales = scales(position, phase, total, known, self.options);
        Some(Linear { shares, phase, scales })
    }

    /// The index of a weight by its address: the terms pass weights by reference.
    fn index(&self, weight: &'static Tapered) -> usize {
        let at = address(weight);
        let item = self.items.partition_point(|&(start, _)| start <= at) - 1;
        let (start, first) = self.items[item];
        first + (at - start) / size_of::<Tapered>()
    }
}

impl TermSink for Extractor {
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
    fn every_weight_is_found_by_its_address() {
        let extractor = Extractor::new(EvalOptions::default());
        let all = weights::ALL.iter().flat_map(|(_, values)| values.iter());
        for (index, weight) in all.enumerate() {
            assert_eq!(extractor.index(weight), index);
        }
        assert_eq!(weights().len(), extractor.counts.len());
    }
}
