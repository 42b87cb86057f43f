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
    compare(job, Check::SyzygyWdl, Syzygy::wdl, |value, wdl: Wdl| {
        (value.wdl == wdl, value.wdl.to_string(), wdl.to_string())
    })
}

/// Compares DTZ.
pub(super) fn dtz(job: &TableJob) -> Findings {
    compare(job, Check::SyzygyDtz, Syzygy::dtz, |value, dtz: SyzygyDtz| {
        let stored = value.dtz.map_or("none".to_owned(), |dtz| dtz.to_string());
        (value.dtz.is_some_and(|stored| dtz.allows(stored.plies().into())), stored, dtz.to_string())
    })
}

/// Compares DTM where it equals DTZ: with a lone queen or rook no move before the mate zeroes the clock.
pub(super) fn dtm(job: &TableJob) -> Findings {
    compare(job, Check::SyzygyDtm, Syzygy::dtz, |value, dtz: SyzygyDtz| {
        let signed = signed_dtm(value);
        (signed.is_some_and(|plies| dtz.allows(plies)), value.to_string(), format!("DTZ {dtz}"))
    })
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

/// Probes Syzygy for each position and compares. `compare` returns whether they agree, the stored value and
/// the expected value.
fn compare<T>(
    job: &TableJob,
    check: Check,
    ask: impl Fn(&Syzygy, &Chess) -> Result<T, SyzygyError> + Sync,
    compare: impl Fn(&TableValue, T) -> (bool, String, String) + Sync,
) -> Findings {
    let Some(syzygy) = job.authorities.syzygy else {
        return job.skipped(check, Scope::Unique, SkipReason::TableMissing);
    };
    let judge = |job: &TableJob, placement: &Placement, position: &Chess, value: &TableValue| {
        let Ok(answer) = ask(syzygy, position) else {
            return Verdict::Skip(SkipReason::TableMissing);
        };
        let (agree, stored, expected) = compare(value, answer);
        if agree {
            return Verdict::Agree;
        }
        let explanation = "Syzygy tables say so".to_owned();
        let (stored, expected) = (stored.into(), expected.into());
        let text = DifferenceText { stored, expected, best: None, source: "Syzygy", explanation };
        job.differ(check, placement, text)
    };
    walk::judge_share(job, check, &judge)
}
