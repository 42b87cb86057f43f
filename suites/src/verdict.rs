//! The vocabulary of verdicts: how a case came out, and which kind of evidence supports it.
//!
//! Checks fill a [`Tally`] and a list of [`Difference`]s; reports print them. Knows no board, no oracle and
//! no file.

use std::collections::BTreeMap;
use std::str::FromStr;

use derive_more::Display;

use crate::UnknownWord;
use crate::answer::Answer;
use crate::catalogue::{self, Severity};
use crate::cause::Cause;
use crate::replay::Replay;

/// What kind of evidence a check gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Display)]
pub enum Evidence {
    /// Every case was compared with an independent source.
    #[display("agreement")]
    Agreement,
    /// Every entry of the table was derived from its successors, with the oracle's moves.
    #[display("certificate")]
    Certificate,
    /// Counts were compared with published counts.
    #[display("census")]
    Census,
    /// The claim of a file was trusted, since no source could decide it.
    #[display("word of the file")]
    Word,
    /// The move was compared with the best moves of a file, which are an opinion: no move is required.
    #[display("opinion")]
    Opinion,
    /// The behaviour was compared with the specification of the protocol.
    #[display("specification")]
    Specification,
    /// Only a random sample of the cases was compared.
    #[display("sample (seed {seed})")]
    Sample {
        /// Seed of the sample: the same seed gives the same cases.
        seed: u64,
    },
}

impl FromStr for Evidence {
    type Err = UnknownWord;

    fn from_str(text: &str) -> Result<Self, UnknownWord> {
        use Evidence::{Agreement, Census, Certificate, Opinion, Specification, Word};
        const KINDS: [Evidence; 6] = [Agreement, Certificate, Census, Word, Opinion, Specification];
        let seed = text.strip_prefix("sample (seed ").and_then(|rest| rest.strip_suffix(')'));
        if let Some(seed) = seed.and_then(|seed| seed.parse().ok()) {
            return Ok(Self::Sample { seed });
        }
        KINDS.into_iter().find(|kind| kind.to_string() == text).ok_or_else(|| {
            let known =
                "agreement, certificate, census, word of the file, opinion, specification, sample (seed N)";
            UnknownWord::new("evidence", text, known.split(", "))
        })
    }
}

crate::words! {
    /// Why a case was not compared. Every case that is not compared has one of these reasons.
    pub enum SkipReason: "reason" {
        /// A table file is missing or cannot be used.
        TableMissing = "table missing",
        /// The oracle is a cargo feature that this build does not have, and it was not asked for by name.
        NotInThisBuild = "not in this build",
        /// A row or line that cannot be read; its line and fault are listed.
        Malformed = "malformed",
        /// No source knows this material.
        NoSource = "no source",
        /// The table to compare with was not certified.
        NotCertified = "not certified",
        /// The engine was not asked: it crashed or hung too often before, or in the question that this one
        /// follows.
        GivenUp = "given up",
        /// The prover reached its limits. This does not make the run incomplete.
        Undecided = "undecided",
        /// The engine does not have the feature that would be checked.
        Unsupported = "not supported",
        /// The engine failed in a step of the case that another check judges, such as the answer to `stop`.
        FailedElsewhere = "failed elsewhere",
        /// The case is too large for this run, or not in its sample; `--thorough` includes it.
        LeftOut = "left out",
        /// The time limit of the run was reached. The run is incomplete.
        OutOfTime = "out of time",
        /// It differs, and the user accepts that in `touchstone.toml`, with a reason.
        Accepted = "accepted",
    }
}

impl SkipReason {
    /// Whether it means that a requested check could not run.
    pub fn is_failure(self) -> bool {
        match self {
            Self::TableMissing
            | Self::Malformed
            | Self::NoSource
            | Self::NotCertified
            | Self::GivenUp
            | Self::OutOfTime => true,
            Self::NotInThisBuild
            | Self::Undecided
            | Self::Unsupported
            | Self::FailedElsewhere
            | Self::LeftOut
            | Self::Accepted => false,
        }
    }
}

/// How one case came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The answer is the expected one.
    Agree,
    /// The answer is wrong. Boxed: it is rare, and large.
    Differ(Box<Difference>),
    /// The answer was recorded as a figure. No answer could have failed here.
    Observed,
    /// It was not compared.
    Skip(SkipReason),
}

/// One wrong answer, with everything that is needed to reproduce it.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// What was checked: `production`, the name of a specimen or engine, or `dump`.
    pub subject: String,
    /// The check that found it.
    pub check: String,
    /// Id of the case within its check; the same in every run.
    pub case: String,
    /// The position, or empty where the case is no single position.
    pub fen: String,
    /// The moves that were played after the position, if there were any.
    pub played: Option<Played>,
    /// What the search was limited to: the words after `go`, such as `depth 4`. `None` where nothing was searched.
    pub limit: Option<String>,
    /// The subject's answer.
    pub stored: Answer,
    /// The move in it, in UCI notation, if it is about one.
    pub given: Option<String>,
    /// The right answer.
    pub expected: Answer,
    /// The moves that are right, in UCI notation, as far as they are known.
    pub best: Vec<String>,
    /// The source of the right answer.
    pub source: String,
    /// Why it is right, in one sentence.
    pub explanation: String,
    /// How the answer is wrong, if other cases may have the same cause. Differences of one subject with the
    /// same cause are one finding. A difference without a cause is a finding of its own.
    pub cause: Option<Cause>,
    /// The command that reproduces the difference.
    pub replay: Replay,
}

impl Difference {
    /// The words of the cause; empty if there is none.
    pub fn cause_words(&self) -> &str {
        self.cause.as_ref().map_or("", Cause::words)
    }
}

