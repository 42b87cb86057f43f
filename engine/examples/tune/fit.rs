//! Gradient descent on the loss, with Adam.
//!
//! Knows no files. Sums are computed in parts of fixed size and added in order, so the number of threads does
//! not change the result.

use engine::eval::Tapered;
use engine::eval::tuning::Weight;
use rayon::prelude::*;

use crate::samples::{Sample, Samples};

/// The two halves of each weight, in centipawns.
type Halves = Vec<[f64; 2]>;

/// The first step, in centipawns.
const RATE: f64 = 1.0;
/// The decay rates of Adam's first and second moment.
const KEEP: [f64; 2] = [0.9, 0.999];
/// The prior: the number of positions that a weight's initial value counts for. Rare features should not move
/// far, and the fifty or so positions of one game are nearly alike.
const FIRST_VALUE_COUNTS: f64 = 2_000.0;
/// Bound of a weight, in centipawns.
const MOST: f64 = 3_000.0;
/// Positions in a part.
const PART: usize = 1 << 14;
/// The range of the logistic scale that is searched, in centipawns.
const UNITS: [f64; 2] = [20.0, 1_000.0];

/// The state of the optimization.
pub(crate) struct Fit<'a> {
    samples: &'a Samples,
    first: Halves,
    now: Halves,
    mean: Halves,
    square: Halves,
    rounds: i32,
    unit: f64,
}

impl<'a> Fit<'a> {
    /// Starts from these weights, with the best-fitting logistic scale.
    pub(crate) fn new(samples: &'a Samples, weights: &[Weight]) -> Self {
        let first: Halves =
            weights.iter().map(|w| [w.value.middlegame(), w.value.endgame()].map(f64::from)).collect();
        let nothing = vec![[0.0; 2]; first.len()];
        let (mean, square) = (nothing.clone(), nothing);
        let mut fit = Self { samples, now: first.clone(), first, mean, square, rounds: 0, unit: 200.0 };
        fit.unit = fit.best_unit();
        fit
    }

    /// The logistic scale: this many centipawns multiply the odds by e.
    pub(crate) fn unit(&self) -> f64 {
        self.unit
    }

    /// The mean loss: minus the logarithm of the predicted probability of the result.
    pub(crate) fn loss(&self, samples: &[Sample]) -> f64 {
        self.loss_with(samples, self.unit)
    }

    /// The weights rounded to centipawns.
    pub(crate) fn weights(&self, like: &[Weight]) -> Vec<Weight> {
        let whole = |half: f64| half.round() as i16;
        let values = self.now.iter().map(|&[mg, eg]| Tapered::new(whole(mg), whole(eg)));
        like.iter().zip(values).map(|(weight, value)| Weight { value, ..*weight }).collect()
    }

    /// One step of Adam.
    pub(crate) fn round(&mut self) {
        let gradient = self.gradient();
        self.rounds += 1;
        let [mean_bias, square_bias] = KEEP.map(|keep| 1.0 - keep.powi(self.rounds));
        for (index, halves) in gradient.iter().enumerate() {
            for (half, &slope) in halves.iter().enumerate() {
                let mean = &mut self.mean[index][half];
                *mean = KEEP[0] * *mean + (1.0 - KEEP[0]) * slope;
                let square = &mut self.square[index][half];
                *square = KEEP[1] * *square + (1.0 - KEEP[1]) * slope * slope;
                // A weight that never counts has no gradient and stays.
                if *square > 0.0 {
                    let step = RATE * (*mean / mean_bias) / (*square / square_bias).sqrt();
                    let now = &mut self.now[index][half];
                    *now = (*now - step).clamp(-MOST, MOST);
                }
            }
        }
    }

    /// The gradient of the mean loss, with the prior.
    fn gradient(&self) -> Halves {
        let learnt = self.samples.learnt();
        let parts: Vec<Halves> = learnt.par_chunks(PART).map(|part| self.slopes(part)).collect();
        // The curvature of the loss for an even position.
        let bond = FIRST_VALUE_COUNTS / 4.0 / (self.unit * self.unit);
        let mut sum: Halves =
            self.now.iter().zip(&self.first).map(|(now, first)| bonds(now, first, bond)).collect();
        for part in parts {
            for (sum, slopes) in sum.iter_mut().zip(part) {
                *sum = [sum[0] + slopes[0], sum[1] + slopes[1]];
            }
        }
        let count = learnt.len() as f64;
        sum.into_iter().map(|slopes| slopes.map(|slope| slope / count)).collect()
    }

    fn slopes(&self, part: &[Sample]) -> Halves {
        let mut sum = vec![[0.0; 2]; self.now.len()];
        for sample in part {
            let off = (chance(self.value(sample) / self.unit) - sample.result) / self.unit;
            let [middlegame, endgame] = sample.blend.map(|share| share * off);
            for (weight, count) in self.samples.shares(sample) {
                sum[weight][0] += count * middlegame;
                sum[weight][1] += count * endgame;
            }
        }
        sum
    }

    /// The evaluation in centipawns, from White's view.
    fn value(&self, sample: &Sample) -> f64 {
        let [mut middlegame, mut endgame] = [0.0; 2];
        for (weight, count) in self.samples.shares(sample) {
            middlegame += count * self.now[weight][0];
            endgame += count * self.now[weight][1];
        }
        middlegame * sample.blend[0] + endgame * sample.blend[1]
    }

    fn loss_with(&self, samples: &[Sample], unit: f64) -> f64 {
        let loss = |sample: &Sample| {
            let odds = self.value(sample) / unit;
            // ln(1 + e^odds) - result * odds, without overflow.
            odds.max(0.0) + (-odds.abs()).exp().ln_1p() - sample.result * odds
        };
        let parts: Vec<f64> = samples.par_chunks(PART).map(|part| part.iter().map(loss).sum()).collect();
        parts.iter().sum::<f64>() / samples.len() as f64
    }

    /// The scale with the least loss, by ternary search.
    fn best_unit(&self) -> f64 {
        let [mut low, mut high] = UNITS;
        while high - low > 0.1 {
            let third = (high - low) / 3.0;
            let (left, right) = (low + third, high - third);
            if self.loss_with(self.samples.learnt(), left) < self.loss_with(self.samples.learnt(), right) {
                high = right;
            } else {
                low = left;
            }
        }
        low.midpoint(high)
    }
}

/// The win probability of these log odds.
fn chance(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

fn bonds(now: &[f64; 2], first: &[f64; 2], bond: f64) -> [f64; 2] {
    [bond * (now[0] - first[0]), bond * (now[1] - first[1])]
}
