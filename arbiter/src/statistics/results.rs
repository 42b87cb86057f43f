//! The results of a match, and what follows from them: score, Elo, normalised Elo, likelihood of superiority.

use std::str::FromStr;

use super::{NORMALIZED, elo};

/// The most games or pairs of one result: sums stay exact.
const MOST: u64 = 1 << 40;
/// The 97.5 % quantile of the normal distribution: errors are those of a 95 % interval.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// Counts of results from the view of the first engine, the worst first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Results {
    /// Games: losses, draws, wins.
    Games([u64; 3]),
    /// Pairs of games with colours reversed, with 0, 0.5, 1, 1.5 and 2 points.
    Pairs([u64; 5]),
}

/// Counts that cannot be the results of a match.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResultsError {
    /// The number of counts is wrong.
    #[error("expected {expected} counts with commas between them, got \"{found}\"")]
    Count {
        /// How many there should be.
        expected: usize,
        /// The text.
        found: String,
    },
    /// A text is not a count.
    #[error("\"{0}\" is no count from 0 to 2^40")]
    Number(String),
    /// There are no games.
    #[error("all counts are 0: there is no game")]
    Empty,
}

/// An estimate with the half width of its 95 % interval. Both may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
}

/// What follows from results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// Games.
    pub games: u64,
    /// Points by games, from 0 to 1.
    pub score: f64,
    /// Elo difference.
    pub elo: Estimate,
    /// Normalised Elo: (score - 0.5) divided by the standard deviation of a game, times 800 / ln 10. For
    /// pairs this deviation is that of a pair's score, times the square root of 2.
    pub normalized: Estimate,
    /// Likelihood of superiority: the probability that the first engine is the stronger one, from 0 to 1.
    pub superiority: f64,
    /// The share of games that were drawn. For pairs it is the share of pairs with one point.
    pub draw_ratio: f64,
}

impl Results {
    /// Games as `W,D,L`.
    ///
    /// # Errors
    /// If there are not three counts, or there is no game.
    pub fn games(text: &str) -> Result<Self, ResultsError> {
        let [wins, draws, losses] = counts(text)?;
        Self::Games([losses, draws, wins]).with_games()
    }

    /// Pairs as `LL,LD,DD,WD,WW`; `DD` has the pairs with one win and one loss too.
    ///
    /// # Errors
    /// If there are not five counts, or there is no pair.
    pub fn pairs(text: &str) -> Result<Self, ResultsError> {
        Self::Pairs(counts(text)?).with_games()
    }

    fn with_games(self) -> Result<Self, ResultsError> {
        if self.counts().iter().all(|&count| count == 0) { Err(ResultsError::Empty) } else { Ok(self) }
    }

    /// The counts, the worst result first.
    pub fn counts(&self) -> &[u64] {
        match self {
            Self::Games(counts) => counts,
            Self::Pairs(counts) => counts,
        }
    }

    /// How many games a result has: one, or two of a pair.
    pub(super) fn games_of_result(&self) -> u64 {
        match self {
            Self::Games(_) => 1,
            Self::Pairs(_) => 2,
        }
    }

    /// The mean score and its variance, of one result.
    pub(super) fn moments(&self) -> (f64, f64) {
        let counts: Vec<f64> = self.counts().iter().map(|&count| count as f64).collect();
        moments(&distribution(&counts))
    }

    /// Score, Elo and the rest.
    pub fn measures(&self) -> Measures {
        let (score, variance) = self.moments();
        let results: u64 = self.counts().iter().sum();
        let deviation = (variance / results as f64).sqrt();
        let of_game = (variance * self.games_of_result() as f64).sqrt();
        let games = results * self.games_of_result();
        let bounds = [-1.0, 1.0].map(|side| elo((score + side * QUANTILE * deviation).clamp(0.0, 1.0)));
        let middle = self.counts().len() / 2;
        Measures {
            games,
            score,
            elo: Estimate { value: elo(score), error: half_width(bounds) },
            normalized: Estimate {
                value: quotient(score - 0.5, of_game) * NORMALIZED,
                error: QUANTILE * NORMALIZED / (games as f64).sqrt(),
            },
            superiority: normal(quotient(score - 0.5, deviation)),
            draw_ratio: self.counts()[middle] as f64 / results as f64,
        }
    }
}

