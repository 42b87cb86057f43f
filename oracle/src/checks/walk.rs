//! Walks over all placements of a table, on all cores. The result does not depend on the number of cores.

use shakmaty::Color;
use suites::{Findings, SkipReason};

use super::{Check, DifferenceText, Judge, Label, TableJob};
use crate::authorities::Authorities;
use crate::parallel;
use crate::positions::{Men, Placement, Scope};

/// The men that move between two reports of progress.
const LAST: usize = 2;
/// Placements between two reports of progress.
const STRIDE: u64 = 1 << (6 * LAST);
/// Parts of a walk at most: enough for many cores, as parts differ in cost.
const MOST_PARTS: u64 = 1024;

/// The placements that a walk visits.
#[derive(Clone, Copy)]
pub enum Placed<'a> {
    /// All.
    All,
    /// The one that represents each symmetry class.
    Classes,
    /// The representatives whose number and side to move are drawn.
    Drawn(&'a (dyn Fn(u64, Color) -> bool + Sync)),
}

impl Placed<'_> {
    /// The placement of a number with this side to move, if it is visited.
    fn placement(self, men: &Men, number: u64, turn: Color) -> Option<Placement> {
        match self {
            Self::All => Placement::numbered(men, number, turn),
            Self::Drawn(is_drawn) if !is_drawn(number, turn) => None,
            Self::Classes | Self::Drawn(_) => Placement::of_class(men, number, turn),
        }
    }
}

/// Folds over placements, with White to move and with Black to move. `progress` is called now and then with the
/// number of placements walked since the last call.
pub fn fold<T: Send>(
    placed: Placed,
    men: &Men,
    progress: &(dyn Fn(u64) + Sync),
    empty: impl Fn() -> T + Sync,
    visit: impl Fn(&mut T, &Placement) + Sync,
    join: impl Fn(T, T) -> T + Sync,
) -> T {
    let visit_part = |found: &mut T, placements: &mut dyn Iterator<Item = Placement>| {
        placements.for_each(|placement| visit(found, &placement));
    };
    fold_parts(placed, men, progress, empty, visit_part, join)
}

/// The same, for the placements of one part at a time.
pub(super) fn fold_parts<T: Send>(
    placed: Placed,
    men: &Men,
    progress: &(dyn Fn(u64) + Sync),
    empty: impl Fn() -> T + Sync,
    visit: impl Fn(&mut T, &mut dyn Iterator<Item = Placement>) + Sync,
    join: impl Fn(T, T) -> T + Sync,
) -> T {
    let strides = men.numbers() / STRIDE;
    let parts = (2 * strides).min(MOST_PARTS);
    let first_stride = |part: u64| part * 2 * strides / parts;
    let walk = |part: usize| {
        let mut found = empty();
        for stride in first_stride(part as u64)..first_stride(part as u64 + 1) {
            let turn = Color::from_white(stride < strides);
            let first = stride % strides * STRIDE;
            if matches!(placed, Placed::All) || men.may_represent(first, LAST) {
                let mut placements =
                    (first..first + STRIDE).filter_map(|number| placed.placement(men, number, turn));
                visit(&mut found, &mut placements);
            }
            progress(STRIDE);
        }
        found
    };
    parallel::reduce(parts as usize, walk, join).unwrap_or_else(empty)
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

    /// The same after a walk over one position of each class: the others are counted by the sizes of the
    /// classes.
    pub fn of_classes(self) -> Self {
        Self { raw: self.images, ..self }
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
    /// Each class has to be walked with all its images, so that a statement about classes holds for all
    /// positions. If only the number of classes is published, it is compared instead of the number on 64
    /// squares.
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
                stored: format!("{found} positions checked").into(),
                expected: format!("{expected} positions").into(),
                best: None,
                source: "published counts",
                explanation: "the check walked fewer legal positions than there are, or more".to_owned(),
            };
            self.findings.record(label.differ_in(case, text));
        }
        self.findings
    }
}

