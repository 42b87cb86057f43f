//! The checks of tables, one file each, and their common types.
//!
//! A check probes a table for every legal position that the oracle enumerates, and agrees with each value or
//! differs. A position for which the table has no value is a difference in every check that probes it. A
//! position that the oracle cannot judge is skipped with a reason. The number of positions walked is compared
//! with the published number.

mod census;
mod certificate;
mod dtm;
mod legality;
mod symmetry;
mod syzygy;
mod terminal;
mod together;
mod unmove;
mod walk;

#[cfg(test)]
mod tests;

use shakmaty::Chess;
use suites::{Answer, Difference, Evidence, Findings, Replay, SkipReason, Tally, Verdict};

use crate::authorities::Authorities;
use crate::positions::{Men, Placement, Scope};
use crate::table_probe::{TableProbe, TableValue};

pub(crate) use certificate::quiet;
pub(crate) use dtm::move_to;

pub use census::{CensusCount, HistogramCount, compare, count};
pub use certificate::resolved;
pub use dtm::better_move;
pub use together::{CheckRun, Together, together};
pub(crate) use walk::hash;
pub use walk::{CountedFindings, Placed, Share, fold};

suites::words! {
    /// A check of tables. The word is its id in reports. Checks run in this order.
    pub enum Check: "check" {
        /// The table states a value for each legal position and refuses each illegal one, and the number of
        /// legal positions is the published number.
        Legality = "legality",
        /// WDL compared with Syzygy.
        SyzygyWdl = "syzygy-wdl",
        /// DTZ compared with Syzygy.
        SyzygyDtz = "syzygy-dtz",
        /// DTM compared with the DTZ of Syzygy, where both are equal: `KQvK` and `KRvK`.
        SyzygyDtm = "syzygy-dtm",
        /// Every value follows from those of the successors.
        Certificate = "certificate",
        /// Checkmates and stalemates compared with shakmaty.
        Terminal = "terminal",
        /// All images of a position, also with colours exchanged, have its value.
        Symmetry = "symmetry",
        /// Un-moves compared with moves.
        Unmove = "unmove",
        /// DTM compared with Gaviota.
        Gaviota = "gaviota",
        /// DTM compared with Prophet.
        Prophet = "prophet",
        /// Counts compared with published counts.
        Census = "census",
        /// DTM compared with the certified production table.
        Truth = "truth",
    }
}

impl Check {
    /// The kind of evidence that the check gives.
    pub const fn evidence(self) -> Evidence {
        match self {
            Self::Certificate => Evidence::Certificate,
            Self::Census => Evidence::Census,
            _ => Evidence::Agreement,
        }
    }

    /// Whether the check can judge this table.
    pub fn applies(self, subject: &dyn TableProbe, men: &Men) -> bool {
        match self {
            Self::SyzygyDtz => subject.has_dtz(),
            Self::Unmove => subject.has_unmoves(),
            Self::SyzygyDtm => matches!(men.name(), "KQvK" | "KRvK"),
            Self::Gaviota | Self::Prophet => men.count() <= 3,
            _ => true,
        }
    }

    /// Checks one table.
    pub fn run(self, job: &TableJob) -> Findings {
        match self {
            Self::Legality => legality::run(job),
            Self::SyzygyWdl => syzygy::wdl(job),
            Self::SyzygyDtz => syzygy::dtz(job),
            Self::SyzygyDtm => syzygy::dtm(job),
            Self::Certificate => certificate::run(job),
            Self::Terminal => terminal::run(job),
            Self::Symmetry => symmetry::run(job),
            Self::Unmove => unmove::run(job),
            Self::Gaviota | Self::Prophet => dtm::foreign(job, self),
            Self::Census => census::compare(job, &count(job)),
            Self::Truth => dtm::truth(job),
        }
    }
}

/// One table to check, and the authorities to check it with.
#[derive(Clone, Copy)]
pub struct TableJob<'a> {
    /// The tables.
    pub subject: &'a dyn TableProbe,
    /// The men of the table.
    pub men: &'a Men,
    /// The sources of true values.
    pub authorities: &'a Authorities<'a>,
    /// The seed of random samples.
    pub seed: u64,
    /// Whether to check less where possible.
    pub quick: bool,
    /// The positions that are walked. A result for one position of each class holds for all of them if the
    /// check symmetry agrees.
    pub scope: Scope,
    /// Whether nothing but those positions will be probed, so that their images need not be refused.
    pub representatives: bool,
    /// How many positions are compared with Syzygy, or by their un-moves, for both sides to move together;
    /// `None` for one of each class.
    pub sample: Option<u64>,
    /// Called now and then with the number of placements walked since the last call.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl<'a> TableJob<'a> {
    /// A check of all positions, with the seed 1 and without reports of progress.
    pub fn new(subject: &'a dyn TableProbe, men: &'a Men, authorities: &'a Authorities<'a>) -> Self {
        Self {
            subject,
            men,
            authorities,
            seed: 1,
            quick: false,
            scope: Scope::Raw,
            representatives: false,
            sample: None,
            progress: &|_| (),
        }
    }
}

