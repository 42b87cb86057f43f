//! WDL, DTZ and DTM compared with Syzygy, on one position of each symmetry class: probing Syzygy is slow, and
//! the check `symmetry` covers the other images. Larger tables are compared on a sample.

use shakmaty::Chess;
use shakmaty_syzygy::SyzygyError;
use suites::{Findings, SkipReason, Verdict};

use super::walk;
use super::{Check, DifferenceText, TableJob};
use crate::positions::{Placement, Scope};
use crate::syzygy::{Syzygy, SyzygyDtz};
use crate::table_probe::{TableValue, Wdl, wdl_of};

/// Compares WDL.
pub(super) fn wdl(job: &TableJob) -> Findings {
    let compared = Compared {
        check: Check::SyzygyWdl,
        agrees: |value: &TableValue, wdl| value.wdl == wdl,
        texts: |value: &TableValue, wdl: Wdl| [value.wdl.to_string(), wdl.to_string()],
    };
    compare(job, Syzygy::wdl, &compared)
}

/// Compares DTZ.
pub(super) fn dtz(job: &TableJob) -> Findings {
    let compared = Compared {
        check: Check::SyzygyDtz,
        agrees: |value: &TableValue, dtz: SyzygyDtz| {
            value.dtz.is_some_and(|stored| dtz.allows(stored.plies().into()))
        },
        texts: |value: &TableValue, dtz: SyzygyDtz| {
            [value.dtz.map_or("none".to_owned(), |dtz| dtz.to_string()), dtz.to_string()]
        },
    };
    compare(job, Syzygy::dtz, &compared)
}

/// Compares DTM where it equals DTZ: with a lone queen or rook no move before the mate zeroes the clock.
pub(super) fn dtm(job: &TableJob) -> Findings {
    let compared = Compared {
        check: Check::SyzygyDtm,
        agrees: |value: &TableValue, dtz: SyzygyDtz| signed_dtm(value).is_some_and(|plies| dtz.allows(plies)),
        texts: |value: &TableValue, dtz: SyzygyDtz| [value.to_string(), format!("DTZ {dtz}")],
    };
    compare(job, Syzygy::dtz, &compared)
}

/// How a check compares a value with an answer of Syzygy.
struct Compared<T> {
    check: Check,
    /// Whether both agree.
    agrees: fn(&TableValue, T) -> bool,
    /// The stored value and the answer in words.
    texts: fn(&TableValue, T) -> [String; 2],
}

/// The stated DTM with its sign, in the convention of Syzygy: a side that is checkmated has -1. `None` if WDL
/// and DTM contradict each other.
fn signed_dtm(value: &TableValue) -> Option<i32> {
    if value.wdl != wdl_of(value.dtm) {
        return None;
    }
    let plies = value.dtm.map_or(0, |dtm| i32::from(dtm.plies()));
    Some(match value.wdl {
        Wdl::Draw => 0,
        Wdl::Win => plies,
        Wdl::Loss => -plies.max(1),
    })
}

/// Probes Syzygy for each position and compares.
fn compare<T: Copy>(
    job: &TableJob,
    ask: impl Fn(&Syzygy, &Chess) -> Result<T, SyzygyError> + Sync,
    &Compared { check, agrees, texts }: &Compared<T>,
) -> Findings {
    let Some(syzygy) = job.authorities.syzygy else {
        return job.skipped(check, Scope::Unique, SkipReason::TableMissing);
    };
    let judge = |job: &TableJob, placement: &Placement, position: &Chess, value: &TableValue| {
        let Ok(answer) = ask(syzygy, position) else {
            return Verdict::Skip(SkipReason::TableMissing);
        };
        if agrees(value, answer) {
            return Verdict::Agree;
        }
        let [stored, expected] = texts(value, answer);
        let explanation = "Syzygy tables say so".to_owned();
        let (stored, expected) = (stored.into(), expected.into());
        let text = DifferenceText { stored, expected, best: None, source: "Syzygy", explanation };
        job.differ(check, placement, text)
    };
    walk::judge_share(job, check, &judge)
}
