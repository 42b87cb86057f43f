//! Walks over all placements of a table, on all cores. The result does not depend on the number of cores.

use rayon::prelude::*;
use shakmaty::Color;
use suites::{Findings, SkipReason};

use super::{Check, DifferenceText, Judge, Label, TableJob};
use crate::authorities::Authorities;
use crate::positions::{Men, Placement, Scope};

/// Placements between two reports of progress.
const STRIDE: u64 = 4096;

/// Folds over those placements for which `placed` returns one, with White to move and with Black to move. `progress` is called
/// now and then with the number of placements walked since the last call.
pub fn fold<T: Send>(
    placed: fn(&Men, u64, Color) -> Option<Placement>,
    men: &Men,
    progress: &(dyn Fn(u64) + Sync),
    empty: impl Fn() -> T + Sync + Send,
    visit: impl Fn(&mut T, &Placement) + Sync,
    join: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    let strides = (men.numbers() / STRIDE).max(1);
    let numbers = men.numbers() / strides;
    (0..2 * strides)
        .into_par_iter()
        .map(|part| {
            let turn = Color::from_white(part < strides);
            let first = part % strides * numbers;
            let mut found = empty();
            for number in first..first + numbers {
                if let Some(placement) = placed(men, number, turn) {
                    visit(&mut found, &placement);
                }
            }
            progress(numbers);
            found
        })
        .reduce(&empty, &join)
}

/// Findings, with the number of legal positions walked.
pub struct CountedFindings {
    /// The findings.
    pub findings: Findings,
    /// Legal positions on 64 squares.
    pub raw: u64,
    /// Symmetry classes of legal positions.
    pub unique: u64,
    /// The number of positions on 64 squares in the classes walked.
    images: u64,
}

impl CountedFindings {
    /// No positions yet.
    pub fn new(findings: Findings) -> Self {
        Self { findings, raw: 0, unique: 0, images: 0 }
    }

    /// Counts a placement if it is legal.
    pub fn count(&mut self, placement: &Placement) {
        if placement.legal.is_some() {
            self.raw += 1;
            self.unique += u64::from(placement.is_representative());
            self.images += placement.class_size.unwrap_or_default();
        }
    }

    /// Joins another part of the same walk.
    pub fn join(mut self, other: Self) -> Self {
        self.findings.absorb(other.findings);
        self.raw += other.raw;
        self.unique += other.unique;
        self.images += other.images;
        self
    }

    /// The findings, with a difference if the number of positions is not the published one.
    ///
    /// Each class has to be walked with all its images, so that a statement about classes holds for all positions. If only
    /// the number of classes is published, it is compared instead of the number on 64 squares.
    pub fn complete(mut self, label: &Label, authorities: &Authorities) -> Findings {
        let Some(unique) = authorities.published_positions(label.men, Scope::Unique) else {
            self.findings.tally.skip(SkipReason::NoSource, 1);
            return self.findings;
        };
        let raw = authorities.published_positions(label.men, Scope::Raw).unwrap_or(self.raw);
        let counts = [
            ("coverage", raw, self.raw),
            ("coverage of classes", unique, self.unique),
            ("coverage of images", self.raw, self.images),
        ];
        for (case, expected, found) in counts {
            if expected == found {
                continue;
            }
            let text = DifferenceText {
                stored: format!("{found} positions checked"),
                expected: format!("{expected} positions"),
                source: "published counts",
                explanation: "the check walked fewer legal positions than there are, or more".to_owned(),
            };
            self.findings.record(label.differ_in(case, text));
        }
        self.findings
    }
}

/// Judges one legal position of each class and looks at no other, and compares their number with the published one. Another
/// check has to cover the images.
pub(super) fn judge_classes(job: &TableJob, check: Check, judge: impl Judge) -> Findings {
    let walked = walk(job, check, Placement::of_class, Scope::Unique, judge);
    // Images that were not walked are counted by the size of their class.
    CountedFindings { raw: walked.images, ..walked }.complete(&job.label(check), job.authorities)
}

/// Judges every legal position in the scope, and compares their number with the published one.
pub(super) fn judge(job: &TableJob, check: Check, scope: Scope, judge: impl Judge) -> Findings {
    let walked = walk(job, check, Placement::numbered, scope, judge);
    walked.complete(&job.label(check), job.authorities)
}

fn walk(
    job: &TableJob,
    check: Check,
    placed: fn(&Men, u64, Color) -> Option<Placement>,
    scope: Scope,
    judge: impl Judge,
) -> CountedFindings {
    let visit = |walked: &mut CountedFindings, placement: &Placement| {
        walked.count(placement);
        if let Some(position) = &placement.legal
            && (scope == Scope::Raw || placement.is_representative())
        {
            walked.findings.record(job.judge(check, placement, position, &judge));
        }
    };
    let empty = || CountedFindings::new(job.findings(check));
    fold(placed, job.men, job.progress, empty, visit, CountedFindings::join)
}
