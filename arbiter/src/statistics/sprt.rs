//! The sequential probability ratio test (SPRT): how much more likely results are if the first engine is
//! `elo1` stronger than if it is `elo0` stronger.

use std::fmt;

use super::results::{Results, distribution};
use super::{NORMALIZED, likelihood, score};

/// The count of a result that did not occur. It keeps each hypothesis possible.
const NEVER: f64 = 0.001;
/// The largest bound, in Elo.
const LARGEST: f64 = 200.0;

suites::words! {
    /// What the bounds of a test mean.
    pub enum Model: "model" {
        /// Normalised Elo.
        Normalized = "normalized",
        /// Elo.
        Logistic = "logistic",
        /// Elo in the model of `BayesElo`, which knows the share of draws. It applies to games, not to pairs.
        Bayesian = "bayesian",
    }
}

suites::words! {
    /// The decision of a test on results.
    pub enum Decision: "result" {
        /// The difference is `elo0`: the test ends.
        H0 = "H0",
        /// The difference is `elo1`: the test ends.
        H1 = "H1",
        /// More games are needed.
        Continue = "continue",
    }
}

/// A test that cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SprtError {
    /// The bounds are no interval.
    #[error(
        "elo0={elo0} and elo1={elo1}: expected two numbers from -{LARGEST} to {LARGEST}, the smaller one first"
    )]
    Bounds {
        /// The lower bound.
        elo0: f64,
        /// The upper bound.
        elo1: f64,
    },
    /// The rates of error are out of range.
    #[error("alpha={alpha} and beta={beta}: expected probabilities above 0 and below 0.5")]
    Rates {
        /// That of the first kind.
        alpha: f64,
        /// That of the second kind.
        beta: f64,
    },
    /// The Bayesian model covers games, but the results are those of pairs.
    #[error("model=bayesian is a model of games: give --wdl in place of --penta, or model=logistic")]
    Pairs,
}

/// A test: bounds, rates of error and a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo: [f64; 2],
    rates: [f64; 2],
    model: Model,
}

/// The outcome of a test on results.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Test {
    /// The log likelihood ratio.
    pub llr: f64,
    /// At this ratio or below the test ends with [`Decision::H0`]: ln(beta / (1 - alpha)).
    pub lower: f64,
    /// At this ratio or above it ends with [`Decision::H1`]: ln((1 - beta) / alpha).
    pub upper: f64,
    /// Whether it ends.
    pub decision: Decision,
}

/// The words that make the test: `elo0=0 elo1=2 alpha=0.05 beta=0.05 model=normalized`.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo: [elo0, elo1], rates: [alpha, beta], model } = self;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}")
    }
}

impl Sprt {
    /// A test with these bounds in Elo, and these rates of error.
    ///
    /// # Errors
    /// If the bounds or the rates make no test.
    pub fn new([elo0, elo1]: [f64; 2], [alpha, beta]: [f64; 2], model: Model) -> Result<Self, SprtError> {
        let is_bound = |elo: f64| elo.abs() <= LARGEST;
        if !(is_bound(elo0) && is_bound(elo1) && elo0 < elo1) {
            return Err(SprtError::Bounds { elo0, elo1 });
        }
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        if !(is_rate(alpha) && is_rate(beta)) {
            return Err(SprtError::Rates { alpha, beta });
        }
        Ok(Self { elo: [elo0, elo1], rates: [alpha, beta], model })
    }

    /// The bounds in Elo.
    pub fn elo(&self) -> [f64; 2] {
        self.elo
    }

