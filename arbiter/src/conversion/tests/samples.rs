//! What samples there are, how they add up, and what is skipped.

use std::sync::atomic::{AtomicU64, Ordering};

use shakmaty::Color;
use suites::{Findings, SkipReason};

use super::super::position_history::text;
use super::*;
use crate::ProgressObserver;
use crate::player::InProcess;
use crate::runner::{CRASH, HANG, MOST, by_any_threads};

#[expect(clippy::unnecessary_wraps, reason = "players may fail to answer")]
fn perfect(course: &PositionHistory) -> Result<Option<String>, NoAnswer> {
    Ok(Some(text(best(course))))
}

#[test]
fn who_plays_by_the_table_wins_all_and_loses_no_ply() {
    let perfect = ScriptedPlayer { aids: &[Aid::Tables, Aid::Hash], ..player(perfect) };
    // Four men are skipped: Syzygy tables are not there.
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
    let asked =
        player(|_: &PositionHistory| -> Result<Option<String>, NoAnswer> { panic!("it is not to be asked") });
    let outcome = ask(&asked, &Authorities::default(), Effort::Quick);
    assert!(outcome.rows.is_empty());
    for findings in &outcome.findings {
        assert_eq!(findings.tally.skipped.get(&SkipReason::NotCertified), Some(&1));
    }
}

/// What nobody demands is no difference, unless it is no answer.
#[test]
fn a_figure_is_no_verdict_but_silence_is() {
    let throws = |course: &PositionHistory| {
        let draws = |&mv: &Move| truth(&course.after(mv)).0 != Wdl::Loss;
        let moves = course.position.legal_moves();
        Ok(Some(text(moves.into_iter().find(draws).unwrap_or_else(|| best(course)))))
    };
    let throws = ScriptedPlayer { aids: &[Aid::Hash], ..player(throws) };
    let rook = |outcome: &Outcome<Sample>| outcome.findings[1].tally.clone();
    let thrown = ask(&throws, &certified(), Effort::Thorough);
    let rook_thrown = rook(&thrown);
    assert_eq!(
        (rook_thrown.agreed, rook_thrown.observed, rook_thrown.differed),
        (0, 1, 1),
        "without hash it is a figure"
    );
    let silent = ScriptedPlayer { aids: &[Aid::Hash], ..player(|_: &PositionHistory| Ok(None)) };
    let silent = ask(&silent, &certified(), Effort::Thorough);
    assert_eq!((rook(&silent).agreed, rook(&silent).differed), (0, 2));
    assert_eq!(silent.findings[1].differences[1].expected, "a legal move whenever it is asked");
}

/// What was seen in the games that were played was seen, though another one was not.
#[test]
fn no_legal_move_is_told_of_a_sample_that_is_not_whole() {
    let tried = |illegal: bool| {
        let asked = player(move |course: &PositionHistory| match course.position.turn() {
            // Every second game begins so.
            Color::Black => Err(NoAnswer::OutOfTime),
            Color::White if illegal => Ok(Some("a1h2".to_owned())),
            Color::White => perfect(course),
        });
        ask(&asked, &certified(), Effort::Quick)
    };
    let skipped = tried(false);
    assert!(skipped.rows.is_empty());
    let illegal = tried(true);
    for (place, (seen, skipped)) in illegal.findings.iter().zip(&skipped.findings).take(3).enumerate() {
        assert_eq!((skipped.tally.total(), skipped.tally.skipped[&SkipReason::OutOfTime]), (1, 1));
        let [difference] = &seen.differences[..] else { panic!("{seen:?}") };
        assert_eq!((&*difference.check, &*difference.stored), ("conversion/unanswered", "0 of 1 games won"));
        assert!(difference.explanation.contains("a1h2"), "{difference:?}");
        let row = &illegal.rows[place];
        assert_eq!((row.games, row.demanded, row.ended(How::Unanswered)), (1, None, 1));
    }
}

