//! A run as it is stored, with the words of the reports for enums.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use suites::{Evidence, Tally, UnknownWord};

use super::{Check, Run};
use crate::{
    BestMoveRow, CensusRow, ConversionRow, DifferenceRow, DrawRow, DumpRow, EdgeCaseRow, EngineCard,
    HistogramRow, KnowledgeRow, MateRow, PerftRow, RegressionRow, SignatureRow, StalemateRow,
    StalemateSubjectRow, WinThrownRow, word,
};

/// The fields of [`Run`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredRun {
    checks: Vec<StoredCheck>,
    differences: Vec<DifferenceRow>,
    census: Vec<CensusRow>,
    histogram: Vec<HistogramRow>,
    perft: Vec<PerftRow>,
    stalemates: Vec<StalemateRow>,
    signatures: Vec<SignatureRow>,
    stalemates_subjects: Vec<StalemateSubjectRow>,
    mates: Vec<MateRow>,
    best_moves: Vec<BestMoveRow>,
    conversion: Vec<ConversionRow>,
    wins_thrown: Vec<WinThrownRow>,
    draws: Vec<DrawRow>,
    dump: Vec<DumpRow>,
    edge_cases: Vec<EdgeCaseRow>,
    knowledge: Vec<KnowledgeRow>,
    fails_from: String,
    engine: Option<EngineCard>,
    regression: Option<Vec<RegressionRow>>,
}

/// The fields of [`Check`] and its [`Tally`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredCheck {
    subject: String,
    check: String,
    #[serde(with = "word")]
    evidence: Evidence,
    case_set: String,
    agreed: u64,
    differed: u64,
    /// By severity.
    lesser: BTreeMap<String, u64>,
    observed: u64,
    /// By reason.
    skipped: BTreeMap<String, u64>,
    duration: Option<Duration>,
    optional: bool,
}

fn named<W: ToString>(counts: BTreeMap<W, u64>) -> BTreeMap<String, u64> {
    counts.into_iter().map(|(word, count)| (word.to_string(), count)).collect()
}

fn parsed<W>(counts: BTreeMap<String, u64>) -> Result<BTreeMap<W, u64>, UnknownWord>
where
    W: Ord + std::str::FromStr<Err = UnknownWord>,
{
    counts.into_iter().map(|(word, count)| Ok((word.parse()?, count))).collect()
}

impl From<Check> for StoredCheck {
    fn from(Check { tally, duration, optional }: Check) -> Self {
        let Tally { subject, check, evidence, case_set, agreed, differed, lesser, observed, skipped } = tally;
        let (lesser, skipped) = (named(lesser), named(skipped));
        Self {
            subject,
            check,
            evidence,
            case_set,
            agreed,
            differed,
            lesser,
            observed,
            skipped,
            duration,
            optional,
        }
    }
}

impl TryFrom<StoredCheck> for Check {
    type Error = UnknownWord;

    fn try_from(stored: StoredCheck) -> Result<Self, UnknownWord> {
        let StoredCheck {
            subject,
            check,
            evidence,
            case_set,
            agreed,
            differed,
            lesser,
            observed,
            skipped,
            duration,
            optional,
        } = stored;
        let (lesser, skipped) = (parsed(lesser)?, parsed(skipped)?);
        let tally = Tally { subject, check, evidence, case_set, agreed, differed, lesser, observed, skipped };
        Ok(Self { tally, duration, optional })
    }
}

impl From<Run> for StoredRun {
    fn from(run: Run) -> Self {
        let Run {
            checks,
            differences,
            census,
            histogram,
            perft,
            stalemates,
            signatures,
            stalemates_subjects,
            mates,
            best_moves,
            conversion,
            wins_thrown,
            draws,
            dump,
            edge_cases,
            knowledge,
            fails_from,
            engine,
            regression,
            folder: _,
        } = run;
        Self {
            checks: checks.into_iter().map(StoredCheck::from).collect(),
            differences: differences.into_iter().map(DifferenceRow).collect(),
            census,
            histogram,
            perft,
            stalemates,
            signatures,
            stalemates_subjects,
            mates,
            best_moves,
            conversion,
            wins_thrown,
            draws,
            dump,
            edge_cases,
            knowledge,
            fails_from: fails_from.to_string(),
            engine,
            regression,
        }
    }
}

impl TryFrom<StoredRun> for Run {
    type Error = UnknownWord;

    fn try_from(stored: StoredRun) -> Result<Self, UnknownWord> {
        let StoredRun {
            checks,
            differences,
            census,
            histogram,
            perft,
            stalemates,
            signatures,
            stalemates_subjects,
            mates,
            best_moves,
            conversion,
            wins_thrown,
            draws,
            dump,
            edge_cases,
            knowledge,
            fails_from,
            engine,
            regression,
        } = stored;
        Ok(Self {
            checks: checks.into_iter().map(Check::try_from).collect::<Result<_, _>>()?,
            differences: differences.into_iter().map(|row| row.0).collect(),
            census,
            histogram,
            perft,
            stalemates,
            signatures,
            stalemates_subjects,
            mates,
            best_moves,
            conversion,
            wins_thrown,
            draws,
            dump,
            edge_cases,
            knowledge,
            fails_from: fails_from.parse()?,
            engine,
            regression,
            folder: String::new(),
        })
    }
}
