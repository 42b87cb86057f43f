//! Insufficient material. A yes means that the position is drawn.

use shakmaty::{Board, Color, Position, Role};

use super::heuristic::{Claimed, EvaluatedPosition, Heuristic};

const TABLES: &[&str] = &["KvK", "KNvK", "KBvK", "KNNvK", "KBBvK", "KBNvK", "KBvKB"];

pub(super) const ALL: &[Heuristic] = &[
    heuristic("dead material (printed)", |seen| Some(printed(seen.board()))),
    heuristic("dead material (promised)", |seen| Some(promised(seen.board()))),
    heuristic("dead material (rules)", |seen| Some(seen.position().is_insufficient_material())).sure(),
    heuristic("dead material (engine)", by_engine).sure(),
];

const fn heuristic(name: &'static str, says: fn(&mut EvaluatedPosition) -> Option<bool>) -> Heuristic {
    Heuristic::says(name, TABLES, Claimed::Draw, says)
}

/// The rule of our engine, which ends a game.
fn by_engine(seen: &mut EvaluatedPosition) -> Option<bool> {
    seen.is_dead_to_engine()
}

/// A specimen: the code of a textbook chapter. Bare kings, or one minor piece against a bare king.
fn printed(board: &Board) -> bool {
    let minors = board.knights() | board.bishops();
    (board.occupied() ^ board.kings()) == minors && minors.count() <= 1
}

/// A specimen: the same with the promises in the comments of that chapter: also two knights against a bare
/// king, and one bishop each on squares of the same colour.
fn promised(board: &Board) -> bool {
    let others = board.occupied() ^ board.kings();
    let bare = Color::ALL.into_iter().any(|color| (others & board.by_color(color)).is_empty());
    let two_knights = bare && others == board.knights() && others.count() == 2;
    let bishops = board.by_role(Role::Bishop);
    let on_light = (bishops & shakmaty::Bitboard::LIGHT_SQUARES).count();
    let a_bishop_each = others == bishops
        && Color::ALL.into_iter().all(|color| (bishops & board.by_color(color)).count() == 1)
        && on_light != 1;
    printed(board) || two_knights || a_bishop_each
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specimens_promise_more_than_they_print() {
        for (board, expected) in [
            ("4k3/8/8/8/8/8/8/4K3", [true, true]),
            ("4k3/8/8/8/8/8/8/4KB2", [true, true]),
            ("4k3/8/8/8/8/8/8/3NKN2", [false, true]),
            ("4kn2/8/8/8/8/8/8/4KN2", [false, false]),
            // On squares of one colour, of two, and two of one side.
            ("4kb2/8/8/8/8/8/8/2B1K3", [false, true]),
            ("2b1k3/8/8/8/8/8/8/2B1K3", [false, false]),
            ("4k3/8/8/8/8/8/8/B1B1K3", [false, false]),
            ("4kn2/8/8/8/8/8/8/4KB2", [false, false]),
            ("4k3/8/8/8/8/8/8/4KR2", [false, false]),
        ] {
            let board: Board = board.parse().unwrap();
            assert_eq!([printed(&board), promised(&board)], expected, "{board}");
        }
    }
}
