//! Which program was checked.

use super::layout::plain;
use crate::EngineCard;

/// Who it says that it is, which file, and its arguments.
pub fn engine(card: &EngineCard) -> String {
    let command: Vec<String> =
        std::iter::once(&card.path).chain(&card.arguments).map(|word| plain(word)).collect();
    format!("{}: {} ({})\n", plain(&card.name), plain(&card.introduction()), command.join(" "))
}
