//! The generalised log likelihood ratio of two hypotheses on a distribution of results.
//!
//! The likelihood of a hypothesis is that of the most likely distribution which obeys it. Of distributions
//! with a given mean it has the shares p / (1 + x (a - mean)), with x from one equation (Art B. Owen,
//! Empirical Likelihood, 2001, chapter 2). Given mean and deviation together ([`with_t_value`]) the same is
//! solved again and again for the condition made linear.

use super::results::moments;

/// Shares are equal if they differ by less.
const SAME: f64 = 1e-12;
/// The most rounds of [`with_t_value`]. It needs about ten.
const ROUNDS: usize = 100;
/// The steps of a bisection: more than a double has bits.
const STEPS: usize = 80;

/// The most likely distribution with this mean.
pub(super) fn with_mean(distribution: &[(f64, f64)], mean: f64) -> Vec<(f64, f64)> {
    tilted(distribution, |score| score - mean)
}

/// The most likely distribution whose mean exceeds 0.5 by `t` standard deviations.
pub(super) fn with_t_value(distribution: &[(f64, f64)], t: f64) -> Vec<(f64, f64)> {
    let share = 1.0 / distribution.len() as f64;
    let mut likely: Vec<(f64, f64)> = distribution.iter().map(|&(score, _)| (score, share)).collect();
    for _ in 0..ROUNDS {
        let (mean, variance) = moments(&likely);
        let deviation = variance.sqrt();
        let condition =
            |score: f64| score - 0.5 - t * deviation * (1.0 + ((mean - score) / deviation).powi(2)) / 2.0;
        let next = tilted(distribution, condition);
        let moved = likely.iter().zip(&next).map(|(old, new)| (old.1 - new.1).abs()).fold(0.0, f64::max);
        likely = next;
        if moved < SAME {
            break;
        }
    }
    likely
}

/// The most likely distribution in which the mean of a condition is 0.
fn tilted(distribution: &[(f64, f64)], condition: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
    let values: Vec<(f64, f64)> =
        distribution.iter().map(|&(score, share)| (condition(score), share)).collect();
    let x = multiplier(&values);
    distribution
        .iter()
        .zip(&values)
        .map(|(&(score, share), (value, _))| (score, share / (1.0 + x * value)))
        .collect()
}

/// The x for which the sum of p a / (1 + x a) is 0. The sum falls between its poles, if a value is below and
/// one above 0.
fn multiplier(values: &[(f64, f64)]) -> f64 {
    let least = values.iter().map(|value| value.0).fold(f64::INFINITY, f64::min);
    let most = values.iter().map(|value| value.0).fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        let sum: f64 = values.iter().map(|(value, share)| share * value / (1.0 + middle * value)).sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}

/// The mean of the logarithm of the quotient of two distributions, over a third one.
pub(super) fn ratio(distribution: &[(f64, f64)], [first, second]: [&[(f64, f64)]; 2]) -> f64 {
    distribution
        .iter()
        .zip(first.iter().zip(second))
        .map(|((_, share), (first, second))| share * (second.1 / first.1).ln())
        .sum()
}
