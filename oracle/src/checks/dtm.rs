//! Distances to mate against another source: Gaviota's, Prophet's, or the certified production table's.

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};
use suites::{Findings, SkipReason, Verdict};

use super::certificate::entailed;
use super::walk::{self, Scope};
use super::{Check, Job, Says};
use crate::claims::{Claims, Wdl, describe_dtm};

/// Compares every legal position on 64 squares with Gaviota or Prophet.
pub(super) fn foreign(job: &Job, check: Check) -> Findings {
    let Some(source) = job.authorities.dtm_source(check.id()) else {
        return job.skipped(check, Scope::Raw, SkipReason::NotInThisBuild);
    };
    walk::judge(job, check, Scope::Raw, |placement, position| {
        let claim = match job.claim(check, placement) {
            Ok(claim) => claim,
            Err(differ) => return differ,
        };
        let (expected, explanation) = match source.dtm(position) {
            Ok(dtm) if dtm == claim.dtm && claim.wdl == Wdl::of_dtm(dtm) => return Verdict::Agree,
            Ok(dtm) => (describe_dtm(dtm), "distances to mate".to_owned()),
            Err(error) => ("an answer".to_owned(), error.to_string()),
        };
        let says = Says { stored: describe_dtm(claim.dtm), expected, source: source.name(), explanation };
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
        let claim = match job.claim(check, placement) {
            Ok(claim) => claim,
            Err(differ) => return differ,
        };
        match truth.claim(&placement.board, placement.turn) {
            Ok(expected) if expected.dtm == claim.dtm && expected.wdl == claim.wdl => Verdict::Agree,
            Ok(expected) => {
                let says = Says {
                    stored: describe_dtm(claim.dtm),
                    expected: describe_dtm(expected.dtm),
                    source: "certified production table",
                    explanation: better_move(truth, position),
                };
                job.differ(check, placement, says)
            }
            Err(refusal) => {
                let says = Says {
                    stored: describe_dtm(claim.dtm),
                    expected: "an answer".to_owned(),
                    source: "certified production table",
                    explanation: refusal.0,
                };
                job.differ(check, placement, says)
            }
        }
    })
}

/// Names the move that the true value comes from.
pub(crate) fn better_move(truth: &dyn Claims, position: &Chess) -> String {
    match entailed(truth, position) {
        Ok(entailed) => match entailed.by {
            Some(mv) => {
                let san = SanPlus::from_move(position.clone(), mv);
                format!("{san} ({}): {}", mv.to_uci(position.castles().mode()), describe_dtm(entailed.dtm))
            }
            None => "there is no legal move".to_owned(),
        },
        Err((_, refusal)) => refusal.0,
    }
}
