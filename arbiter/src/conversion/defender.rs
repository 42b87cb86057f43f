//! The perfect defender of a lost position.
//!
//! It takes a draw by repetition or the fifty-move rule. Otherwise it plays a move that delays mate longest
//! or, where only Syzygy tables have the ending, the next capture or pawn move. Among equal moves a seeded
//! draw decides.

use oracle::board::Game;
use shakmaty::{Move, Position};

use super::rng::GameRng;
use crate::adjudicator::{Adjudicator, Distance};

/// The move of the defender; `None` if it has none, or no table has the position after any of them. A move
/// after which no table has the position is not played: the tables of some underpromotions may be missing.
pub(super) fn reply(game: &Game, adjudicator: &Adjudicator, rng: &mut GameRng) -> Option<Move> {
    let metric = adjudicator.adjudicate(game.position())?.distance;
    let mut moves = game.position().legal_moves();
    // The choice must not depend on the order of the move generator.
    moves.sort_unstable_by_key(|mv| (mv.from(), mv.to(), mv.promotion().map(u8::from)));
    let mut longest = Vec::new();
    let mut most = 0;
    for mv in moves {
        let Some(plies) = resistance(game, adjudicator, metric, mv) else { continue };
        if plies > most || longest.is_empty() {
            (most, longest) = (plies, Vec::new());
        }
        if plies == most {
            longest.push(mv);
        }
    }
    let chosen = rng.below(longest.len() as u64);
    longest.get(chosen as usize).copied()
}

/// How long a move delays the loss, in plies after it.
fn resistance(game: &Game, adjudicator: &Adjudicator, metric: Distance, mv: Move) -> Option<u32> {
    if game.would_draw(mv).is_some() {
        return Some(u32::MAX);
    }
    match metric {
        Distance::Zeroing(_) if mv.is_zeroing() => Some(0),
        Distance::Mate(_) | Distance::Zeroing(_) => {
            Some(adjudicator.adjudicate(&game.after(mv))?.distance.plies())
        }
    }
}
