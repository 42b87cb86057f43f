//! Which samples there are, how their figures add up, and which are skipped.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use shakmaty::Color;
use suites::{Findings, SkipReason};

use super::*;
use crate::ProgressObserver;
use crate::player::InProcess;
use crate::runner::{CRASH, HANG, MOST, by_any_threads};

#[expect(clippy::unnecessary_wraps, reason = "players may fail to answer")]
fn perfect(game: &Game) -> Result<Option<String>, NoAnswer> {
    Ok(Some(text(best(game))))
}

/// A player that gives the win away where it can.
fn throws() -> ScriptedPlayer {
    player(|game| Ok(Some(text(throwing(game).unwrap_or_else(|| best(game))))))
}

#[test]
fn a_perfect_player_wins_all_games_in_the_fewest_plies() {
    let perfect = player(perfect).with_aids(&[Aid::Tables, Aid::Hash]);
    // Endings of four men are skipped without Syzygy tables.
    let outcome = ask(&perfect, &certified(), Effort::Plain);
    let aids: Vec<_> = outcome.rows.iter().map(|row| (row.ending.as_str(), row.aids.to_string())).collect();
    let named = |ending, aids: &str| (ending, aids.to_owned());
    assert_eq!(
        aids,
        [
            named("KQvK", "tables+hash"),
            named("KQvK", "hash"),
            named("KRvK", "tables+hash"),
            named("KRvK", "hash"),
            named("KRvK", "tables"),
            named("KRvK", "none"),
            named("KPvK", "tables+hash"),
            named("KPvK", "hash"),
        ]
    );
    for row in &outcome.rows {
        assert_eq!((row.won, row.plies_lost, row.not_won.len()), (row.games, (row.games, 0), 0), "{row:?}");
        let demanded = matches!(row.aids.to_string().as_str(), "tables+hash" | "hash");
        assert_eq!(row.demanded, demanded.then_some(row.games));
    }
    for findings in &outcome.findings {
        let three = findings.tally.case_set.len() == 4;
        assert_eq!(findings.tally.differed, 0);
        assert_eq!(
            findings.tally.skipped.get(&SkipReason::TableMissing),
            (!three).then_some(&2),
            "{findings:?}"
        );
    }
}

#[test]
fn without_certified_tables_nothing_is_played() {
    let never_asked = player(|_| panic!("it is not to be asked"));
    let outcome = ask(&never_asked, &Authorities::default(), Effort::Quick);
    assert!(outcome.rows.is_empty());
    for findings in &outcome.findings {
        assert_eq!(findings.tally.skipped.get(&SkipReason::NotCertified), Some(&1));
    }
}

#[test]
fn without_a_demand_too_few_wins_are_observed_but_missing_moves_differ() {
    let throws = throws().with_aids(&[Aid::Hash]);
    let rook = |outcome: &SuiteOutcome<Sample>| outcome.findings[1].tally.clone();
    let thrown = ask(&throws, &certified(), Effort::Thorough);
    let rook_thrown = rook(&thrown);
    assert_eq!(
        (rook_thrown.agreed, rook_thrown.observed, rook_thrown.differed),
        (0, 1, 1),
        "without hash it is observed"
    );
    let no_move = player(|_| Ok(None)).with_aids(&[Aid::Hash]);
    let no_move = ask(&no_move, &certified(), Effort::Thorough);
    assert_eq!((rook(&no_move).agreed, rook(&no_move).differed), (0, 2));
    assert_eq!(no_move.findings[1].differences[1].expected.to_string(), "a legal move whenever it is asked");
}

#[test]
fn an_illegal_move_is_reported_even_if_other_games_of_the_sample_are_missing() {
    let put_to = |illegal: bool| {
        let player = player(move |game| match game.position().turn() {
            // Black is to move at the start of every second game.
            Color::Black => Err(NoAnswer::OutOfTime),
            Color::White if illegal => Ok(Some("a1h2".to_owned())),
            Color::White => perfect(game),
        });
        ask(&player, &certified(), Effort::Quick)
    };
    let skipped = put_to(false);
    assert!(skipped.rows.is_empty());
    let illegal = put_to(true);
    for (index, (seen, skipped)) in illegal.findings.iter().zip(&skipped.findings).take(3).enumerate() {
        assert_eq!((skipped.tally.total(), skipped.tally.skipped[&SkipReason::OutOfTime]), (1, 1));
        let [difference] = &seen.differences[..] else { panic!("{seen:?}") };
        assert_eq!(
            (&*difference.check, &*difference.stored.to_string()),
            ("conversion/unanswered", "0 of 1 games won")
        );
        assert!(difference.explanation.contains("a1h2"), "{difference:?}");
        let row = &illegal.rows[index];
        assert_eq!((row.games, row.demanded, row.ended(NotWonReason::Unanswered)), (1, None, 1));
    }
}

