//! Tables with single entries that are wrong, and what Gaviota and Prophet say of them. A process has one handle of
//! either library at a time: hence a test program of their own.
#![cfg(any(feature = "gaviota", feature = "prophet"))]

use std::collections::BTreeSet;

use engine::tables::builders;
use oracle::authorities::Authorities;
use oracle::checks::{Check, Job};
use oracle::dtm_source::DtmSource;
use oracle::positions;
use oracle::table_probe::{EngineTables, ProbeError, TableProbe, TableValue, Wdl};
use shakmaty::fen::Fen;
use shakmaty::{Board, Color};
use suites::census;

/// What is said in place of an answer.
type Lie = fn(TableValue) -> TableValue;

/// The production tables, but for some positions.
struct Liar {
    inner: EngineTables,
    lies: Vec<(Board, Color, Lie)>,
}

impl Liar {
    fn about(lies: &[(&str, Lie)]) -> Self {
        let materials = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().expect("a table"));
        let lies = lies.iter().map(|&(position, lie)| {
            let setup = position.parse::<Fen>().expect("a FEN").into_setup();
            (setup.board, setup.turn, lie)
        });
        Self {
            inner: EngineTables::production(builders::production(&materials).expect("tables that are built")),
            lies: lies.collect(),
        }
    }
}

impl TableProbe for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        let claim = self.inner.probe(board, turn)?;
        let about = self.lies.iter().find(|(about, side, _)| *side == turn && about == board);
        Ok(about.map_or(claim, |(.., lie)| lie(claim)))
    }

    fn has_dtz(&self) -> bool {
        true
    }
}

fn dtm(claim: TableValue, plies: Option<u16>) -> TableValue {
    TableValue { wdl: Wdl::of_dtm(plies), dtm: plies, ..claim }
}

/// An authority reports exactly these positions, and compares as many as are published.
fn check(check: Check, source: &dyn DtmSource, table: &str, lies: &[(&str, Lie)]) {
    let published = census::embedded().expect("published counts");
    let legal = published
        .iter()
        .filter(|row| row.table == table)
        .map(|row| row.raw.expect("published on 64 squares").legal);
    let men: positions::Men = table.parse().expect("a table");
    let authorities =
        Authorities { dtm_sources: vec![source], published: &published, ..Authorities::default() };
    let subject = Liar::about(lies);
    let job = Job {
        subject: &subject,
        men: &men,
        authorities: &authorities,
        seed: 1,
        quick: false,
        progress: &|_| (),
    };
    let findings = check.run(&job);
    let expected: BTreeSet<_> = lies.iter().map(|(position, _)| format!("{table}/{position}")).collect();
    let cases: BTreeSet<_> = findings.differences.iter().map(|difference| difference.case.clone()).collect();
    assert_eq!(cases, expected, "{check}");
    assert_eq!(findings.tally.differed, lies.len() as u64, "{check}");
    assert_eq!((findings.tally.compared(), findings.tally.skipped_total()), (legal.sum(), 0), "{check}");
    for difference in findings.differences {
        assert_eq!((&*difference.check, &*difference.source), (check.id(), check.id()));
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
            ("2Q5/8/8/8/7K/8/8/4k3 b - -", |claim| dtm(claim, Some(10))),
            ("8/2K5/Q7/8/8/8/8/4k3 w - -", |claim| dtm(claim, Some(13))),
            ("8/8/8/8/8/1KQ5/8/1k6 b - -", |claim| dtm(claim, Some(0))),
            ("8/8/8/8/8/1K6/1Q6/1k6 b - -", |claim| dtm(claim, None)),
            ("8/2K5/8/8/8/5k2/6Q1/8 b - -", |claim| dtm(claim, Some(2))),
            ("5Q2/8/7K/8/8/8/8/2k5 w - -", |claim| TableValue { wdl: Wdl::Draw, ..claim }),
        ],
    );
    check(named, source, "KPvK", &[("8/1P6/7k/8/4K3/8/8/8 w - -", |claim| dtm(claim, Some(11)))]);
}

#[test]
#[cfg(feature = "gaviota")]
fn gaviota_reports_each_lie_and_nothing_else() {
    check_all(&oracle::gaviota::Gaviota::open().expect("its tables"), Check::Gaviota);
}

#[test]
#[cfg(feature = "prophet")]
fn prophet_reports_each_lie_and_nothing_else() {
    check_all(&oracle::prophet::Prophet::open().expect("its tables"), Check::Prophet);
}
