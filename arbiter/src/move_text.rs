//! Texts that stand for moves, whatever the position.

use shakmaty::Role;
use shakmaty::san::{San, SanPlus};
use shakmaty::uci::UciMove;

/// Whether a text stands for no move. Engines write it in many ways, among them a move from a square to
/// itself.
pub(crate) fn is_no_move(text: &str) -> bool {
    matches!(text.to_lowercase().as_str(), "(none)" | "none" | "nomove" | "(nomove)" | "0000" | "null" | "")
        || text.is_ascii() && text.len() >= 4 && text.get(..2) == text.get(2..4)
}

/// Whether a text is written like a move, in UCI notation of any case or in standard notation such as `Ra8#`.
pub(crate) fn is_move(text: &str) -> bool {
    let is_san = |san: SanPlus| matches!(san.san, San::Normal { .. } | San::Castle(_));
    !is_no_move(text) && (is_uci_move(&text.to_lowercase()) || text.parse().is_ok_and(is_san))
}

/// Whether a text is written like a move in UCI notation, such as `e2e4` or `e7e8q`.
pub(crate) fn is_uci_move(text: &str) -> bool {
    let promotes = |role| matches!(role, Role::Queen | Role::Rook | Role::Bishop | Role::Knight);
    matches!(text.parse(), Ok(UciMove::Normal { promotion, .. }) if promotion.is_none_or(promotes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_told_from_other_texts() {
        for text in ["e2e4", "A1A8", "e7e8q", "Ra8#", "O-O", "exd5"] {
            assert!(is_move(text), "{text}");
        }
        for text in ["(none)", "0000", "a1a1", "NOMOVE", "--", "", "\u{155}\u{155}", "resign"] {
            assert!(!is_move(text), "{text}");
        }
    }
}
