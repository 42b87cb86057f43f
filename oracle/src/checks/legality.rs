//! The table states a value for each legal placement and refuses each illegal one, and the number of legal
//! ones is the published number.
//!
//! Illegal placements have to be refused with colours exchanged too. The check `symmetry` covers legal ones
//! with colours exchanged.

use suites::{Findings, Verdict};

use super::walk::{self, CountedFindings, Placed};
use super::{Check, DifferenceText, TableJob};
use crate::positions::{Image, Placement, Scope};

const CHECK: Check = Check::Legality;

/// Walks every placement, or one of each class if that is the job's scope. Its cases are the legal positions
/// walked, and the illegal ones for which the table states a value. It looks at the images of illegal
/// positions in both scopes, as no other check covers them.
pub(super) fn run(job: &TableJob) -> Findings {
    let placed = match job.scope {
        Scope::Raw => Placed::All,
        Scope::Unique => Placed::Classes,
    };
    let visit = |walked: &mut CountedFindings, placement: &Placement| {
        walked.count(placement);
        if placement.legal.is_some() {
            let verdict = job.probe(CHECK, placement).map_or_else(|differ| differ, |_| Verdict::Agree);
            walked.findings.record(verdict);
            return;
        }
        refused(job, placement, &mut walked.findings);
    };
    let empty = || CountedFindings::new(job.findings(CHECK));
    let join = CountedFindings::join;
    let walked = walk::fold(placed, job.men, job.progress, empty, visit, join);
    let walked = if job.scope == Scope::Unique { walked.of_classes() } else { walked };
    walked.complete(&job.label(CHECK), job.authorities)
}

/// Records the illegal placement, and each of its images that the walk leaves out and others may probe, for
/// which the table states a value.
pub(super) fn refused(job: &TableJob, placement: &Placement, findings: &mut Findings) {
    let men = placement.men();
    let symmetries = if job.scope == Scope::Raw || job.representatives { 1 } else { job.men.images() };
    let colors = if job.men.has_equal_sides() || job.representatives { 1 } else { 2 };
    for symmetry in 0..symmetries {
        for exchanged in [false, true].into_iter().take(colors) {
            let image = Image { symmetry, exchanged };
            let Ok(value) = job.subject.probe_image(&men, image, placement.turn) else { continue };
            let text = DifferenceText {
                stored: (&value).into(),
                best: None,
                expected: "a refusal".into(),
                source: "shakmaty",
                explanation: "the position is not legal".to_owned(),
            };
            let (board, turn) = image.position(&men, placement.turn);
            let illegal = Placement { board, turn, ..placement.clone() };
            findings.record(job.differ(CHECK, &illegal, text));
        }
    }
}