/// Too few wins are a warning for players that search selectively; illegal moves are an error.
#[test]
fn an_illegal_move_goes_before_too_few_wins() {
    let verdicts = |searches_selectively: bool, second: &'static str| {
        let player = player(move |game| {
            let thrown = throwing(game).unwrap_or_else(|| best(game));
            let white = game.position().turn() == Color::White;
            Ok(Some(if white || second.is_empty() { text(thrown) } else { second.to_owned() }))
        });
        let player = if searches_selectively { player.searching_selectively() } else { player };
        let outcome = ask(&player, &certified(), Effort::Quick);
        let differences = outcome.findings.iter().flat_map(|found| found.differences.clone());
        differences.map(|found| (found.check, found.expected, found.explanation)).collect::<Vec<_>>()
    };
    for (searches_selectively, second, check) in [
        (true, "a1h2", "conversion/unanswered"),
        (true, "", "conversion/share"),
        (false, "a1h2", "conversion/won"),
        (false, "", "conversion/won"),
    ] {
        let found = verdicts(searches_selectively, second);
        assert_eq!(found.len(), 3, "{found:?}");
        for (id, expected, why) in found {
            assert_eq!(id, check);
            let unanswered = check == "conversion/unanswered";
            assert_eq!(expected.to_string() == "a legal move whenever it is asked", unanswered);
            assert_eq!(why.contains("a1h2"), unanswered, "{why}");
        }
    }
}

/// Illegal moves and lost wins that do not come again are notes.
#[test]
fn a_fault_that_does_not_come_again_is_a_note() {
    let found = |player: &ScriptedPlayer| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let outcome = pool.install(|| ask(player, &certified(), Effort::Quick));
        let differences = outcome.findings.iter().flat_map(|found| found.differences.clone());
        let found: Vec<_> = differences.map(|found| (found.check, found.case, found.explanation)).collect();
        (found, outcome)
    };
    let is_first = AtomicBool::new(true);
    let illegal = player(move |game| {
        if is_first.swap(false, Ordering::Relaxed) { Ok(Some("a1h2".to_owned())) } else { perfect(game) }
    });
    let (differences, outcome) = found(&illegal);
    let [(check, case, why)] = &differences[..] else { panic!("{differences:#?}") };
    assert_eq!((&**check, &**case), ("conversion/flaky", "KQvK/none"));
    assert!(why.contains("a1h2"), "{why}");
    assert!(outcome.rows.iter().all(|row| row.won == row.games));
    // The first game is given away, and won when it is played again.
    let is_first = AtomicBool::new(true);
    let throws = player(move |game| match throwing(game).filter(|_| is_first.load(Ordering::Relaxed)) {
        Some(mv) => {
            is_first.store(false, Ordering::Relaxed);
            Ok(Some(text(mv)))
        }
        None => perfect(game),
    });
    let (differences, outcome) = found(&throws);
    let [(check, case, why)] = &differences[..] else { panic!("{differences:#?}") };
    assert_eq!((&**check, &**case), ("conversion/flaky", "KQvK/none"));
    assert!(why.ends_with("played again, enough games are won"), "{why}");
    assert_eq!((outcome.rows[0].won, outcome.rows[0].games), (1, 2));
}

/// The order of the games decides where a player is given up.
#[test]
fn the_number_of_threads_does_not_change_where_a_player_is_given_up() {
    let crashes: fn() -> NoAnswer = || NoAnswer::Broken("it is dead".to_owned());
    let hangs: fn() -> NoAnswer = || NoAnswer::Hung("it sleeps".to_owned());
    for (why, failures) in [(crashes, MOST / CRASH), (hangs, MOST / HANG)] {
        let fails = player(move |game| {
            let is_third = u64::from(game.position().board().occupied()) % 3 == 1;
            if is_third { Err(why()) } else { Ok(Some("a1h2".to_owned())) }
        });
        let outcome = by_any_threads(|| ask(&fails, &certified(), Effort::Thorough));
        let games = outcome.rows.iter().flat_map(|row| &row.not_won);
        assert_eq!(games.filter(|game| game.played.is_empty()).count(), failures as usize);
        let passed = |found: &Findings| found.tally.skipped.get(&SkipReason::GivenUp).copied();
        assert_eq!(outcome.findings.iter().filter_map(passed).sum::<u64>(), 2);
    }
}

struct Count(AtomicU64, AtomicU64);

impl ProgressObserver for Count {
    fn begin(&self, cases: u64) {
        self.0.fetch_add(cases, Ordering::Relaxed);
    }

    fn advance(&self, cases: u64) {
        self.1.fetch_add(cases, Ordering::Relaxed);
    }
}

/// Our engine keeps its hash table from move to move.
#[test]
fn the_number_of_threads_does_not_change_the_samples() {
    let engine = InProcess::engine();
    let authorities = certified();
    let play = |threads| {
        let progress = Count(AtomicU64::new(0), AtomicU64::new(0));
        let context = SuiteContext {
            players: &engine,
            authorities: &authorities,
            effort: Effort::Quick,
            seed: 3,
            limit: None,
            progress: &progress,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let outcome = pool.install(|| run(&context, LIMIT));
        assert_eq!((progress.0.into_inner(), progress.1.into_inner()), (12, 12));
        outcome
    };
    let alone = play(1);
    assert_eq!(alone, play(3));
    let perfect = alone.rows.iter().filter(|row| row.aids.has(Aid::Tables));
    assert!(perfect.clone().count() == 3 && perfect.clone().all(|row| row.plies_lost == (row.games, 0)));
}
