//! A colour in the data of a record: `white` or `black`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use shakmaty::Color;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
pub(super) fn serialize<S: Serializer>(color: &Color, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(color.fold_wb("white", "black"))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Color, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        other => Err(D::Error::unknown_variant(other, &["white", "black"])),
    }
}
