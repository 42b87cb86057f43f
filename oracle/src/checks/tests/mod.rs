//! Tables that are wrong on purpose, one thing at a time, and what each check says of them.

mod absent;
mod agreement;

mod certificate;
mod coverage;
mod proof;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use engine::tables::builders;
use shakmaty::{Board, Chess, Color};
use suites::Findings;
use suites::census::{self, PublishedCounts};

use super::{Check, TableJob};
use crate::authorities::Authorities;
use crate::positions::{Men, Placement, Scope};
use crate::table_probe::{Dtm, Dtz, EngineTables, ProbeError, TableProbe, TableValue, Wdl};

type Answer = Result<TableValue, ProbeError>;

static PRODUCTION: LazyLock<EngineTables> = LazyLock::new(|| {
    let materials = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().unwrap());
    EngineTables::production(builders::production(&materials).unwrap())
});
static PUBLISHED: LazyLock<Vec<PublishedCounts>> = LazyLock::new(|| census::embedded().unwrap());

/// The production tables, each answer passed through a fault.
struct FaultyTable<F> {
    inner: &'static dyn TableProbe,
    fault: F,
}

fn faulty<F: Fn(&Board, Color, Answer) -> Answer + Sync>(fault: F) -> FaultyTable<F> {
    FaultyTable { inner: &*PRODUCTION, fault }
}

impl<F: Fn(&Board, Color, Answer) -> Answer + Sync> TableProbe for FaultyTable<F> {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn probe(&self, board: &Board, turn: Color) -> Answer {
        (self.fault)(board, turn, self.inner.probe(board, turn))
    }

    fn has_dtz(&self) -> bool {
        self.inner.has_dtz()
    }
}

/// What is said in place of an answer.
#[derive(Debug, Clone, Copy)]
enum TableFault {
    /// This distance to mate in plies, and the result that belongs to it.
    Plies(Option<u16>),
    /// Another result, with the true distance.
    Wdl(Wdl),
    /// Another distance to zeroing in plies, with its sign.
    Zeroing(i16),
    /// Nothing.
    Refuse,
}

impl TableFault {
    fn of(self, answer: Answer) -> Answer {
        match self {
            Self::Plies(plies) => {
                let dtz = answer.ok().and_then(|value| value.dtz);
                Ok(TableValue { dtz, ..TableValue::of_dtm(plies.map(Dtm::from_plies)) })
            }
            Self::Wdl(wdl) => answer.map(|value| TableValue { wdl, ..value }),
            Self::Zeroing(plies) => {
                answer.map(|value| TableValue { dtz: Some(Dtz::from_plies(plies)), ..value })
            }
            Self::Refuse => Err(ProbeError("forgotten".to_owned())),
        }
    }
}

/// A faulty about single positions.
fn faulty_at(faults: &[(&str, TableFault)]) -> FaultyTable<impl Fn(&Board, Color, Answer) -> Answer + Sync> {
    let faults: Vec<_> = faults.iter().map(|&(position, fault)| (placement(position), fault)).collect();
    faulty(move |board, turn, answer| {
        match faults.iter().find(|((about, side), _)| side == &turn && about == board) {
            Some((_, fault)) => fault.of(answer),
            None => answer,
        }
    })
}

/// The board and the side to move of the first fields of a FEN, legal or not.
fn placement(fen: &str) -> (Board, Color) {
    let setup = crate::board::setup(fen).unwrap();
    (setup.board, setup.turn)
}

fn men(table: &str) -> Men {
    table.parse().unwrap()
}

/// What a check says of a subject, with all authorities that these tests have.
fn run(check: Check, subject: &dyn TableProbe, table: &str) -> Findings {
    let authorities =
        Authorities { published: &PUBLISHED, truth: Some(&*PRODUCTION), ..Authorities::default() };
    run_with(check, subject, table, &authorities)
}

