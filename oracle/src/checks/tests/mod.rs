//! Tables with deliberate faults, and the reports of each check.

mod absent;
mod agreement;
mod coverage;
mod entries;
mod four_men;
mod proof;
mod together;
mod unmove;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use engine::tables::builders;
use shakmaty::{Board, Chess, Color};
use suites::census::{self, PublishedCounts};
use suites::{Findings, Verdict};

use super::{Check, TableJob, certificate, dtm, symmetry, terminal};
use crate::authorities::Authorities;
use crate::positions::{Men, Placement, Scope};
use crate::table_probe::{Dtm, Dtz, EngineTables, ProbeError, TableProbe, TableValue, Wdl};

type Answer = Result<TableValue, ProbeError>;

static PRODUCTION: LazyLock<EngineTables> = LazyLock::new(|| {
    let materials = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().unwrap());
    EngineTables::production(builders::production(&materials).unwrap())
});
static PUBLISHED: LazyLock<Vec<PublishedCounts>> = LazyLock::new(|| census::embedded().unwrap());

/// The production tables with changed values.
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

/// A wrong entry.
#[derive(Debug, Clone, Copy)]
enum TableFault {
    /// This distance to mate in plies, and the result that belongs to it.
    Plies(Option<u16>),
    /// Another result, with the true distance.
    Wdl(Wdl),
    /// Another distance to zeroing in plies, with its sign.
    Zeroing(i16),
    /// No value.
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
            Self::Refuse => Err(ProbeError("forgotten".into())),
        }
    }
}

/// The production tables with wrong entries for single positions.
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

/// The findings of a check, with all authorities of these tests.
fn run(check: Check, subject: &dyn TableProbe, table: &str) -> Findings {
    let authorities =
        Authorities { published: &PUBLISHED, truth: Some(&*PRODUCTION), ..Authorities::default() };
    run_with(check, subject, table, &authorities)
}

fn run_with(check: Check, subject: &dyn TableProbe, table: &str, authorities: &Authorities) -> Findings {
    let men = men(table);
    let findings = check.run(&TableJob::new(subject, &men, authorities));
    assert_eq!(findings.tally.differed, findings.differences.len() as u64);
    for difference in &findings.differences {
        assert_eq!((&*difference.subject, &*difference.check), (subject.name(), check.name()));
        assert_ne!(difference.stored, difference.expected, "{difference:#?}");
        let said = [&*difference.source, &*difference.explanation, &*difference.replay];
        assert!(said.iter().all(|text| !text.is_empty()), "{difference:#?}");
        assert!(difference.case.starts_with(&format!("{table}/")), "{difference:#?}");
        assert!(difference.fen.is_empty() || difference.replay.contains(&difference.fen));
    }
    findings
}

/// The published number of positions of a table, for both sides to move together.
fn published(table: &str, scope: Scope) -> u64 {
    let rows = PUBLISHED.iter().filter(|row| row.table == table);
    rows.map(|row| match scope {
        Scope::Raw => row.raw.unwrap().legal,
        Scope::Unique => row.unique.legal,
    })
    .sum()
}

/// The positions that are cases of a check.
fn scope(check: Check) -> Scope {
    if check == Check::Symmetry { Scope::Unique } else { Scope::Raw }
}

/// The cases that differ.
fn cases(findings: &Findings) -> BTreeSet<String> {
    let cases: BTreeSet<_> = findings.differences.iter().map(|difference| difference.case.clone()).collect();
    assert_eq!(cases.len(), findings.differences.len(), "a case is reported twice");
    cases
}

/// The cases of positions.
fn cases_of(table: &str, positions: impl IntoIterator<Item = impl AsRef<str>>) -> BTreeSet<String> {
    positions.into_iter().map(|position| format!("{table}/{}", position.as_ref())).collect()
}

/// How much of a table a test checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Walk {
    /// All of it, as a run does.
    Whole,
    /// The positions that should differ, and a seeded sample of others.
    Sample,
}

/// Positions in a sample.
const SAMPLE: usize = 1_500;

/// The check reports exactly these positions of a table with single faults.
#[track_caller]
fn check(walk: Walk, check: Check, table: &str, faults: &[(&str, TableFault)], expected: &[&str]) {
    check_subject(walk, check, &faulty_at(faults), table, &cases_of(table, expected));
}

