//! The checks that a table has to pass: one file each, and what they have in common.
//!
//! A check asks a subject for every legal position of a material, as the oracle enumerates them, and says agree or
//! differ of each answer. It prints nothing. A position that the subject does not answer is a difference of every check
//! that asks for it; one that the oracle cannot judge is skipped with a named reason. However a check walks the
//! positions, how many there must be is a published figure.

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
use crate::positions::{Men, Placement};
use crate::table_probe::{TableProbe, TableValue};

pub(crate) use certificate::resolved;
pub(crate) use dtm::move_to;

pub use census::{CensusCount, HistogramCount, count};
pub use dtm::better_move;
pub use terminal::{Stalemate, stalemates};
pub use walk::{Scope, Walked, fold};

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
}

impl Check {
    /// All, in the order in which they run.
    pub const ALL: [Self; 11] = [
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
    pub fn applies(self, subject: &dyn TableProbe, men: &Men) -> bool {
        match self {
            Self::SyzygyDtz => subject.has_dtz(),
            Self::SyzygyDtm => matches!(men.name(), "KQvK" | "KRvK"),
            Self::Gaviota | Self::Prophet => men.numbers() <= 1 << 18,
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
    pub subject: &'a dyn TableProbe,
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
    /// What findings of a check are labelled with.
    fn label(&self, check: Check) -> Label<'_> {
        Label { subject: self.subject.name(), check: check.id(), evidence: check.evidence(), men: self.men }
    }

    /// Findings without a case yet.
    fn findings(&self, check: Check) -> Findings {
        self.label(check).findings()
    }

    /// Findings of a check that cannot be made: all its cases are skipped.
    fn skipped(&self, check: Check, scope: Scope, reason: SkipReason) -> Findings {
        let mut findings = self.findings(check);
        let cases = self.authorities.published_positions(self.men, scope).unwrap_or(1);
        findings.tally.skip(reason, cases);
        findings
    }

    /// What the subject claims of a legal position; that it claims nothing is a difference.
    fn probe(&self, check: Check, placement: &Placement) -> Result<TableValue, Verdict> {
        self.subject.probe(&placement.board, placement.turn).map_err(|refusal| {
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
        self.label(check).differ(placement, says, self.subject.replay(&placement.fen()))
    }

    /// A difference about no single position.
    fn differ_in(&self, check: Check, case: &str, says: Says) -> Verdict {
        self.label(check).differ_in(case, says)
    }
}

/// What the findings of one check on one table are labelled with.
#[derive(Clone, Copy)]
pub struct Label<'a> {
    /// The name of what is checked.
    pub subject: &'a str,
    /// The id of the check.
    pub check: &'static str,
    /// The kind of evidence that it gives.
    pub evidence: Evidence,
    /// The table.
    pub men: &'a Men,
}

impl Label<'_> {
    /// Findings without a case yet.
    pub fn findings(&self) -> Findings {
        Findings::new(Tally::new(self.subject, self.check, self.evidence, self.men.name()))
    }

    /// A difference about a placement, with the command that shows it.
    pub fn differ(&self, placement: &Placement, says: Says, replay: String) -> Verdict {
        let fen = placement.fen();
        let case = format!("{}/{}", self.men, fen.rsplitn(3, ' ').last().unwrap_or_default());
        self.difference(case, fen, says, replay)
    }

    /// A difference about no single position.
    pub fn differ_in(&self, case: &str, says: Says) -> Verdict {
        let replay = format!("cargo xtask verify --tables {}", self.men);
        self.difference(format!("{}/{case}", self.men), String::new(), says, replay)
    }

    fn difference(&self, case: String, fen: String, says: Says, replay: String) -> Verdict {
        Verdict::Differ(Box::new(Difference {
            subject: self.subject.to_owned(),
            check: self.check.to_owned(),
            case,
            fen,
            stored: says.stored,
            expected: says.expected,
            source: says.source.to_owned(),
            explanation: says.explanation,
            replay,
        }))
    }
}

/// The certificate of one position of each symmetry class, and that all its images have its value: together they are a
/// proof for all positions.
pub(crate) fn certify_classes(job: &Job) -> [Findings; 2] {
    [certificate::of_classes(job), symmetry::of_classes(job)]
}

/// The words of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Says {
    /// What the subject says.
    pub stored: String,
    /// What is right.
    pub expected: String,
    /// The source of that.
    pub source: &'static str,
    /// Why it is right.
    pub explanation: String,
}
