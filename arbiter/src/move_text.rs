//! Texts that stand for moves, whatever the position.

use shakmaty::Role;
use shakmaty::uci::UciMove;

/// Whether a text stands for no move. Engines write it in many ways, among them a move from a square to itself.
pub(crate) fn is_no_move(text: &str) -> bool {
    matches!(text.to_lowercase().as_str(), "(none)" | "none" | "nomove" | "(nomove)" | "0000" | "null" | "")
        || text.is_ascii() && text.len() >= 4 && text.get(..2) == text.get(2..4)
}

/// Whether a text is written like a move in UCI notation, such as `e2e4` or `e7e8q`.
pub(crate) fn is_uci_move(text: &str) -> bool {
    let promotes = |role| matches!(role, Role::Queen | Role::Rook | Role::Bishop | Role::Knight);
    matches!(text.parse(), Ok(UciMove::Normal { promotion, .. }) if promotion.is_none_or(promotes))
}
