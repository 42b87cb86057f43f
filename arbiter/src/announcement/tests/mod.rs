//! A search that announces what the table says, and searches and players with one fault each.

mod faulty;
mod table_search;

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex};
use suites::Replay;

use engine::Ply;
use engine::search_api::{
    Bound as EngineBound, Control, Limits, SearchInfo, SearchResult, Searcher, Setting, Settings,
};
use engine::tables::{Dtm, TableSet, builders};
use engine::{Game, Position as EnginePosition, Score as EngineScore};
use oracle::board::{fen as fen_of, setup, uci_moves};
use oracle::positions;
use oracle::table_probe::{Board, Color, EngineTables, ProbeError, TableValue};
use shakmaty::{Role, Square};
use suites::census::{self, PublishedCounts};

use super::*;
use crate::player::InProcess;
use crate::test_tables::QUEEN_AGAINST_ROOK;
use faulty::announcer;
use table_search::{faultless, table_search};

static PUBLISHED: LazyLock<Vec<PublishedCounts>> = LazyLock::new(|| census::embedded().unwrap());

static PRODUCTION: LazyLock<EngineTables> = LazyLock::new(|| EngineTables::production((**TABLES).clone()));

static TABLES: LazyLock<Arc<TableSet>> = LazyLock::new(|| {
    let materials = ["KPvK", "KQvK", "KRvK"].map(|name| name.parse().unwrap());
    Arc::new(builders::production(&materials).unwrap())
});

fn men(table: &str) -> Men {
    table.parse().unwrap()
}

/// The board and the side to move of the first fields of a FEN, legal or not.
fn placement(fen: &str) -> (Board, Color) {
    let setup = setup(fen).unwrap();
    (setup.board, setup.turn)
}

fn certified() -> Authorities<'static> {
    Authorities { published: &PUBLISHED, truth: Some(&*PRODUCTION), ..Authorities::default() }
}

/// The findings on a table, of which each symmetry class has one case.
fn run_quick(player: &dyn PlayerFactory, table: &str) -> Findings {
    run_with(player, table, true, &certified())
}

/// The findings on a table, of which each symmetry class has two cases.
fn run(player: &dyn PlayerFactory, table: &str) -> Findings {
    run_with(player, table, false, &certified())
}

fn run_with(player: &dyn PlayerFactory, table: &str, quick: bool, authorities: &Authorities) -> Findings {
    let men = men(table);
    let findings =
        super::run(&Job { player, men: &men, authorities, seed: 1, sample: None, quick, progress: &|_| () });
    assert_eq!(findings.tally.differed, findings.differences.len() as u64);
    for difference in &findings.differences {
        assert_eq!((&*difference.subject, &*difference.check), (player.name(), CHECK));
        assert_ne!(difference.stored, difference.expected, "{difference:#?}");
        let texts = [&*difference.source, &*difference.explanation, &*difference.replay];
        assert!(texts.iter().all(|text| !text.is_empty()), "{difference:#?}");
        assert!(difference.case.starts_with(&format!("{table}/")), "{difference:#?}");
        assert!(difference.fen.is_empty() || difference.replay.contains(&difference.fen));
    }
    findings
}

/// The cases that differ.
fn differing(findings: &Findings) -> BTreeSet<String> {
    let cases: BTreeSet<_> = findings.differences.iter().map(|difference| difference.case.clone()).collect();
    assert_eq!(cases.len(), findings.differences.len(), "a case is reported twice");
    cases
}

/// The ids of the cases of positions.
fn cases_of(table: &str, positions: impl IntoIterator<Item = impl AsRef<str>>) -> BTreeSet<String> {
    positions.into_iter().map(|position| format!("{table}/{}", position.as_ref())).collect()
}

/// The production table with this position as a draw.
struct Without {
    board: Board,
    turn: Color,
}

impl Without {
    fn of(position: &str) -> Self {
        let (board, turn) = placement(position);
        Self { board, turn }
    }
}

impl TableProbe for Without {
    fn name(&self) -> &'static str {
        "without"
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        let value = PRODUCTION.probe(board, turn)?;
        let dtm = value.dtm.filter(|_| (board, turn) != (&self.board, self.turn));
        Ok(TableValue { dtm, wdl: oracle::table_probe::wdl_of(dtm), ..value })
    }

    fn has_dtz(&self) -> bool {
        false
    }
}

/// Cases by published counts: two of each class of won and lost positions.
fn decided(table: &str) -> u64 {
    let rows = PUBLISHED.iter().filter(|row| row.table == table);
    rows.map(|row| 2 * (row.unique.wins + row.unique.losses)).sum()
}

