//! The engine that was checked.

use crate::EngineCard;
use crate::layout::plain;

/// Its name and author, its file, its arguments, and the options that the user set.
pub fn engine(card: &EngineCard) -> String {
    let command: Vec<String> =
        std::iter::once(&card.path).chain(&card.arguments).map(|word| plain(word)).collect();
    let value = |value: &str| if value.is_empty() { String::new() } else { format!("={}", plain(value)) };
    let options = card.options.iter().map(|(name, set)| format!(", {}{}", plain(name), value(set)));
    let (name, introduction) = (plain(&card.name), plain(&card.introduction()));
    format!("{name}: {introduction} ({}{})\n", command.join(" "), options.collect::<String>())
}