/// A program that wins too few games is warned; one that makes illegal moves in them has an error.
#[test]
fn no_legal_move_is_worse_than_a_win_too_few() {
    let verdicts = |searches_selectively: bool, second: &'static str| {
        let asked = player(move |course: &PositionHistory| {
            let draws = |&mv: &Move| truth(&course.after(mv)).0 != Wdl::Loss;
            let thrown =
                course.position.legal_moves().into_iter().find(draws).unwrap_or_else(|| best(course));
            let white = course.position.turn() == Color::White;
            Ok(Some(if white || second.is_empty() { text(thrown) } else { second.to_owned() }))
        });
        let outcome = ask(&ScriptedPlayer { searches_selectively, ..asked }, &certified(), Effort::Quick);
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
            assert_eq!(expected == "a legal move whenever it is asked", unanswered);
            assert_eq!(why.contains("a1h2"), unanswered, "{why}");
        }
    }
}

/// What does not come again is a note: no legal move, and games that were not won.
#[test]
fn what_does_not_come_again_is_a_note() {
    let once = || std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
    let tried = |choose: &(dyn Fn() -> Outcome<Sample> + Sync)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let outcome = pool.install(choose);
        let differences = outcome.findings.iter().flat_map(|found| found.differences.clone());
        let told: Vec<_> = differences.map(|found| (found.check, found.case, found.explanation)).collect();
        (told, outcome)
    };
    let new = once();
    let illegal = player(move |course: &PositionHistory| {
        if new.swap(false, Ordering::Relaxed) { Ok(Some("a1h2".to_owned())) } else { perfect(course) }
    });
    let (told, outcome) = tried(&|| ask(&illegal, &certified(), Effort::Quick));
    let [(check, case, why)] = &told[..] else { panic!("{told:#?}") };
    assert_eq!((&**check, &**case), ("conversion/flaky", "KQvK/none"));
    assert!(why.contains("a1h2"), "{why}");
    assert!(outcome.rows.iter().all(|row| row.won == row.games));
    // The first game is thrown away, and won when it is played again.
    let new = once();
    let throws = move |course: &PositionHistory| {
        let draws = |&mv: &Move| truth(&course.after(mv)).0 != Wdl::Loss;
        let moves = course.position.legal_moves();
        match moves.into_iter().find(draws).filter(|_| new.load(Ordering::Relaxed)) {
            Some(mv) => {
                new.store(false, Ordering::Relaxed);
                Ok(Some(text(mv)))
            }
            None => perfect(course),
        }
    };
    let (told, outcome) = tried(&|| ask(&player(throws.clone()), &certified(), Effort::Quick));
    let [(check, case, why)] = &told[..] else { panic!("{told:#?}") };
    assert_eq!((&**check, &**case), ("conversion/flaky", "KQvK/none"));
    assert!(why.ends_with("played again, enough games are won"), "{why}");
    assert_eq!((outcome.rows[0].won, outcome.rows[0].games), (1, 2));
}

/// Who breaks time and again is given up, by the order of the games.
#[test]
fn who_is_given_up_is_so_whatever_the_number_of_threads() {
    let dies: fn() -> NoAnswer = || NoAnswer::Broken("it is dead".to_owned());
    let hangs: fn() -> NoAnswer = || NoAnswer::Hung("it sleeps".to_owned());
    for (why, broken) in [(dies, MOST / CRASH), (hangs, MOST / HANG)] {
        let breaks = player(move |course: &PositionHistory| {
            let third = u64::from(course.position.board().occupied()) % 3 == 1;
            if third { Err(why()) } else { Ok(Some("a1h2".to_owned())) }
        });
        let alone = by_any_threads(|| ask(&breaks, &certified(), Effort::Thorough));
        let games = alone.rows.iter().flat_map(|row| &row.not_won);
        assert_eq!(games.filter(|game| game.played.is_empty()).count(), broken as usize);
        let passed = |found: &Findings| found.tally.skipped.get(&SkipReason::GivenUp).copied();
        assert_eq!(alone.findings.iter().filter_map(passed).sum::<u64>(), 2);
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

/// Our engine, which remembers one position in the next, with and without its tables.
#[test]
fn the_same_whatever_the_number_of_threads() {
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
