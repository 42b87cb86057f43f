//! All that one run found: what every exporter reads.
//!
//! Plain data, gathered by the program in any order; the exporters sort it.

use std::collections::BTreeMap;
use std::time::Duration;

use suites::catalogue::{self, Severity};
use suites::{Difference, SkipReason, Tally};

use crate::{
    BestMoveRow, CensusRow, CheckRow, ConversionRow, DifferenceRow, DrawRow, DumpRow, EngineCard,
    HistogramRow, KnowledgeRow, MateRow, PerftRow, RegressionRow, Row, SignatureRow, StalemateRow,
    StalemateSubjectRow, TimingRow, WinThrownRow, junit, natural, to_bytes,
};

/// Reports as files: bytes by name.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Name of the report on checks whose oracle is a feature of the build: columns as `checks.csv`, in no baseline.
pub const FEATURES: &str = "features.csv";

/// One check on one case set, and how long it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// How its cases came out.
    pub tally: Tally,
    /// Wall time; `None` if nobody measured it.
    pub duration: Option<Duration>,
    /// Whether its oracle is a feature of the build, so that other builds have no such check.
    pub optional: bool,
}

/// Whether a check was left out because this program was built without its oracle.
pub(crate) fn is_not_built(tally: &Tally) -> bool {
    let not_built = |reason: &SkipReason| *reason == SkipReason::NotInThisBuild;
    tally.answered() == 0 && !tally.skipped.is_empty() && tally.skipped.keys().all(not_built)
}

/// Whether a check could not run because of this: for what is missing, or because nothing at all was decided.
pub(crate) fn stops(tally: &Tally, reason: SkipReason) -> bool {
    reason.is_failure()
        || tally.answered() == 0
            && matches!(reason, SkipReason::Undecided | SkipReason::LeftOut | SkipReason::OutOfTime)
}

/// Whether nothing of a check was compared, and time was over.
pub(crate) fn is_out_of_time(tally: &Tally) -> bool {
    let failed = tally.skipped.keys().any(|reason| reason.is_failure());
    tally.answered() == 0 && !failed && tally.skipped.contains_key(&SkipReason::OutOfTime)
}

/// All that one run found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// Every check that was asked for, on every case set, whether or not it could run.
    pub checks: Vec<Check>,
    /// Claims that are not true: all of them, or the first of more than memory should hold. How many there are is
    /// in the tallies.
    pub differences: Vec<Difference>,
    /// Counts of the tables.
    pub census: Vec<CensusRow>,
    /// Values of the tables.
    pub histogram: Vec<HistogramRow>,
    /// Leaf counts.
    pub perft: Vec<PerftRow>,
    /// Stalemates of the tables.
    pub stalemates: Vec<StalemateRow>,
    /// Signatures of searches.
    pub signatures: Vec<SignatureRow>,
    /// How subjects treat stalemates.
    pub stalemates_subjects: Vec<StalemateSubjectRow>,
    /// Mates that subjects announced.
    pub mates: Vec<MateRow>,
    /// What subjects played where files name the best moves.
    pub best_moves: Vec<BestMoveRow>,
    /// Endings that subjects played.
    pub conversion: Vec<ConversionRow>,
    /// Games of these that were not won.
    pub wins_thrown: Vec<WinThrownRow>,
    /// Scores that subjects gave to draws.
    pub draws: Vec<DrawRow>,
    /// What each source had to say of a dump, if one was checked.
    pub dump: Vec<DumpRow>,
    /// Heuristics beside the truth.
    pub knowledge: Vec<KnowledgeRow>,
    /// The least severity with which a difference fails the run.
    pub fails_from: Severity,
    /// The program that was checked, if it is one.
    pub engine: Option<EngineCard>,
    /// What changed against an earlier run, if one was compared.
    pub regression: Option<Vec<RegressionRow>>,
}

