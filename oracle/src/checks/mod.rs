//! The checks that a table has to pass: one file each, and what they have in common.
//!
//! A check asks a subject for every legal position of a material, as the oracle enumerates them, and says agree or
//! differ of each answer. It prints nothing. A position that the subject does not answer is a difference of every check
//! that asks for it; one that the oracle cannot judge is skipped with a named reason. However a check walks the
//! positions, how many there must be is a published figure.

mod announcement;
mod census;
mod certificate;
mod dtm;
mod legality;
mod symmetry;
mod syzygy;
mod terminal;
mod walk;

#[cfg(test)]
mod tests;

use std::fmt;

use suites::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};

use crate::authorities::Authorities;
use crate::claims::{Claim, Claims};
use crate::positions::{Men, Placement};
use crate::subject::Aid;

pub(crate) use certificate::resolved;
pub(crate) use dtm::{better_move, move_to};

pub use census::{CensusCount, HistogramCount, count};
pub use terminal::{Stalemate, stalemates};
pub use walk::Scope;

/// One check of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Check {
    /// The table answers for each legal position, refuses each illegal one, and they are as many as published.
    Legality,
    /// Results against Syzygy's.
    SyzygyWdl,
    /// Distances to zeroing against Syzygy's.
    SyzygyDtz,
    /// Distances to mate against Syzygy's DTZ, where both are the same: `KQvK` and `KRvK`.
    SyzygyDtm,
    /// Every entry is what its successors make it.
    Certificate,
    /// Checkmates and stalemates against shakmaty.
    Terminal,
    /// All images of a position and its colour flip have its value.
    Symmetry,
    /// Distances to mate against Gaviota's.
    Gaviota,
    /// Distances to mate against Prophet's.
    Prophet,
    /// Counts against published counts.
    Census,
    /// Distances to mate against those of the production table that was certified in the same run.
    Truth,
    /// What a player prints at depth 1, against the certified table: the distance, the move, and the line to mate.
    Announcement,
}

impl Check {
    /// All, in the order in which they run.
    pub const ALL: [Self; 12] = [
        Self::Legality,
        Self::SyzygyWdl,
        Self::SyzygyDtz,
        Self::SyzygyDtm,
        Self::Certificate,
        Self::Terminal,
        Self::Symmetry,
        Self::Gaviota,
        Self::Prophet,
        Self::Census,
        Self::Truth,
        Self::Announcement,
    ];

    /// Its id in reports.
    pub const fn id(self) -> &'static str {
        match self {
            Self::Legality => "legality",
            Self::SyzygyWdl => "syzygy-wdl",
            Self::SyzygyDtz => "syzygy-dtz",
            Self::SyzygyDtm => "syzygy-dtm",
            Self::Certificate => "certificate",
            Self::Terminal => "terminal",
            Self::Symmetry => "symmetry",
            Self::Gaviota => "gaviota",
            Self::Prophet => "prophet",
            Self::Census => "census",
            Self::Truth => "truth",
            Self::Announcement => "announcement",
        }
    }

    /// The kind of evidence it gives.
    pub const fn evidence(self) -> Evidence {
        match self {
            Self::Certificate => Evidence::Certificate,
            Self::Census => Evidence::Census,
            _ => Evidence::Agreement,
        }
    }

    /// Whether it says anything about this subject and material.
    pub fn applies(self, subject: &dyn Claims, men: &Men) -> bool {
        match self {
            Self::SyzygyDtz => subject.claims_dtz(),
            Self::SyzygyDtm => matches!(men.name(), "KQvK" | "KRvK"),
            Self::Gaviota | Self::Prophet => men.numbers() <= 1 << 18,
            Self::Announcement => {
                subject.player().is_some_and(|player| player.has(Aid::Tables))
                    && matches!(men.name(), "KPvK" | "KQvK" | "KRvK")
            }
            _ => true,
        }
    }

    /// Checks one table of a subject.
    pub fn run(self, job: &Job) -> Findings {
        match self {
            Self::Legality => legality::run(job),
            Self::SyzygyWdl => syzygy::wdl(job),
            Self::SyzygyDtz => syzygy::dtz(job),
            Self::SyzygyDtm => syzygy::dtm(job),
            Self::Certificate => certificate::run(job),
            Self::Terminal => terminal::run(job),
            Self::Symmetry => symmetry::run(job),
            Self::Gaviota | Self::Prophet => dtm::foreign(job, self),
            Self::Census => census::run(job),
            Self::Truth => dtm::truth(job),
            Self::Announcement => announcement::run(job),
        }
    }
}

impl fmt::Display for Check {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}

/// One table of one subject to be checked, and by whom.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Whose table.
    pub subject: &'a dyn Claims,
    /// Which table.
    pub men: &'a Men,
    /// Who is asked.
    pub authorities: &'a Authorities<'a>,
    /// Seed of what is drawn.
    pub seed: u64,
    /// Whether less is asked for where there is a choice.
    pub quick: bool,
    /// Told now and then how many more placements have been walked.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Job<'_> {
    /// Findings without a case yet.
    fn findings(&self, check: Check) -> Findings {
        Findings::new(Tally::new(self.subject.name(), check.id(), check.evidence(), self.men.name()))
    }

    /// Findings of a check that cannot be made: all its cases are skipped.
    fn skipped(&self, check: Check, scope: Scope, reason: SkipReason) -> Findings {
        let mut findings = self.findings(check);
        let cases = self.authorities.published_positions(self.men, scope).unwrap_or(1);
        findings.tally.skip(reason, cases);
        findings
    }

    /// What the subject claims of a legal position; that it claims nothing is a difference.
    fn claim(&self, check: Check, placement: &Placement) -> Result<Claim, Verdict> {
        self.subject.claim(&placement.board, placement.turn).map_err(|refusal| {
            let says = Says {
                stored: format!("no answer: {}", refusal.0),
                expected: "an answer".to_owned(),
                source: "shakmaty",
                explanation: "the position is legal".to_owned(),
            };
            self.differ(check, placement, says)
        })
    }

    /// A difference about a placement.
    fn differ(&self, check: Check, placement: &Placement, says: Says) -> Verdict {
        let fen = placement.fen();
        Verdict::Differ(Box::new(Difference {
            subject: self.subject.name().to_owned(),
            check: check.id().to_owned(),
            case: format!("{}/{}", self.men, fen.rsplitn(3, ' ').last().unwrap_or_default()),
            stored: says.stored,
            expected: says.expected,
            source: says.source.to_owned(),
            explanation: says.explanation,
            replay: self.subject.replay(&fen),
            fen,
        }))
    }

    /// A difference about no single position.
    fn differ_in(&self, check: Check, case: &str, says: Says) -> Verdict {
        Verdict::Differ(Box::new(Difference {
            subject: self.subject.name().to_owned(),
            check: check.id().to_owned(),
            case: format!("{}/{case}", self.men),
            fen: String::new(),
            stored: says.stored,
            expected: says.expected,
            source: says.source.to_owned(),
            explanation: says.explanation,
            replay: format!("cargo xtask verify --tables {}", self.men),
        }))
    }
}

/// The certificate of one position of each symmetry class, and that all its images have its value: together they are a
/// proof for all positions.
pub(crate) fn certify_classes(job: &Job) -> [Findings; 2] {
    [certificate::of_classes(job), symmetry::of_classes(job)]
}

/// The words of a difference.
#[derive(PartialEq, Eq)]
struct Says {
    stored: String,
    expected: String,
    source: &'static str,
    explanation: String,
}
