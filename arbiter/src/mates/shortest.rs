//! Who has to announce the shortest mate: our engine where its tables know it, and whoever is asked to.

use std::collections::BTreeSet;

use shakmaty::Position;
use suites::mates::{MateCase, MateClaim, MateSuite};

use super::faulty::{Liar, SUITE, mate};
use super::{Announcements, Demand, MateVerdict, game, position, run};
use crate::player::{InProcess, Misprint, PlayerFactory};
use crate::{Effort, NoProgress, SuiteContext};
use oracle::authorities::Authorities;
use uci::Score;

/// Of these cases those of which a longer mate is a difference, and those of which it is a figure.
fn longer(
    subjects: &dyn PlayerFactory,
    cases: Vec<MateCase>,
    which: Announcements,
) -> (BTreeSet<String>, BTreeSet<String>) {
    let suite = MateSuite { cases, proofs: SUITE.proofs.clone() };
    let authorities = Authorities::default();
    let context = SuiteContext {
        players: subjects,
        authorities: &authorities,
        effort: Effort::Plain,
        seed: 1,
        limit: None,
        progress: &NoProgress,
    };
    let outcome = run(&context, &suite, which);
    let told = outcome.findings.iter().flat_map(|findings| &findings.differences);
    let told: BTreeSet<String> = told
        .map(|told| {
            assert_eq!((&*told.check, &*told.source), ("mate/longer", "mate prover"), "{told:#?}");
            assert!(told.stored.starts_with("mate ") && told.expected.starts_with("mate"), "{told:#?}");
            told.case.clone()
        })
        .collect();
    let rows = outcome.rows.into_iter().filter(|row| row.verdict == MateVerdict::Longer);
    let figures = rows.map(|row| row.case).filter(|case| !told.contains(case)).collect();
    (told, figures)
}

/// Whether the tables that our engine builds know the mate, and neither the clock nor what stood before matters.
fn is_in_tables(case: &MateCase) -> bool {
    let game = game(case).unwrap();
    let position = game.position();
    let plies = mate(case).map_or(0, |moves| if moves > 0 { 2 * moves - 1 } else { -2 * moves });
    let is_new = game.twice().is_empty();
    is_new && position.board().occupied().count() == 3 && position.halfmoves().cast_signed() + plies <= 100
}

/// The same, and the classes in which every mate is promised.
fn is_promised(case: &MateCase) -> bool {
    is_in_tables(case) || matches!(case.class(), "memory-clock" | "table-clock")
}

#[test]
fn our_engine_has_promised_the_shortest_mate_where_its_tables_know_it() {
    let cases: Vec<MateCase> =
        SUITE.cases.iter().filter(|case| mate(case).is_some_and(|moves| moves > 0)).cloned().collect();
    let some: Vec<MateCase> = cases
        .into_iter()
        .enumerate()
        .filter(|(place, case)| is_in_tables(case) || place % 9 == 0)
        .map(|(_, case)| case)
        .collect();
    let (told, figures) =
        longer(&InProcess::misprinted(Misprint::LongWins), some.clone(), Announcements::default());
    let expected: BTreeSet<String> =
        some.iter().filter(|case| is_promised(case)).map(|case| case.id.clone()).collect();
    assert_eq!(told, expected);
    assert!(told.len() >= 40 && figures.len() >= 15, "{} {}", told.len(), figures.len());
    let (told, _) = longer(&InProcess::engine(), some, Announcements::default());
    assert_eq!(told, BTreeSet::new());
}

/// A clock that stops the mate of the tables leaves a longer one, of which they do not tell.
#[test]
fn where_the_clock_matters_nothing_is_promised() {
    let late: Vec<MateCase> = SUITE
        .cases
        .iter()
        .filter(|case| {
            matches!(case.claim, MateClaim::Mate(_)) && case.class() == "too-late" && !is_in_tables(case)
        })
        .cloned()
        .collect();
    assert!(late.iter().any(|case| position(&case.fen).unwrap().board().occupied().count() == 3));
    for misprint in [Misprint::LongWins, Misprint::LongLosses] {
        let (told, figures) =
            longer(&InProcess::misprinted(misprint), late.clone(), Announcements::default());
        assert_eq!(told, BTreeSet::new());
        assert!(!figures.is_empty());
    }
}

/// Of others it is asked for, and then wherever it is proved.
#[test]
fn others_are_held_to_it_where_it_is_asked_for() {
    let cases: Vec<MateCase> = SUITE.cases.iter().step_by(5).cloned().collect();
    let liar = Liar(|case, _, mut reply| {
        if let Some(moves) = mate(case) {
            reply.lines[0].score = Score::Mate(moves + moves.signum());
        }
        Ok(reply)
    });
    let with_mate: BTreeSet<String> =
        cases.iter().filter(|case| mate(case).is_some()).map(|case| case.id.clone()).collect();
    let exact = Announcements { demand: Demand::Shortest, ..Announcements::default() };
    assert_eq!(longer(&liar, cases.clone(), exact), (with_mate.clone(), BTreeSet::new()));
    assert_eq!(longer(&liar, cases.clone(), Announcements::default()), (BTreeSet::new(), with_mate));
    assert_eq!(longer(&Liar(|_, _, reply| Ok(reply)), cases, exact), Default::default());
}