/// Judges every legal position of the job's scope, and compares their number with the published one.
///
/// If the scope is the classes, it judges one position of each and looks at no other: the check `symmetry`
/// covers the images.
pub(super) fn judge(job: &TableJob, check: Check, judge: &Judge) -> Findings {
    match job.scope {
        Scope::Raw => walk(job, check, Placed::All, judge).complete(&job.label(check), job.authorities),
        Scope::Unique => judge_classes(job, check, judge),
    }
}

/// Judges one legal position of each class. The others are counted by the sizes of the classes.
pub(super) fn judge_classes(job: &TableJob, check: Check, judge: &Judge) -> Findings {
    let walked = walk(job, check, Placed::Classes, judge);
    walked.of_classes().complete(&job.label(check), job.authorities)
}

/// Judges the job's sample of the legal positions, or one of each class if that is not more.
pub(super) fn judge_share(job: &TableJob, check: Check, judge: &Judge) -> Findings {
    let all = job.authorities.published_positions(job.men, Scope::Unique).unwrap_or_default();
    match job.sample.and_then(|sample| Share::new(job.seed, sample, all)) {
        Some(share) => judge_sample(job, check, share, judge),
        None => judge_classes(job, check, judge),
    }
}

/// Judges a sample of the legal positions, one of each class at most, and says how many are left out.
fn judge_sample(job: &TableJob, check: Check, share: Share, judge: &Judge) -> Findings {
    let is_drawn = |number, turn| share.contains(number, turn);
    let mut findings = walk(job, check, Placed::Drawn(&is_drawn), judge).findings;
    match job.authorities.published_positions(job.men, Scope::Unique) {
        Some(unique) => {
            let left_out = unique.saturating_sub(findings.tally.total());
            findings.tally.skip(SkipReason::LeftOut, left_out);
        }
        None => findings.tally.skip(SkipReason::NoSource, 1),
    }
    findings
}

/// A share of all numbers, drawn by a seed.
#[derive(Debug, Clone, Copy)]
pub struct Share {
    seed: u64,
    /// Numbers whose hash is below this are drawn.
    below: u64,
}

impl Share {
    /// The share that draws `drawn` of `all` numbers on average; `None` if it would draw all of them.
    pub fn new(seed: u64, drawn: u64, all: u64) -> Option<Self> {
        (drawn < all).then(|| Self { seed, below: u64::MAX / all * drawn })
    }

    /// Whether the placement of a number with this side to move is drawn: a hash decides.
    pub fn contains(self, number: u64, turn: Color) -> bool {
        hash(self.seed, number << 1 | u64::from(turn.is_white())) < self.below
    }
}

/// The hash of a number under a seed, by `SplitMix64`.
pub(crate) fn hash(seed: u64, number: u64) -> u64 {
    let mut hash = seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

fn walk(job: &TableJob, check: Check, placed: Placed, judge: &Judge) -> CountedFindings {
    let visit = |walked: &mut CountedFindings, placement: &Placement| {
        walked.count(placement);
        if let Some(position) = &placement.legal {
            walked.findings.record(job.judge(check, placement, position, judge));
        }
    };
    let empty = || CountedFindings::new(job.findings(check));
    fold(placed, job.men, job.progress, empty, visit, CountedFindings::join)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_the_size_that_was_asked_for_and_follows_the_seed() {
        let drawn = |seed| {
            let share = Share::new(seed, 1_000, 10_000).unwrap();
            (0..100_000).filter(|&number| share.contains(number, Color::White)).collect::<Vec<u64>>()
        };
        let (one, two) = (drawn(1), drawn(2));
        assert!((9_700..10_300).contains(&one.len()), "{}", one.len());
        assert_eq!(one, drawn(1));
        assert!(one.iter().filter(|number| two.contains(number)).count() < 1_300);
        // A neighbour, and the same placement with the other side to move, are drawn apart: in one of ten.
        assert!(one.windows(2).filter(|pair| pair[0] + 1 == pair[1]).count() < 1_300);
        let share = Share::new(1, 1_000, 10_000).unwrap();
        assert!(one.iter().filter(|&&number| share.contains(number, Color::Black)).count() < 1_300);
        assert!(Share::new(1, 10_000, 10_000).is_none());
    }
}