#[test]
fn a_search_by_the_table_has_no_finding() {
    let findings = run_quick(&faultless(), "KQvK");
    assert_eq!(findings.differences, []);
    let cases = decided("KQvK") / 2;
    assert_eq!((findings.tally.agreed, findings.tally.total()), (cases, cases));
}

#[test]
#[ignore = "nightly: all cases of three tables"]
fn a_search_by_the_table_has_no_finding_in_any_table() {
    for table in ["KPvK", "KQvK", "KRvK"] {
        let findings = run(&faultless(), table);
        assert_eq!(findings.differences, [], "{table}");
        assert_eq!((findings.tally.agreed, findings.tally.total()), (decided(table), decided(table)));
    }
}

#[test]
fn the_check_applies_to_players_with_tables_and_to_tables_with_mates() {
    let without_tables = InProcess::named("micromax").unwrap();
    for table in ["KPvK", "KQvK", "KRvK"] {
        assert!(applies(&faultless(), &men(table)) && !applies(&without_tables, &men(table)), "{table}");
    }
    for table in ["KvK", "KBvK", "KNvK", "KBNvK"] {
        assert!(!applies(&faultless(), &men(table)), "{table}");
    }
}

/// Lines of other ranks and earlier reports do not count.
#[test]
fn the_last_report_on_the_best_line_counts() {
    let player = table_search(|_, searched| {
        let mut second = searched.reports[0].clone();
        (second.rank, second.score, second.line) = (2, EngineScore::DRAW, Vec::new());
        let mut first = second.clone();
        (first.rank, first.bound) = (1, EngineBound::Upper);
        searched.reports = vec![first, searched.reports[0].clone(), second];
    });
    assert_eq!(run_quick(&player, "KRvK").differences, []);
}

#[test]
fn a_search_that_panics_is_reported_each_time() {
    let player = table_search(|asked, _| assert!(asked != 7, "a search that panics"));
    let findings = run_quick(&player, "KQvK");
    assert!(findings.tally.differed > 10, "{}", findings.tally.differed);
    for found in findings.differences {
        assert!(found.stored.to_string().starts_with("no answer: defect: "), "{found:#?}");
        assert!(found.explanation.ends_with(NOT_AGAIN));
    }
}

#[test]
fn draws_are_no_cases() {
    let player = announcer(|_, reply| {
        assert!(matches!(reply.lines[0].score, Score::Mate(_)), "{reply:?} is drawn");
    });
    let findings = run_quick(&player, "KPvK");
    assert_eq!((findings.tally.agreed, findings.differences.len()), (decided("KPvK") / 2, 0));
    assert_eq!(decided("KPvK"), 2 * (62_480 + 48_802));
}

/// Each part of the placements starts with a new game.
#[test]
fn the_number_of_threads_does_not_change_the_findings() {
    let player = table_search(|asked, searched| {
        if asked == 99 {
            searched.answer.best = None;
        }
    });
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run_quick(&player, "KQvK"))
    };
    let [alone, together] = [1, 4].map(with);
    assert!(alone.tally.differed > 10, "{}", alone.tally.differed);
    assert!(alone == together);
    for difference in alone.differences {
        assert!(difference.explanation.ends_with(NOT_AGAIN));
    }
}

/// The positions of KQvK that are asked.
fn asked(seed: u64, quick: bool) -> BTreeSet<String> {
    static ASKED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap();
    let player = announcer(|position, _| {
        ASKED.lock().unwrap().insert(fen_of(position));
    });
    let (authorities, men, progress) = (certified(), men("KQvK"), &|_| ());
    let job =
        Job { player: &player, men: &men, authorities: &authorities, seed, sample: None, quick, progress };
    let findings = super::run(&job);
    let asked = std::mem::take(&mut *ASKED.lock().unwrap());
    assert_eq!((findings.tally.agreed, findings.tally.total()), (asked.len() as u64, asked.len() as u64));
    asked
}

/// The number of FENs with a letter.
fn with_letter(asked: &BTreeSet<String>, letter: char) -> usize {
    asked.iter().filter(|fen| fen.contains(letter)).count()
}

#[test]
fn a_quick_run_asks_for_both_colours() {
    let quick = asked(1, true);
    assert_eq!(quick.len() as u64, decided("KQvK") / 2);
    assert!((quick.len() * 2 / 5..quick.len() * 3 / 5).contains(&with_letter(&quick, 'q')));
}

