//! Announced mates: whether they are there, and whether they came.

use shakmaty::{Chess, Color, Position};
use uci::Score;

use super::Judged;
use super::finding::{Fault, Finding, Reason, Standing, plies};
use crate::game::{End, GameResult};

/// Mates that are not there, and for each side the first of its mates that did not come in time. The latter is left
/// out if the reason is a finding already: it was not there, or its side threw the win or announced another mate
/// that was not there meanwhile.
pub(super) fn findings(judged: &Judged<'_>, thrown: &[Finding]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for side in Color::ALL {
        let unsound = unsound(judged, side);
        let is_known = |ply: usize, announced: i32| {
            let within = ply..ply + usize::try_from(plies(announced)).unwrap_or(usize::MAX / 2);
            thrown
                .iter()
                .chain(&unsound)
                .any(|found| found.player == Some(side) && within.contains(&found.ply))
                || untruth(judged, ply, announced).is_some()
        };
        let own = announced(judged, side).into_iter().filter_map(|(ply, moves)| Some((ply, moves?)));
        let late = own
            .filter(|&(ply, moves)| moves > 0 && is_late(judged, ply, moves))
            .find(|&(ply, moves)| !is_known(ply, moves));
        findings.extend(unsound);
        findings.extend(
            late.map(|(ply, announced)| judged.finding(ply, Some(side), Fault::MateNotKept { announced })),
        );
    }
    findings
}

/// The moves of a side with the mate that it announced, if it did. Mate in 0 announces none.
fn announced(judged: &Judged<'_>, side: Color) -> Vec<(usize, Option<i32>)> {
    let moves = |score| match score {
        Score::Mate(moves) => Some(moves).filter(|moves| *moves != 0),
        Score::Centipawns(_) => None,
    };
    let scored = judged.scored().filter(|(ply, _)| judged.mover(*ply) == side);
    scored.map(|(ply, score)| (ply, moves(score))).collect()
}

/// The first of each row of mates that are not there.
fn unsound(judged: &Judged<'_>, side: Color) -> Vec<Finding> {
    let mut findings = Vec::new();
    // The ply at which a row goes on, and whether it is of own mates.
    let mut row: Option<(usize, bool)> = None;
    for (ply, moves) in announced(judged, side) {
        let found = moves.and_then(|announced| Some((announced, untruth(judged, ply, announced)?)));
        if let Some((announced, truth)) = found
            && row != Some((ply, announced > 0))
        {
            findings.push(judged.finding(ply, Some(side), Fault::MateUnsound { announced, truth }));
        }
        row = found.map(|(announced, _)| (ply + 2, announced > 0));
    }
    findings
}

/// The true result of a position in which a mate was announced wrongly. `None` if the mate is there, or neither
/// rules nor tables know.
fn untruth(judged: &Judged<'_>, ply: usize, announced: i32) -> Option<Standing> {
    let position = judged.position(ply);
    let winner = if announced > 0 { position.turn() } else { !position.turn() };
    let truth = &judged.truths[ply];
    if let Some(standing) = truth.standing.filter(|standing| standing.result != GameResult::won_by(winner)) {
        return Some(standing);
    }
    let Some(value) = truth.value else { return cannot_mate(position, winner) };
    let reason = Reason::from(&value);
    let by_table = |result| Some(Standing { result, reason });
    let Some(true_winner) = value.winner(position.turn()) else { return by_table(GameResult::Draw) };
    let earliest = value
        .plies_to_mate
        .or_else(|| value.plies_to_zero.map(|latest| latest.saturating_sub(value.is_rounded.into())));
    let is_too_short = earliest.is_some_and(|earliest| plies(announced) < earliest.into());
    if true_winner != winner || is_too_short { by_table(GameResult::won_by(true_winner)) } else { None }
}

/// A side that has not the men to mate cannot announce a mate, whatever the tables know.
fn cannot_mate(position: &Chess, winner: Color) -> Option<Standing> {
    let standing = Standing { result: GameResult::Draw, reason: Reason::Material };
    position.has_insufficient_material(winner).then_some(standing)
}

/// Whether a mate of the mover did not come in time: the game went on, or the rules ended it otherwise before.
fn is_late(judged: &Judged<'_>, ply: usize, moves: i32) -> bool {
    let Ok(due) = usize::try_from(plies(moves)) else { return false };
    // The other side is to move in the due position.
    if let Some(position) = judged.finished.game.positions().get(ply.saturating_add(due)) {
        return !position.is_checkmate();
    }
    let result = judged.finished.result;
    result != GameResult::won_by(judged.mover(ply))
        && End::by_rules(judged.finished.game).is_some_and(|end| end.result() == result)
}
