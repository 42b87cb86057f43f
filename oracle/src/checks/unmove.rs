//! Un-moves compared with moves, both ways.
//!
//! A builder that goes backwards from the mates has un-moves of its own. If it forgets one, some positions
//! stay undecided. Each quiet move of shakmaty has to be an un-move of the position after it. Each un-move of
//! a position has to lead to a legal one, in which shakmaty has that move. A quiet move captures nothing,
//! promotes no pawn and is not castling. Double steps are quiet moves, even if an en passant capture can
//! follow, since a table has no en passant rights.

use shakmaty::{Chess, Move, Position};
use suites::{Findings, Verdict};

use super::{Check, DifferenceText, TableJob, walk};
use crate::board;
use crate::positions::{self, Placement};
use crate::table_probe::{Board, TableValue, Unmove};

const CHECK: Check = Check::Unmove;

/// Judges one legal position of each class, or a sample of them. The images of a position are not cases:
/// `symmetry` shows that they have its value.
pub(super) fn run(job: &TableJob) -> Findings {
    walk::judge_share(job, CHECK, &judge)
}

pub(super) fn judge(job: &TableJob, placement: &Placement, position: &Chess, _: &TableValue) -> Verdict {
    let fault = forgotten(job, position).or_else(|| invented(job, position));
    fault.map_or(Verdict::Agree, |text| job.differ(CHECK, placement, text))
}

/// A quiet move of the position that the un-moves of the position after it lack.
fn forgotten(job: &TableJob, position: &Chess) -> Option<DifferenceText> {
    position.legal_moves().into_iter().find_map(|mv| {
        let unmove = quiet(mv)?;
        let after = board::after(position, mv);
        let stored = match job.subject.unmoves_to(after.board(), after.turn(), unmove.to) {
            Ok(named) if named.contains(&unmove) => return None,
            Ok(_) => format!("no un-move {unmove}"),
            Err(refusal) => format!("no un-moves: {}", refusal.0),
        };
        Some(DifferenceText {
            stored: stored.into(),
            expected: format!("the un-move {unmove}").into(),
            best: None,
            source: "shakmaty",
            explanation: format!("the move leads to {}", positions::fen(after.board(), after.turn())),
        })
    })
}

/// An un-move of the position that does not belong to a legal move.
fn invented(job: &TableJob, position: &Chess) -> Option<DifferenceText> {
    let differ = |stored: String, expected: &str, explanation: String| {
        Some(DifferenceText {
            stored: stored.into(),
            expected: expected.into(),
            best: None,
            source: "shakmaty",
            explanation,
        })
    };
    let named = match job.subject.unmoves(position.board(), position.turn()) {
        Ok(named) => named,
        Err(refusal) => {
            return differ(
                format!("no un-moves: {}", refusal.0),
                "un-moves",
                "the position is legal".to_owned(),
            );
        }
    };
    named.into_iter().find_map(|unmove| {
        let why = match before(position, unmove) {
            None => "no man of the side that has moved can go back so".to_owned(),
            Some(before) => match positions::position(before.clone(), !position.turn()) {
                Ok(earlier) if is_move(&earlier, unmove) => return None,
                Ok(_) => format!("there is no such move in {}", positions::fen(&before, !position.turn())),
                Err(_) => format!("{} is not legal", positions::fen(&before, !position.turn())),
            },
        };
        differ(format!("the un-move {unmove}"), "no such un-move", why)
    })
}

/// The board before a move that is taken back; `None` if no man of the side that has moved stands there, or
/// one is in its way.
fn before(position: &Chess, Unmove { from, to }: Unmove) -> Option<Board> {
    let mut board = position.board().clone();
    let man = board.remove_piece_at(to).filter(|man| man.color != position.turn())?;
    if board.piece_at(from).is_some() || from == to {
        return None;
    }
    board.set_piece_at(from, man);
    Some(board)
}

/// Whether the position has the quiet move of this un-move.
fn is_move(earlier: &Chess, unmove: Unmove) -> bool {
    let Some(role) = earlier.board().role_at(unmove.from) else { return false };
    earlier.san_candidates(role, unmove.to).into_iter().any(|mv| quiet(mv) == Some(unmove))
}

/// A quiet move, as an un-move.
fn quiet(mv: Move) -> Option<Unmove> {
    match mv {
        Move::Normal { from, to, capture: None, promotion: None, .. } => Some(Unmove { from, to }),
        _ => None,
    }
}
