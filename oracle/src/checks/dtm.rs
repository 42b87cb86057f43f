//! Distances to mate against another source: Gaviota's, Prophet's, or the certified production table's.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Move, Position};
use suites::{Findings, SkipReason, Verdict};

use super::certificate::resolved;
use super::walk::{self, Scope};
use super::{Check, Job, Says};
use crate::table_probe::{TableProbe, Wdl, describe_dtm};

/// Compares every legal position on 64 squares with Gaviota or Prophet.
pub(super) fn foreign(job: &Job, check: Check) -> Findings {
    let Some(source) = job.authorities.dtm_source(check.id()) else {
        return job.skipped(check, Scope::Raw, SkipReason::NotInThisBuild);
    };
    walk::judge(job, check, Scope::Raw, |placement, position| {
        let claim = match job.probe(check, placement) {
            Ok(claim) => claim,
            Err(differ) => return differ,
        };
        let Ok(dtm) = source.dtm(position) else { return Verdict::Skip(SkipReason::NoSource) };
        if dtm == claim.dtm && claim.wdl == Wdl::of_dtm(dtm) {
            return Verdict::Agree;
        }
        let says = Says {
            stored: claim.to_string(),
            expected: describe_dtm(dtm),
            source: source.name(),
            explanation: "its table of distances to mate says so".to_owned(),
        };
        job.differ(check, placement, says)
    })
}

/// Compares every legal position on 64 squares with the production table.
pub(super) fn truth(job: &Job) -> Findings {
    let check = Check::Truth;
    let Some(truth) = job.authorities.truth else {
        return job.skipped(check, Scope::Raw, SkipReason::NotCertified);
    };
    walk::judge(job, check, Scope::Raw, |placement, position| {
        let claim = match job.probe(check, placement) {
            Ok(claim) => claim,
            Err(differ) => return differ,
        };
        let Ok(expected) = truth.probe(&placement.board, placement.turn) else {
            return Verdict::Skip(SkipReason::NoSource);
        };
        if expected.dtm == claim.dtm && expected.wdl == claim.wdl {
            return Verdict::Agree;
        }
        let says = Says {
            stored: claim.to_string(),
            expected: expected.to_string(),
            source: "certified production table",
            explanation: move_to(truth, position, expected.dtm),
        };
        job.differ(check, placement, says)
    })
}

/// Names the move that the true value comes from.
pub fn better_move(truth: &dyn TableProbe, position: &Chess) -> String {
    match resolved(truth, position) {
        Ok(claim) => move_to(truth, position, claim.dtm),
        Err(refusal) => refusal.0,
    }
}

/// Names a move to the true value of a position, which is known: the first after which there is one ply less to go, of a draw the last that
/// keeps it. No further moves are looked at.
pub(crate) fn move_to(truth: &dyn TableProbe, position: &Chess, dtm: Option<u16>) -> String {
    let moves = position.legal_moves();
    let after = dtm.map(|plies| plies.checked_sub(1));
    let leads_there = |mv: &&Move| {
        let mut reached = position.clone();
        reached.play_unchecked(**mv);
        let claim = resolved(truth, &reached);
        claim.is_ok_and(|claim| {
            after.map_or(claim.dtm.is_none(), |plies| plies.is_some() && claim.dtm == plies)
        })
    };
    let found = if dtm.is_some() { moves.iter().find(leads_there) } else { moves.iter().rfind(leads_there) };
    match found {
        Some(&mv) => {
            let san = SanPlus::from_move(position.clone(), mv);
            format!("{san} ({}): {}", mv.to_uci(position.castles().mode()), describe_dtm(dtm))
        }
        None if moves.is_empty() => "there is no legal move".to_owned(),
        None => "no move is known that leads to it".to_owned(),
    }
}