/// Moves that were played after a position, before the subject was asked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Played {
    /// The moves, as they were sent: UCI notation.
    pub moves: Vec<String>,
    /// The position after them: a FEN.
    pub fen: String,
}

/// How the cases of one check on one set came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// What was checked: a table, our engine, a specimen, or an engine's name.
    pub subject: String,
    /// Id of the check.
    pub check: String,
    /// The kind of evidence.
    pub evidence: Evidence,
    /// The cases: a table such as `KPvK`, or a suite.
    pub case_set: String,
    /// Cases that agreed.
    pub agreed: u64,
    /// Cases that differed.
    pub differed: u64,
    /// How many of these are only notes or warnings, by severity. A check may count findings of several
    /// severities.
    pub lesser: BTreeMap<Severity, u64>,
    /// Cases with [`Verdict::Observed`], which neither agreed nor differed.
    pub observed: u64,
    /// Cases not compared, by reason.
    pub skipped: BTreeMap<SkipReason, u64>,
}

impl Tally {
    /// An empty tally.
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

    /// Cases that agreed or differed.
    pub fn compared(&self) -> u64 {
        self.agreed + self.differed
    }

    /// Cases that agreed, differed or were observed: all but those that were skipped.
    pub fn answered(&self) -> u64 {
        self.compared() + self.observed
    }

    /// Cases whose finding has this severity.
    pub fn differed_with(&self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.differed.saturating_sub(self.lesser.values().sum()),
            lesser => self.lesser.get(&lesser).copied().unwrap_or_default(),
        }
    }

    /// Cases whose finding has this severity or a graver one.
    pub fn differed_from(&self, least: Severity) -> u64 {
        Severity::ALL
            .into_iter()
            .filter(|&severity| severity >= least)
            .map(|severity| self.differed_with(severity))
            .sum()
    }

    /// Counts a case that differed; `check` is the check of its finding.
    pub fn differ(&mut self, check: &str) {
        self.differed += 1;
        let severity = catalogue::severity(check);
        if severity < Severity::Error {
            *self.lesser.entry(severity).or_default() += 1;
        }
    }

    /// Takes a case out of those that differed; `check` is the check of its finding.
    fn take_back(&mut self, check: &str) {
        self.differed = self.differed.saturating_sub(1);
        if let Some(cases) = self.lesser.get_mut(&catalogue::severity(check)) {
            *cases = cases.saturating_sub(1);
        }
        self.lesser.retain(|_, cases| *cases > 0);
    }

    /// Counts a case that differed as skipped, since the user accepts it; `check` is the check of its
    /// finding.
    pub fn accept(&mut self, check: &str) {
        self.take_back(check);
        self.skip(SkipReason::Accepted, 1);
    }

    /// Cases that were not compared, for any reason.
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

    /// Takes a case out of those that were not compared.
    pub fn take_back_skipped(&mut self, reason: SkipReason) {
        if let Some(cases) = self.skipped.get_mut(&reason) {
            *cases = cases.saturating_sub(1);
        }
        self.skipped.retain(|_, cases| *cases > 0);
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

/// The result of a check on one case set: counts and differences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Findings {
    /// The counts.
    pub tally: Tally,
    /// Every difference; as many as `tally.differed`.
    pub differences: Vec<Difference>,
}

impl Findings {
    /// No cases yet.
    pub fn new(tally: Tally) -> Self {
        Self { tally, differences: Vec::new() }
    }

    /// Counts one verdict and keeps its difference.
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

    /// Drops the findings of checks that were not asked for. Their cases are counted as observed.
    pub fn retain(&mut self, is_asked: impl Fn(&str) -> bool) {
        self.differences.retain(|difference| {
            let keeps = is_asked(&difference.check);
            if !keeps {
                self.tally.take_back(&difference.check);
                self.tally.observed += 1;
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
    fn evidence_is_read_as_it_is_written() {
        for text in ["agreement", "word of the file", "sample (seed 7)"] {
            assert_eq!(text.parse::<Evidence>().unwrap().to_string(), text);
        }
        let error = "sample".parse::<Evidence>().unwrap_err().to_string();
        assert!(error.starts_with("unknown evidence \"sample\", expected \"agreement\""), "{error}");
    }

    #[test]
    fn accepted_findings_are_counted_as_skipped() {
        let mut findings = Findings::new(Tally::new("mine", "draw", Evidence::Agreement, "repetition"));
        for check in ["draw/twofold", "draw/score", "draw/twofold"] {
            findings.record(Verdict::Differ(Box::new(Difference {
                check: check.to_owned(),
                ..Difference::default()
            })));
        }
        findings.tally.accept("draw/twofold");
        findings.tally.accept("draw/twofold");
        let Tally { differed, lesser, skipped, .. } = &findings.tally;
        assert_eq!((*differed, lesser.len(), skipped.get(&SkipReason::Accepted)), (1, 0, Some(&2)));
        assert!(!SkipReason::Accepted.is_failure());
    }

    #[test]
    fn a_tally_counts_findings_by_severity() {
        let count = || {
            let mut tally = Tally::new("mine", "conversion", Evidence::Agreement, "KRvK");
            for check in ["knowledge", "protocol/searchmoves", "conversion/share", "protocol/searchmoves"] {
                tally.differ(check);
            }
            tally
        };
        let mut tally = count();
        tally.absorb(&count());
        assert_eq!(Severity::ALL.map(|severity| tally.differed_with(severity)), [2, 4, 2]);
        assert_eq!(Severity::ALL.map(|severity| tally.differed_from(severity)), [8, 6, 2]);
        assert_eq!(tally.differed, 8);
    }
}
