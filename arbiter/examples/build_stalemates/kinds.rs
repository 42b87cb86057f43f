//! How many positions of each kind a class takes, and which positions are worth a proof.

use arbiter::stalemates::classes::{pins, stalemates};
use arbiter::stalemates::proof::ProvedAnswer;
use oracle::board::after;
use shakmaty::{Chess, Position, Role, Square};
use suites::stalemates::{ProvedValue, StalemateClass};

/// The most cases of a class.
pub(crate) fn most(class: StalemateClass) -> usize {
    match class {
        StalemateClass::BareKing => 34,
        StalemateClass::KingAndPawn => 60,
        StalemateClass::LastMovePinned => 76,
        StalemateClass::Smothered | StalemateClass::NearStalemate => 24,
        StalemateClass::Promotion => 30,
        StalemateClass::Capture => 18,
        StalemateClass::Resource => 42,
        StalemateClass::BlockedPawns => 28,
    }
}

/// Whether the position is a stalemate or one move before one.
pub(crate) fn is_tempting(position: &Chess) -> bool {
    position.is_stalemate() || position.legal_moves().into_iter().any(|mv| after(position, mv).is_stalemate())
}

/// Whether a position may belong to a class, as far as it shows without a proof.
pub(crate) fn may_belong(class: StalemateClass, position: &Chess) -> bool {
    match class {
        StalemateClass::NearStalemate => {
            let moves = position.legal_moves();
            position.castles().any()
                || !position.is_check() && moves.iter().all(|mv| mv.is_en_passant() || mv.is_promotion())
        }
        _ => true,
    }
}

/// Whether a player can get the answer wrong.
pub(crate) fn is_telling(class: StalemateClass, answer: &ProvedAnswer) -> bool {
    match (class, answer.worth) {
        (StalemateClass::NearStalemate, _) | (_, ProvedValue::DrawOrWorse) => true,
        (_, ProvedValue::Win) => !answer.losing.is_empty(),
        (_, ProvedValue::Draw | ProvedValue::DrawOrBetter) => {
            answer.legal == 0 || answer.keeping.len() == answer.legal || !answer.losing.is_empty()
        }
        (_, ProvedValue::Loss) => false,
    }
}

/// The kinds of a position, each with the most cases of that kind.
pub(crate) fn kind(
    class: StalemateClass,
    position: &Chess,
    answer: &ProvedAnswer,
    hard: bool,
) -> Vec<(String, usize)> {
    let plies = if answer.legal == 0 { 0 } else { answer.due - 1 };
    let men = signature(position);
    let at = |quota: usize| (format!("{plies} plies"), quota);
    match class {
        StalemateClass::BareKing => {
            vec![at([16, 18][usize::from(plies.min(1))]), (format!("{men} {plies}"), 3)]
        }
        StalemateClass::KingAndPawn => vec![],
        StalemateClass::Promotion => {
            if position.board().occupied().count() == 3 {
                vec![]
            } else {
                vec![(men, 2)]
            }
        }
        StalemateClass::LastMovePinned => {
            let pin = stalemates(position, answer).iter().find_map(|end| pins(end).first().copied());
            let pin = pin.map(|(by, what)| format!("{by:?} pins {what:?}, {plies} plies, hard {hard}"));
            let (of_plies, of_pin) = match (plies, hard) {
                (0, _) => (24, 3),
                (1, _) => (10, 1),
                (_, true) => (34, 4),
                (_, false) => (4, 1),
            };
            vec![(format!("{plies} plies, hard {hard}"), of_plies), (pin.unwrap_or_default(), of_pin)]
        }
        StalemateClass::Smothered | StalemateClass::BlockedPawns => vec![at(9), (men, 2)],
        StalemateClass::Capture => vec![at(14), (men, 2)],
        StalemateClass::Resource => vec![at(10), (men, 2)],
        StalemateClass::NearStalemate => {
            let moves = position.legal_moves();
            let what = if position.castles().any() {
                "castling"
            } else if moves.iter().any(|mv| mv.is_en_passant()) {
                "en passant"
            } else {
                "promotion"
            };
            vec![(format!("{what}, {}", answer.worth), 8), (men, 2)]
        }
    }
}

/// The men on the board, in a fixed order.
fn signature(position: &Chess) -> String {
    let mut men: Vec<char> = position.board().clone().into_iter().map(|(_, piece)| piece.char()).collect();
    men.sort_unstable();
    men.into_iter().collect()
}

/// The square of the man that the last move took.
pub(crate) fn taken(before: &Chess, after: &Chess) -> Option<Square> {
    let theirs = before.board().by_color(before.turn().other());
    (theirs & !after.board().by_color(after.turn()))
        .into_iter()
        .find(|&square| before.board().role_at(square).is_some_and(|role| role != Role::King))
}
