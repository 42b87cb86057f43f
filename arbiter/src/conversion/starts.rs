//! Where games begin: won positions of an ending, drawn from all its placements.

use std::collections::HashSet;

use shakmaty::{Chess, Color};

use super::rng::GameRng;
use crate::adjudicator::{Distance, Judge};
use oracle::positions::{Men, Placement};
use oracle::table_probe::Wdl;

/// Placements that are drawn for one start at most. Of the endings played one in seven is legal and won.
const DRAWS: usize = 4_096;

/// A won position, the stronger side to move.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub(super) fen: String,
    pub(super) position: Chess,
    /// Plies to mate, where they are known.
    pub(super) mate: Option<u32>,
    /// Who says that it is won.
    pub(super) source: &'static str,
}

/// So many starts, each once; fewer if the judges do not know the ending, or the placements have not more. The first ones
/// are the same whatever the number. The stronger side is White and Black in turn.
pub(super) fn draw(men: &str, count: usize, seed: u64, judge: &Judge) -> Vec<Start> {
    let Ok(men) = men.parse::<Men>() else { return Vec::new() };
    let mut chance = GameRng::of_starts(seed, men.name());
    let mut drawn = HashSet::new();
    let mut starts = Vec::new();
    for _ in 0..count.saturating_mul(DRAWS) {
        if starts.len() == count {
            break;
        }
        let number = chance.below(men.numbers());
        let Some(placement) = Placement::numbered(&men, number, Color::White) else { continue };
        if placement.legal.is_none() || drawn.contains(&number) {
            continue;
        }
        let placement = if starts.len() % 2 == 1 { placement.with_colors_exchanged() } else { placement };
        let fen = placement.fen();
        let Some(position) = placement.legal else { continue };
        // An ending that is not known does not become so by drawing on.
        let Some(worth) = judge.worth(&position) else { break };
        if worth.wdl != Wdl::Win {
            continue;
        }
        drawn.insert(number);
        let mate = match worth.distance {
            Distance::Mate(plies) => Some(plies),
            Distance::Zeroing(_) => None,
        };
        starts.push(Start { fen, position, mate, source: worth.source });
    }
    starts
}
