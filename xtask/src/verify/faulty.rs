//! Tests of the Syzygy checks on tables that are wrong on purpose. They are here because `syzygy_sources`
//! finds the table files; without these files the tests fail and say how to get them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use engine::tables::builders;
use oracle::authorities::Authorities;
use oracle::checks::{Check, TableJob};
use oracle::positions::{self, Men, Placement, Scope};
use oracle::syzygy::Syzygy;
use oracle::syzygy_files::TableFiles;
use oracle::table_probe::{Board, Color, Dtm, Dtz, EngineTables, ProbeError, TableProbe, TableValue, Wdl};
use suites::census::{self, Outcomes, PublishedCounts};
use suites::{Findings, SkipReason};

use crate::syzygy_sources::{self, Probed, SyzygyArgs};

const CHECKS: [Check; 3] = [Check::SyzygyWdl, Check::SyzygyDtz, Check::SyzygyDtm];

static PRODUCTION: LazyLock<EngineTables> = LazyLock::new(|| {
    let materials = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().unwrap());
    EngineTables::production(builders::production(&materials).unwrap())
});
static PUBLISHED: LazyLock<Vec<PublishedCounts>> = LazyLock::new(|| census::embedded().unwrap());
static FILES: LazyLock<TableFiles> = LazyLock::new(|| {
    let located = syzygy_sources::locate(&SyzygyArgs::default(), &Probed::up_to(3), &|_| ()).unwrap();
    if let Some(shortfall) = located.shortfall() {
        panic!("{shortfall}");
    }
    located.files
});
static SYZYGY: LazyLock<Syzygy> = LazyLock::new(|| Syzygy::new(FILES.clone()));

type Lie = fn(TableValue) -> TableValue;

/// The production tables, with other answers for some positions.
struct Liar<'a> {
    inner: &'a dyn TableProbe,
    /// FENs without counters, and the answers for them.
    lies: &'a [(&'a str, Lie)],
    /// A FEN without counters that gets no answer.
    forgets: Option<&'a str>,
}

impl TableProbe for Liar<'_> {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        let claim = self.inner.probe(board, turn)?;
        let fen = positions::fen(board, turn);
        let about = self.lies.iter().find(|(position, _)| fen.strip_prefix(position) == Some(" 0 1"));
        if self.forgets.is_some_and(|position| fen.strip_prefix(position) == Some(" 0 1")) {
            return Err(ProbeError("forgotten".into()));
        }
        Ok(about.map_or(claim, |(_, lie)| lie(claim)))
    }

    fn has_dtz(&self) -> bool {
        self.inner.has_dtz()
    }
}

fn run(check: Check, subject: &dyn TableProbe, table: &str, syzygy: &Syzygy) -> Findings {
    let men = table.parse().unwrap();
    let authorities = Authorities { syzygy: Some(syzygy), published: &PUBLISHED, ..Authorities::default() };
    check.run(&TableJob::new(subject, &men, &authorities))
}

/// The published number of positions up to symmetry, with both sides to move.
fn published(table: &str, count: fn(&Outcomes) -> u64) -> u64 {
    PUBLISHED.iter().filter(|row| row.table == table).map(|row| count(&row.unique)).sum()
}

/// One of three checks reports exactly these positions; the other two report none.
#[track_caller]
fn check(reports: Check, table: &str, lies: &[(&str, Lie)]) {
    let subject = Liar { inner: &*PRODUCTION, lies, forgets: None };
    for check in CHECKS.into_iter().filter(|check| *check != Check::SyzygyDtm || table != "KPvK") {
        let findings = run(check, &subject, table, &SYZYGY);
        let cases: BTreeSet<_> =
            findings.differences.iter().map(|difference| difference.case.clone()).collect();
        let expected = lies.iter().filter(|_| check == reports);
        assert_eq!(cases, expected.map(|(position, _)| format!("{table}/{position}")).collect(), "{check}");
        assert_eq!(findings.tally.differed, cases.len() as u64, "{check}");
        assert_eq!(findings.tally.total(), published(table, |unique| unique.legal), "{check}");
        assert_eq!(findings.tally.skipped_total(), 0, "{check}");
        for difference in findings.differences {
            assert_eq!((&*difference.check, &*difference.source), (check.name(), "Syzygy"));
            assert_ne!(difference.stored.to_string(), difference.expected.to_string(), "{difference:#?}");
        }
    }
}

