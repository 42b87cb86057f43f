//! Whether two series of paired measurements differ by more than noise.
//!
//! The interval is a percentile bootstrap of the median ratio (Efron, 1979). The test exchanges the two
//! measurements of a pair, which is as likely as not if both are equally fast, in all ways (Fisher's
//! permutation test for pairs); its statistic is the mean of the logarithms of the ratios.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// How often the pairs are drawn again.
const RESAMPLES: usize = 10_000;

/// The comparison of two series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Comparison {
    /// The medians of both.
    pub(super) medians: [f64; 2],
    /// The median of the ratios, the second divided by the first.
    pub(super) ratio: f64,
    /// Its 95 % confidence interval.
    pub(super) interval: [f64; 2],
    /// The chance of so great a difference if there is none.
    pub(super) p: f64,
}

/// Compares two series of the same length, at least 1 and at most 16. All numbers are above 0.
pub(super) fn compare(first: &[f64], second: &[f64], seed: u64) -> Comparison {
    let ratios: Vec<f64> = first.iter().zip(second).map(|(first, second)| second / first).collect();
    Comparison {
        medians: [median(first.to_vec()), median(second.to_vec())],
        ratio: median(ratios.clone()),
        interval: interval(&ratios, seed),
        p: p_value(&ratios),
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    let last = values.len().saturating_sub(1);
    f64::midpoint(values[last / 2], values[last.div_ceil(2)])
}

fn interval(ratios: &[f64], seed: u64) -> [f64; 2] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut draw = || ratios[(rng.next_u64() % ratios.len() as u64) as usize];
    let mut medians: Vec<f64> =
        (0..RESAMPLES).map(|_| median((0..ratios.len()).map(|_| draw()).collect())).collect();
    medians.sort_unstable_by(f64::total_cmp);
    [medians[RESAMPLES / 40], medians[RESAMPLES - 1 - RESAMPLES / 40]]
}

fn p_value(ratios: &[f64]) -> f64 {
    let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
    let measured = logarithms.iter().sum::<f64>().abs();
    let exchanges = 1_u32 << logarithms.len();
    let as_great = (0..exchanges).filter(|exchange| {
        let sign = |place: usize| if exchange >> place & 1 == 1 { -1.0 } else { 1.0 };
        let sum: f64 = logarithms.iter().enumerate().map(|(place, ratio)| sign(place) * ratio).sum();
        // Sums of the same numbers in another order may differ in the last digit.
        sum.abs() >= measured - 1e-12
    });
    as_great.count() as f64 / f64::from(exchanges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loss_of_a_fifth_is_more_than_noise() {
        let old = [100.0, 101.0, 99.0, 100.5, 98.0, 102.0, 100.0, 99.5];
        let new = old.map(|speed| speed * 0.8);
        let Comparison { medians, ratio, interval, p } = compare(&old, &new, 1);
        let is = |number: f64, expected: f64| (number - expected).abs() < 1e-9;
        assert!(is(medians[0], 100.0) && is(medians[1], 80.0), "{medians:?}");
        assert!(is(ratio, 0.8) && interval.iter().all(|&end| is(end, 0.8)), "{ratio} {interval:?}");
        // Only the measured signs and their mirror image are as great.
        assert!((p - 2.0 / 256.0).abs() < 1e-12, "{p}");
    }

    #[test]
    fn the_same_speed_is_noise() {
        let old = [100.0, 104.0, 97.0, 101.0, 99.0, 103.0];
        let new = [101.0, 99.0, 100.0, 98.0, 103.0, 101.0];
        let Comparison { interval, p, .. } = compare(&old, &new, 1);
        assert!(interval[0] < 1.0 && interval[1] > 1.0 && p > 0.5, "{interval:?} {p}");
        let same = compare(&old, &old, 1);
        assert_eq!(format!("{} {:?} {}", same.ratio, same.interval, same.p), "1 [1.0, 1.0] 1");
    }

    #[test]
    fn the_seed_decides() {
        let (old, new) = ([100.0, 90.0, 95.0], [97.0, 99.0, 91.0]);
        assert_eq!(compare(&old, &new, 7), compare(&old, &new, 7));
    }
}
