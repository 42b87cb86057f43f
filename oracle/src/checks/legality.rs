//! The table answers for each legal placement and refuses each illegal one, and the legal ones are as many as published.
//!
//! An illegal placement has to be refused with colours exchanged too. That a legal one is answered so is for the check of
//! symmetry to say.

use suites::{Findings, Verdict};

use super::walk::{self, Walked};
use super::{Check, Job, Says};
use crate::positions::Placement;

const CHECK: Check = Check::Legality;

/// Walks every placement. Its cases are the legal positions, and those illegal ones that got an answer.
pub(super) fn run(job: &Job) -> Findings {
    let visit = |walked: &mut Walked, placement: &Placement| {
        walked.count(placement);
        if placement.legal.is_some() {
            let verdict = job.probe(CHECK, placement).map_or_else(|differ| differ, |_| Verdict::Agree);
            walked.findings.record(verdict);
            return;
        }
        let exchanged = (!job.men.has_equal_sides()).then(|| placement.with_colors_exchanged());
        for illegal in [placement].into_iter().chain(&exchanged) {
            let Ok(claim) = job.subject.probe(&illegal.board, illegal.turn) else { continue };
            let says = Says {
                stored: claim.to_string(),
                expected: "a refusal".to_owned(),
                source: "shakmaty",
                explanation: "the position is not legal".to_owned(),
            };
            walked.findings.record(job.differ(CHECK, illegal, says));
        }
    };
    walk::fold(job.men, job.progress, || Walked::new(job.findings(CHECK)), visit, Walked::join)
        .complete(&job.label(CHECK), job.authorities)
}
