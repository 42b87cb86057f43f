//! Splits lines into words, parses numbers, and quotes texts in messages.
//!
//! Knows no command.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// The first word of a text and the rest.
pub(super) fn split(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// A text in quotes, cut to 32 characters.
pub(super) fn quoted(text: &str) -> String {
    let mut chars = text.chars();
    let start: String = chars.by_ref().take(32).collect();
    if chars.next().is_some() { format!("\"{start}...\"") } else { format!("\"{start}\"") }
}

/// A message with control characters escaped.
pub(super) fn printable(message: &str) -> String {
    let escape = |char: char| char.is_control().then(|| char.escape_default().to_string());
    message.chars().map(|char| escape(char).unwrap_or_else(|| char.to_string())).collect()
}

/// Why a number is rejected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NumberError {
    /// The line ends before the number.
    #[error("expected a number after \"{0}\", got the end of the line")]
    Missing(&'static str),
    /// Not a number, or out of range.
    #[error("expected a number from {least} to {most} after \"{after}\", got {}", quoted(.got))]
    Wrong {
        /// The word before the number.
        after: &'static str,
        /// The smallest accepted number.
        least: String,
        /// The largest accepted number.
        most: String,
        /// The rejected word.
        got: String,
    },
}

/// Parses an integer within bounds; `after` is the word before it.
pub(super) fn number<T: FromStr + PartialOrd + Display>(
    after: &'static str,
    word: Option<&str>,
    bounds: RangeInclusive<T>,
) -> Result<T, NumberError> {
    let word = word.ok_or(NumberError::Missing(after))?;
    let value = word.parse().ok().filter(|value| bounds.contains(value));
    value.ok_or_else(|| NumberError::Wrong {
        after,
        least: bounds.start().to_string(),
        most: bounds.end().to_string(),
        got: word.chars().take(64).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_separated_by_any_white_space() {
        assert_eq!(split(" \t go\tdepth 3 "), Some(("go", "\tdepth 3 ")));
        assert_eq!(split("go"), Some(("go", "")));
        assert_eq!(split(" \t\r"), None);
    }

    #[test]
    fn quotes_are_short_and_control_characters_are_escaped() {
        assert_eq!(quoted("e9e4"), "\"e9e4\"");
        assert_eq!(quoted(&"x".repeat(1_000)), format!("\"{}...\"", "x".repeat(32)));
        assert_eq!(printable("a\u{1b}[2J\nb\u{e9}"), "a\\u{1b}[2J\\nb\u{e9}");
    }

    #[test]
    fn numbers_are_within_their_bounds() {
        for (word, expected) in [
            (Some("7"), Ok(7)),
            (Some("+7"), Ok(7)),
            (Some("-5"), Ok(-5)),
            (Some("8"), Err("expected a number from -5 to 7 after \"depth\", got \"8\"")),
            (Some("x"), Err("expected a number from -5 to 7 after \"depth\", got \"x\"")),
            (
                Some("99999999999999999999"),
                Err("expected a number from -5 to 7 after \"depth\", got \"99999999999999999999\""),
            ),
            (None, Err("expected a number after \"depth\", got the end of the line")),
        ] {
            let got = number("depth", word, -5..=7).map_err(|error| error.to_string());
            assert_eq!(got, expected.map_err(ToOwned::to_owned), "{word:?}");
        }
    }
}
