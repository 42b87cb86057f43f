//! The vocabulary of verdicts: what a check may say of a case, and what kind of evidence stands behind it.
//!
//! Knows no board, no oracle and no file. Checks fill a [`Tally`] and a list of [`Difference`]s; reports and
//! the program read them.

use std::collections::BTreeMap;
use std::fmt;

use crate::catalogue::{self, Severity};

/// What kind of evidence a check gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Evidence {
    /// Every case was compared with an independent source.
    Agreement,
    /// The table proves itself: every entry follows from its successors, found with the oracle's moves.
    Certificate,
    /// Counts were compared with published counts.
    Census,
    /// What a file says was taken on its word, since nobody at hand could decide it.
    Word,
    /// What a file holds to be best was compared with what was played, and nothing was demanded: it is an opinion.
    Opinion,
    /// What a protocol demands, as its specification states it.
    Specification,
    /// Only some cases were drawn.
    Sample {
        /// Seed of the draw: the same seed draws the same cases.
        seed: u64,
    },
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agreement => f.write_str("agreement"),
            Self::Certificate => f.write_str("certificate"),
            Self::Census => f.write_str("census"),
            Self::Word => f.write_str("word of the file"),
            Self::Opinion => f.write_str("opinion"),
            Self::Specification => f.write_str("specification"),
            Self::Sample { seed } => write!(f, "sample (seed {seed})"),
        }
    }
}

/// Why a case was not compared. Nothing is ever left out without one of these names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SkipReason {
    /// A file that the oracle reads is not there, or not usable.
    TableMissing,
    /// The oracle is a cargo feature that this program was built without, and nobody asked for it.
    NotInThisBuild,
    /// A row of a dump that says nothing: its line and fault are listed.
    Malformed,
    /// No authority at hand knows this material.
    NoSource,
    /// An earlier fault left nothing to compare with.
    NotCertified,
    /// The player was not asked: it broke too often before, or over the question that this one follows.
    GivenUp,
    /// The prover reached its limits before it knew: counted, and no fault of the run.
    Undecided,
    /// The subject does not offer what would be checked.
    Unsupported,
    /// It is larger than a run takes that is not thorough.
    LeftOut,
    /// The time for the run was over.
    OutOfTime,
}

impl SkipReason {
    /// Whether a check that was asked for could not run because of it.
    pub fn is_failure(self) -> bool {
        match self {
            Self::TableMissing | Self::Malformed | Self::NoSource | Self::NotCertified | Self::GivenUp => {
                true
            }
            Self::NotInThisBuild | Self::Undecided | Self::Unsupported | Self::LeftOut | Self::OutOfTime => {
                false
            }
        }
    }
}

impl fmt::Display for SkipReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TableMissing => "table missing",
            Self::NotInThisBuild => "not in this build",
            Self::Malformed => "malformed",
            Self::NoSource => "no source",
            Self::NotCertified => "not certified",
            Self::GivenUp => "given up",
            Self::Undecided => "undecided",
            Self::Unsupported => "not supported",
            Self::LeftOut => "left out",
            Self::OutOfTime => "out of time",
        })
    }
}

/// What a check says of one case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The stored answer is the expected one.
    Agree,
    /// It is not. Boxed: it is rare, and large.
    Differ(Box<Difference>),
    /// The answer was taken down as a figure, and nothing was demanded of it: whatever it is, it could not have failed.
    Observed,
    /// It was not compared.
    Skip(SkipReason),
}

/// One claim that is not true, with all that a reader needs to see it for himself.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// Whose claim: `production`, the name of a specimen, `dump`.
    pub subject: String,
    /// The check that found it.
    pub check: String,
    /// Stable id of the case within its check: equal in every run that has the case.
    pub case: String,
    /// The position, or empty where the case is no single position.
    pub fen: String,
    /// What the subject says.
    pub stored: String,
    /// What is true.
    pub expected: String,
    /// Who says so.
    pub source: String,
    /// Why, in one sentence.
    pub explanation: String,
    /// The command that shows it again.
    pub replay: String,
}

/// How the cases of one check on one set came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Whose claims were checked.
    pub subject: String,
    /// Id of the check.
    pub check: String,
    /// The kind of evidence.
    pub evidence: Evidence,
    /// What the cases were: a table such as `KPvK`, or a suite.
    pub case_set: String,
    /// Cases that agreed.
    pub agreed: u64,
    /// Cases that differed.
    pub differed: u64,
    /// How many of these are no errors, by severity: a check may count what is graver and what is not under one name.
    pub lesser: BTreeMap<Severity, u64>,
    /// Cases of which a figure was taken and nothing demanded: they neither agreed nor differed.
    pub observed: u64,
    /// Cases not compared, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
}

