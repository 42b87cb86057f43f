//! Squares on which kings have to stand: key squares of a pawn, and the corner in front of a rook pawn.

use shakmaty::{Color, Rank, Role, Square};

use super::heuristic::{Claimed, EvaluatedPosition, Heuristic, distance, file, rank};

pub(super) const ALL: &[Heuristic] = &[
    Heuristic::says("key squares", &["KPvK"], Claimed::Win, key_squares),
    Heuristic::says("rook pawn and corner", &["KPvK"], Claimed::NoWin, rook_pawn).sure(),
    Heuristic::says("wrong bishop", &["KBPvK"], Claimed::NoWin, wrong_bishop),
    Heuristic::says("wrong bishop and corner", &["KBPvK"], Claimed::NoWin, wrong_bishop_and_corner).sure(),
];

/// Whether White's king stands on a key square of its pawn (Fine, Basic Chess Endings; Müller and Lamprecht,
/// Fundamental Chess Endings): on the file of the pawn or beside it, two ranks ahead of a pawn on ranks 2 to
/// 4, one or two ranks ahead of a pawn further up. It does not apply to rook pawns.
fn key_squares(seen: &mut EvaluatedPosition) -> Option<bool> {
    let pawn = seen.only(Color::White, Role::Pawn).filter(|&pawn| !is_rook_pawn(pawn))?;
    let (king, _) = seen.kings()?;
    let before = rank(king) - rank(pawn);
    let ranks = match rank(pawn) {
        ..=3 => 2..=2,
        4 | 5 => 1..=2,
        _ => 0..=1,
    };
    Some((file(king) - file(pawn)).abs() <= 1 && ranks.contains(&before))
}

/// Whether the lone king is in the corner in front of a rook pawn, or next to that corner. It does not apply
/// to other pawns.
fn rook_pawn(seen: &mut EvaluatedPosition) -> Option<bool> {
    let pawn = seen.only(Color::White, Role::Pawn).filter(|&pawn| is_rook_pawn(pawn))?;
    let (_, lone) = seen.kings()?;
    Some(distance(lone, goal(pawn)) <= 1)
}

/// Whether there is a rook pawn, and the bishop does not control its promotion square.
fn wrong_bishop(seen: &mut EvaluatedPosition) -> Option<bool> {
    let pawn = seen.only(Color::White, Role::Pawn)?;
    let bishop = seen.only(Color::White, Role::Bishop)?;
    Some(is_rook_pawn(pawn) && bishop.is_light() != goal(pawn).is_light())
}

/// The same, with the lone king in that corner or next to it.
fn wrong_bishop_and_corner(seen: &mut EvaluatedPosition) -> Option<bool> {
    let wrong = wrong_bishop(seen)?;
    let pawn = seen.only(Color::White, Role::Pawn)?;
    let (_, lone) = seen.kings()?;
    Some(wrong && distance(lone, goal(pawn)) <= 1)
}

fn is_rook_pawn(pawn: Square) -> bool {
    matches!(file(pawn), 0 | 7)
}

fn goal(pawn: Square) -> Square {
    Square::from_coords(pawn.file(), Rank::Eighth)
}
