//! Clocks that do not add up.

use shakmaty::Color;

use super::Judged;
use super::finding::{Fault, Finding};
use crate::pgn::PgnGame;

/// How many milliseconds a clock may gain: files round to seconds.
const TOLERANCE: u64 = 1_000;

/// The first move of each side after which more time stands on its clock than before it, less the time of the move
/// if it is known, and with the increment. A clock that lost time is none: messages take time.
pub(super) fn findings(game: &PgnGame, judged: &Judged<'_>) -> Vec<Finding> {
    Color::ALL.into_iter().filter_map(|side| of_side(game, judged, side)).collect()
}

fn of_side(game: &PgnGame, judged: &Judged<'_>, side: Color) -> Option<Finding> {
    let own = side.fold_wb("WhiteTimeControl", "BlackTimeControl");
    let increment = increment(game.tag(own)).or_else(|| increment(game.tag("TimeControl")))?;
    let mut before: Option<u64> = None;
    for (ply, remark) in game.remarks.iter().enumerate().filter(|(ply, _)| judged.mover(*ply) == side) {
        if let Some((before, after)) = before.zip(remark.clock)
            && after > before.saturating_sub(remark.time.unwrap_or_default()) + increment + TOLERANCE
        {
            let fault = Fault::Clock { before, took: remark.time, increment, after };
            return Some(judged.finding(ply, None, fault));
        }
        before = remark.clock;
    }
    None
}

/// The increment of a time control of one period, such as `180+2`, in milliseconds. Other controls add time at some
/// moves.
fn increment(control: &str) -> Option<u64> {
    let seconds = |text: &str| text.parse::<f64>().ok().filter(|seconds| (0.0..1e6).contains(seconds));
    let (base, added) = control.split_once('+').unwrap_or((control, "0"));
    seconds(base)?;
    seconds(added).map(|seconds| (seconds * 1000.0).round() as u64)
}
