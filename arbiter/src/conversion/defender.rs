//! The perfect defender of a lost position.
//!
//! He takes a draw that a rule gives him; else he holds out as long as the table lets him: to mate where the distance to
//! mate is known, else to the next capture or pawn's move, as Syzygy tables count it. Among equals chance decides.

use shakmaty::{Move, Position};

use super::position_history::PositionHistory;
use super::rng::GameRng;
use crate::adjudicator::{Distance, Judge};

/// His move; `None` if he has none, or the judge does not know what becomes of any. One of which it does not know is not
/// played: underpromotions into tables that are not there.
pub(super) fn reply(course: &PositionHistory, judge: &Judge, chance: &mut GameRng) -> Option<Move> {
    let metric = judge.worth(&course.position)?.distance;
    let mut moves = course.position.legal_moves();
    // In an order of our own, so that the choice does not depend on that of the generator.
    moves.sort_unstable_by_key(|mv| (mv.from(), mv.to(), mv.promotion().map(u8::from)));
    let mut longest = Vec::new();
    let mut most = 0;
    for mv in moves {
        let Some(resistance) = resistance(course, judge, metric, mv) else { continue };
        if resistance > most || longest.is_empty() {
            (most, longest) = (resistance, Vec::new());
        }
        if resistance == most {
            longest.push(mv);
        }
    }
    let chosen = chance.below(longest.len() as u64);
    longest.get(chosen as usize).copied()
}

/// How long a move holds out, in plies after it.
fn resistance(course: &PositionHistory, judge: &Judge, metric: Distance, mv: Move) -> Option<u32> {
    if course.would_draw(mv) {
        return Some(u32::MAX);
    }
    match metric {
        Distance::Zeroing(_) if mv.is_zeroing() => Some(0),
        Distance::Mate(_) | Distance::Zeroing(_) => Some(judge.worth(&course.after(mv))?.distance.plies()),
    }
}
