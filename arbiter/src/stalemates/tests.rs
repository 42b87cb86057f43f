//! The suite is what it says; our engine fails none of it, and the specimens fail where they must.

use std::collections::BTreeSet;

use rayon::prelude::*;
use shakmaty::{Color, Position, Role};

use super::classes::{belongs, pins};
use super::plain::Stalemate;
use super::proof::played;
use super::*;
use crate::NoProgress;
use crate::player::{InProcess, PlayerFactory};
use oracle::authorities::Authorities;
use oracle::knowledge;
use oracle::positions::{Men, Placement};
use oracle::table_probe::{TableProbe, Wdl};

pub(super) fn cases() -> Vec<StalemateCase> {
    suites::stalemates::embedded().unwrap()
}

pub(super) fn try_out(subjects: &dyn PlayerFactory, cases: &[StalemateCase], effort: Effort) -> Outcome<Row> {
    let authorities = Authorities::default();
    run(
        &SuiteContext {
            players: subjects,
            authorities: &authorities,
            effort,
            seed: 1,
            limit: None,
            progress: &NoProgress,
        },
        cases,
    )
    .unwrap()
}

/// Placements of three men that are legal.
fn three_men(table: &str, turn: Color) -> Vec<Placement> {
    let men: Men = table.parse().unwrap();
    let placements = (0..men.numbers()).filter_map(|number| Placement::numbered(&men, number, turn));
    placements.filter(|placement| placement.legal.is_some()).collect()
}

#[test]
fn every_answer_is_proved_again_and_every_position_shows_its_class() {
    let truth = knowledge::three_men().unwrap();
    cases().par_iter().for_each(|stated| {
        let case = Case::read(stated).unwrap();
        let id = &case.id;
        let answer = proof::answer(&case.position, truth).unwrap_or_else(|| panic!("{id}: no proof"));
        assert_eq!((answer.worth, answer.due), (stated.worth, stated.due), "{id}");
        assert_eq!(answer.moves(&case.position), stated.moves, "{id}");
        assert!(belongs(case.class, &case.position, &answer), "{id}");
    });
}

#[test]
fn all_stalemates_of_king_and_pawn_are_there() {
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

/// Positions of king and pawn in which the queen draws and the rook wins: as many as are known.
#[test]
fn all_sixteen_promotion_traps_are_there() {
    let truth = knowledge::three_men().unwrap();
    let cases = cases();
    let mut traps = 0;
    for placement in three_men("KPvK", Color::White) {
        let position = placement.legal.as_ref().unwrap();
        let result = |role| {
            let promotion = position.legal_moves().into_iter().find(|mv| mv.promotion() == Some(role))?;
            let after = played(position, promotion);
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
fn queen_rook_and_bishop_pin_the_last_move_of_each_man_that_can_be_pinned_so() {
    let cases = cases();
    let pinned = cases.iter().filter(|case| case.class == StalemateClass::LastMovePinned);
    let stalemates = pinned.map(|case| Case::read(case).unwrap()).filter(Case::is_stalemate);
    let seen: BTreeSet<(Role, Role)> = stalemates.flat_map(|case| pins(&case.position)).collect();
    // A queen can always take what pins her; a rook can only be pinned along a diagonal, a bishop only along a line.
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

/// So whoever searches to the depth at which an answer is due has what it needs; and whoever takes stalemate for mate
/// fails, but where there is none.
#[test]
fn a_search_of_all_moves_answers_where_it_is_due_and_fails_once_stalemate_is_mate() {
    let wrong: Vec<(StalemateClass, bool)> = cases()
        .par_iter()
        .map(|stated| {
            let case = Case::read(stated).unwrap();
            let said = |stalemate| Ok(plain::answer(&case.position, case.due, stalemate));
            let faults = judge::faults(&case, case.due, &said(Stalemate::Draw));
            assert!(faults.is_empty(), "{}: {faults:?}", case.id);
            (case.class, !judge::faults(&case, case.due, &said(Stalemate::Mate)).is_empty())
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

/// The position of a difference: its class and number.
fn position_of(difference: &Difference) -> String {
    difference.case.split('/').take(2).collect::<Vec<_>>().join("/")
}

#[test]
fn our_engine_fails_none() {
    let outcome = try_out(&InProcess::engine(), &cases(), Effort::Plain);
    let differences = || outcome.findings.iter().flat_map(|found| &found.differences);
    let said: Vec<_> = differences().map(|found| format!("{} {}", found.case, found.stored)).collect();
    assert!(said.is_empty(), "{said:#?}");
    assert_eq!(outcome.rows.len(), StalemateClass::ALL.len() * 6 * 2);
    for row in &outcome.rows {
        assert!(row.positions > 0 && row.due == row.agreed, "{row:?}");
        assert_eq!(row.positions - row.due, row.observed, "{row:?}");
    }
}

/// At each of these a cutoff hides the stalemate from it.
const BLIND_SPOTS: &str = "33 34 35 36 39 40 41 42 43 44 45 47 52";

#[test]
fn the_plain_specimen_fails_its_class_and_the_guarded_one_does_not() {
    let mut cases = cases();
    cases.retain(|case| case.class == StalemateClass::LastMovePinned);
    let failing = |name: &str| {
        let outcome = try_out(&InProcess::specimen(name).unwrap(), &cases, Effort::Plain);
        let [found] = &outcome.findings[..] else { panic!("one class") };
        found.differences.iter().map(position_of).collect::<BTreeSet<_>>()
    };
    assert_eq!(failing("micromax-guarded"), BTreeSet::new());
    let expected = BLIND_SPOTS.split(' ').map(|number| format!("last move pinned/{number}"));
    assert_eq!(failing("micromax"), expected.collect());
}

/// It makes nothing but queens, so it fails where nothing but a rook wins: elsewhere a plain search is enough.
#[test]
fn the_guarded_specimen_fails_where_only_a_rook_wins() {
    let outcome = try_out(&InProcess::specimen("micromax-guarded").unwrap(), &cases(), Effort::Plain);
    let failing: BTreeSet<_> =
        outcome.findings.iter().flat_map(|found| &found.differences).map(position_of).collect();
    let expected = "07 08 09 10 11 16 27".split(' ').map(|number| format!("promotion/{number}"));
    assert_eq!(failing, expected.collect());
}

#[test]
fn the_outcome_does_not_depend_on_the_number_of_threads() {
    let cases = cases();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| try_out(&InProcess::specimen("micromax").unwrap(), &cases, Effort::Quick))
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn a_case_that_the_rules_do_not_read_is_named() {
    for (line, fault) in [
        ("k7/2K5/8/8/8/8/8/1Q6 w - - result win; am Qh8#; due 2;", "\"Qh8#\" is no legal move"),
        ("k7/1K6/8/8/8/8/8/1Q6 w - - result win; due 2;", "in k7/1K6/8/8/8/8/8/1Q6 w - - 0 1"),
    ] {
        let text = format!("# cases: 1\n{line} id \"bare king/7\";");
        let cases = suites::stalemates::parse("test.epd", &text).unwrap();
        let error = Case::read(&cases[0]).unwrap_err().to_string();
        assert!(error.starts_with("bare king/7: ") && error.contains(fault), "{error}");
    }
}