fn with_dtz(claim: TableValue, dtz: i16) -> TableValue {
    TableValue { dtz: Some(Dtz::from_plies(dtz)), ..claim }
}

fn with_dtm(claim: TableValue, change: i16) -> TableValue {
    TableValue {
        dtm: claim.dtm.and_then(|dtm| dtm.plies().checked_add_signed(change)).map(Dtm::from_plies),
        ..claim
    }
}

// The checks ask for one placement of each class. In the positions here, White's king is in the triangle a1,
// d1, d4, or, if there is a pawn, on the files a to d.
const WON: &str = "8/8/8/8/8/2R5/k1K5/8 w - -";
const LOST: &str = "8/8/8/8/8/2R5/k1K5/8 b - -";
const MATED: &str = "8/8/8/8/8/R7/2K5/k7 b - -";
const STALEMATED: &str = "8/8/8/8/8/8/1RK5/k7 b - -";
const DRAWN: &str = "8/8/8/8/8/8/1R6/k2K4 b - -";
const FAR: &str = "8/8/8/5k2/8/8/1R6/3K4 w - -";

#[test]
fn an_honest_table_is_never_reported() {
    for table in ["KvK", "KBvK", "KNvK", "KPvK", "KQvK", "KRvK"] {
        let men = table.parse().unwrap();
        for check in CHECKS.into_iter().filter(|check| check.applies(&*PRODUCTION, &men)) {
            let findings = run(check, &*PRODUCTION, table, &SYZYGY);
            assert_eq!(findings.differences, [], "{check} {table}");
            assert_eq!(findings.tally.agreed, published(table, |unique| unique.legal), "{check} {table}");
            assert_eq!(findings.tally.skipped_total(), 0, "{check} {table}");
        }
    }
}

#[test]
fn a_wrong_result_is_reported() {
    // In a table whose distances stay as they are: where DTZ is DTM, that check sees the contradiction too.
    check(
        Check::SyzygyWdl,
        "KPvK",
        &[
            ("8/1P6/k7/8/K7/8/8/8 w - -", |claim| TableValue { wdl: Wdl::Draw, ..claim }),
            ("8/8/8/8/8/1P6/1K6/4k3 b - -", |claim| TableValue { wdl: Wdl::Win, ..claim }),
            ("8/8/8/8/8/1P1k4/8/2K5 b - -", |claim| TableValue { wdl: Wdl::Loss, ..claim }),
            ("8/3k4/8/K7/8/3P4/8/8 w - -", |claim| TableValue { wdl: Wdl::Win, ..claim }),
        ],
    );
}

/// Off by one either way, in won, lost, drawn and mated positions: an interval about Syzygy's rounded values
/// would hide some of these.
#[test]
fn a_wrong_distance_to_zeroing_is_reported() {
    check(
        Check::SyzygyDtz,
        "KRvK",
        &[
            (WON, |claim| with_dtz(claim, 4)),
            (LOST, |claim| with_dtz(claim, -1)),
            (MATED, |claim| with_dtz(claim, 0)),
            (STALEMATED, |claim| with_dtz(claim, -1)),
            (DRAWN, |claim| with_dtz(claim, 1)),
            (FAR, |claim| with_dtz(claim, claim.dtz.unwrap().plies() + 1)),
        ],
    );
    check(
        Check::SyzygyDtz,
        "KRvK",
        &[
            (WON, |claim| with_dtz(claim, -3)),
            (LOST, |claim| with_dtz(claim, -3)),
            (MATED, |claim| with_dtz(claim, 1)),
            (STALEMATED, |claim| TableValue { dtz: None, ..claim }),
            (FAR, |claim| with_dtz(claim, claim.dtz.unwrap().plies() - 1)),
        ],
    );
}

/// A mate one move too long or too short, so that wins stay odd and losses even.
#[test]
fn a_wrong_distance_to_mate_is_reported() {
    check(
        Check::SyzygyDtm,
        "KRvK",
        &[
            (WON, |claim| with_dtm(claim, 2)),
            (LOST, |claim| with_dtm(claim, 2)),
            (MATED, |claim| with_dtm(claim, 2)),
            (FAR, |claim| with_dtm(claim, -2)),
            (STALEMATED, |claim| TableValue { dtm: Some(Dtm::CHECKMATED), ..claim }),
            (DRAWN, |claim| TableValue { dtm: Some(Dtm::from_plies(2)), ..claim }),
        ],
    );
    // By one ply, which turns a win into a loss.
    check(
        Check::SyzygyDtm,
        "KRvK",
        &[
            (WON, |claim| with_dtm(claim, -1)),
            (LOST, |claim| with_dtm(claim, 1)),
            (MATED, |claim| with_dtm(claim, 1)),
            (FAR, |claim| with_dtm(claim, -1)),
        ],
    );
}