fn run_with(check: Check, subject: &dyn TableProbe, table: &str, authorities: &Authorities) -> Findings {
    let men = men(table);
    let findings =
        check.run(&TableJob { subject, men: &men, authorities, seed: 1, quick: false, progress: &|_| () });
    assert_eq!(findings.tally.differed, findings.differences.len() as u64);
    for difference in &findings.differences {
        assert_eq!((&*difference.subject, &*difference.check), (subject.name(), check.id()));
        assert_ne!(difference.stored, difference.expected, "{difference:#?}");
        let said = [&*difference.source, &*difference.explanation, &*difference.replay];
        assert!(said.iter().all(|text| !text.is_empty()), "{difference:#?}");
        assert!(difference.case.starts_with(&format!("{table}/")), "{difference:#?}");
        assert!(difference.fen.is_empty() || difference.replay.contains(&difference.fen));
    }
    findings
}

/// How many positions of a table the published counts say there are, both sides to move.
fn published(table: &str, scope: Scope) -> u64 {
    let rows = PUBLISHED.iter().filter(|row| row.table == table);
    rows.map(|row| match scope {
        Scope::Raw => row.raw.unwrap().legal,
        Scope::Unique => row.unique.legal,
    })
    .sum()
}

/// What the cases of a check are.
fn scope(check: Check) -> Scope {
    if check == Check::Symmetry { Scope::Unique } else { Scope::Raw }
}

/// The cases that differ.
fn cases(findings: &Findings) -> BTreeSet<String> {
    let cases: BTreeSet<_> = findings.differences.iter().map(|difference| difference.case.clone()).collect();
    assert_eq!(cases.len(), findings.differences.len(), "a case is reported twice");
    cases
}

/// The cases that positions are.
fn cases_of(table: &str, positions: impl IntoIterator<Item = impl AsRef<str>>) -> BTreeSet<String> {
    positions.into_iter().map(|position| format!("{table}/{}", position.as_ref())).collect()
}

/// A check reports exactly these positions of a faulty about single ones, and agrees to all others.
#[track_caller]
fn check(check: Check, table: &str, faults: &[(&str, TableFault)], expected: &[&str]) {
    check_subject(check, &faulty_at(faults), table, &cases_of(table, expected));
}

#[track_caller]
fn check_subject(check: Check, subject: &dyn TableProbe, table: &str, expected: &BTreeSet<String>) {
    let findings = run(check, subject, table);
    assert_eq!(&cases(&findings), expected, "{check}");
    assert_eq!(findings.tally.total(), published(table, scope(check)), "{check}");
    assert_eq!(findings.tally.skipped_total(), 0, "{check}");
}

/// Every legal position of a table, found number by number.
fn legal(table: &str) -> Vec<(Placement, Chess)> {
    let men = men(table);
    let numbers = (0..men.numbers()).flat_map(|number| Color::ALL.map(|turn| (number, turn)));
    numbers
        .filter_map(|(number, turn)| {
            let placement = Placement::numbered(&men, number, turn)?;
            let position = placement.legal.clone()?;
            Some((placement, position))
        })
        .collect()
}

/// A placement as the tests name it: the fields of its FEN but for the counters.
fn name(placement: &Placement) -> String {
    placement.fen().strip_suffix(" 0 1").unwrap().to_owned()
}

#[test]
fn an_honest_table_is_never_reported() {
    for table in ["KvK", "KBvK", "KNvK", "KPvK", "KQvK", "KRvK"] {
        for check in [Check::Legality, Check::Certificate, Check::Terminal, Check::Symmetry, Check::Truth] {
            let findings = run(check, &faulty(|_, _, answer| answer), table);
            assert_eq!(findings.differences, [], "{check} {table}");
            assert_eq!(findings.tally.skipped_total(), 0, "{check} {table}");
            if !["KBvK", "KNvK"].contains(&table) {
                assert_eq!(findings.tally.agreed, published(table, scope(check)), "{check} {table}");
            }
        }
        let census = run(Check::Census, &faulty(|_, _, answer| answer), table);
        assert_eq!((census.differences, census.tally.skipped.len()), (Vec::new(), 0), "{table}");
        assert!(census.tally.agreed >= 8);
    }
}