impl Run {
    /// The reports that say what is true, and so are equal in every run that finds the same: those that a
    /// baseline holds.
    ///
    /// `checks.csv` leaves out checks that not every build has, so that it tells nothing of the build: those stand in
    /// [`FEATURES`], and the text and the JSON document name them. What is about time is left out too: it is never twice the
    /// same.
    pub fn baseline_files(&self) -> Files {
        self.files_of(|check, cases| check.starts_with("time/") || cases.split('/').next() == Some("time"))
    }

    /// The reports of a baseline, without the checks and differences of which this holds: given is the check, and the case
    /// set or the case.
    fn files_of(&self, is_left_out: fn(&str, &str) -> bool) -> Files {
        let in_every_build = self.checks.iter().filter(|check| !check.optional).map(|check| &check.tally);
        let kept = in_every_build.filter(|tally| !is_left_out(&tally.check, &tally.case_set));
        let differences = self.differences.iter().filter(|found| !is_left_out(&found.check, &found.case));
        Files::from([
            file(kept.map(CheckRow::from)),
            file(self.census.iter().cloned()),
            file(self.histogram.iter().cloned()),
            file(differences.cloned().map(DifferenceRow)),
            file(self.perft.iter().cloned()),
            file(self.signatures.iter().cloned()),
            file(self.stalemates.iter().cloned()),
            file(self.stalemates_subjects.iter().cloned()),
            file(self.mates.iter().cloned()),
            file(self.best_moves.iter().cloned()),
            file(self.conversion.iter().cloned()),
            file(self.wins_thrown.iter().cloned()),
            file(self.draws.iter().cloned()),
            file(self.knowledge.iter().cloned()),
        ])
    }

    /// All reports: those of a baseline with nothing left out, [`FEATURES`], the timings, `junit.xml`, the regression if an earlier run was
    /// compared, and the program that was checked, if it is one.
    ///
    /// Whoever streamed the differences to a file keeps that one and leaves out the one given here.
    pub fn files(&self) -> Files {
        let timings = self.checks.iter().filter_map(|check| Some((&check.tally, check.duration?)));
        let mut files = self.files_of(|_, _| false);
        files.extend([file(timings.map(|(tally, duration)| TimingRow::new(tally, duration)))]);
        let built = self.checks.iter().filter(|check| check.optional && !is_not_built(&check.tally));
        files.insert(junit::FILE.to_owned(), junit::document(self));
        files.insert(FEATURES.to_owned(), to_bytes(built.map(|check| CheckRow::from(&check.tally))));
        files.extend((!self.dump.is_empty()).then(|| file(self.dump.iter().cloned())));
        files.extend(self.engine.iter().map(|card| (EngineCard::FILE.to_owned(), card.document())));
        files.extend(self.regression.iter().map(|rows| file(rows.iter().cloned())));
        files
    }

    /// The tallies, without the time that the checks took.
    pub fn tallies(&self) -> impl Iterator<Item = &Tally> {
        self.checks.iter().map(|check| &check.tally)
    }

    /// How many cases differed, listed here or not.
    pub fn differed(&self) -> u64 {
        let counted: u64 = self.tallies().map(|tally| tally.differed).sum();
        counted.max(self.differences.len() as u64)
    }

    /// How many cases differed in checks of this severity, listed here or not.
    pub(crate) fn differed_with(&self, severity: Severity) -> u64 {
        let counted: u64 = self.tallies().map(|tally| tally.differed_with(severity)).sum();
        counted.max(self.differences_with(severity).len() as u64)
    }

    /// The differences of checks of this severity, in the order of their report.
    pub(crate) fn differences_with(&self, severity: Severity) -> Vec<&Difference> {
        let of_severity = |difference: &&Difference| catalogue::severity(&difference.check) == severity;
        let mut found: Vec<&Difference> = self.differences.iter().filter(of_severity).collect();
        found.sort_by(|one, other| natural::differences(one, other));
        found
    }
}

fn file<R: Row>(rows: impl Iterator<Item = R>) -> (String, Vec<u8>) {
    (R::FILE.to_owned(), to_bytes(rows))
}
