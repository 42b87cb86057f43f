//! Numbers as C prints them.

/// A number with this many decimals: `%.Nf`.
pub(super) fn fixed(value: f64, decimals: usize) -> String {
    if value.is_nan() { "nan".to_owned() } else { format!("{value:.decimals$}") }
}

/// The half width of an interval. One that has no limit is `nan`: both programs subtract two infinities.
pub(super) fn error(value: f64, decimals: usize) -> String {
    fixed(if value.is_finite() { value } else { f64::NAN }, decimals)
}

/// A quotient of two counts; `inf` or `nan` if the divisor is 0.
pub(super) fn ratio(count: u64, of: u64) -> f64 {
    count as f64 / of as f64
}

/// A number with three significant digits: `%.3g`.
pub(super) fn significant(value: f64) -> String {
    if !value.is_finite() {
        return fixed(value, 0);
    }
    let scientific = format!("{value:.2e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..3).contains(&exponent) {
        return without_zeros(&format!("{value:.0$}", (2 - exponent) as usize)).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", without_zeros(digits), exponent.abs())
}

/// A decimal number without the zeros at the end of its decimals.
fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `printf("%.3g")` prints.
    #[test]
    fn three_significant_digits() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (-2.944_438_979, "-2.94"),
            (0.123_45, "0.123"),
            (12.345, "12.3"),
            (123.45, "123"),
            (999.6, "1e+03"),
            (1234.5, "1.23e+03"),
            (0.000_123_45, "0.000123"),
            (0.000_012_345, "1.23e-05"),
            (1e100, "1e+100"),
            (2.5, "2.5"),
            (100.0, "100"),
            (f64::INFINITY, "inf"),
            (f64::NEG_INFINITY, "-inf"),
            (f64::NAN, "nan"),
        ];
        for (value, expected) in cases {
            assert_eq!(significant(value), expected, "{value}");
        }
    }

    #[test]
    fn values_without_limit_or_definition() {
        assert_eq!([fixed(f64::NAN, 2), fixed(f64::INFINITY, 2), fixed(-1.005, 1)], ["nan", "inf", "-1.0"]);
        assert_eq!([error(f64::INFINITY, 2), error(1.25, 1)], ["nan", "1.2"]);
        let ratios = [ratio(1, 0), ratio(1, 2), ratio(0, 0)].map(|ratio| fixed(ratio, 1));
        assert_eq!(ratios, ["inf", "0.5", "nan"]);
    }
}
