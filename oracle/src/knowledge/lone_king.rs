//! A term of an evaluation that drives a lone king to the squares on which it can be mated.

use shakmaty::Square;

use super::heuristic::{EvaluatedPosition, Heuristic, Kind, distance, file, rank};

const TABLES: &[&str] = &["KQvK", "KRvK", "KBBvK", "KBNvK"];

pub(super) const ALL: &[Heuristic] =
    &[heuristic("lone king (printed)", printed), heuristic("lone king (meant)", meant)];

const fn heuristic(name: &'static str, number: fn(&mut EvaluatedPosition) -> Option<i32>) -> Heuristic {
    Heuristic { name, tables: TABLES, kind: Kind::Ranks(number), yes_is_sure: false }
}

/// A specimen: a textbook chapter says "reward pushing the king to the edge", with a formula that is highest
/// in the centre. It does not say how distance to the centre is measured; here it is in steps along files and
/// ranks.
fn printed(seen: &mut EvaluatedPosition) -> Option<i32> {
    let (king, lone) = seen.kings()?;
    Some(100 - 10 * to_center(lone) + 5 * (14 - distance(king, lone)))
}

/// The same with the sign that the comment implies.
fn meant(seen: &mut EvaluatedPosition) -> Option<i32> {
    let (king, lone) = seen.kings()?;
    Some(10 * to_center(lone) + 5 * (14 - distance(king, lone)))
}

/// Steps along files and ranks to the nearest of the four central squares.
fn to_center(square: Square) -> i32 {
    let from_middle = |line: i32| (3 - line).max(line - 4);
    from_middle(file(square)) + from_middle(rank(square))
}
