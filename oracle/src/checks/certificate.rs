//! The table proves itself: every entry is what its successors make it, found with shakmaty's moves.
//!
//! Demanded of every legal position: stored 0 exactly if the side to move is in check and has no move; a draw if it
//! has no move and is not in check; a win in w exactly if some successor is a loss, the shortest of them w - 1; a loss in
//! l > 0 exactly if there is a move and all successors are wins, the longest l - 1; else a draw.
//!
//! Then stored n if and only if true n, by induction over n. For 0 it is the rule. If it holds below n, a true win in n
//! has a shortest true loss n - 1 among its successors, which is a shortest stored one, so n is stored, and conversely;
//! losses likewise. What is nowhere stored as a win or a loss is then neither. Captures and promotions lead into smaller
//! tables, which have to be certified too.

use shakmaty::{Chess, Move, Position};
use suites::{Findings, Verdict};

use super::walk::{self, Scope};
use super::{Check, Job, Says};
use crate::board;
use crate::positions::Placement;
use crate::table_probe::{ProbeError, TableProbe, TableValue, Wdl, describe_dtm};

const CHECK: Check = Check::Certificate;

/// Judges every legal position on 64 squares.
pub(super) fn run(job: &Job) -> Findings {
    walk::judge(job, CHECK, Scope::Raw, |placement, position| judge(job, placement, position))
}

/// Judges one legal position of each class: a proof where the check `symmetry` agrees too, which carries it to the others.
pub(super) fn of_classes(job: &Job) -> Findings {
    walk::judge_classes(job, CHECK, |placement, position| judge(job, placement, position))
}

fn judge(job: &Job, placement: &Placement, position: &Chess) -> Verdict {
    let claim = match job.probe(CHECK, placement) {
        Ok(claim) => claim,
        Err(differ) => return differ,
    };
    match entailed(job.subject, position) {
        Ok(entailed) if claim.dtm == entailed.dtm && claim.wdl == Wdl::of_dtm(entailed.dtm) => Verdict::Agree,
        Ok(entailed) => job.differ(CHECK, placement, says(&claim, &entailed, position)),
        Err((mv, refusal)) => {
            let mv = mv.to_uci(position.castles().mode());
            let says = Says {
                stored: claim.to_string(),
                expected: "what its successors make it".to_owned(),
                source: "certificate",
                explanation: format!("there is no answer after {mv}: {}", refusal.0),
            };
            job.differ(CHECK, placement, says)
        }
    }
}

/// What the successors make of a position, and by which move.
pub(crate) struct Entailed {
    pub(crate) dtm: Option<u16>,
    pub(crate) by: Option<Move>,
}

/// The value of a position that follows from what the subject claims of its successors.
pub(crate) fn entailed(subject: &dyn TableProbe, position: &Chess) -> Result<Entailed, (Move, ProbeError)> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Ok(Entailed { dtm: position.is_check().then_some(0), by: None });
    }
    let (mut shortest_win, mut longest_loss, mut drawing) = (None, None, None);
    for &mv in &moves {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let claim = resolved(subject, &after).map_err(|refusal| (mv, refusal))?;
        let Some(plies) = claim.dtm else {
            drawing = Some(mv);
            continue;
        };
        // Were the count to wrap, the induction would have no first step.
        let counted =
            plies.checked_add(1).ok_or_else(|| (mv, ProbeError(format!("{plies} plies are too many"))))?;
        if Wdl::of_dtm(claim.dtm) == Wdl::Loss {
            if shortest_win.is_none_or(|(least, _)| counted < least) {
                shortest_win = Some((counted, mv));
            }
        } else if longest_loss.is_none_or(|(most, _)| counted > most) {
            longest_loss = Some((counted, mv));
        }
    }
    // The first that there is: a win, else a draw, else the longest loss.
    let decisive = |(plies, mv)| (Some(plies), mv);
    let best = shortest_win.map(decisive).or(drawing.map(|mv| (None, mv))).or(longest_loss.map(decisive));
    let (dtm, by) = best.expect("each of the moves, and there is one, was sorted into one of the three");
    Ok(Entailed { dtm, by: Some(by) })
}

/// What a subject claims of a position in which capturing en passant may be legal. No table has such positions: they are worth
/// what the positions after their moves make them. A capture that is not legal changes nothing.
pub(crate) fn resolved(subject: &dyn TableProbe, position: &Chess) -> Result<TableValue, ProbeError> {
    if position.legal_ep_square().is_none() {
        return subject.probe(position.board(), position.turn());
    }
    let Entailed { dtm, .. } = entailed(subject, position).map_err(|(_, refusal)| refusal)?;
    Ok(TableValue { wdl: Wdl::of_dtm(dtm), dtm, dtz: None })
}

fn says(claim: &TableValue, entailed: &Entailed, position: &Chess) -> Says {
    let explanation = match entailed.by {
        Some(mv) => {
            let mut after = position.clone();
            after.play_unchecked(mv);
            format!("{} leads to {}", mv.to_uci(position.castles().mode()), board::fen(&after))
        }
        None => "there is no legal move".to_owned(),
    };
    Says {
        stored: claim.to_string(),
        expected: describe_dtm(entailed.dtm),
        source: "certificate",
        explanation,
    }
}
