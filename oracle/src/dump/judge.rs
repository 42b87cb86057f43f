//! One row against the certified production table, Syzygy, Gaviota and Prophet.

use shakmaty::{Chess, Position};
use suites::{Difference, SkipReason, Verdict};

use super::row::{Row, RowClaim};
use crate::authorities::Authorities;
use crate::checks::Check;
use crate::claims::{Claim, Wdl, describe_dtm};

/// A verdict of each check.
pub(super) fn row(line: u64, row: &Row, checks: &[Check], authorities: &Authorities) -> Vec<Verdict> {
    let verdict = |check: &Check| match check {
        Check::Truth => truth(line, row, authorities),
        Check::SyzygyWdl => syzygy(line, row, authorities),
        other => foreign(line, row, *other, authorities),
    };
    checks.iter().map(verdict).collect()
}

/// A row against Gaviota or Prophet.
fn foreign(line: u64, row: &Row, check: Check, authorities: &Authorities) -> Verdict {
    let answer = authorities
        .dtm_source(check.id())
        .and_then(|source| Some((source.name(), source.dtm(&row.position).ok()?)));
    let Some((source, dtm)) = answer else { return Verdict::Skip(SkipReason::NoSource) };
    let expected = Claim { wdl: Wdl::of_dtm(dtm), dtm, dtz: None };
    if agrees(row.claim, &expected) {
        return Verdict::Agree;
    }
    differ(line, row, check, describe_dtm(dtm), source, "distances to mate".to_owned())
}

fn truth(line: u64, row: &Row, authorities: &Authorities) -> Verdict {
    let Some(truth) = authorities.truth else { return Verdict::Skip(SkipReason::NotCertified) };
    let Ok(expected) = truth.claim(row.position.board(), row.position.turn()) else {
        return Verdict::Skip(SkipReason::NoSource);
    };
    if agrees(row.claim, &expected) {
        return Verdict::Agree;
    }
    let explanation = crate::checks::better_move(truth, &row.position);
    let expected = match row.claim {
        RowClaim::Wdl(_) => expected.wdl.to_string(),
        _ => describe_dtm(expected.dtm),
    };
    differ(line, row, Check::Truth, expected, "certified production table", explanation)
}

fn agrees(claim: RowClaim, expected: &Claim) -> bool {
    match claim {
        RowClaim::Wdl(wdl) => wdl == expected.wdl,
        RowClaim::Dtm(wdl, plies) => wdl == expected.wdl && plies == expected.dtm.map(u32::from),
        RowClaim::Zero => expected.dtm.is_none_or(|plies| plies == 0),
    }
}

fn syzygy(line: u64, row: &Row, authorities: &Authorities) -> Verdict {
    let Some(syzygy) = authorities.syzygy else { return Verdict::Skip(SkipReason::TableMissing) };
    let Ok(expected) = syzygy.wdl(&row.position) else { return Verdict::Skip(SkipReason::TableMissing) };
    let agrees = match row.claim {
        RowClaim::Wdl(wdl) | RowClaim::Dtm(wdl, _) => wdl == expected,
        RowClaim::Zero => expected == Wdl::Draw || row.position.is_checkmate(),
    };
    if agrees {
        return Verdict::Agree;
    }
    differ(line, row, Check::SyzygyWdl, expected.to_string(), "Syzygy", "Syzygy tables say so".to_owned())
}

fn differ(
    line: u64,
    row: &Row,
    check: Check,
    expected: String,
    source: &str,
    explanation: String,
) -> Verdict {
    Verdict::Differ(Box::new(Difference {
        subject: "dump".to_owned(),
        check: check.id().to_owned(),
        case: format!("line {line}"),
        fen: row.fen.clone(),
        stored: stored(row.claim, &row.position),
        expected,
        source: source.to_owned(),
        explanation,
        replay: format!("cargo xtask tables probe \"{}\"", row.fen),
    }))
}

/// What a row says, in the words of the expected value where it has sense.
fn stored(claim: RowClaim, position: &Chess) -> String {
    match claim {
        RowClaim::Wdl(wdl) | RowClaim::Dtm(wdl, None) => wdl.to_string(),
        RowClaim::Zero if position.is_check() => "draw or checkmated".to_owned(),
        RowClaim::Zero | RowClaim::Dtm(Wdl::Draw, Some(_)) => "draw".to_owned(),
        RowClaim::Dtm(wdl, Some(plies)) => match u16::try_from(plies) {
            Ok(plies) if Wdl::of_dtm(Some(plies)) == wdl => describe_dtm(Some(plies)),
            _ => format!("{wdl} in {plies} plies"),
        },
    }
}