#[test]
fn what_is_not_answered_is_reported_by_each() {
    let subject = Liar { inner: &*PRODUCTION, lies: &[], forgets: Some(MATED) };
    for check in CHECKS {
        let findings = run(check, &subject, "KRvK", &SYZYGY);
        let [difference] = &findings.differences[..] else { panic!("{check}: {findings:#?}") };
        assert_eq!(difference.case, format!("KRvK/{MATED}"), "{check}");
        assert_eq!(findings.tally.agreed + 1, published("KRvK", |unique| unique.legal), "{check}");
    }
}

/// The Syzygy tables, except for one file. That file is missing, or one byte of it is changed.
fn without(absent: &str, corrupt: bool) -> Syzygy {
    let mut files = TableFiles::wanted(FILES.pins(), 3);
    for (name, _) in FILES.statuses() {
        let mut bytes = FILES.bytes(name).unwrap().to_vec();
        if name != absent {
            assert!(files.add(name, bytes).is_usable());
        } else if corrupt {
            *bytes.last_mut().unwrap() ^= 1;
            assert!(!files.add(name, bytes).is_usable());
        }
    }
    Syzygy::new(files)
}

/// Checks that this many cases of a check are skipped because a file is missing, and that no other case
/// differs.
#[track_caller]
fn check_skips(syzygy: &Syzygy, check: Check, table: &str, expected: u64) {
    let findings = run(check, &*PRODUCTION, table, syzygy);
    let skipped = findings.tally.skipped.get(&SkipReason::TableMissing).copied().unwrap_or_default();
    assert_eq!((skipped, findings.tally.differed), (expected, 0), "{check} {table}");
    assert_eq!(findings.tally.total(), published(table, |unique| unique.legal), "{check} {table}");
}

#[test]
fn a_file_that_is_not_there_skips_what_needs_it_and_nothing_else() {
    let all = published("KRvK", |unique| unique.legal);
    let decisive = all - published("KRvK", |unique| unique.draws);
    for corrupt in [false, true] {
        let syzygy = without("KRvK.rtbz", corrupt);
        check_skips(&syzygy, Check::SyzygyDtz, "KRvK", decisive);
        check_skips(&syzygy, Check::SyzygyDtm, "KRvK", decisive);
        check_skips(&syzygy, Check::SyzygyWdl, "KRvK", 0);
    }
    let syzygy = without("KRvK.rtbw", false);
    check_skips(&syzygy, Check::SyzygyWdl, "KRvK", all);
    check_skips(&syzygy, Check::SyzygyDtz, "KRvK", all);
    check_skips(&syzygy, Check::SyzygyDtz, "KQvK", 0);
    check_skips(&syzygy, Check::SyzygyWdl, "KPvK", 0);
    // The check asks the rook table only for positions in which the pawn promotes.
    let tally = run(Check::SyzygyDtz, &*PRODUCTION, "KPvK", &syzygy).tally;
    let skipped = tally.skipped_total();
    assert!(0 < skipped && skipped <= promoting(), "{skipped}");
    assert_eq!((tally.differed, tally.agreed + skipped), (0, published("KPvK", |unique| unique.legal)));
}

/// How many classes of `KPvK` have White to move and the pawn on the seventh rank.
fn promoting() -> u64 {
    let men: Men = "KPvK".parse().unwrap();
    let placements = (0..men.numbers()).filter_map(|number| Placement::numbered(&men, number, Color::White));
    let legal = placements.filter(|placement| placement.legal.is_some() && placement.is_representative());
    legal.filter(|placement| placement.fen().split('/').nth(1).is_some_and(|rank| rank.contains('P'))).count()
        as u64
}

/// How many positions of a table of four men are compared here.
const SAMPLE: u64 = 2_000;

/// A table without an answer to anything.
struct Mute;

