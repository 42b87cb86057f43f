//! The starts of games: won positions of an ending, drawn at random.

use std::collections::HashSet;

use shakmaty::{Chess, Color};

use super::rng::GameRng;
use crate::adjudicator::{Adjudicator, Distance};
use oracle::positions::{Men, Placement};
use oracle::table_probe::Wdl;

/// The most placements that are drawn for one start. About one in seven is legal and won.
const DRAWS: usize = 4_096;

/// A won position, the stronger side to move.
#[derive(Debug, Clone)]
pub(super) struct Start {
    pub(super) fen: String,
    pub(super) position: Chess,
    /// Plies to mate, where they are known.
    pub(super) mate: Option<u32>,
    /// The tables by which it is won.
    pub(super) source: &'static str,
}

/// Draws `count` different starts; fewer if no table has the ending, or if there are not more. A smaller count gives the first of the
/// same starts. The stronger side is White and Black in turn.
pub(super) fn draw(men: &str, count: usize, seed: u64, adjudicator: &Adjudicator) -> Vec<Start> {
    let Ok(men) = men.parse::<Men>() else { return Vec::new() };
    let mut rng = GameRng::of_starts(seed, men.name());
    let mut drawn = HashSet::new();
    let mut starts = Vec::new();
    for _ in 0..count.saturating_mul(DRAWS) {
        if starts.len() == count {
            break;
        }
        let number = rng.below(men.numbers());
        let Some(placement) = Placement::numbered(&men, number, Color::White) else { continue };
        if placement.legal.is_none() || drawn.contains(&number) {
            continue;
        }
        let placement = if starts.len() % 2 == 1 { placement.with_colors_exchanged() } else { placement };
        let fen = placement.fen();
        let Some(position) = placement.legal else { continue };
        // If one position is missing, the tables of the ending are.
        let Some(adjudication) = adjudicator.adjudicate(&position) else { break };
        if adjudication.wdl != Wdl::Win {
            continue;
        }
        drawn.insert(number);
        let mate = match adjudication.distance {
            Distance::Mate(plies) => Some(plies),
            Distance::Zeroing(_) => None,
        };
        starts.push(Start { fen, position, mate, source: adjudication.source });
    }
    starts
}
