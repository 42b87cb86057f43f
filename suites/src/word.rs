//! Enums as the words that reports use for them, for `#[serde(with = "...")]`.

use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer, de};

/// Writes the word.
pub fn serialize<T: Display, S: Serializer>(word: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(word)
}

/// Reads the word; another one is an error.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
}

/// A word, or an empty field for `None`.
pub mod or_empty {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer, de};

    /// Writes the word, or nothing.
    #[expect(clippy::ref_option, reason = "serde calls it with a reference to the field")]
    pub fn serialize<T: Display, S: Serializer>(word: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match word {
            Some(word) => serializer.collect_str(word),
            None => serializer.serialize_str(""),
        }
    }

    /// Reads the word, if there is one.
    pub fn deserialize<'de, T, D>(deserializer: D) -> Result<Option<T>, D::Error>
    where
        T: FromStr<Err: Display>,
        D: Deserializer<'de>,
    {
        let text = String::deserialize(deserializer)?;
        if text.is_empty() { Ok(None) } else { text.parse().map(Some).map_err(de::Error::custom) }
    }
}
