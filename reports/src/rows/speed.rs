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
    /// How many builds of both were measured. A difference between builds of ours is told only if a second build of each has it too.
    pub builds: u64,
}

impl SpeedRow {
    /// The same with what a second build of both says: a difference stands if both have it, and is then the smaller one.
    #[must_use]
    pub fn confirmed(&self, again: &Self) -> Self {
        let distance = |row: &Self| (row.ratio.0 - 1_000).abs();
        let nearer = if distance(again) < distance(self) { again } else { self };
        let verdict = if again.verdict == self.verdict { self.verdict } else { SpeedVerdict::Noise };
        Self { verdict, builds: self.builds + again.builds, ..nearer.clone() }
    }

    /// How many per cent slower b is; 0 if the difference is noise or b is faster.
    pub fn slower_by(&self) -> f64 {
        if self.verdict == SpeedVerdict::Slower { 100.0 - self.ratio.0 as f64 / 10.0 } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(ratio: i64, verdict: SpeedVerdict) -> SpeedRow {
        let zero = Decimal3(0);
        let measure = "nodes per second".to_owned();
        let (low, high, p) = (zero, zero, zero);
        SpeedRow {
            measure,
            rounds: 8,
            a: zero,
            b: zero,
            ratio: Decimal3(ratio),
            low,
            high,
            p,
            verdict,
            builds: 1,
        }
    }

    #[test]
    fn a_difference_stands_if_both_builds_have_it() {
        use SpeedVerdict::{Faster, Noise, Slower};
        let check =
            |first: (i64, SpeedVerdict), second: (i64, SpeedVerdict), expected: (i64, SpeedVerdict)| {
                let found = row(first.0, first.1).confirmed(&row(second.0, second.1));
                assert_eq!((found.ratio.0, found.verdict, found.builds), (expected.0, expected.1, 2));
            };
        check((800, Slower), (900, Slower), (900, Slower));
        check((1_050, Faster), (1_001, Noise), (1_001, Noise));
        check((1_050, Faster), (940, Slower), (1_050, Noise));
    }
}
