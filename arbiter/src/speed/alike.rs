//! Whether two versions search alike: the same nodes, scores and moves, so that only speed can tell them apart.

use std::time::Duration;

use uci::{Program, Timeouts};

use super::{Runner, SpeedFailure, depth};
use crate::openings::OPENINGS;

/// How long a round of the first engine takes at least, unless it reaches the greatest depth.
const ROUND: Duration = Duration::from_millis(500);

/// The depth of the first searches.
const SHALLOW: u32 = 4;

/// The depth to which both engines search alike in all positions of a round; `None` if they differ, or one of them
/// prints no nodes. It is the least depth at which a round of the first engine takes half a second.
///
/// # Errors
/// If an engine fails, or does not stop at a depth.
pub fn searched_alike([old, new]: [&Program; 2], timeouts: Timeouts) -> Result<Option<u32>, SpeedFailure> {
    let mut engines = [Runner::start(old, timeouts)?, Runner::start(new, timeouts)?];
    let depth = depth(&mut engines[0], ROUND)?;
    let mut are_alike = true;
    // Engines that differ do so in shallow searches as well, and one of them may take long for a depth of the other.
    let searches = [SHALLOW.min(depth), depth].into_iter().flat_map(|depth| OPENINGS.map(|fen| (fen, depth)));
    for (fen, depth) in searches {
        let mut searches = Vec::new();
        for engine in &mut engines {
            let (search, _) = engine.whole_search(fen, depth)?;
            let nodes = search.infos.iter().rev().find_map(|(_, info)| info.nodes);
            let score = search.infos.iter().rev().find_map(|(_, info)| info.score);
            searches.push((nodes, score, search.best.text));
        }
        are_alike &= searches[0] == searches[1] && searches[0].0.is_some();
        if !are_alike {
            break;
        }
    }
    for Runner { engine, .. } in engines {
        engine.quit();
    }
    Ok(are_alike.then_some(depth))
}
