//! Statistics of matches: Elo with its error, and the sequential probability ratio test. Knows no match and
//! no engine.
//!
//! Games of a pair have one opening with colours reversed, so that they depend on each other. Where pairs are
//! known, the five results of a pair are counted (pentanomial), else the three of a game (trinomial).

mod likelihood;
mod results;
mod sprt;

pub(crate) use results::normal;
pub use results::{Estimate, Measures, Results, ResultsError};
pub use sprt::{Decision, Model, Sprt, SprtError, Test};

/// The Elo of a score between 0 and 1. Infinite at the ends.
fn elo(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score of an Elo difference.
fn score(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// Elo for each unit of (score - 0.5) / standard deviation of a game. This makes normalised Elo equal to Elo
/// for small differences in matches without draws: 400 / ln 10 is the slope of [`elo`] at 0.5, twice that its
/// slope for each standard deviation, which is 0.5 there.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;
