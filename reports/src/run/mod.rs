//! Everything that one run found. Plain data in any order; the exporters sort it.

mod stored;

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use suites::catalogue::{self, Severity};
use suites::{Difference, SkipReason, Tally, natural, word};

use crate::causes::by_gravity;
use crate::csv_file::{Files, file, rows_of};
use crate::replays::Replays;
use crate::{
    BestMoveRow, CensusRow, CheckRow, ConversionRow, DrawRow, DumpRow, EdgeCaseRow, EngineCard, HistogramRow,
    KnowledgeRow, MalformedRow, MateRow, PerftRow, ProtocolRow, ReadError, RegressionRow, Row, SignatureRow,
    StalemateRow, StalemateSubjectRow, WinThrownRow,
};

/// One check on one case set, and how long it took.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "stored::StoredCheck", into = "stored::StoredCheck")]
pub struct CheckRun {
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

/// Declares [`Run`], and how rows of each kind are added, read and written. A new report is named here and in
/// `rows`.
macro_rules! run {
    (
        baseline { $($(#[$kept_doc:meta])* $kept:ident: $kept_row:ty,)+ }
        occasional { $($(#[$other_doc:meta])* $other:ident: $other_row:ty,)+ }
    ) => {
        /// Everything that one run found. As JSON it is read back whole: nothing is rounded or left out.
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct Run {
            /// Every requested check on every case set, whether or not it could run.
            pub checks: Vec<CheckRun>,
            /// The differences: all, or the first ones if there are too many for memory. The tallies count
            /// all.
            #[serde(with = "stored::differences")]
            pub differences: Vec<Difference>,
            $($(#[$kept_doc])* pub $kept: Vec<$kept_row>,)+
            $($(#[$other_doc])* pub $other: Vec<$other_row>,)+
            /// The lowest severity that fails the run.
            #[serde(with = "word")]
            pub fails_from: Severity,
            /// The engine that was checked, if it is a program.
            pub engine: Option<EngineCard>,
            /// Changes from the baseline, if there is one to compare with.
            pub regression: Option<Vec<RegressionRow>>,
            /// The folder of the reports as a word for a shell; empty if they are in none.
            #[serde(skip)]
            pub folder: String,
        }

        impl Run {
            /// Adds what another part of the same run found. No check on one case set may be in both parts.
            ///
            /// The exporters sort, so that the order in which parts are added changes no report.
            pub fn absorb(&mut self, other: Self) {
                let Self { checks, differences, fails_from, engine, regression, folder: _, $($kept,)+ $($other,)+ } = other;
                self.checks.extend(checks);
                self.differences.extend(differences);
                $(self.$kept.extend($kept);)+
                $(self.$other.extend($other);)+
                self.fails_from = self.fails_from.min(fails_from);
                self.engine = self.engine.take().or(engine);
                if let Some(rows) = regression {
                    self.regression.get_or_insert_default().extend(rows);
                }
            }

            /// The rows of these reports, and nothing else. Reports that are missing have no rows.
            pub(crate) fn rows_of(files: &Files) -> Result<Self, ReadError> {
                Ok(Self {
                    $($kept: rows_of(files)?,)+
                    $($other: rows_of(files)?,)+
                    ..Self::default()
                })
            }

            /// The reports that each run has, even without rows: those of a baseline, except checks and
            /// differences.
            pub(crate) fn usual_files(&self) -> Files {
                Files::from([$(file(self.$kept.iter().cloned()),)+])
            }

            /// The other reports, of those that have rows.
            pub(crate) fn occasional_files(&self) -> Files {
                let files = [$((!self.$other.is_empty()).then(|| file(self.$other.iter().cloned())),)+];
                files.into_iter().flatten().collect()
            }

            /// The names of the reports that only some runs have.
            pub const OCCASIONAL: &[&str] = &[
                $(<$other_row as Row>::FILE,)+
                RegressionRow::FILE,
                EngineCard::FILE,
                MalformedRow::FILE,
            ];
        }
    };
}

run! {
    baseline {
        /// Counts of positions of the tables.
        census: CensusRow,
        /// Values of the tables.
        histogram: HistogramRow,
        /// Perft counts.
        perft: PerftRow,
        /// Stalemates of the tables.
        stalemates: StalemateRow,
        /// Signatures of searches.
        signatures: SignatureRow,
        /// Answers to the suite `stalemates`.
        stalemates_subjects: StalemateSubjectRow,
        /// Announced mates.
        mates: MateRow,
        /// Moves in positions with best moves.
        best_moves: BestMoveRow,
        /// Won endings that were played out.
        conversion: ConversionRow,
        /// Games of these endings that were not won.
        wins_thrown: WinThrownRow,
        /// Answers to the suite `draws`.
        draws: DrawRow,
        /// Heuristics compared with the tables.
        knowledge: KnowledgeRow,
    }
    occasional {
        /// Counts for each source of a dump, if one was checked.
        dump: DumpRow,
        /// Edge cases of the tables, if they were counted.
        edge_cases: EdgeCaseRow,
        /// Cases of the checks of the protocol, if any were run.
        protocol: ProtocolRow,
    }
}

impl Run {
    /// The word for a wrong answer of this subject to a check: an engine or a player of a game gave it, or a table or
    /// a file has it.
    pub(crate) fn answer_word(&self, check: &str, subject: &str) -> &'static str {
        let is_of_game = check.split('/').next() == Some("game");
        let is_of_engine = self.engine.as_ref().is_some_and(|card| card.name == subject);
        if is_of_game || is_of_engine { "got" } else { "stored" }
    }

    /// The scripts for replays that are too long for a line.
    pub(crate) fn replays(&self) -> Replays<'_> {
        let listed = by_gravity(&self.differences).into_iter().map(|found| (&*found.check, &*found.replay));
        Replays::new(&self.folder, listed)
    }

    /// The tallies of all checks.
    pub fn tallies(&self) -> impl Iterator<Item = &Tally> + Clone {
        self.checks.iter().map(|check| &check.tally)
    }

    /// The tallies of the subjects that are judged. If a program was checked, only the engine is judged, and
    /// our tables are its judges.
    pub(crate) fn judged(&self) -> impl Iterator<Item = &Tally> {
        let is_judged = |tally: &&Tally| self.engine.as_ref().is_none_or(|card| card.name == tally.subject);
        self.tallies().filter(is_judged)
    }

    /// How many cases of our tables agree, in how many checks, if our tables judged an engine and are right.
    pub(crate) fn certified(&self) -> Option<(u64, usize)> {
        let card = self.engine.as_ref()?;
        let of_tables: Vec<&Tally> =
            self.tallies().filter(|tally| tally.subject != card.name && !is_not_built(tally)).collect();
        let checks: BTreeSet<&str> = of_tables.iter().map(|tally| tally.check.as_str()).collect();
        let is_right = !of_tables.is_empty()
            && of_tables.iter().all(|tally| tally.differed == 0 && tally.skipped.is_empty());
        is_right.then(|| (of_tables.iter().map(|tally| tally.agreed).sum(), checks.len()))
    }

    /// The checks with a line of their own. Tables of ours that judge an engine and are right share one line.
    pub(crate) fn shown_checks(&self) -> impl Iterator<Item = &CheckRun> {
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
