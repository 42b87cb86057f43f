//! The confidence interval of a share of games won.

/// A confidence interval of 95 %.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower bound of the share.
    pub low: f64,
    /// The upper bound of the share.
    pub high: f64,
}

/// The quantile of the normal distribution that leaves 2.5 % above it.
const QUANTILE: f64 = 1.959_963_984_540_054;

/// Wilson's interval (Probable inference, the law of succession, and statistical inference, 1927): it also
/// holds where nearly all games are won. `None` without games.
pub fn interval(won: u64, games: u64) -> Option<Interval> {
    if games == 0 {
        return None;
    }
    let (count, share) = (games as f64, won as f64 / games as f64);
    let square = QUANTILE * QUANTILE;
    let center = share + square / (2.0 * count);
    let half = QUANTILE * (share * (1.0 - share) / count + square / (4.0 * count * count)).sqrt();
    let whole = 1.0 + square / count;
    Some(Interval { low: ((center - half) / whole).max(0.0), high: ((center + half) / whole).min(1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Newcombe, Two-sided confidence intervals for the single proportion, 1998: the score method.
    #[test]
    fn intervals() {
        for (won, games, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
            (29, 29, 0.8830, 1.0),
        ] {
            let found = interval(won, games).unwrap();
            let near = |a: f64, b: f64| (a - b).abs() < 5e-5;
            assert!(near(found.low, low) && near(found.high, high), "{won} of {games}: {found:?}");
        }
        assert_eq!(interval(0, 0), None);
    }
}
