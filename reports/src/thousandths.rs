//! Shares and correlations as numbers with three decimals: exact, ordered, and the same on every machine.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A number in thousandths, written with three decimals: `0.985`, `-0.040`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Thousandths(pub i64);

impl Thousandths {
    /// The nearest to a number; `None` where that is none.
    pub fn nearest(number: f64) -> Option<Self> {
        number.is_finite().then(|| Self((number * 1_000.0).round() as i64))
    }

    /// `part / whole`, rounded down, so that 1.000 is all of it; `None` where there is no whole.
    pub fn share(part: u64, whole: u64) -> Option<Self> {
        let thousandths = (1_000 * u128::from(part)).checked_div(u128::from(whole))?;
        i64::try_from(thousandths).ok().map(Self)
    }
}

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let size = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:03}", size / 1_000, size % 1_000)
    }
}

impl Serialize for Thousandths {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Thousandths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse(&text)
            .ok_or_else(|| de::Error::custom(format!("expected a number such as 0.985, got \"{text}\"")))
    }
}

fn parse(text: &str) -> Option<Thousandths> {
    let (negative, size) = text.strip_prefix('-').map_or((false, text), |size| (true, size));
    let (whole, decimals) = size.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || decimals.len() != 3 {
        return None;
    }
    let thousandths = whole.parse::<i64>().ok()?.checked_mul(1_000)?.checked_add(decimals.parse().ok()?)?;
    Some(Thousandths(if negative { -thousandths } else { thousandths }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for thousandths in [0, 1, -1, 40, -40, 985, 1_000, -1_000, 123_456, i64::MAX, -i64::MAX] {
            let number = Thousandths(thousandths);
            assert_eq!(parse(&number.to_string()), Some(number), "{number}");
        }
        assert_eq!(Thousandths(-40).to_string(), "-0.040");
        for text in ["", "1", "1.", ".5", "1.5", "1.5000", "--1.000", "+1.000", "1.0x0", "NaN"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn the_nearest_number_and_the_share_below() {
        assert_eq!(Thousandths::nearest(-0.0396), Some(Thousandths(-40)));
        assert_eq!(Thousandths::nearest(f64::NAN), None);
        assert_eq!(Thousandths::share(2, 3), Some(Thousandths(666)));
        assert_eq!(Thousandths::share(164_304, 164_314), Some(Thousandths(999)));
        assert_eq!(Thousandths::share(u64::MAX, u64::MAX), Some(Thousandths(1_000)));
        assert_eq!(Thousandths::share(0, 0), None);
    }
}
