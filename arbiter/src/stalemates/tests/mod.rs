//! The proofs of the suite; our engine has no finding, and the specimens have those that are known.

mod faulty;
mod faulty_once;

use std::collections::BTreeSet;

use rayon::prelude::*;
use shakmaty::{Color, Position, Role};
use suites::Difference;

use super::classes::{belongs, pins};
use super::plain::Stalemate;
use super::*;
use crate::NoProgress;
use crate::player::{InProcess, PlayerFactory};
use oracle::authorities::Authorities;
use oracle::board::after;
use oracle::knowledge;
use oracle::positions::{Men, Placement};
use oracle::table_probe::{TableProbe, Wdl};

fn cases() -> Vec<StalemateCase> {
    suites::stalemates::embedded().unwrap()
}

fn put_to(
    players: &dyn PlayerFactory,
    cases: &[StalemateCase],
    effort: Effort,
) -> SuiteOutcome<StalemateSubjectRow> {
    let authorities = &Authorities::default();
    let context = SuiteContext { players, authorities, effort, seed: 1, limit: None, progress: &NoProgress };
    run(&context, cases).unwrap()
}

/// The legal placements of a table of three men.
fn three_men(table: &str, turn: Color) -> Vec<Placement> {
    let men: Men = table.parse().unwrap();
    let placements = (0..men.numbers()).filter_map(|number| Placement::numbered(&men, number, turn));
    placements.filter(|placement| placement.legal.is_some()).collect()
}

#[test]
fn every_answer_is_proved_again_and_every_position_shows_its_class() {
    let truth = knowledge::three_men().unwrap();
    cases().par_iter().for_each(|stated| {
        let case = StalematePosition::read(stated).unwrap();
        let id = &case.id;
        let answer = proof::answer(&case.position, truth).unwrap_or_else(|| panic!("{id}: no proof"));
        assert_eq!((answer.worth, answer.due), (stated.worth, stated.due), "{id}");
        assert_eq!(answer.moves(&case.position), stated.moves, "{id}");
        assert!(belongs(case.class, &case.position, &answer), "{id}");
    });
}

#[test]
fn the_suite_has_all_stalemates_of_king_and_pawn() {
    let cases = cases();
    let there: BTreeSet<&str> = cases.iter().map(|case| case.fen.as_str()).collect();
    for turn in [Color::White, Color::Black] {
        for placement in three_men("KPvK", turn) {
            let stalemate = placement.legal.as_ref().unwrap().is_stalemate();
            if stalemate && placement.is_representative() {
                assert!(there.contains(placement.fen().as_str()), "{}", placement.fen());
            }
        }
    }
}

/// In 16 positions of king and pawn the promotion to a queen draws and the one to a rook wins.
#[test]
fn the_suite_has_all_sixteen_promotion_traps() {
    let truth = knowledge::three_men().unwrap();
    let cases = cases();
    let mut traps = 0;
    for placement in three_men("KPvK", Color::White) {
        let position = placement.legal.as_ref().unwrap();
        let result = |role| {
            let promotion = position.legal_moves().into_iter().find(|mv| mv.promotion() == Some(role))?;
            let after = after(position, promotion);
            Some(truth.probe(after.board(), after.turn()).unwrap().wdl)
        };
        if result(Role::Queen) == Some(Wdl::Draw) && result(Role::Rook) == Some(Wdl::Loss) {
            traps += 1;
            let fen = placement.fen();
            assert!(
                cases.iter().any(|case| case.class == StalemateClass::Promotion && case.fen == fen),
                "{fen}"
            );
        }
    }
    assert_eq!(traps, 16);
}