impl TableProbe for Mute {
    fn name(&self) -> &'static str {
        "mute"
    }

    fn probe(&self, _: &Board, _: Color) -> Result<TableValue, ProbeError> {
        Err(ProbeError("mute".into()))
    }

    fn has_dtz(&self) -> bool {
        true
    }
}

/// The Syzygy files of a table and of those that it leads to.
fn syzygy_of(table: &str) -> Syzygy {
    let probed = Probed::new(3, &[table.parse().unwrap()]);
    let located = syzygy_sources::locate(&SyzygyArgs::default(), &probed, &|_| ()).unwrap();
    if let Some(shortfall) = located.shortfall() {
        panic!("{shortfall}");
    }
    Syzygy::new(located.files)
}

/// The FENs without counters, of a sample of a table of four men, that a check names.
fn named_in_sample(check: Check, subject: &dyn TableProbe, table: &str, syzygy: &Syzygy) -> BTreeSet<String> {
    let men = table.parse().unwrap();
    let authorities = Authorities { syzygy: Some(syzygy), published: &PUBLISHED, ..Authorities::default() };
    let job = TableJob::new(subject, &men, &authorities);
    let job = TableJob { scope: Scope::Unique, sample: Some(SAMPLE), ..job };
    let findings = check.run(&job);
    assert_eq!(findings.tally.total(), published(table, |unique| unique.legal), "{check}");
    let compared = findings.tally.agreed + findings.tally.differed;
    assert!((SAMPLE * 9 / 10..SAMPLE * 11 / 10).contains(&compared), "{compared}");
    let cases = findings.differences.into_iter().map(|difference| difference.case);
    cases.map(|case| case.split_once('/').unwrap().1.to_owned()).collect()
}

/// A draw in place of what is right.
fn as_draw(claim: TableValue) -> TableValue {
    TableValue { wdl: Wdl::Draw, dtm: None, dtz: claim.dtz.map(|_| Dtz::from_plies(0)) }
}

/// A win in place of a draw.
fn as_win(_: TableValue) -> TableValue {
    TableValue { wdl: Wdl::Win, dtm: Some(Dtm::from_plies(9)), dtz: Some(Dtz::from_plies(9)) }
}

/// One wrong entry of each kind, in positions of the sample.
#[track_caller]
fn check_of_four_men(table: &str) {
    let production = EngineTables::production(builders::production(&[table.parse().unwrap()]).unwrap());
    let syzygy = syzygy_of(table);
    let named = |check, subject: &dyn TableProbe| named_in_sample(check, subject, table, &syzygy);
    for check in [Check::SyzygyWdl, Check::SyzygyDtz] {
        assert_eq!(named(check, &production), BTreeSet::new(), "{check}");
        let sample = named(check, &Mute);
        let mut drawn = sample.iter();
        // Each pick goes on behind the one before, so that no position is picked twice.
        let mut with = |is_kind: fn(&TableValue) -> bool| {
            let is = |fen: &&String| {
                let setup = oracle::board::setup(fen).unwrap();
                is_kind(&production.probe(&setup.board, setup.turn).unwrap())
            };
            drawn.find(is).unwrap().as_str()
        };
        let far = |value: &TableValue| value.dtz.is_some_and(|dtz| dtz.plies().unsigned_abs() > 8);
        let results: [(&str, Lie); 3] = [
            (with(|value| value.wdl == Wdl::Win), as_draw),
            (with(|value| value.wdl == Wdl::Loss), as_draw),
            (with(|value| value.wdl == Wdl::Draw), as_win),
        ];
        let distances: [(&str, Lie); 2] = [
            (with(far), |claim| with_dtz(claim, claim.dtz.unwrap().plies() + 2)),
            (with(far), |claim| with_dtz(claim, claim.dtz.unwrap().plies() - 2)),
        ];
        let lies = [&results[..], &distances].concat();
        let liar = Liar { inner: &production, lies: &lies, forgets: None };
        let expected = if check == Check::SyzygyWdl { &results[..] } else { &lies[..] };
        let expected = expected.iter().map(|(position, _)| (*position).to_owned()).collect();
        assert_eq!(named(check, &liar), expected, "{check}");
    }
}

#[test]
fn wrong_entries_of_four_men_are_reported() {
    check_of_four_men("KRvKN");
}

#[test]
#[ignore = "nightly: builds all that two pawns can become"]
fn wrong_entries_with_pawns_on_both_sides_are_reported() {
    check_of_four_men("KPvKP");
}
