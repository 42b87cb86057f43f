//! Moves that threw a result.

use shakmaty::{Color, Position};

use oracle::board::{FIFTY_MOVES, Game, uci_text};

use super::Judged;
use super::finding::{Fault, Finding, Reason, Standing};
use super::truth::Truth;
use crate::game::GameResult;

/// The moves after which the result of the mover is worse than before. Where nothing is known between two
/// positions, the last move between them of the side whose result is worse stands for all.
pub(super) fn findings(judged: &Judged<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut known: Option<(usize, Standing)> = None;
    for ply in judged.finished.opening..=judged.last() {
        // A side may claim a draw by the fifty-move rule. If no side claims it and the game goes on, a later loss is
        // no draw thrown away.
        let is_unclaimed = ply < judged.last() && judged.position(ply).halfmoves() >= FIFTY_MOVES;
        known =
            known.filter(|(_, before)| !is_unclaimed || !matches!(before.reason, Reason::FiftyMoves { .. }));
        let Some(after) = judged.standing(ply) else { continue };
        if let Some((from, before)) = known
            && let Some(loser) = worse_for(before.result, after.result)
            && let Some(at) = (from..ply).rev().find(|&at| judged.mover(at) == loser)
        {
            // Of two plies the loser made one move. Of more, each of its moves may have thrown the result.
            let certain = at - from;
            let (keeps, are_all) =
                if certain <= 1 { keeps(judged, at, before.result) } else { Default::default() };
            let fault = Fault::Thrown { before, certain, after, later: ply - at, keeps, are_all };
            findings.push(judged.finding(at, Some(loser), fault));
        }
        known = Some((ply, after));
    }
    findings
}

/// The side for which the second result is worse.
pub(super) fn worse_for(before: GameResult, after: GameResult) -> Option<Color> {
    let points = |result: GameResult| match result {
        GameResult::WhiteWins => 2,
        GameResult::BlackWins => 0,
        GameResult::Draw | GameResult::Unfinished => 1,
    };
    match points(after) - points(before) {
        0 => None,
        better if better > 0 => Some(Color::Black),
        _ => Some(Color::White),
    }
}

/// The moves that keep the result, the shortest way to a win first, and whether the result of each other move is known.
fn keeps(judged: &Judged<'_>, ply: usize, result: GameResult) -> (Vec<String>, bool) {
    let mut game = Game::of_positions(judged.finished.game.positions()[..=ply].to_vec());
    let position = judged.position(ply);
    let mut are_all = true;
    let kept = position.legal_moves().into_iter().filter_map(|mv| {
        game.play(mv);
        let truth = Truth::of_last(&game, true, judged.probe);
        game.take_back();
        let distance = truth.value.and_then(|value| value.plies_to_mate.or(value.plies_to_zero));
        are_all &= truth.standing.is_some();
        (truth.standing?.result == result).then(|| (distance, uci_text(mv, position.castles().mode())))
    });
    let mut kept: Vec<_> = kept.collect();
    kept.sort();
    (kept.into_iter().map(|(_, text)| text).collect(), are_all)
}