impl TableJob<'_> {
    /// The label of the findings of a check.
    fn label(&self, check: Check) -> Label<'_> {
        Label { subject: self.subject.name(), check: check.name(), evidence: check.evidence(), men: self.men }
    }

    /// Findings without cases.
    fn findings(&self, check: Check) -> Findings {
        self.label(check).findings()
    }

    /// The findings of a check that cannot run: all its cases are skipped.
    fn skipped(&self, check: Check, scope: Scope, reason: SkipReason) -> Findings {
        let mut findings = self.findings(check);
        let cases = self.authorities.published_positions(self.men, scope).unwrap_or(1);
        findings.tally.skip(reason, cases);
        findings
    }

    /// Judges the value that the table states for a legal position. No value is a difference.
    fn judge(&self, check: Check, placement: &Placement, position: &Chess, judge: &Judge) -> Verdict {
        let probed = self.probe(check, placement);
        probed.map_or_else(|differ| differ, |value| judge(self, placement, position, &value))
    }

    /// The value that the table states for a legal position. No value is a difference.
    fn probe(&self, check: Check, placement: &Placement) -> Result<TableValue, Verdict> {
        self.subject.probe(&placement.board, placement.turn).map_err(|refusal| {
            let text = DifferenceText {
                stored: format!("no answer: {}", refusal.0).into(),
                best: None,
                expected: "an answer".into(),
                source: "shakmaty",
                explanation: "the position is legal".to_owned(),
            };
            self.differ(check, placement, text)
        })
    }

    /// A difference in a placement.
    fn differ(&self, check: Check, placement: &Placement, text: DifferenceText) -> Verdict {
        self.label(check).differ(placement, text, self.subject.replay(&placement.fen()))
    }

    /// A difference that is not about one position.
    fn differ_in(&self, check: Check, case: &str, text: DifferenceText) -> Verdict {
        self.label(check).differ_in(case, text)
    }
}

/// Judges the value that the table states for a legal position.
type Judge<'a> = dyn Fn(&TableJob, &Placement, &Chess, &TableValue) -> Verdict + Sync + 'a;

/// The label of the findings of one check of one table.
#[derive(Clone, Copy)]
pub struct Label<'a> {
    /// The name of the table's owner.
    pub subject: &'a str,
    /// The id of the check.
    pub check: &'static str,
    /// The kind of evidence that it gives.
    pub evidence: Evidence,
    /// The table.
    pub men: &'a Men,
}

impl Label<'_> {
    /// Findings without cases.
    pub fn findings(&self) -> Findings {
        Findings::new(Tally::new(self.subject, self.check, self.evidence, self.men.name()))
    }

    /// A difference in a placement, with the command that shows it.
    pub fn differ(&self, placement: &Placement, text: DifferenceText, replay: Replay) -> Verdict {
        let fen = placement.fen();
        let case = format!("{}/{}", self.men, fen.rsplitn(3, ' ').last().unwrap_or_default());
        self.difference(case, fen, text, replay)
    }

    /// A difference that is not about one position.
    pub fn differ_in(&self, case: &str, text: DifferenceText) -> Verdict {
        let replay = Replay::touchstone(format_args!("verify --tables {}", self.men));
        self.difference(format!("{}/{case}", self.men), String::new(), text, replay)
    }

    fn difference(&self, case: String, fen: String, text: DifferenceText, replay: Replay) -> Verdict {
        Verdict::Differ(Box::new(Difference {
            subject: self.subject.to_owned(),
            check: self.check.to_owned(),
            case,
            fen,
            played: None,
            limit: None,
            stored: text.stored,
            given: None,
            expected: text.expected,
            best: text.best.into_iter().collect(),
            source: text.source.to_owned(),
            explanation: text.explanation,
            cause: None,
            replay,
        }))
    }
}

/// The texts of a difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DifferenceText {
    /// The value that is checked.
    pub stored: Answer,
    /// The right value.
    pub expected: Answer,
    /// The move that leads to it, in UCI notation, if the position is known and one does.
    pub best: Option<String>,
    /// Where the right value comes from.
    pub source: &'static str,
    /// Why it is right.
    pub explanation: String,
}