#[test]
fn each_possible_pin_of_the_last_movable_man_is_in_the_suite() {
    let cases = cases();
    let pinned = cases.iter().filter(|case| case.class == StalemateClass::LastMovePinned);
    let stalemates =
        pinned.map(|case| StalematePosition::read(case).unwrap()).filter(StalematePosition::is_stalemate);
    let seen: BTreeSet<(Role, Role)> = stalemates.flat_map(|case| pins(&case.position)).collect();
    // A queen can always take the man that pins it; a rook can be pinned by a bishop or queen, a bishop by a
    // rook or queen.
    for (by, pinned) in [
        (Role::Queen, Role::Bishop),
        (Role::Queen, Role::Knight),
        (Role::Queen, Role::Rook),
        (Role::Queen, Role::Pawn),
        (Role::Rook, Role::Bishop),
        (Role::Rook, Role::Knight),
        (Role::Rook, Role::Pawn),
        (Role::Bishop, Role::Knight),
        (Role::Bishop, Role::Rook),
        (Role::Bishop, Role::Pawn),
    ] {
        assert!(seen.contains(&(by, pinned)), "{by:?} pins {pinned:?}");
    }
}

/// A full search to the depth at which an answer is due is right. If it scores stalemate as mate it is wrong,
/// except in positions near stalemate.
#[test]
fn a_full_search_is_right_where_an_answer_is_due_unless_it_scores_stalemate_as_mate() {
    let wrong: Vec<(StalemateClass, bool)> = cases()
        .par_iter()
        .map(|stated| {
            let case = StalematePosition::read(stated).unwrap();
            let reply = |stalemate| Ok(plain::answer(&case.position, case.due, stalemate));
            let faults = judge::faults(&case, case.due, &reply(Stalemate::Draw));
            assert!(faults.is_empty(), "{}: {faults:?}", case.id);
            (case.class, !judge::faults(&case, case.due, &reply(Stalemate::Mate)).is_empty())
        })
        .collect();
    for class in StalemateClass::ALL {
        let of_class: Vec<bool> =
            wrong.iter().filter(|(its, _)| *its == class).map(|(_, wrong)| *wrong).collect();
        let found = of_class.iter().filter(|&&wrong| wrong).count();
        if class == StalemateClass::NearStalemate {
            assert!(found < of_class.len(), "{class}: {found} of {}", of_class.len());
        } else {
            assert!(3 * found >= 2 * of_class.len(), "{class}: {found} of {}", of_class.len());
        }
    }
}

/// The class and number of the position of a difference.
fn position_of(difference: &Difference) -> String {
    difference.case.split('/').take(2).collect::<Vec<_>>().join("/")
}

#[test]
fn our_engine_has_no_finding_in_a_sample() {
    let sample: Vec<StalemateCase> = cases().into_iter().step_by(3).collect();
    check_engine(&sample);
}

#[test]
#[ignore = "nightly: all cases"]
fn our_engine_has_no_finding_in_any_case() {
    check_engine(&cases());
}

fn check_engine(cases: &[StalemateCase]) {
    let outcome = put_to(&InProcess::engine(), cases, Effort::Plain);
    let differences = || outcome.findings.iter().flat_map(|found| &found.differences);
    let found: Vec<_> = differences().map(|found| format!("{} {}", found.case, found.stored)).collect();
    assert!(found.is_empty(), "{found:#?}");
    assert_eq!(outcome.rows.len(), StalemateClass::ALL.len() * 6 * 2);
    for row in &outcome.rows {
        assert!(row.positions > 0 && row.due == row.agreed, "{row:?}");
        assert_eq!(row.positions - row.due, row.observed, "{row:?}");
    }
}

/// Cases in which a cutoff of micro-Max hides the stalemate.
const BLIND_SPOTS: &str = "33 34 35 36 39 40 41 42 43 44 45 47 52";

#[test]
fn the_plain_specimen_fails_its_class_and_the_guarded_one_does_not() {
    let mut cases = cases();
    cases.retain(|case| case.class == StalemateClass::LastMovePinned);
    let failing = |name: &str| {
        let outcome = put_to(&InProcess::specimen(name).unwrap(), &cases, Effort::Plain);
        let [found] = &outcome.findings[..] else { panic!("one class") };
        found.differences.iter().map(position_of).collect::<BTreeSet<_>>()
    };
    assert_eq!(failing("micromax-guarded"), BTreeSet::new());
    let expected = BLIND_SPOTS.split(' ').map(|number| format!("last move pinned/{number}"));
    assert_eq!(failing("micromax"), expected.collect());
}

