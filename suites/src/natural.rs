//! Natural sort order: numbers within a text are compared as numbers, so that line 10 comes after line 9.
//!
//! All reports sort the ids of their cases in this order.

use std::cmp::Ordering;

use crate::Difference;

/// A text in natural sort order. Runs of digits are numbers of any length; texts that differ only in leading
/// zeros are compared as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Natural<'a>(pub &'a str);

impl Ord for Natural<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self.0.as_bytes(), other.0.as_bytes()).then_with(|| self.0.cmp(other.0))
    }
}

impl PartialOrd for Natural<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn compare(one: &[u8], other: &[u8]) -> Ordering {
    let common = common(one, other);
    let (mut one, mut other) = (&one[common..], &other[common..]);
    loop {
        let [of_one, of_other] = [one, other].map(digits);
        let order = if of_one > 0 && of_other > 0 {
            let [a, b] = [&one[..of_one], &other[..of_other]].map(without_zeros);
            (one, other) = (&one[of_one..], &other[of_other..]);
            a.len().cmp(&b.len()).then_with(|| a.cmp(b))
        } else {
            let (Some((a, rest_of_one)), Some((b, rest_of_other))) = (one.split_first(), other.split_first())
            else {
                return one.len().cmp(&other.len());
            };
            (one, other) = (rest_of_one, rest_of_other);
            a.cmp(b)
        };
        if order != Ordering::Equal {
            return order;
        }
    }
}

/// The length of what both texts begin with, up to the last number: that may go on. Neighbours in a report have much in common.
fn common(one: &[u8], other: &[u8]) -> usize {
    let differs = one.iter().zip(other).position(|(a, b)| a != b);
    let same = differs.unwrap_or(one.len().min(other.len()));
    one[..same].iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |last| last + 1)
}

/// How many digits a text begins with.
fn digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

fn without_zeros(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    &digits[zeros..]
}

/// The order of differences in all reports: by the columns from left to right, the case in natural order.
pub fn differences(one: &Difference, other: &Difference) -> Ordering {
    fn place(found: &Difference) -> impl Ord + '_ {
        let Difference { subject, check, case, fen, .. } = found;
        (subject, check, Natural(case), fen)
    }
    fn rest(found: &Difference) -> impl Ord + '_ {
        let Difference { stored, expected, source, explanation, cause, replay, played, given, best, .. } =
            found;
        let words = (stored.to_string(), expected.to_string(), source, explanation, cause, replay);
        (words, (stored, expected, played, given, best))
    }
    // The words are made only for differences with equal places, and few places are equal.
    place(one).cmp(&place(other)).then_with(|| rest(one).cmp(&rest(other)))
}

/// Implements `Ord` for a row by a key made of its columns.
#[macro_export]
macro_rules! ordered {
    ($row:ty, $it:ident => $key:expr) => {
        impl Ord for $row {
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                fn key($it: &$row) -> impl Ord + '_ {
                    $key
                }
                key(self).cmp(&key(other))
            }
        }

        impl PartialOrd for $row {
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the texts are in their order.
    #[track_caller]
    fn check(sorted: &[&str]) {
        for (place, one) in sorted.iter().enumerate() {
            for (other_place, other) in sorted.iter().enumerate() {
                assert_eq!(Natural(one).cmp(&Natural(other)), place.cmp(&other_place), "{one} {other}");
            }
        }
    }

    #[test]
    fn numbers_are_compared_as_numbers() {
        check(&["", "line", "line 2", "line 9", "line 10", "line 10 again", "line 331352", "lines"]);
        check(&["2", "10", "a", "a2", "a10", "b1"]);
        check(&["fifty-clock/01", "fifty-clock/02", "fifty-clock/10", "fortress/01"]);
        check(&["mine.epd:9", "mine.epd:10", "mine2.epd:1"]);
    }

    #[test]
    fn numbers_may_be_long_and_have_leading_zeros() {
        check(&["18446744073709551615", "18446744073709551616", "99999999999999999999999"]);
        check(&["01", "1", "1 1", "001 2", "2"]);
        check(&["0", "00", "01"]);
        check(&["a 9 12", "a 9 102", "a 9 120", "a 90 1", "a 091"]);
    }

    #[test]
    fn letters_beyond_ascii_are_ordered() {
        check(&["Zug 9", "Zug 10", "Zwischenzug", "ä 9", "ä 10"]);
    }
}
