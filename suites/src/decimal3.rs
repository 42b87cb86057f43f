//! Fixed-point numbers with three decimals, for shares and correlations: ordered, and equal on every machine.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A fixed-point number, stored in thousandths and written with three decimals: `0.985`, `-0.040`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Decimal3(pub i64);

impl Decimal3 {
    /// Rounds a number; `None` if it is not finite.
    pub fn rounded(number: f64) -> Option<Self> {
        number.is_finite().then(|| Self((number * 1_000.0).round() as i64))
    }

    /// `part / whole`, rounded down, so that only the whole is 1.000; `None` if `whole` is 0.
    pub fn ratio(part: u64, whole: u64) -> Option<Self> {
        let thousandths = (1_000 * u128::from(part)).checked_div(u128::from(whole))?;
        i64::try_from(thousandths).ok().map(Self)
    }
}

impl fmt::Display for Decimal3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let size = self.0.unsigned_abs();
        write!(f, "{sign}{}.{:03}", size / 1_000, size % 1_000)
    }
}

impl Serialize for Decimal3 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Decimal3 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        parse(&text)
            .ok_or_else(|| de::Error::custom(format!("expected a number such as 0.985, got \"{text}\"")))
    }
}

fn parse(text: &str) -> Option<Decimal3> {
    let (negative, size) = text.strip_prefix('-').map_or((false, text), |size| (true, size));
    let (whole, decimals) = size.split_once('.')?;
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || decimals.len() != 3 {
        return None;
    }
    let thousandths = whole.parse::<i64>().ok()?.checked_mul(1_000)?.checked_add(decimals.parse().ok()?)?;
    Some(Decimal3(if negative { -thousandths } else { thousandths }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_written() {
        for thousandths in [0, 1, -1, 40, -40, 985, 1_000, -1_000, 123_456, i64::MAX, -i64::MAX] {
            let number = Decimal3(thousandths);
            assert_eq!(parse(&number.to_string()), Some(number), "{number}");
        }
        assert_eq!(Decimal3(-40).to_string(), "-0.040");
        for text in ["", "1", "1.", ".5", "1.5", "1.5000", "--1.000", "+1.000", "1.0x0", "NaN"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn floats_are_rounded_and_ratios_rounded_down() {
        assert_eq!(Decimal3::rounded(-0.0396), Some(Decimal3(-40)));
        assert_eq!(Decimal3::rounded(f64::NAN), None);
        assert_eq!(Decimal3::ratio(2, 3), Some(Decimal3(666)));
        assert_eq!(Decimal3::ratio(164_304, 164_314), Some(Decimal3(999)));
        assert_eq!(Decimal3::ratio(u64::MAX, u64::MAX), Some(Decimal3(1_000)));
        assert_eq!(Decimal3::ratio(0, 0), None);
    }
}