    /// The ratios at which the test ends.
    pub fn bounds(&self) -> [f64; 2] {
        let [alpha, beta] = self.rates;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// Applies the test to results.
    ///
    /// # Errors
    /// [`SprtError::Pairs`].
    pub fn test(&self, results: &Results) -> Result<Test, SprtError> {
        let counts: Vec<f64> =
            results.counts().iter().map(|&count| if count == 0 { NEVER } else { count as f64 }).collect();
        let all: f64 = counts.iter().sum();
        let found = distribution(&counts);
        let likely = match self.model {
            Model::Logistic => self.elo.map(|elo| likelihood::with_mean(&found, score(elo))),
            Model::Normalized => {
                let of_result = (results.games_of_result() as f64).sqrt() / NORMALIZED;
                self.elo.map(|elo| likelihood::with_t_value(&found, elo * of_result))
            }
            Model::Bayesian => {
                let [losses, _, wins] = counts[..] else { return Err(SprtError::Pairs) };
                self.elo.map(|elo| bayesian(elo, [losses / all, wins / all]))
            }
        };
        let llr = all * likelihood::ratio(&found, [&likely[0], &likely[1]]);
        let [lower, upper] = self.bounds();
        let decision = match llr {
            llr if llr <= lower => Decision::H0,
            llr if llr >= upper => Decision::H1,
            _ => Decision::Continue,
        };
        Ok(Test { llr, lower, upper, decision })
    }

    /// How many games the test takes on average if this is the true difference in the Elo of its model, and
    /// how likely it then ends with [`Decision::H1`]. The formulas take the steps of the ratio as those of a
    /// Brownian motion, whose drift and variance follow from the bounds (David Siegmund, Sequential Analysis,
    /// 1985, chapter 3). Models other than the normalised one need the deviation of a game, and take it from
    /// these results.
    pub fn expected(&self, elo: f64, results: Option<&Results>) -> Option<(f64, f64)> {
        let t_value = |elo: f64| match self.model {
            Model::Normalized => Some(elo / NORMALIZED),
            Model::Logistic | Model::Bayesian => {
                let results = results?;
                let of_game = (results.moments().1 * results.games_of_result() as f64).sqrt();
                (of_game > 0.0).then(|| (score(elo) - 0.5) / of_game)
            }
        };
        let ([t0, t1], t) = ([t_value(self.elo[0])?, t_value(self.elo[1])?], t_value(elo)?);
        let (drift, variance) = ((t1 - t0) * (t - f64::midpoint(t0, t1)), (t1 - t0).powi(2));
        let [lower, upper] = self.bounds();
        // Without a drift both formulas have the limit of the other branch.
        if drift.abs() * (upper - lower) < 1e-5 * variance {
            return Some((-lower * upper / variance, -lower / (upper - lower)));
        }
        let power = |bound: f64| (-2.0 * drift * bound / variance).exp();
        let passes = (1.0 - power(lower)) / (power(upper) - power(lower));
        let passes = if passes.is_nan() { f64::from(u8::from(drift > 0.0)) } else { passes };
        Some(((passes * upper + (1.0 - passes) * lower) / drift, passes))
    }
}

/// The shares of losses, draws and wins in the model of `BayesElo`, whose advantage of draws is that of these
/// shares.
fn bayesian(elo: f64, [losses, wins]: [f64; 2]) -> Vec<(f64, f64)> {
    let draw_elo = 200.0 * ((1.0 - losses) / losses * (1.0 - wins) / wins).log10();
    let share = |elo: f64| 1.0 / (1.0 + 10_f64.powf((draw_elo - elo) / 400.0));
    let (loses, wins) = (share(-elo), share(elo));
    vec![(0.0, loses), (0.5, 1.0 - loses - wins), (1.0, wins)]
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::{Rng, SeedableRng};
    use oracle::parallel;

    use super::*;

    const RATES: [f64; 2] = [0.05, 0.05];

    fn llr(elo: [f64; 2], model: Model, results: &Results) -> f64 {
        Sprt::new(elo, RATES, model).unwrap().test(results).unwrap().llr
    }

    /// Counts of games or pairs, the worst result first.
    fn results(text: &str) -> Results {
        let counts: Vec<u64> = text.split(' ').map(|count| count.parse().unwrap()).collect();
        match counts[..] {
            [losses, draws, wins] => Results::Games([losses, draws, wins]),
            _ => Results::Pairs(counts.try_into().unwrap()),
        }
    }

    /// The site that tests Stockfish published these in the messages of its commits, from 2020 to 2026. It
    /// computed two of May 2021 by an approximation; they differ from the exact value by less than one unit
    /// of the last decimal.
    #[test]
    fn published_ratios() {
        const APPROXIMATED: [&str; 2] = ["594e2ac99", "b1c8840f1"];
        let rows = include_str!("published.csv").lines().skip(1);
        let count = rows.clone().count();
        for row in rows {
            let [commit, published, model, elo0, elo1, counts] = row.split(',').collect::<Vec<_>>()[..]
            else {
                panic!("{row}")
            };
            let decimals = published.split_once('.').map_or(0, |(_, decimals)| decimals.len() as i32);
            let unit = 10_f64.powi(-decimals);
            let elo = [elo0, elo1].map(|elo| elo.parse().unwrap());
            let computed = llr(elo, model.parse().unwrap(), &results(counts));
            let published: f64 = published.parse().unwrap();
            let tolerance = if APPROXIMATED.contains(&commit) { unit } else { unit / 2.0 + 1e-9 };
            assert!((computed - published).abs() <= tolerance, "{row}: {computed}");
        }
        assert_eq!(count, 1936);
    }

    #[test]
    fn ratios_of_extreme_results() {
        let check = |text: &str, elo, model, expected: f64| {
            let found = llr(elo, model, &results(text));
            assert!((found - expected).abs() < 0.005, "{text}: {found}");
        };
        check("0 0 4250", [0.0, 10.0], Model::Normalized, 120.55);
        check("0 0 0 0 5550", [0.0, 5.0], Model::Normalized, 111.80);
        check("36027 68692 36433", [0.0, 2.0], Model::Normalized, 0.9233);
        check("21184 40708 21404", [0.5, 2.5], Model::Logistic, -1.5719);
        check("68526 128429 68965", [0.0, 2.0], Model::Bayesian, -1.2622);
        check("871 26175 55983 26678 821", [0.0, 2.0], Model::Logistic, -4.9787);
        for text in ["1 0 0", "0 1 0", "0 0 1", "0 0 1 0 0", "1 0 0 0 1", "0 0 0 0 1099511627776"] {
            for model in [Model::Normalized, Model::Logistic] {
                for elo in [[-200.0, 200.0], [199.0, 200.0], [-200.0, -199.0], [0.0, 0.001]] {
                    let found = llr(elo, model, &results(text));
                    assert!(found.is_finite(), "{text} {model} {elo:?}: {found}");
                }
            }
        }
    }

    #[test]
    fn tests_that_cannot_be_made() {
        let check = |elo, rates, expected: &str| {
            let error = Sprt::new(elo, rates, Model::Logistic).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check([2.0, 0.0], RATES, "the smaller one first");
        check([f64::NAN, 0.0], RATES, "expected two numbers");
        check([0.0, 2.0], [0.0, 0.05], "above 0 and below 0.5");
        check([0.0, 2.0], [0.05, f64::NAN], "above 0 and below 0.5");
        let bayesian = Sprt::new([0.0, 2.0], RATES, Model::Bayesian).unwrap();
        assert_eq!(bayesian.test(&Results::Pairs([1, 2, 3, 2, 1])), Err(SprtError::Pairs));
    }

    /// The shares of simulated tests that end with H1, and the mean of their games, if pairs have these
    /// shares.
    fn simulated(sprt: &Sprt, shares: [f64; 5], tests: u64) -> (f64, f64) {
        let run = |seed: u64| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut counts = [0_u64; 5];
            for pairs in 1_u64.. {
                let drawn = rng.next_u64() as f64 / 2_f64.powi(64);
                let mut below = 0.0;
                let result = shares.iter().position(|share| {
                    below += share;
                    drawn < below
                });
                counts[result.unwrap_or(4)] += 1;
                if pairs % 4 == 0 {
                    match sprt.test(&Results::Pairs(counts)).unwrap().decision {
                        Decision::Continue => {}
                        decision => return (decision == Decision::H1, 2 * pairs),
                    }
                }
            }
            (false, 0)
        };
        let ended = parallel::map(tests as usize, |test| run(test as u64));
        let passed = ended.iter().filter(|(passed, _)| *passed).count() as f64;
        let games: u64 = ended.iter().map(|(_, games)| games).sum();
        (passed / tests as f64, games as f64 / tests as f64)
    }

    /// Shares of pairs with this mean score and about this deviation.
    fn shares(elo: f64) -> [f64; 5] {
        let likely = likelihood::with_mean(
            &[(0.0, 0.05), (0.25, 0.2), (0.5, 0.5), (0.75, 0.2), (1.0, 0.05)],
            score(elo),
        );
        let mut shares = [0.0; 5];
        shares.iter_mut().zip(likely).for_each(|(share, (_, likely))| *share = likely);
        shares
    }

    /// Four standard deviations of a share.
    fn scatter(share: f64, tests: u64) -> f64 {
        4.0 * (share * (1.0 - share) / tests as f64).sqrt()
    }

    fn check_rates(tests: u64) {
        let sprt = Sprt::new([0.0, 20.0], RATES, Model::Logistic).unwrap();
        let [h0, between, h1] = [0.0, 10.0, 20.0].map(|elo| simulated(&sprt, shares(elo), tests));
        assert!(h0.0 <= 0.05 + scatter(0.05, tests), "{h0:?}");
        assert!(h1.0 >= 0.95 - scatter(0.05, tests), "{h1:?}");
        assert!((between.0 - 0.5).abs() < 0.05 + scatter(0.5, tests), "{between:?}");
        // The games that were predicted: the steps are larger than those of a Brownian motion.
        let typical = Results::Pairs([50, 200, 500, 200, 50]);
        for (elo, (passed, games)) in [(0.0, h0), (10.0, between), (20.0, h1)] {
            let (expected, passes) = sprt.expected(elo, Some(&typical)).unwrap();
            assert!((games / expected - 1.0).abs() < 0.25, "{elo}: {games} of {expected}");
            assert!((passed - passes).abs() < 0.05 + scatter(0.5, tests), "{elo}: {passed} of {passes}");
        }
    }

    #[test]
    fn error_rates_of_simulated_tests() {
        check_rates(400);
    }

    #[test]
    #[ignore = "nightly: ten thousand tests at each of three differences take a minute"]
    fn error_rates_of_ten_thousand_simulated_tests() {
        check_rates(10_000);
    }

    #[test]
    fn expected_games_of_normalised_elo() {
        let sprt = Sprt::new([0.0, 2.0], RATES, Model::Normalized).unwrap();
        let games = |elo| sprt.expected(elo, None).unwrap();
        let [lower, upper] = sprt.bounds();
        let (middle, passes) = games(1.0);
        assert!((middle / (-lower * upper / (2.0 / NORMALIZED).powi(2)) - 1.0).abs() < 1e-6);
        assert!((passes - 0.5).abs() < 1e-6);
        assert!((games(2.0).1 - 0.95).abs() < 1e-6 && (games(0.0).1 - 0.05).abs() < 1e-6);
        assert!((games(0.999_999_9).0 / middle - 1.0).abs() < 1e-3);
        for elo in [-1e6, 1e6] {
            let (games, passes) = games(elo);
            assert!(games.is_finite() && games > 0.0 && passes.is_finite(), "{games} {passes}");
        }
        let logistic = Sprt::new([0.0, 2.0], RATES, Model::Logistic).unwrap();
        assert_eq!(logistic.expected(1.0, None), None);
        assert_eq!(logistic.expected(1.0, Some(&Results::Games([0, 5, 0]))), None);
    }
}
