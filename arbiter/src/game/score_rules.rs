//! Rules of adjudication by score, in the words of cutechess. Knows no game.

use std::fmt;
use std::str::FromStr;

/// The largest score of a rule, in centipawns.
const MOST_SCORE: u32 = 1_000_000;
/// The largest number of moves of a rule.
const MOST_MOVES: u32 = 100_000;

/// A side loses if it scored its last moves at `-score` or less.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResignRule {
    /// How many moves of the side in a row.
    pub move_count: u32,
    /// Centipawns.
    pub score: u32,
    /// Whether the other side must also have scored its last moves at `score` or more.
    pub two_sided: bool,
}

/// A game is drawn if both sides scored their last moves between `-score` and `score`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawScoreRule {
    /// Not before this move number, as the FEN counts moves.
    pub move_number: u32,
    /// How many moves of each side in a row. The count begins anew after a capture or pawn move.
    pub move_count: u32,
    /// Centipawns.
    pub score: u32,
}

/// Why words are no rule of adjudication.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdjudicationError {
    /// A word is none of those that are known.
    #[error("\"{found}\" is none of {expected}")]
    Word {
        /// The word.
        found: String,
        /// The words that are known.
        expected: &'static str,
    },
    /// A word stands there twice.
    #[error("{0}= stands there twice")]
    Twice(&'static str),
    /// A word is missing.
    #[error("{key}= is missing: expected {expected}")]
    Missing {
        /// The word.
        key: &'static str,
        /// The words that are known.
        expected: &'static str,
    },
    /// A value is no number, or out of bounds.
    #[error("{key}: \"{found}\" is no whole number from {least} to {most}")]
    Number {
        /// The word.
        key: &'static str,
        /// The value.
        found: String,
        /// The least value.
        least: u32,
        /// The greatest value.
        most: u32,
    },
    /// A value is neither yes nor no.
    #[error("{key}: \"{found}\" is neither true nor false")]
    Flag {
        /// The word.
        key: &'static str,
        /// The value.
        found: String,
    },
}

const RESIGN_WORDS: &str = "movecount=N score=CENTIPAWNS [twosided=true|false]";
const DRAW_WORDS: &str = "movenumber=N movecount=N score=CENTIPAWNS";

impl FromStr for ResignRule {
    type Err = AdjudicationError;

    /// Reads `movecount=3 score=600 twosided=true`. The last word may be absent, or stand without a value.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = Words::read(text, &["movecount", "score", "twosided"], RESIGN_WORDS)?;
        let two_sided = match words.values[2] {
            None | Some("false") => false,
            Some("true" | "") => true,
            Some(found) => {
                return Err(AdjudicationError::Flag { key: "twosided", found: found.to_owned() });
            }
        };
        let (move_count, score) = (words.number(0, 1, MOST_MOVES)?, words.number(1, 1, MOST_SCORE)?);
        Ok(Self { move_count, score, two_sided })
    }
}

impl fmt::Display for ResignRule {
    /// The words that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { move_count, score, two_sided } = self;
        let two_sided = if *two_sided { " twosided=true" } else { "" };
        write!(f, "movecount={move_count} score={score}{two_sided}")
    }
}

impl fmt::Display for DrawScoreRule {
    /// The words that [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { move_number, move_count, score } = self;
        write!(f, "movenumber={move_number} movecount={move_count} score={score}")
    }
}

impl FromStr for DrawScoreRule {
    type Err = AdjudicationError;

    /// Reads `movenumber=40 movecount=8 score=10`.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let words = Words::read(text, &["movenumber", "movecount", "score"], DRAW_WORDS)?;
        Ok(Self {
            move_number: words.number(0, 0, MOST_MOVES)?,
            move_count: words.number(1, 1, MOST_MOVES)?,
            score: words.number(2, 0, MOST_SCORE)?,
        })
    }
}

/// The values of words KEY=VALUE, in the order of the keys.
struct Words<'a> {
    keys: &'a [&'static str; 3],
    values: [Option<&'a str>; 3],
    expected: &'static str,
}

impl<'a> Words<'a> {
    fn read(
        text: &'a str,
        keys: &'a [&'static str; 3],
        expected: &'static str,
    ) -> Result<Self, AdjudicationError> {
        let mut values = [None; 3];
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            let unknown = || AdjudicationError::Word { found: word.to_owned(), expected };
            let index = keys.iter().position(|known| *known == key).ok_or_else(unknown)?;
            if values[index].replace(value).is_some() {
                return Err(AdjudicationError::Twice(keys[index]));
            }
        }
        Ok(Self { keys, values, expected })
    }

    fn number(&self, index: usize, least: u32, most: u32) -> Result<u32, AdjudicationError> {
        let (key, expected) = (self.keys[index], self.expected);
        let text = self.values[index].ok_or(AdjudicationError::Missing { key, expected })?;
        let read = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
        let is_within = |number: &u32| (least..=most).contains(number);
        let wrong = || AdjudicationError::Number { key, found: text.to_owned(), least, most };
        read.filter(is_within).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_or_refused() {
        let rule = ResignRule { move_count: 3, score: 600, two_sided: true };
        assert_eq!("movecount=3 score=600 twosided".parse(), Ok(rule));
        assert_eq!(rule.to_string().parse(), Ok(rule));
        let one_sided = ResignRule { two_sided: false, ..rule };
        assert_eq!(" score=600 movecount=3 ".parse(), Ok(one_sided));
        assert_eq!(one_sided.to_string(), "movecount=3 score=600");
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<ResignRule>().unwrap_err().to_string(), expected);
        };
        check(
            "movecount=3",
            "score= is missing: expected movecount=N score=CENTIPAWNS [twosided=true|false]",
        );
        check("movecount=0 score=1", "movecount: \"0\" is no whole number from 1 to 100000");
        check("movecount=1 score=-5", "score: \"-5\" is no whole number from 1 to 1000000");
        check("movecount=1 score=NaN", "score: \"NaN\" is no whole number from 1 to 1000000");
        check("movecount=1 score=1 score=2", "score= stands there twice");
        check("movecount=1 score=1 twosided=2", "twosided: \"2\" is neither true nor false");
        let known = "\"moves=3\" is none of movecount=N score=CENTIPAWNS [twosided=true|false]";
        check("moves=3", known);
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<DrawScoreRule>().unwrap_err().to_string(), expected);
        };
        check("", "movenumber= is missing: expected movenumber=N movecount=N score=CENTIPAWNS");
        check(
            "movenumber=4294967296 movecount=1 score=1",
            "movenumber: \"4294967296\" is no whole number from 0 to 100000",
        );
        let rule = DrawScoreRule { move_number: 40, move_count: 8, score: 10 };
        assert_eq!("movenumber=40 movecount=8 score=10".parse(), Ok(rule));
        assert_eq!(rule.to_string(), "movenumber=40 movecount=8 score=10");
    }
}
