//! Tables with single wrong entries, checked with Gaviota and Prophet. A process has one handle of each
//! library at a time, so each library has one test here.

use std::collections::BTreeSet;

use engine::tables::builders;
use oracle::authorities::Authorities;
use oracle::board;
use oracle::checks::{Check, TableJob};
use oracle::dtm_source::DtmSource;
use oracle::positions;
use oracle::table_probe::{Dtm, EngineTables, ProbeError, TableProbe, TableValue, Wdl};
use shakmaty::{Board, Color};
use suites::census;

/// Changes a value.
type Fault = fn(TableValue) -> TableValue;

/// The production tables with wrong values for some positions.
struct FaultyTable {
    inner: EngineTables,
    faults: Vec<(Board, Color, Fault)>,
}

impl FaultyTable {
    fn about(faults: &[(&str, Fault)]) -> Self {
        let materials = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().expect("a table"));
        let faults = faults.iter().map(|&(position, fault)| {
            let setup = board::setup(position).expect("a FEN");
            (setup.board, setup.turn, fault)
        });
        Self {
            inner: EngineTables::production(builders::production(&materials).expect("tables that are built")),
            faults: faults.collect(),
        }
    }
}

impl TableProbe for FaultyTable {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        let value = self.inner.probe(board, turn)?;
        let about = self.faults.iter().find(|(about, side, _)| *side == turn && about == board);
        Ok(about.map_or(value, |(.., fault)| fault(value)))
    }

    fn has_dtz(&self) -> bool {
        true
    }
}

fn dtm(value: TableValue, plies: Option<u16>) -> TableValue {
    TableValue { dtz: value.dtz, ..TableValue::of_dtm(plies.map(Dtm::from_plies)) }
}

/// The check reports exactly these positions, and compares as many positions as are published.
fn check(check: Check, source: &dyn DtmSource, table: &str, faults: &[(&str, Fault)]) {
    let published = census::embedded().expect("published counts");
    let legal = published
        .iter()
        .filter(|row| row.table == table)
        .map(|row| row.raw.expect("published on 64 squares").legal);
    let men: positions::Men = table.parse().expect("a table");
    let authorities =
        Authorities { dtm_sources: vec![source], published: &published, ..Authorities::default() };
    let subject = FaultyTable::about(faults);
    let job = TableJob::new(&subject, &men, &authorities);
    let findings = check.run(&job);
    let expected: BTreeSet<_> = faults.iter().map(|(position, _)| format!("{table}/{position}")).collect();
    let cases: BTreeSet<_> = findings.differences.iter().map(|difference| difference.case.clone()).collect();
    assert_eq!(cases, expected, "{check}");
    assert_eq!(findings.tally.differed, faults.len() as u64, "{check}");
    assert_eq!((findings.tally.compared(), findings.tally.skipped_total()), (legal.sum(), 0), "{check}");
    for difference in findings.differences {
        assert_eq!((&*difference.check, &*difference.source), (check.name(), check.name()));
        assert_ne!(difference.stored, difference.expected);
    }
}

fn check_all(source: &dyn DtmSource, named: Check) {
    check(named, source, "KQvK", &[]);
    check(
        named,
        source,
        "KQvK",
        &[
            ("2Q5/8/8/8/7K/8/8/4k3 b - -", |value| dtm(value, Some(10))),
            ("8/2K5/Q7/8/8/8/8/4k3 w - -", |value| dtm(value, Some(13))),
            ("8/8/8/8/8/1KQ5/8/1k6 b - -", |value| dtm(value, Some(0))),
            ("8/8/8/8/8/1K6/1Q6/1k6 b - -", |value| dtm(value, None)),
            ("8/2K5/8/8/8/5k2/6Q1/8 b - -", |value| dtm(value, Some(2))),
            ("5Q2/8/7K/8/8/8/8/2k5 w - -", |value| TableValue { wdl: Wdl::Draw, ..value }),
        ],
    );
    check(named, source, "KPvK", &[("8/1P6/7k/8/4K3/8/8/8 w - -", |value| dtm(value, Some(11)))]);
}

#[test]
#[cfg(feature = "gaviota")]
fn gaviota_reports_each_wrong_entry_and_nothing_else() {
    check_all(&oracle::gaviota::Gaviota::open().expect("its tables"), Check::Gaviota);
}

#[test]
#[cfg(feature = "prophet")]
fn prophet_reports_each_wrong_entry_and_nothing_else() {
    check_all(&oracle::prophet::Prophet::open().expect("its tables"), Check::Prophet);
}
