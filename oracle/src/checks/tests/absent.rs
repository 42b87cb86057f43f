//! Authorities that are missing, or have no value.

use suites::SkipReason;

use super::*;
use crate::dtm_source::{DtmSource, DtmSourceError};
use crate::syzygy_files::TableFiles;

#[track_caller]
fn check_skips(check: Check, table: &str, reason: SkipReason, scope: Scope) {
    let authorities = Authorities { published: &PUBLISHED, ..Authorities::default() };
    let findings = run_with(check, &*PRODUCTION, table, &authorities);
    assert_eq!(findings.tally.skipped, [(reason, published(table, scope))].into(), "{check} {table}");
    assert_eq!((findings.tally.compared(), findings.differences.len()), (0, 0), "{check} {table}");
}

#[test]
fn a_missing_authority_skips_the_published_number_of_cases() {
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
fn missing_syzygy_tables_skip_each_position_that_needs_them() {
    let syzygy = crate::syzygy::Syzygy::new(TableFiles::wanted(Vec::new(), 0));
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

#[test]
fn syzygy_is_asked_for_five_men_if_there_are_files_even_refused_ones() {
    let is_for = |files: &TableFiles, table: &str| {
        crate::syzygy::Syzygy::new(files.clone()).is_for(&table.parse().unwrap())
    };
    let mut files = TableFiles::wanted(Vec::new(), 0);
    assert_eq!(["KBNvK", "KBBvKN"].map(|table| is_for(&files, table)), [true, false]);
    let mut bytes = vec![0; 80];
    bytes[..4].copy_from_slice(&[0x71, 0xe8, 0x23, 0x5d]);
    assert!(files.add("KBBvKN.rtbw", bytes.clone()).is_usable());
    bytes[0] = 0;
    assert!(!files.add("KBBvKR.rtbw", bytes).is_usable());
    assert_eq!(["KBBvKN", "KBBvKR", "KBBvKB"].map(|table| is_for(&files, table)), [true, true, false]);
}

/// Has the values of the production table, except for positions with White's king on a1.
struct Incomplete;

impl DtmSource for Incomplete {
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

/// A position without a value of the authority is skipped.
#[test]
fn positions_without_a_value_of_the_authority_are_skipped() {
    let in_corner = legal("KQvK")
        .iter()
        .filter(|(placement, _)| placement.board.king_of(Color::White) == Some(shakmaty::Square::A1))
        .count() as u64;
    let authorities =
        Authorities { dtm_sources: vec![&Incomplete], published: &PUBLISHED, ..Authorities::default() };
    let tally = run_with(Check::Gaviota, &*PRODUCTION, "KQvK", &authorities).tally;
    assert_eq!((tally.differed, &tally.skipped), (0, &[(SkipReason::NoSource, in_corner)].into()));
    assert_eq!(tally.total(), published("KQvK", Scope::Raw));
}
