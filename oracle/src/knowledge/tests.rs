//! Heuristics on whole tables: exact counts, and wrong promises.

use engine::tables::builders;
use shakmaty::Position;
use suites::census::PublishedCounts;

use super::heuristic::{Claimed, Heuristic, Kind};
use super::*;
use crate::run::NoProgress;
use crate::table_probe::{Board, Color, EngineTables, ProbeError, TableValue, Wdl};

fn production(tables: &[&str]) -> EngineTables {
    let materials: Vec<_> = tables.iter().map(|table| table.parse().unwrap()).collect();
    EngineTables::production(builders::dtm_set(&builders::Setwise, &materials).unwrap())
}

fn published() -> Vec<PublishedCounts> {
    suites::census::embedded().unwrap()
}

fn audited<T>(truth: &dyn TableProbe, run: impl FnOnce(&Audit) -> T) -> T {
    let published = published();
    let authorities = Authorities { published: &published, ..Authorities::default() };
    run(&Audit { truth, authorities: &authorities, progress: &NoProgress })
}

fn outcome(tables: &[&str]) -> Outcome<KnowledgeRow> {
    let men: Vec<Men> = tables.iter().map(|table| table.parse().unwrap()).collect();
    audited(&production(tables), |audit| run(audit, &men))
}

/// The result of heuristics that are not in the lists.
fn held(table_name: &str, heuristics: &[Heuristic]) -> (Findings, Vec<KnowledgeRow>) {
    audited(&production(&[table_name]), |audit| table(audit, &table_name.parse().unwrap(), heuristics))
}

fn sure(claimed: Claimed, says: fn(&mut heuristic::EvaluatedPosition) -> Option<bool>) -> Heuristic {
    Heuristic { name: "rule", tables: &[], kind: Kind::Says(claimed, says), yes_is_sure: true }
}

fn ranks(number: fn(&mut heuristic::EvaluatedPosition) -> Option<i32>) -> Heuristic {
    Heuristic { name: "number", tables: &[], kind: Kind::Ranks(number), yes_is_sure: false }
}

#[track_caller]
fn check_answers(outcome: &Outcome<KnowledgeRow>, heuristic: &str, table: &str, expected: [u64; 4]) {
    let found = outcome.rows.iter().find(|row| row.heuristic == heuristic && row.table == table).unwrap();
    let KnowledgeRow { true_positive, false_positive, true_negative, false_negative, .. } = *found;
    assert_eq!(
        [true_positive, false_positive, true_negative, false_negative],
        expected.map(Some),
        "{heuristic} in {table}"
    );
    assert_eq!(expected.iter().sum::<u64>(), found.positions, "{heuristic} in {table}");
}

/// The counts are true and false positives, true and false negatives.
#[test]
fn answers_are_counted_on_whole_tables() {
    let outcome = outcome(&["KvK", "KNvK", "KBvK", "KPvK"]);
    check_answers(&outcome, "rule of the square (printed)", "KPvK", [164_304, 10, 108_778, 58_260]);
    check_answers(&outcome, "rule of the square (by its comment)", "KPvK", [181_328, 29_952, 78_836, 41_236]);
    check_answers(&outcome, "rule of the square (completed)", "KPvK", [168_636, 0, 108_788, 53_928]);
    check_answers(&outcome, "key squares", "KPvK", [16_674, 514, 79_896, 151_030]);
    check_answers(&outcome, "rook pawn and corner", "KPvK", [5_014, 0, 54_860, 23_364]);
    for version in ["printed", "promised", "rules", "engine"] {
        let heuristic = format!("dead material ({version})");
        check_answers(&outcome, &heuristic, "KBvK", [417_228, 0, 0, 0]);
    }
    assert!(outcome.findings.iter().all(|findings| findings.tally.differed == 0));
}

/// The printed formula rewards the centre, so its correlation is negative. With the other sign it is
/// positive.
#[test]
fn the_lone_king_is_rewarded_for_the_centre() {
    let outcome = outcome(&["KRvK"]);
    let spearman = |heuristic: &str| {
        outcome.rows.iter().find(|row| row.heuristic == heuristic).unwrap().spearman.unwrap()
    };
    assert!(spearman("lone king (printed)").0 < -100 && spearman("lone king (meant)").0 > 500);
}

#[test]
fn positions_are_as_many_as_published() {
    for (name, positions) in [("KvK", 7_224), ("KPvK", 331_352)] {
        let yes = sure(Claimed::Draw, |_| Some(false));
        let (findings, rows) = held(name, &[yes]);
        assert_eq!((rows[0].positions, findings.tally.differed), (positions, 0), "{name}");
    }
}

