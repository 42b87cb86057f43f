//! The starts of games: won positions of an ending, the hardest first, the others drawn at random.

use std::collections::HashSet;

use shakmaty::{Chess, Color};

use super::endings::Ending;
use super::rng::GameRng;
use crate::adjudicator::{Adjudicator, Distance};
use oracle::board::{self, Accept};
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

/// The hardest start of an ending and others that are drawn, `count` in all; fewer if no table has the
/// ending, or if there are not more. A smaller count gives the first of the same starts. The stronger side is
/// White and Black in turn.
pub(super) fn draw(ending: &Ending, count: usize, seed: u64, adjudicator: &Adjudicator) -> Vec<Start> {
    let Ok(men) = ending.men.parse::<Men>() else { return Vec::new() };
    let mut rng = GameRng::of_starts(seed, men.name());
    let hardest = ending
        .hardest
        .and_then(|fen| won(fen, board::position(fen, Accept::Legal).ok()?, adjudicator).ok()?);
    // The starts so far, with White as the stronger side, so that no start is drawn twice.
    let mut drawn: HashSet<String> = hardest.iter().map(|start| start.fen.clone()).collect();
    let mut starts: Vec<Start> = hardest.into_iter().take(count).collect();
    for _ in 0..count.saturating_mul(DRAWS) {
        if starts.len() == count {
            break;
        }
        let Some(placement) = Placement::numbered(&men, rng.below(men.numbers()), Color::White) else {
            continue;
        };
        let as_white = placement.fen();
        if placement.legal.is_none() || drawn.contains(&as_white) {
            continue;
        }
        let placement = if starts.len() % 2 == 1 { placement.with_colors_exchanged() } else { placement };
        let fen = placement.fen();
        let Some(position) = placement.legal else { continue };
        match won(&fen, position, adjudicator) {
            Ok(Some(start)) => starts.push(start),
            Ok(None) => continue,
            // If one position is missing, the tables of the ending are missing.
            Err(Missing) => break,
        }
        drawn.insert(as_white);
    }
    starts
}

/// No table has the position.
struct Missing;

/// The start, if the side to move wins the position.
fn won(fen: &str, position: Chess, adjudicator: &Adjudicator) -> Result<Option<Start>, Missing> {
    let adjudication = adjudicator.adjudicate(&position).ok_or(Missing)?;
    let mate = match adjudication.distance {
        Distance::Mate(plies) => Some(plies),
        Distance::Zeroing(_) => None,
    };
    let start = Start { fen: fen.to_owned(), position, mate, source: adjudication.source };
    Ok((adjudication.wdl == Wdl::Win).then_some(start))
}