/// The scores of results, from 0 to 1 in equal steps, each with its share of these counts.
pub(super) fn distribution(counts: &[f64]) -> Vec<(f64, f64)> {
    let (all, last) = (counts.iter().sum::<f64>(), counts.len() as f64 - 1.0);
    counts.iter().enumerate().map(|(index, count)| (index as f64 / last, count / all)).collect()
}

/// The mean and the variance of a distribution.
pub(super) fn moments(distribution: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = distribution.iter().map(|(score, share)| score * share).sum();
    let variance = distribution.iter().map(|(score, share)| (score - mean).powi(2) * share).sum();
    (mean, variance)
}

/// Half the distance of two bounds; infinite if one of them is.
fn half_width([low, high]: [f64; 2]) -> f64 {
    if low.is_finite() && high.is_finite() { (high - low) / 2.0 } else { f64::INFINITY }
}

/// A quotient. It is infinite if the divisor is zero, and zero if both numbers are.
fn quotient(value: f64, by: f64) -> f64 {
    if value == 0.0 { 0.0 } else { value / by }
}

/// The distribution function of the normal distribution, by the complementary error function of Numerical
/// Recipes (third edition, 6.2.2, `erfccheb`'s predecessor `erfcc`): its relative error is below 1.2e-7.
pub(crate) fn normal(deviations: f64) -> f64 {
    if deviations.is_infinite() {
        return if deviations > 0.0 { 1.0 } else { 0.0 };
    }
    let z = deviations.abs() / std::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + 0.5 * z);
    let terms = [
        -1.265_512_23,
        1.000_023_68,
        0.374_091_96,
        0.096_784_18,
        -0.186_288_06,
        0.278_868_07,
        -1.135_203_98,
        1.488_515_87,
        -0.822_152_23,
        0.170_872_77,
    ];
    let polynomial = terms.iter().rev().fold(0.0, |sum, term| sum * t + term);
    let tail = t * (-z * z + polynomial).exp() / 2.0;
    if deviations > 0.0 { 1.0 - tail } else { tail }
}

/// Counts with commas between them.
fn counts<const N: usize>(text: &str) -> Result<[u64; N], ResultsError> {
    let words: Vec<&str> = text.split(',').map(str::trim).collect();
    let words: [&str; N] =
        words.try_into().map_err(|_| ResultsError::Count { expected: N, found: text.to_owned() })?;
    let mut counts = [0; N];
    for (count, word) in counts.iter_mut().zip(words) {
        *count = u64::from_str(word)
            .ok()
            .filter(|count| *count <= MOST)
            .ok_or_else(|| ResultsError::Number(word.to_owned()))?;
    }
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(results: &Results, elo: [f64; 2], normalized: [f64; 2], superiority: f64) {
        let measures = results.measures();
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.005, "{measures:?}");
        near(measures.elo.value, elo[0]);
        near(measures.elo.error, elo[1]);
        near(measures.normalized.value, normalized[0]);
        near(measures.normalized.error, normalized[1]);
        near(measures.superiority, superiority);
    }

    #[test]
    fn elo_of_games_and_pairs() {
        check(&Results::games("76,123,89").unwrap(), [-15.69, 30.46], [-20.76, 40.13], 0.1553);
        check(&Results::pairs("34,54,63,64,75").unwrap(), [55.58, 27.65], [57.94, 28.28], 1.0);
        check(&Results::games("1,8,1").unwrap(), [0.0, 98.89], [0.0, 215.34], 0.5);
    }

    #[test]
    fn extreme_results_have_no_value_that_is_not_a_number() {
        for text in ["5,0,0", "0,5,0", "0,0,5"] {
            let measures = Results::games(text).unwrap().measures();
            let values =
                [measures.elo.value, measures.elo.error, measures.normalized.value, measures.superiority];
            assert!(values.iter().all(|value| !value.is_nan()), "{text}: {measures:?}");
        }
    }

    #[test]
    fn counts_that_are_no_results() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Results::games(text).unwrap_err().to_string(), expected);
        };
        check("1,2", "expected 3 counts with commas between them, got \"1,2\"");
        check("1,x,2", "\"x\" is no count from 0 to 2^40");
        check("1,-3,2", "\"-3\" is no count from 0 to 2^40");
        check("0,0,0", "all counts are 0: there is no game");
    }
}
