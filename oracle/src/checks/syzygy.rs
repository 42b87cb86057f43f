//! Results and distances against Syzygy's, one position for each symmetry class: probing is slow, and the check of
//! symmetry carries the proof to the other images.

use shakmaty::Chess;
use shakmaty_syzygy::SyzygyError;
use suites::{Findings, SkipReason, Verdict};

use super::walk::{self, Scope};
use super::{Check, Job, Says};
use crate::syzygy::{Syzygy, SyzygyDtz};
use crate::table_probe::{TableValue, Wdl};

/// Who wins.
pub(super) fn wdl(job: &Job) -> Findings {
    compare(job, Check::SyzygyWdl, Syzygy::wdl, |claim, wdl: Wdl| {
        (claim.wdl == wdl, claim.wdl.to_string(), wdl.to_string())
    })
}

/// Distance to zeroing.
pub(super) fn dtz(job: &Job) -> Findings {
    compare(job, Check::SyzygyDtz, Syzygy::dtz, |claim, dtz: SyzygyDtz| {
        let stored = claim.dtz.map_or("none".to_owned(), |dtz| dtz.to_string());
        (claim.dtz.is_some_and(|plies| dtz.allows(plies.into())), stored, dtz.to_string())
    })
}

/// Distance to mate, where it equals that to zeroing: with a lone queen or rook there is nothing to zero on the way.
pub(super) fn dtm(job: &Job) -> Findings {
    compare(job, Check::SyzygyDtm, Syzygy::dtz, |claim, dtz: SyzygyDtz| {
        let signed = signed_dtm(claim);
        (signed.is_some_and(|plies| dtz.allows(plies)), claim.to_string(), format!("DTZ {dtz}"))
    })
}

/// A claimed distance to mate with its sign, as Syzygy writes distances: a mated side reads -1. `None` where result and
/// distance contradict each other.
fn signed_dtm(claim: &TableValue) -> Option<i32> {
    if claim.wdl != Wdl::of_dtm(claim.dtm) {
        return None;
    }
    let plies = i32::from(claim.dtm.unwrap_or_default());
    Some(match claim.wdl {
        Wdl::Draw => 0,
        Wdl::Win => plies,
        Wdl::Loss => -plies.max(1),
    })
}

/// Asks Syzygy for each position, and compares: whether they agree, what is stored, what is expected.
fn compare<T>(
    job: &Job,
    check: Check,
    ask: impl Fn(&Syzygy, &Chess) -> Result<T, SyzygyError> + Sync,
    compare: impl Fn(&TableValue, T) -> (bool, String, String) + Sync,
) -> Findings {
    let Some(syzygy) = job.authorities.syzygy else {
        return job.skipped(check, Scope::Unique, SkipReason::TableMissing);
    };
    walk::judge(job, check, Scope::Unique, |placement, position| {
        let claim = match job.probe(check, placement) {
            Ok(claim) => claim,
            Err(differ) => return differ,
        };
        let Ok(answer) = ask(syzygy, position) else {
            return Verdict::Skip(SkipReason::TableMissing);
        };
        let (agree, stored, expected) = compare(&claim, answer);
        if agree {
            return Verdict::Agree;
        }
        let explanation = "Syzygy tables say so".to_owned();
        job.differ(check, placement, Says { stored, expected, source: "Syzygy", explanation })
    })
}
