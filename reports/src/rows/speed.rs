//! `speed.csv`: how fast two versions of an engine search, measured in turn. It depends on the machine.

use serde::{Deserialize, Serialize};

use crate::{Decimal3, word};

suites::words! {
    /// Whether a measured difference is more than noise.
    pub enum SpeedVerdict: "verdict" {
        /// b is faster.
        Faster = "faster",
        /// The difference is within the noise of the measurement.
        Noise = "noise",
        /// b is slower.
        Slower = "slower",
    }
}

/// One measure. Ratios are b divided by a, so that above 1 b is faster.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpeedRow {
    /// What was measured: `nodes per second`, or `searches per second` to a fixed depth.
    pub measure: String,
    /// How many rounds were measured. A round asks both engines for the same positions.
    pub rounds: u64,
    /// The median of a over the rounds.
    pub a: Decimal3,
    /// The median of b over the rounds.
    pub b: Decimal3,
    /// The median of the ratios of the rounds.
    pub ratio: Decimal3,
    /// Lower end of the 95 % confidence interval of `ratio`, by bootstrap over the rounds.
    pub low: Decimal3,
    /// Upper end of that interval.
    pub high: Decimal3,
    /// The chance that rounds of equally fast engines differ as much: a permutation test that exchanges the two within rounds.
    pub p: Decimal3,
    /// Slower or faster where the whole interval is farther than 0.02 from 1 and `p` is below 0.05.
    #[serde(with = "word")]
    #[cfg_attr(test, schemars(with = "String", extend("enum" = SpeedVerdict::ALL.map(SpeedVerdict::name))))]
    pub verdict: SpeedVerdict,
}

impl SpeedRow {
    /// How many per cent slower b is; 0 if the difference is noise or b is faster.
    pub fn slower_by(&self) -> f64 {
        if self.verdict == SpeedVerdict::Slower { 100.0 - self.ratio.0 as f64 / 10.0 } else { 0.0 }
    }
}
