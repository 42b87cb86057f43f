//! Everything that one run found. Plain data in any order; the exporters sort it.

mod absorb;
mod stored;

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use suites::catalogue::{self, Severity};
use suites::{Difference, SkipReason, Tally};

use crate::causes::by_gravity;
use crate::replays::Replays;
use crate::{
    BestMoveRow, CensusRow, CheckRow, ConversionRow, DrawRow, DumpRow, EdgeCaseRow, EngineCard, HistogramRow,
    KnowledgeRow, MateRow, PerftRow, RegressionRow, SignatureRow, StalemateRow, StalemateSubjectRow,
    WinThrownRow, natural,
};

/// One check on one case set, and how long it took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// Its counts.
    pub tally: Tally,
    /// Wall time; `None` if it was not measured.
    pub duration: Option<Duration>,
    /// Whether the check needs a cargo feature, so that not every build has it.
    pub optional: bool,
}

/// Whether a check did not run because this build has no such oracle.
pub(crate) fn is_not_built(tally: &Tally) -> bool {
    let not_built = |reason: &SkipReason| *reason == SkipReason::NotInThisBuild;
    tally.answered() == 0 && !tally.skipped.is_empty() && tally.skipped.keys().all(not_built)
}

/// Whether this reason means that a check could not run: something is missing, or no case was decided.
pub(crate) fn stops(tally: &Tally, reason: SkipReason) -> bool {
    reason.is_failure()
        || tally.answered() == 0 && matches!(reason, SkipReason::Undecided | SkipReason::LeftOut)
}

/// Whether no case of a check was compared because the time limit was reached.
pub(crate) fn is_out_of_time(tally: &Tally) -> bool {
    let failed = tally.skipped.keys().any(|reason| reason.is_failure() && *reason != SkipReason::OutOfTime);
    tally.answered() == 0 && !failed && tally.skipped.contains_key(&SkipReason::OutOfTime)
}

/// Everything that one run found. As JSON it is read back whole: nothing is rounded or left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "stored::StoredRun", into = "stored::StoredRun")]
pub struct Run {
    /// Every requested check on every case set, whether or not it could run.
    pub checks: Vec<Check>,
    /// The differences: all, or the first ones if there are too many for memory. The tallies count all.
    pub differences: Vec<Difference>,
    /// Counts of positions of the tables.
    pub census: Vec<CensusRow>,
    /// Values of the tables.
    pub histogram: Vec<HistogramRow>,
    /// Perft counts.
    pub perft: Vec<PerftRow>,
    /// Stalemates of the tables.
    pub stalemates: Vec<StalemateRow>,
    /// Signatures of searches.
    pub signatures: Vec<SignatureRow>,
    /// Answers to the suite `stalemates`.
    pub stalemates_subjects: Vec<StalemateSubjectRow>,
    /// Announced mates.
    pub mates: Vec<MateRow>,
    /// Moves in positions with best moves.
    pub best_moves: Vec<BestMoveRow>,
    /// Won endings that were played out.
    pub conversion: Vec<ConversionRow>,
    /// Games of these endings that were not won.
    pub wins_thrown: Vec<WinThrownRow>,
    /// Answers to the suite `draws`.
    pub draws: Vec<DrawRow>,
    /// Counts for each source of a dump, if one was checked.
    pub dump: Vec<DumpRow>,
    /// Edge cases of the tables, if they were counted.
    pub edge_cases: Vec<EdgeCaseRow>,
    /// Heuristics compared with the tables.
    pub knowledge: Vec<KnowledgeRow>,
    /// The lowest severity that fails the run.
    pub fails_from: Severity,
    /// The engine that was checked, if it is a program.
    pub engine: Option<EngineCard>,
    /// Changes from the baseline, if there is one to compare with.
    pub regression: Option<Vec<RegressionRow>>,
    /// The folder of the reports as a word for a shell; empty if they are in none. It is not stored.
    pub folder: String,
}

impl Run {
    /// How a wrong answer of this subject is called: an engine gave it, a table or a file has it.
    pub(crate) fn answer_word(&self, subject: &str) -> &'static str {
        if self.engine.as_ref().is_some_and(|card| card.name == subject) { "got" } else { "stored" }
    }

    /// The scripts for replays that are too long for a line.
    pub(crate) fn replays(&self) -> Replays<'_> {
        let listed = by_gravity(&self.differences).into_iter().map(|found| (&*found.check, &*found.replay));
        Replays::new(&self.folder, listed)
    }

    /// The tallies of all checks.
    pub fn tallies(&self) -> impl Iterator<Item = &Tally> {
        self.checks.iter().map(|check| &check.tally)
    }

    /// The tallies of what is judged: the engine, if a program was checked; then tables of ours only judge.
    pub(crate) fn judged(&self) -> impl Iterator<Item = &Tally> {
        let is_judged = |tally: &&Tally| self.engine.as_ref().is_none_or(|card| card.name == tally.subject);
        self.tallies().filter(is_judged)
    }

    /// How our tables judged an engine, if a program was checked and they are right: how many of their cases agree, in how many checks.
    pub(crate) fn certified(&self) -> Option<(u64, usize)> {
        let card = self.engine.as_ref()?;
        let of_tables: Vec<&Tally> =
            self.tallies().filter(|tally| tally.subject != card.name && !is_not_built(tally)).collect();
        let checks: BTreeSet<&str> = of_tables.iter().map(|tally| tally.check.as_str()).collect();
        let is_right = !of_tables.is_empty()
            && of_tables.iter().all(|tally| tally.differed == 0 && tally.skipped.is_empty());
        is_right.then(|| (of_tables.iter().map(|tally| tally.agreed).sum(), checks.len()))
    }

    /// The checks with a line of their own. Tables of ours that judge an engine, and are right, have one line for all.
    pub(crate) fn shown_checks(&self) -> impl Iterator<Item = &Check> {
        let judges = self.certified().and(self.engine.as_ref()).map(|card| card.name.as_str());
        self.checks.iter().filter(move |check| judges.is_none_or(|engine| check.tally.subject == engine))
    }

    /// The tallies of all checks with their rows, in the order of `checks.csv`.
    pub(crate) fn sorted_tallies(&self) -> Vec<(CheckRow, &Tally)> {
        let mut tallies: Vec<_> = self.tallies().map(|tally| (CheckRow::from(tally), tally)).collect();
        tallies.sort_by(|one, other| one.0.cmp(&other.0));
        tallies
    }

    /// How many cases differed, in the list or not.
    pub fn differed(&self) -> u64 {
        let counted: u64 = self.tallies().map(|tally| tally.differed).sum();
        counted.max(self.differences.len() as u64)
    }

    /// How many differences have this severity, in the list or not.
    pub(crate) fn differed_with(&self, severity: Severity) -> u64 {
        let counted: u64 = self.tallies().map(|tally| tally.differed_with(severity)).sum();
        counted.max(self.differences_with(severity).len() as u64)
    }

    /// The differences of this severity, sorted.
    pub(crate) fn differences_with(&self, severity: Severity) -> Vec<&Difference> {
        let of_severity = |difference: &&Difference| catalogue::severity(&difference.check) == severity;
        let mut found: Vec<&Difference> = self.differences.iter().filter(of_severity).collect();
        found.sort_by(|one, other| natural::differences(one, other));
        found
    }
}
