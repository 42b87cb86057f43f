//! The table states a value for each legal placement and refuses each illegal one, and the number of legal ones is the
//! published number.
//!
//! Illegal placements have to be refused with colours exchanged too. The check `symmetry` covers legal ones with colours
//! exchanged.

use suites::{Findings, Verdict};

use super::walk::{self, CountedFindings};
use super::{Check, DifferenceText, TableJob};
use crate::positions::Placement;

const CHECK: Check = Check::Legality;

/// Walks every placement. Its cases are the legal positions, and the illegal ones for which the table states a value.
pub(super) fn run(job: &TableJob) -> Findings {
    let visit = |walked: &mut CountedFindings, placement: &Placement| {
        walked.count(placement);
        if placement.legal.is_some() {
            let verdict = job.probe(CHECK, placement).map_or_else(|differ| differ, |_| Verdict::Agree);
            walked.findings.record(verdict);
            return;
        }
        let exchanged = (!job.men.has_equal_sides()).then(|| placement.with_colors_exchanged());
        for illegal in [placement].into_iter().chain(&exchanged) {
            let Ok(value) = job.subject.probe(&illegal.board, illegal.turn) else { continue };
            let text = DifferenceText {
                stored: value.to_string(),
                expected: "a refusal".to_owned(),
                source: "shakmaty",
                explanation: "the position is not legal".to_owned(),
            };
            walked.findings.record(job.differ(CHECK, illegal, text));
        }
    };
    let empty = || CountedFindings::new(job.findings(CHECK));
    let join = CountedFindings::join;
    let walked = walk::fold(Placement::numbered, job.men, job.progress, empty, visit, join);
    walked.complete(&job.label(CHECK), job.authorities)
}
