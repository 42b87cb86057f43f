//! DTM compared with another source: Gaviota, Prophet or the certified production table.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};
use suites::{Findings, SkipReason, Verdict};

use super::certificate::resolved;
use super::walk;
use super::{Check, DifferenceText, TableJob};
use crate::board;
use crate::positions::{Placement, Scope};
use crate::table_probe::{Dtm, TableProbe, TableValue, describe_dtm, distance, wdl_of};

/// Compares every legal position of the job's scope with Gaviota or Prophet.
pub(super) fn foreign(job: &TableJob, check: Check) -> Findings {
    let Some(source) = job.authorities.dtm_source(check.name()) else {
        return job.skipped(check, Scope::Raw, SkipReason::NotInThisBuild);
    };
    let judge = |job: &TableJob, placement: &Placement, position: &Chess, value: &TableValue| {
        let Ok(dtm) = source.dtm(position) else { return Verdict::Skip(SkipReason::NoSource) };
        if dtm == value.dtm && value.wdl == wdl_of(dtm) {
            return Verdict::Agree;
        }
        let text = DifferenceText {
            stored: value.into(),
            expected: distance(dtm),
            best: None,
            source: source.name(),
            explanation: "its table of distances to mate text so".to_owned(),
        };
        job.differ(check, placement, text)
    };
    walk::judge(job, check, &judge)
}

/// Compares every legal position of the job's scope with the production table.
pub(super) fn truth(job: &TableJob) -> Findings {
    if job.authorities.truth.is_none() {
        return job.skipped(Check::Truth, Scope::Raw, SkipReason::NotCertified);
    }
    walk::judge(job, Check::Truth, &judge_truth)
}

pub(super) fn judge_truth(
    job: &TableJob,
    placement: &Placement,
    position: &Chess,
    value: &TableValue,
) -> Verdict {
    let Some(truth) = job.authorities.truth else { return Verdict::Skip(SkipReason::NotCertified) };
    let Ok(expected) = truth.probe(&placement.board, placement.turn) else {
        return Verdict::Skip(SkipReason::NoSource);
    };
    if expected.dtm == value.dtm && expected.wdl == value.wdl {
        return Verdict::Agree;
    }
    let (best, explanation) = move_to(truth, position, expected.dtm);
    let (stored, expected) = (value.into(), (&expected).into());
    let text = DifferenceText { stored, expected, best, source: "certified production table", explanation };
    job.differ(Check::Truth, placement, text)
}

/// A move that leads to the true value, in UCI notation, and words about it.
pub fn better_move(truth: &dyn TableProbe, position: &Chess) -> (Option<String>, String) {
    match resolved(truth, position) {
        Ok(value) => move_to(truth, position, value.dtm),
        Err(refusal) => (None, refusal.0.into_owned()),
    }
}

/// A move that leads to the true value of a position, in UCI notation, and words about it: the first after
/// which the distance is one ply less, and in a draw the last that keeps the draw.
pub(crate) fn move_to(
    truth: &dyn TableProbe,
    position: &Chess,
    dtm: Option<Dtm>,
) -> (Option<String>, String) {
    let moves = position.legal_moves();
    let leads_there = |mv: &&Move| {
        let value = resolved(truth, &board::after(position, **mv));
        value.is_ok_and(|value| match dtm {
            None => value.dtm.is_none(),
            Some(dtm) => value.dtm.is_some() && value.dtm == dtm.one_less(),
        })
    };
    let found = if dtm.is_some() { moves.iter().find(leads_there) } else { moves.iter().rfind(leads_there) };
    match found {
        Some(&mv) => {
            let san = SanPlus::from_move(position.clone(), mv);
            let text = board::uci_text(mv, position.castles().mode());
            let words = format!("{san} ({text}): {}", describe_dtm(dtm));
            (Some(text), words)
        }
        None if moves.is_empty() => (None, "there is no legal move".to_owned()),
        None => (None, "no move is known that leads to it".to_owned()),
    }
}
