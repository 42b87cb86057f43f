//! Authorities that are not there, or have no answer.

use suites::SkipReason;

use super::*;
use crate::dtm_source::{DtmSource, DtmSourceError};

#[track_caller]
fn check_skips(check: Check, table: &str, reason: SkipReason, scope: Scope) {
    let authorities = Authorities { published: &PUBLISHED, ..Authorities::default() };
    let findings = run_with(check, &*PRODUCTION, table, &authorities);
    assert_eq!(findings.tally.skipped, [(reason, published(table, scope))].into(), "{check} {table}");
    assert_eq!((findings.tally.compared(), findings.differences.len()), (0, 0), "{check} {table}");
}

#[test]
fn an_absent_authority_skips_as_many_cases_as_are_published() {
    for table in ["KvK", "KPvK", "KQvK", "KRvK"] {
        for check in [Check::SyzygyWdl, Check::SyzygyDtz, Check::SyzygyDtm] {
            check_skips(check, table, SkipReason::TableMissing, Scope::Unique);
        }
        check_skips(Check::Gaviota, table, SkipReason::NotInThisBuild, Scope::Raw);
        check_skips(Check::Prophet, table, SkipReason::NotInThisBuild, Scope::Raw);
        check_skips(Check::Truth, table, SkipReason::NotCertified, Scope::Raw);
    }
    let census = run_with(Check::Census, &*PRODUCTION, "KQvK", &Authorities::default());
    assert_eq!(census.tally.skipped, [(SkipReason::NoSource, 1)].into());
}

#[test]
fn tables_of_syzygy_that_are_not_there_skip_each_position_that_needs_them() {
    let syzygy = crate::syzygy::Syzygy::new(shakmaty_syzygy::Tablebase::new());
    let authorities = Authorities { syzygy: Some(&syzygy), published: &PUBLISHED, ..Authorities::default() };
    for check in [Check::SyzygyWdl, Check::SyzygyDtz, Check::SyzygyDtm] {
        let tally = run_with(check, &*PRODUCTION, "KQvK", &authorities).tally;
        let expected = [(SkipReason::TableMissing, published("KQvK", Scope::Unique))].into();
        assert_eq!((tally.compared(), tally.skipped), (0, expected), "{check}");
    }
    // Bare kings need no table.
    let tally = run_with(Check::SyzygyWdl, &*PRODUCTION, "KvK", &authorities).tally;
    assert_eq!((tally.agreed, tally.total()), (924, 924));
}

/// Has the production table's answers, but for positions with White's king on a1.
struct Forgetful;

impl DtmSource for Forgetful {
    fn name(&self) -> &'static str {
        "gaviota"
    }

    fn dtm(&self, position: &Chess) -> Result<Option<Dtm>, DtmSourceError> {
        use shakmaty::Position;
        if position.board().king_of(Color::White) == Some(shakmaty::Square::A1) {
            return Err(DtmSourceError::TooManyMen { library: "gaviota", men: 9 });
        }
        Ok(PRODUCTION.probe(position.board(), position.turn()).unwrap().dtm)
    }
}

/// An authority that fails says nothing against the subject.
#[test]
fn what_an_authority_cannot_judge_is_skipped() {
    let in_corner = legal("KQvK")
        .iter()
        .filter(|(placement, _)| placement.board.king_of(Color::White) == Some(shakmaty::Square::A1))
        .count() as u64;
    let authorities =
        Authorities { dtm_sources: vec![&Forgetful], published: &PUBLISHED, ..Authorities::default() };
    let tally = run_with(Check::Gaviota, &*PRODUCTION, "KQvK", &authorities).tally;
    assert_eq!((tally.differed, &tally.skipped), (0, &[(SkipReason::NoSource, in_corner)].into()));
    assert_eq!(tally.total(), published("KQvK", Scope::Raw));
}