/// Each class has one image for each side as the stronger one, which depends on the seed alone. A quick run
/// has one of them.
#[test]
#[ignore = "nightly: all cases of KQvK with three seeds"]
fn the_images_depend_on_the_seed_alone() {
    let [one, again, two] = [1, 1, 2].map(|seed| asked(seed, false));
    assert_eq!((one.len() as u64, &one), (decided("KQvK"), &again));
    let same = one.intersection(&two).count();
    assert!((one.len() / 16..one.len() / 4).contains(&same), "{same} of {}", one.len());
    assert_eq!(['Q', 'q'].map(|queen| with_letter(&one, queen)), [one.len() / 2; 2]);
    // The queen is about equally often on each square.
    for square in Square::ALL {
        let there = one.iter().filter(|fen| {
            let (board, _) = placement(fen);
            board.by_role(Role::Queen).contains(square)
        });
        let share = one.len() / 64;
        assert!((share / 2..2 * share).contains(&there.count()), "{square}");
    }
    let quick = asked(1, true);
    assert!(quick.len() == one.len() / 2 && quick.is_subset(&one));
}

#[test]
fn without_a_certified_table_nothing_is_compared() {
    let authorities = Authorities { published: &PUBLISHED, ..Authorities::default() };
    let findings = run_with(&faultless(), "KRvK", false, &authorities);
    assert_eq!((findings.tally.compared(), findings.tally.skipped_total()), (0, decided("KRvK")));
    assert!(findings.tally.skipped.contains_key(&suites::SkipReason::NotCertified));
}

/// A certified table without some wins, or published counts with more, give another number of cases.
#[test]
fn the_number_of_cases_is_compared_with_published_counts() {
    let check = |published: &[PublishedCounts], truth: &dyn TableProbe, expected: &[&str]| {
        let authorities = Authorities { published, truth: Some(truth), ..Authorities::default() };
        let findings = run_with(&faultless(), "KQvK", true, &authorities);
        assert_eq!(differing(&findings), cases_of("KQvK", expected));
    };
    let mut more = PUBLISHED.clone();
    more.iter_mut().find(|row| row.table == "KQvK").unwrap().unique.wins += 1;
    check(&more, &*PRODUCTION, &["coverage of won and lost positions"]);
    let forgetful = Without::of("R7/8/8/4k3/8/8/2K5/8 w - -");
    check(&PUBLISHED, &forgetful, &[]);
    let forgetful = Without::of("Q7/8/8/3k4/8/8/8/1K6 b - -");
    check(&PUBLISHED, &forgetful, &["coverage of won and lost positions"]);
    check(&[], &*PRODUCTION, &[]);
}

/// The findings on a sample of a table of four men, which the player reads by its option `TablePath`.
fn run_four_men(player: InProcess, table: &str) -> Findings {
    let tables = builders::dtm_set(&builders::Setwise, &[table.parse().unwrap()]).unwrap();
    run_on(player, table, tables)
}

fn run_on(player: InProcess, table: &str, tables: TableSet) -> Findings {
    let men = men(table);
    let truth = EngineTables::production(tables.clone());
    let authorities = Authorities { published: &PUBLISHED, truth: Some(&truth), ..Authorities::default() };
    assert!(!applies(&player, &men));
    let player = player.with_tables(tables);
    assert!(applies(&player, &men));
    let sample = Some(300);
    let progress: &(dyn Fn(u64) + Sync) = &|_| ();
    super::run(&Job {
        player: &player,
        men: &men,
        authorities: &authorities,
        seed: 1,
        sample,
        quick: true,
        progress,
    })
}

#[test]
fn a_sample_of_four_men_agrees() {
    sample_agrees("KQvKR", &run_on(InProcess::engine(), "KQvKR", QUEEN_AGAINST_ROOK.clone()));
}

#[test]
#[ignore = "nightly: a table without pawns is tested by default"]
fn a_sample_of_four_men_with_a_pawn_agrees() {
    sample_agrees("KRvKP", &run_four_men(InProcess::engine(), "KRvKP"));
}

fn sample_agrees(table: &str, findings: &Findings) {
    let tally = &findings.tally;
    assert_eq!(findings.differences, [], "{table}");
    assert!((250..350).contains(&tally.agreed), "{table}: {}", tally.agreed);
    assert_eq!(tally.agreed + tally.skipped[&SkipReason::LeftOut], decided(table) / 2, "{table}");
}

/// The table has nine classes of won and lost positions.
#[test]
fn all_is_asked_where_there_is_less_than_a_sample() {
    let findings = run_four_men(InProcess::engine(), "KBvKN");
    assert_eq!(findings.differences, []);
    assert_eq!((findings.tally.agreed, findings.tally.skipped.len()), (9, 0));
    assert_eq!(decided("KBvKN"), 18);
}

#[test]
fn a_misprint_is_found_in_a_sample_of_four_men() {
    let player = InProcess::named("misprint-long-wins").unwrap();
    let findings = run_on(player, "KQvKR", QUEEN_AGAINST_ROOK.clone());
    assert!(findings.tally.differed > 50, "{}", findings.tally.differed);
    assert!(findings.differences.iter().all(|found| found.replay.contains("misprint-long-wins")));
}
