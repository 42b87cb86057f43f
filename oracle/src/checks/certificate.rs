//! Every value follows from the values of the positions after its moves, which shakmaty generates.
//!
//! Required of every legal position: DTM 0 if and only if the side to move is checkmated; a draw if it is
//! stalemated; a win in w if and only if some successor is a loss, the shortest of them in w - 1; a loss in l
//! > 0 if and only if there is a move and all successors are wins, the longest in l - 1; a draw otherwise.
//!
//! Then the stored value n is the true value n, by induction over n. For 0 it is the rule. If it holds below
//! n, a true win in n has a shortest true loss n - 1 among its successors. That is the shortest stored loss,
//! so n is stored; and conversely. Losses likewise. A position that is not stored as a win or a loss is then
//! neither. Captures and promotions lead into smaller tables, which have to be certified too.

use shakmaty::{Chess, Move, Position, Role, Square};
use suites::{Findings, Verdict};

use super::walk;
use super::{Check, DifferenceText, TableJob};
use crate::board;
use crate::positions::Placement;
use crate::table_probe::{Dtm, ProbeError, TableProbe, TableValue, Wdl, distance, wdl_of};

const CHECK: Check = Check::Certificate;

/// Judges every legal position of the job's scope. One position of each class, together with the check
/// `symmetry`, is a proof for all positions.
pub(super) fn run(job: &TableJob) -> Findings {
    walk::judge(job, CHECK, &judge)
}

pub(super) fn judge(job: &TableJob, placement: &Placement, position: &Chess, value: &TableValue) -> Verdict {
    judge_moves(job, placement, position, &position.legal_moves(), value)
}

/// Judges the value of a position that has these legal moves.
pub(super) fn judge_moves(
    job: &TableJob,
    placement: &Placement,
    position: &Chess,
    moves: &[Move],
    value: &TableValue,
) -> Verdict {
    match entailed_by(job.subject, position, moves) {
        Ok(entailed) if value.dtm == entailed.dtm && value.wdl == wdl_of(entailed.dtm) => Verdict::Agree,
        Ok(entailed) => job.differ(CHECK, placement, says(value, &entailed, position)),
        Err((mv, refusal)) => {
            let mv = board::uci_text(mv, position.castles().mode());
            let text = DifferenceText {
                stored: value.into(),
                best: None,
                expected: "the value that follows from its successors".into(),
                source: "certificate",
                explanation: format!("the table has no value for the position after {mv}: {}", refusal.0),
            };
            job.differ(CHECK, placement, text)
        }
    }
}

/// The value that follows from the successors of a position, and the move that gives it.
pub(crate) struct Entailed {
    pub(crate) dtm: Option<Dtm>,
    pub(crate) by: Option<Move>,
}

/// The value of a position that follows from the values stated for its successors.
pub(crate) fn entailed(subject: &dyn TableProbe, position: &Chess) -> Result<Entailed, (Move, ProbeError)> {
    entailed_by(subject, position, &position.legal_moves())
}

/// The same for a position that has these legal moves.
fn entailed_by(
    subject: &dyn TableProbe,
    position: &Chess,
    moves: &[Move],
) -> Result<Entailed, (Move, ProbeError)> {
    if moves.is_empty() {
        return Ok(Entailed { dtm: position.is_check().then_some(Dtm::CHECKMATED), by: None });
    }
    let neighbours = subject.neighbours(position.board(), position.turn());
    let (mut shortest_win, mut longest_loss, mut drawing) = (None, None, None);
    for &mv in moves {
        let stated = match (&neighbours, quiet(mv)) {
            (Some(neighbours), Some((from, to))) => neighbours.dtm_after(from, to),
            _ => resolved(subject, &board::after(position, mv)).map(|value| value.dtm),
        };
        let Some(dtm) = stated.map_err(|refusal| (mv, refusal))? else {
            drawing = Some(mv);
            continue;
        };
        // If the count wrapped, the induction would have no first step.
        let counted = dtm
            .one_more()
            .ok_or_else(|| (mv, ProbeError(format!("{} plies are too many", dtm.plies()).into())))?;
        if dtm.wdl() == Wdl::Loss {
            if shortest_win.is_none_or(|(least, _)| counted < least) {
                shortest_win = Some((counted, mv));
            }
        } else if longest_loss.is_none_or(|(most, _)| counted > most) {
            longest_loss = Some((counted, mv));
        }
    }
    // The best move: the shortest win, else a draw, else the longest loss.
    let decisive = |(dtm, mv)| (Some(dtm), mv);
    let best = shortest_win.map(decisive).or(drawing.map(|mv| (None, mv))).or(longest_loss.map(decisive));
    let (dtm, by) = best.expect("each of the moves, and there is one, was sorted into one of the three");
    Ok(Entailed { dtm, by: Some(by) })
}

/// The squares of a move that captures nothing, promotes no pawn and allows no en passant capture.
pub(crate) fn quiet(mv: Move) -> Option<(Square, Square)> {
    match mv {
        Move::Normal { role, from, to, capture: None, promotion: None } => {
            let double_step = role == Role::Pawn && from.rank().distance(to.rank()) == 2;
            (!double_step).then_some((from, to))
        }
        _ => None,
    }
}

/// The value of a position in which an en passant capture may be legal. Tables do not hold such positions, so
/// their value follows from their successors. An illegal capture changes nothing.
///
/// # Errors
/// The table lacks a value that the answer depends on.
pub fn resolved(subject: &dyn TableProbe, position: &Chess) -> Result<TableValue, ProbeError> {
    if position.legal_ep_square().is_none() {
        return subject.probe(position.board(), position.turn());
    }
    let Entailed { dtm, .. } = entailed(subject, position).map_err(|(_, refusal)| refusal)?;
    Ok(TableValue::of_dtm(dtm))
}

fn says(value: &TableValue, entailed: &Entailed, position: &Chess) -> DifferenceText {
    let explanation = match entailed.by {
        Some(mv) => {
            let text = board::uci_text(mv, position.castles().mode());
            format!("{text} leads to {}", board::fen(&board::after(position, mv)))
        }
        None => "there is no legal move".to_owned(),
    };
    DifferenceText {
        stored: value.into(),
        expected: distance(entailed.dtm),
        best: entailed.by.map(|mv| board::uci_text(mv, position.castles().mode())),
        source: "certificate",
        explanation,
    }
}