/// A rule whose yes must never be wrong is reported with the first position where it is wrong. A rule without
/// this promise may be wrong.
#[test]
fn a_broken_promise_is_found() {
    let wrong = sure(Claimed::Win, |seen| Some(seen.white_to_move()));
    let idle = Heuristic { yes_is_sure: false, ..wrong };
    let (findings, _) = held("KPvK", &[wrong, idle, sure(Claimed::NoWin, |_| Some(false))]);
    assert_eq!((findings.tally.agreed, findings.tally.differed), (2, 1));
    let difference = &findings.differences[0];
    assert_eq!(difference.case, "KPvK/rule");
    assert_eq!(difference.stored.to_string(), "White wins");
    assert_eq!(difference.expected.to_string(), "white, to move: draw");
    assert!(difference.explanation.contains("38368 positions"), "{}", difference.explanation);
    let (findings, _) = held("KRvK", &[sure(Claimed::Draw, |seen| Some(!seen.white_to_move()))]);
    assert_eq!(findings.tally.differed, 1);
}

/// A textbook promises that two knights cannot win, but the table has wins.
#[test]
#[ignore = "nightly: builds and walks a table of four men"]
fn two_knights_win_in_some_positions() {
    let promised = dead::ALL.iter().find(|heuristic| heuristic.name == "dead material (promised)").unwrap();
    let (findings, rows) = held("KNNvK", &[Heuristic { yes_is_sure: true, ..*promised }]);
    assert_eq!((findings.tally.differed, rows[0].positions), (1, 3_145_616));
    assert_eq!((rows[0].false_positive, rows[0].false_negative), (Some(154 + 30), Some(0)));
}

/// The number of the move: 1 in every placement, 2 a step later.
fn moves(seen: &heuristic::EvaluatedPosition) -> i32 {
    u32::from(seen.position().fullmoves()).cast_signed()
}

/// A number that always rises along best play, one that never changes, and one that always falls.
#[test]
fn steps_are_counted_as_kept_or_fallen() {
    let heuristics = [ranks(|seen| Some(moves(seen))), ranks(|_| Some(7)), ranks(|seen| Some(-moves(seen)))];
    let (_, rows) = held("KQvK", &heuristics);
    let along = rows.iter().filter(|row| row.heuristic.ends_with(": steps"));
    let steps: Vec<_> = along.map(|row| [row.true_positive, row.false_negative]).collect();
    let all = steps[0][0];
    assert!(all > Some(100_000));
    assert_eq!(steps, [[all, Some(0)], [all, Some(0)], [Some(0), all]]);
    assert!(rows.iter().all(|row| row.spearman.is_none()));
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let wrong = sure(Claimed::Win, |seen| Some(!seen.white_to_move()));
            (outcome(&["KBvK"]), held("KPvK", &[wrong]))
        })
    };
    assert_eq!(with(1), with(4));
}

/// Tables without values for some positions.
struct Gaps(EngineTables);

impl TableProbe for Gaps {
    fn name(&self) -> &'static str {
        "gaps"
    }

    fn probe(&self, board: &Board, turn: Color) -> Result<TableValue, ProbeError> {
        let corner = board.piece_at(shakmaty::Square::A1).is_some();
        let value = self.0.probe(board, turn);
        if corner { Err(ProbeError("gone".into())) } else { value }
    }

    fn has_dtz(&self) -> bool {
        false
    }
}

#[test]
fn missing_true_values_are_reported() {
    let men = ["KvK".parse().unwrap()];
    let outcome = audited(&Gaps(production(&["KvK"])), |audit| run(audit, &men));
    assert_eq!(outcome.findings[0].tally.differed, 1);
    assert!(outcome.findings[0].differences[0].stored.to_string().contains("unknown"));
}

/// Tables are certified before they are used as the truth.
#[test]
fn tables_are_certified() {
    let published = published();
    let authorities = Authorities { published: &published, ..Authorities::default() };
    let materials = materials_of(&["KRvK".parse().unwrap()]);
    let certified = certify(&materials, &authorities, &NoProgress).unwrap();
    assert!(certified.tables.is_some());
    let compared: u64 = certified.findings.iter().map(|findings| findings.tally.compared()).sum();
    assert_eq!(compared, 462 + 462 + 21_959 + 28_056);
    let truth = certified.tables.unwrap();
    let value = |fen: &str| {
        let setup = crate::board::setup(fen).unwrap();
        truth.probe(&setup.board, setup.turn).unwrap()
    };
    assert_eq!(value("8/8/8/8/8/1K6/2R5/1k6 b - - 0 1").wdl, Wdl::Loss);
}

/// Each listed table has a heuristic, and each heuristic has listed tables only.
#[test]
fn every_table_has_heuristics() {
    let named: Vec<&str> = THREE_MEN.into_iter().chain(FOUR_MEN).collect();
    for name in &named {
        assert!(!heuristics(name).is_empty(), "{name}");
        let mut names: Vec<&str> = heuristics(name).iter().map(|heuristic| heuristic.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), heuristics(name).len(), "{name}");
    }
    let families = [square::ALL, lone_king::ALL, dead::ALL, keys::ALL, scale::ALL, evaluator::ALL];
    for heuristic in families.concat() {
        assert!(heuristic.tables.iter().all(|table| named.contains(table)), "{}", heuristic.name);
    }
}