/// It promotes to queens alone, so it fails where only a rook wins.
#[test]
fn the_guarded_specimen_fails_where_only_a_rook_wins() {
    let outcome = put_to(&InProcess::specimen("micromax-guarded").unwrap(), &cases(), Effort::Plain);
    let failing: BTreeSet<_> =
        outcome.findings.iter().flat_map(|found| &found.differences).map(position_of).collect();
    let expected =
        "07 08 09 10 11 16 27 31 32 33 34 35 36".split(' ').map(|number| format!("promotion/{number}"));
    assert_eq!(failing, expected.collect());
}

#[test]
fn the_outcome_does_not_depend_on_the_number_of_threads() {
    let cases = cases();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| put_to(&InProcess::specimen("micromax").unwrap(), &cases, Effort::Quick))
    };
    assert_eq!(with(1), with(3));
}

/// The only legal move, played without a search, says nothing; a search does.
#[test]
fn the_only_move_without_a_search_is_no_finding() {
    let cases = cases();
    let positions = cases.iter().map(|case| StalematePosition::read(case).unwrap());
    let forced: Vec<StalematePosition> = positions
        .filter(|case| {
            case.position.legal_moves().len() == 1 && case.worth == suites::stalemates::ProvedValue::Draw
        })
        .collect();
    assert!(!forced.is_empty());
    for case in &forced {
        let best = oracle::board::uci_text(case.position.legal_moves()[0], case.position.castles().mode());
        let faults = |line: Option<(u32, i32)>| {
            let line = line.map(|(depth, score)| uci::Line {
                depth,
                score: uci::Score::Centipawns(score),
                bound: uci::Bound::Exact,
                nodes: None,
                pv: vec![best.clone()],
            });
            let reply = Reply { lines: line.into_iter().collect(), best: Some(best.clone()), cut: false };
            let kinds = |fault: StalemateFault| fault.check();
            let found: Vec<_> =
                judge::faults(case, case.due, &Ok(reply.clone())).into_iter().map(kinds).collect();
            (found, judge::says_nothing(case, &reply))
        };
        for line in [None, Some((1, 900))] {
            assert_eq!(faults(line), (Vec::new(), true), "{}", case.id);
        }
        assert_eq!(faults(Some((1, 0))), (Vec::new(), false), "{}", case.id);
        assert_eq!(faults(Some((2, 900))), (vec!["stalemate/score"], false), "{}", case.id);
    }
}

/// A mate tells that the stalemate was taken for one; an evaluation is of another position.
#[test]
fn a_wrong_evaluation_of_a_stalemate_is_left_over() {
    let positions = cases().into_iter().map(|case| StalematePosition::read(&case).unwrap());
    let stalemates: Vec<StalematePosition> = positions.filter(StalematePosition::is_stalemate).collect();
    assert!(!stalemates.is_empty());
    for case in &stalemates {
        let faults = |score| {
            let line = uci::Line { depth: 1, score, bound: uci::Bound::Exact, nodes: None, pv: Vec::new() };
            judge::faults(case, case.due, &Ok(Reply { lines: vec![line], best: None, cut: false }))
        };
        assert_eq!(faults(uci::Score::Centipawns(900)), [StalemateFault::LeftOver], "{}", case.id);
        assert_eq!(faults(uci::Score::Mate(-1)), [StalemateFault::WrongScore], "{}", case.id);
        assert_eq!(faults(uci::Score::Centipawns(0)), [], "{}", case.id);
    }
}

#[test]
fn an_illegal_case_is_named() {
    for (line, fault) in [
        ("k7/2K5/8/8/8/8/8/1Q6 w - - result win; am Qh8#; due 2;", "\"Qh8#\" is not a legal move"),
        ("k7/1K6/8/8/8/8/8/1Q6 w - - result win; due 2;", "in k7/1K6/8/8/8/8/8/1Q6 w - - 0 1"),
    ] {
        let text = format!("# cases: 1\n{line} id \"bare king/7\";");
        let cases = suites::stalemates::parse("test.epd", &text).unwrap();
        let error = StalematePosition::read(&cases[0]).unwrap_err().to_string();
        assert!(error.starts_with("bare king/7: ") && error.contains(fault), "{error}");
    }
}
