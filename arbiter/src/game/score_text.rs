//! A score in the data of a record, as UCI writes it: `cp 35` or `mate -3`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use uci::Score;

#[expect(clippy::ref_option, reason = "the signature is serde's")]
pub(super) fn serialize<S: Serializer>(score: &Option<Score>, serializer: S) -> Result<S::Ok, S::Error> {
    score.map(|score| score.to_string()).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Score>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    read(&text).map(Some).ok_or_else(|| D::Error::custom(format!("\"{text}\" is no score")))
}

fn read(text: &str) -> Option<Score> {
    let (kind, number) = text.split_once(' ')?;
    match kind {
        "cp" => number.parse().ok().map(Score::Centipawns),
        "mate" => number.parse().ok().map(Score::Mate),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_read_as_they_are_written() {
        for score in [Score::Centipawns(i32::MIN), Score::Centipawns(35), Score::Mate(-3), Score::Mate(0)] {
            assert_eq!(read(&score.to_string()), Some(score));
        }
        for text in ["", "cp", "35", "cp x", "wdl 3", "cp 99999999999"] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
