//! Scores that call a drawn position won or lost.

use shakmaty::Color;
use uci::Score;

use super::Judged;
use super::finding::{Fault, Finding};
use crate::game::GameResult;

/// A score of so many centipawns or more says that a side wins.
pub(super) const DECISIVE: i32 = 300;

/// A finding for each row of moves of a side whose scores are decisive in drawn positions.
pub(super) fn findings(judged: &Judged<'_>) -> Vec<Finding> {
    Color::ALL.into_iter().flat_map(|side| of_side(judged, side)).collect()
}

fn of_side(judged: &Judged<'_>, side: Color) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    // The ply at which a row goes on.
    let mut row: Option<usize> = None;
    for (ply, score) in judged.scored().filter(|(ply, _)| judged.mover(*ply) == side) {
        let drawn = judged.standing(ply).filter(|standing| standing.result == GameResult::Draw);
        let decisive = match score {
            Score::Centipawns(centipawns) if centipawns.unsigned_abs() >= DECISIVE.unsigned_abs() => {
                Some(centipawns)
            }
            _ => None,
        };
        let Some((truth, score)) = drawn.zip(decisive) else {
            continue;
        };
        if row == Some(ply)
            && let Some(Finding { fault: Fault::ScoreOfDraw { centipawns, moves, .. }, .. }) =
                findings.last_mut()
            && centipawns.signum() == score.signum()
        {
            *moves += 1;
            if score.unsigned_abs() > centipawns.unsigned_abs() {
                *centipawns = score;
            }
        } else {
            let fault = Fault::ScoreOfDraw { centipawns: score, moves: 1, truth };
            findings.push(judged.finding(ply, Some(side), fault));
        }
        row = Some(ply + 2);
    }
    findings
}