impl Tally {
    /// A tally of no cases yet.
    pub fn new(subject: &str, check: &str, evidence: Evidence, case_set: &str) -> Self {
        Self {
            subject: subject.to_owned(),
            check: check.to_owned(),
            evidence,
            case_set: case_set.to_owned(),
            agreed: 0,
            differed: 0,
            lesser: BTreeMap::new(),
            observed: 0,
            skipped: BTreeMap::new(),
        }
    }

    /// Cases that were compared: those that agreed and those that differed.
    pub fn compared(&self) -> u64 {
        self.agreed + self.differed
    }

    /// Cases that were decided or taken down: all but those that were skipped.
    pub fn answered(&self) -> u64 {
        self.compared() + self.observed
    }

    /// Cases that differed, and whose findings are of this severity.
    pub fn differed_with(&self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.differed.saturating_sub(self.lesser.values().sum()),
            lesser => self.lesser.get(&lesser).copied().unwrap_or_default(),
        }
    }

    /// Cases that differed, and whose findings are of this severity or a graver one.
    pub fn differed_from(&self, least: Severity) -> u64 {
        Severity::ALL
            .into_iter()
            .filter(|&severity| severity >= least)
            .map(|severity| self.differed_with(severity))
            .sum()
    }

    /// Counts a case that differed, by the check that its finding names.
    pub fn differ(&mut self, check: &str) {
        self.differed += 1;
        let severity = catalogue::severity(check);
        if severity < Severity::Error {
            *self.lesser.entry(severity).or_default() += 1;
        }
    }

    /// Counts a case as observed that was counted as different, by the check that its finding names.
    fn observe_instead(&mut self, check: &str) {
        self.differed = self.differed.saturating_sub(1);
        self.observed += 1;
        if let Some(cases) = self.lesser.get_mut(&catalogue::severity(check)) {
            *cases = cases.saturating_sub(1);
        }
        self.lesser.retain(|_, cases| *cases > 0);
    }

    /// Cases that were not compared, for whatever reason.
    pub fn skipped_total(&self) -> u64 {
        self.skipped.values().sum()
    }

    /// All cases.
    pub fn total(&self) -> u64 {
        self.answered() + self.skipped_total()
    }

    /// Counts cases as not compared.
    pub fn skip(&mut self, reason: SkipReason, cases: u64) {
        *self.skipped.entry(reason).or_default() += cases;
    }

    /// Adds the counts of another part of the same case set.
    pub fn absorb(&mut self, other: &Self) {
        self.agreed += other.agreed;
        self.differed += other.differed;
        self.observed += other.observed;
        for (&severity, cases) in &other.lesser {
            *self.lesser.entry(severity).or_default() += cases;
        }
        for (&reason, &cases) in &other.skipped {
            self.skip(reason, cases);
        }
    }
}

/// What a check hands over for one case set: its counts and every difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// The counts.
    pub tally: Tally,
    /// Each claim that is not true; as many as `tally.differed`.
    pub differences: Vec<Difference>,
}

impl Findings {
    /// No cases yet.
    pub fn new(tally: Tally) -> Self {
        Self { tally, differences: Vec::new() }
    }

    /// Counts one verdict, and keeps its difference.
    pub fn record(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Agree => self.tally.agreed += 1,
            Verdict::Differ(difference) => {
                self.tally.differ(&difference.check);
                self.differences.push(*difference);
            }
            Verdict::Observed => self.tally.observed += 1,
            Verdict::Skip(reason) => self.tally.skip(reason, 1),
        }
    }

    /// Keeps the findings of the checks that are asked for. The cases of the others are observed: nothing is demanded of them.
    pub fn retain(&mut self, is_asked: impl Fn(&str) -> bool) {
        self.differences.retain(|difference| {
            let keeps = is_asked(&difference.check);
            if !keeps {
                self.tally.observe_instead(&difference.check);
            }
            keeps
        });
    }

    /// Joins the findings of another part of the same case set.
    pub fn absorb(&mut self, mut other: Self) {
        self.tally.absorb(&other.tally);
        self.differences.append(&mut other.differences);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_under_one_name_keeps_its_severities() {
        let count = || {
            let mut tally = Tally::new("mine", "conversion", Evidence::Agreement, "KRvK");
            for check in ["conversion/share", "conversion/unanswered", "conversion/share"] {
                tally.differ(check);
            }
            tally
        };
        let mut tally = count();
        tally.absorb(&count());
        assert_eq!(Severity::ALL.map(|severity| tally.differed_with(severity)), [0, 4, 2]);
        assert_eq!(Severity::ALL.map(|severity| tally.differed_from(severity)), [6, 6, 2]);
        assert_eq!(tally.differed, 6);
    }
}