#[track_caller]
fn check_subject(
    walk: Walk,
    check: Check,
    subject: &dyn TableProbe,
    table: &str,
    expected: &BTreeSet<String>,
) {
    if walk == Walk::Sample {
        return check_sample(check, subject, table, expected);
    }
    let findings = run(check, subject, table);
    assert_eq!(&cases(&findings), expected, "{check}");
    assert_eq!(findings.tally.total(), published(table, scope(check)), "{check}");
    assert_eq!(findings.tally.skipped_total(), 0, "{check}");
}

/// The same on a sample: some of the positions that should differ, and others.
#[track_caller]
fn check_sample(check: Check, subject: &dyn TableProbe, table: &str, expected: &BTreeSet<String>) {
    let men = men(table);
    let authorities =
        Authorities { published: &PUBLISHED, truth: Some(&*PRODUCTION), ..Authorities::default() };
    let job = TableJob::new(subject, &men, &authorities);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let drawn = (0..SAMPLE).map(|_| {
        let bits = rng.next_u64();
        (bits % men.numbers(), bits >> 63 == 0)
    });
    let differing = expected.iter().step_by(expected.len() / SAMPLE + 1).map(|case| {
        let (board, turn) = placement(case.split_once('/').unwrap().1);
        (men.number_of(&board), turn.is_white())
    });
    let mut judged = 0;
    for (number, white) in drawn.chain(differing).collect::<BTreeSet<_>>() {
        let Some(placement) = Placement::numbered(&men, number, Color::from_white(white)) else { continue };
        let Some(position) = &placement.legal else { continue };
        if scope(check) == Scope::Unique && !placement.is_representative() {
            continue;
        }
        let judge = match check {
            Check::Certificate => certificate::judge,
            Check::Terminal => terminal::judge,
            Check::Symmetry => symmetry::judge,
            Check::Truth => dtm::judge_truth,
            other => panic!("{other} has no sample"),
        };
        let verdict = job.judge(check, &placement, position, &judge);
        let case = format!("{table}/{}", name(&placement));
        let differs = matches!(verdict, Verdict::Differ(_));
        assert_eq!(differs, expected.contains(&case), "{check} {case}: {verdict:?}");
        judged += 1;
    }
    assert!(judged > SAMPLE / 16, "{judged} positions");
}

/// Every legal position of a table.
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

/// The name of a placement in tests: its FEN without the counters.
fn name(placement: &Placement) -> String {
    placement.fen().strip_suffix(" 0 1").unwrap().to_owned()
}

#[test]
fn a_correct_table_is_never_reported() {
    for check in [Check::Certificate, Check::Terminal, Check::Symmetry, Check::Truth] {
        check_subject(Walk::Whole, check, &*PRODUCTION, "KvK", &BTreeSet::new());
        for table in ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"] {
            check_subject(Walk::Sample, check, &*PRODUCTION, table, &BTreeSet::new());
        }
    }
    assert_eq!(run(Check::Legality, &*PRODUCTION, "KPvK").differences, []);
    assert_eq!(run(Check::Census, &*PRODUCTION, "KPvK").differences, []);
}

#[test]
#[ignore = "nightly: walks whole tables"]
fn a_correct_table_is_never_reported_on_whole_tables() {
    for table in ["KvK", "KBvK", "KNvK", "KPvK", "KQvK", "KRvK"] {
        for check in [Check::Legality, Check::Certificate, Check::Terminal, Check::Symmetry, Check::Truth] {
            let findings = run(check, &*PRODUCTION, table);
            assert_eq!(findings.differences, [], "{check} {table}");
            assert_eq!(findings.tally.skipped_total(), 0, "{check} {table}");
            if !["KBvK", "KNvK"].contains(&table) {
                assert_eq!(findings.tally.agreed, published(table, scope(check)), "{check} {table}");
            }
        }
        let census = run(Check::Census, &*PRODUCTION, table);
        assert_eq!((census.differences, census.tally.skipped.len()), (Vec::new(), 0), "{table}");
        assert!(census.tally.agreed >= 8);
    }
}
