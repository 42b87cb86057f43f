//! The endings that a game reached, as far as tables know them.

use oracle::board::fen;
use oracle::positions::Men;
use shakmaty::{Board, Position};

use super::Judged;
use crate::game::GameResult;

/// An ending that a game reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ending {
    /// The plies that were played before its first position with a known result.
    pub ply: usize,
    /// Its men, as tables are named: `KRPvKR`.
    pub material: String,
    /// The result of that position with best play.
    pub result: GameResult,
}

/// Each ending once, in the order in which the game reached them.
pub(super) fn endings(judged: &Judged<'_>) -> Vec<Ending> {
    let mut endings: Vec<Ending> = Vec::new();
    let mut last: Option<&Board> = None;
    for ply in judged.finished.opening..=judged.last() {
        let Some(standing) = judged.standing(ply) else { continue };
        let position = judged.position(ply);
        // The men are the same after most moves.
        if judged.truths[ply].value.is_none()
            || last.is_some_and(|last| last.material() == position.board().material())
        {
            continue;
        }
        last = Some(position.board());
        let Some(men) = Men::of_fen(&fen(position)) else { continue };
        if endings.iter().all(|ending| ending.material != men.name()) {
            let material = men.name().to_owned();
            endings.push(Ending { ply, material, result: standing.result });
        }
    }
    endings
}
