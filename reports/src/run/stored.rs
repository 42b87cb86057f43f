//! Checks and differences as they are stored, with the words of the reports for enums.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use suites::{Evidence, Tally, UnknownWord};

use super::CheckRun;
use suites::word;

/// The fields of [`CheckRun`] and its [`Tally`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredCheck {
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

impl From<CheckRun> for StoredCheck {
    fn from(CheckRun { tally, duration, optional }: CheckRun) -> Self {
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

impl TryFrom<StoredCheck> for CheckRun {
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

/// Differences as their rows.
pub(super) mod differences {
    use serde::{Deserialize, Deserializer, Serializer};
    use suites::Difference;

    use crate::DifferenceRow;

    pub(crate) fn serialize<S: Serializer>(found: &[Difference], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(found.iter().cloned().map(DifferenceRow))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Difference>, D::Error> {
        let rows = Vec::<DifferenceRow>::deserialize(deserializer)?;
        Ok(rows.into_iter().map(|row| row.0).collect())
    }
}
