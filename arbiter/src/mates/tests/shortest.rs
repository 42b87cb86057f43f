//! When the shortest mate is demanded: of our engine where its tables have it, and of all players if the user
//! asks for it.

use std::collections::BTreeSet;

use shakmaty::Position;
use suites::mates::{MateCase, MateClaim, MateSuite};

use super::faulty::{SUITE, mate, player};
use super::{Announcements, Demand, MateVerdict, game, position, run};
use crate::player::{InProcess, Misprint, PlayerFactory};
use crate::{Effort, NoProgress, SuiteContext};
use oracle::authorities::Authorities;
use uci::Score;

/// The cases in which a longer mate is a difference, and those in which it is observed.
fn longer(
    players: &dyn PlayerFactory,
    cases: Vec<MateCase>,
    which: Announcements,
) -> (BTreeSet<String>, BTreeSet<String>) {
    let suite = MateSuite { cases, proofs: SUITE.proofs.clone() };
    let (authorities, effort) = (&Authorities::default(), Effort::Plain);
    let context = SuiteContext { players, authorities, effort, seed: 1, limit: None, progress: &NoProgress };
    let outcome = run(&context, &suite, which);
    let differences = outcome.findings.iter().flat_map(|findings| &findings.differences);
    let differing: BTreeSet<String> = differences
        .map(|found| {
            assert_eq!((&*found.check, &*found.source), ("mate/longer", "mate prover"), "{found:#?}");
            assert!(
                found.stored.to_string().starts_with("mate ")
                    && found.expected.to_string().starts_with("mate"),
                "{found:#?}"
            );
            found.case.clone()
        })
        .collect();
    let rows = outcome.rows.into_iter().filter(|row| row.verdict == MateVerdict::Longer);
    let observed = rows.map(|row| row.case).filter(|case| !differing.contains(case)).collect();
    (differing, observed)
}

/// Whether the tables of our engine have the mate, and neither the halfmove clock nor earlier positions
/// matter.
fn is_in_tables(case: &MateCase) -> bool {
    let game = game(case).unwrap();
    let position = game.position();
    let plies = mate(case).map_or(0, |moves| if moves > 0 { 2 * moves - 1 } else { -2 * moves });
    let is_new = game.twice().is_empty();
    is_new && position.board().occupied().count() == 3 && position.halfmoves().cast_signed() + plies <= 100
}

/// Whether our engine promises the shortest mate of a case.
fn is_promised(case: &MateCase) -> bool {
    is_in_tables(case) || matches!(case.class(), "memory-clock" | "table-clock")
}

#[test]
fn our_engine_has_to_announce_the_shortest_mate_of_its_tables_in_a_sample() {
    check_engine(4);
}

#[test]
#[ignore = "nightly: four times as many cases"]
fn our_engine_has_to_announce_the_shortest_mate_of_its_tables() {
    check_engine(1);
}

/// Checks every `step`-th of the cases in the tables and of a share of the others.
fn check_engine(step: usize) {
    let cases: Vec<MateCase> =
        SUITE.cases.iter().filter(|case| mate(case).is_some_and(|moves| moves > 0)).cloned().collect();
    let some: Vec<MateCase> = cases
        .into_iter()
        .enumerate()
        .filter(|(index, case)| is_in_tables(case) || index % 9 == 0)
        .map(|(_, case)| case)
        .step_by(step)
        .collect();
    let (differing, observed) =
        longer(&InProcess::misprinted(Misprint::LongWins), some.clone(), Announcements::default());
    let expected: BTreeSet<String> =
        some.iter().filter(|case| is_promised(case)).map(|case| case.id.clone()).collect();
    assert_eq!(differing, expected);
    assert!(
        differing.len() >= 40 / step && observed.len() >= 15 / step,
        "{} {}",
        differing.len(),
        observed.len()
    );
    let (differing, _) = longer(&InProcess::engine(), some, Announcements::default());
    assert_eq!(differing, BTreeSet::new());
}

/// If the fifty-move rule draws before the mate of the tables, there may be a longer one that they do not
/// give.
#[test]
fn nothing_is_demanded_where_the_halfmove_clock_matters() {
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
        let (differing, observed) =
            longer(&InProcess::misprinted(misprint), late.clone(), Announcements::default());
        assert_eq!(differing, BTreeSet::new());
        assert!(!observed.is_empty());
    }
}

#[test]
fn other_players_have_to_announce_the_shortest_mate_if_it_is_demanded() {
    let cases: Vec<MateCase> = SUITE.cases.iter().step_by(5).cloned().collect();
    let faulty = player(|case, _, mut reply| {
        if let Some(moves) = mate(case) {
            reply.lines[0].score = Score::Mate(moves + moves.signum());
        }
        Ok(reply)
    });
    let with_mate: BTreeSet<String> =
        cases.iter().filter(|case| mate(case).is_some()).map(|case| case.id.clone()).collect();
    let exact = Announcements { demand: Demand::Shortest, ..Announcements::default() };
    assert_eq!(longer(&faulty, cases.clone(), exact), (with_mate.clone(), BTreeSet::new()));
    assert_eq!(longer(&faulty, cases.clone(), Announcements::default()), (BTreeSet::new(), with_mate));
    assert_eq!(longer(&player(|_, _, reply| Ok(reply)), cases, exact), Default::default());
}
