//! Walking all placements of a material, on all cores, in an order that does not depend on how many there are.

use rayon::prelude::*;
use shakmaty::{Chess, Color};
use suites::{Findings, SkipReason, Verdict};

use super::{Check, Job, Label, Says};
use crate::authorities::Authorities;
use crate::positions::{Men, Placement};

/// Which legal positions a check walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Every one on 64 squares.
    Raw,
    /// One for each symmetry class.
    Unique,
}

/// Placements walked between two words on progress.
const STRIDE: u64 = 4096;

/// Folds over every placement of these men, legal or not, with White to move and with Black to move. `progress` is called now
/// and then with the number of placements walked since.
pub fn fold<T: Send>(
    men: &Men,
    progress: &(dyn Fn(u64) + Sync),
    empty: impl Fn() -> T + Sync + Send,
    visit: impl Fn(&mut T, &Placement) + Sync,
    join: impl Fn(T, T) -> T + Sync + Send,
) -> T {
    fold_over(Placement::numbered, men, progress, empty, visit, join)
}

/// Folds over those placements that `placed` gives for their numbers.
fn fold_over<T: Send>(
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
pub struct Walked {
    /// The findings.
    pub findings: Findings,
    /// Legal positions on 64 squares.
    pub raw: u64,
    /// Symmetry classes of legal positions.
    pub unique: u64,
    /// What the classes walked make on 64 squares.
    images: u64,
}

impl Walked {
    /// No position yet.
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

    /// The findings, with a difference if there are not as many positions as published.
    ///
    /// Each class must have been seen with all its images: what is said of classes is then said of all positions, and
    /// where no count on 64 squares is published, that of classes stands for it.
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
            let says = Says {
                stored: format!("{found} positions checked"),
                expected: format!("{expected} positions"),
                source: "published counts",
                explanation: "the check did not see every legal position, or saw more".to_owned(),
            };
            self.findings.record(label.differ_in(case, says));
        }
        self.findings
    }
}

/// Judges one legal position of each class and looks at no other, and checks that they are as many as published: for what
/// another check has carried to their images.
pub(super) fn judge_classes(
    job: &Job,
    check: Check,
    judge: impl Fn(&Placement, &Chess) -> Verdict + Sync,
) -> Findings {
    let visit = |walked: &mut Walked, placement: &Placement| {
        walked.count(placement);
        if let Some(position) = &placement.legal {
            walked.findings.record(judge(placement, position));
        }
    };
    let empty = || Walked::new(job.findings(check));
    let walked = fold_over(Placement::of_class, job.men, job.progress, empty, visit, Walked::join);
    // The images that were not looked at are counted by their class.
    Walked { raw: walked.images, ..walked }.complete(&job.label(check), job.authorities)
}

/// Judges every legal position of a scope, and checks that they are as many as published.
pub(super) fn judge(
    job: &Job,
    check: Check,
    scope: Scope,
    judge: impl Fn(&Placement, &Chess) -> Verdict + Sync,
) -> Findings {
    let visit = |walked: &mut Walked, placement: &Placement| {
        walked.count(placement);
        if let Some(position) =
            placement.legal.as_ref().filter(|_| scope == Scope::Raw || placement.is_representative())
        {
            walked.findings.record(judge(placement, position));
        }
    };
    fold(job.men, job.progress, || Walked::new(job.findings(check)), visit, Walked::join)
        .complete(&job.label(check), job.authorities)
}
