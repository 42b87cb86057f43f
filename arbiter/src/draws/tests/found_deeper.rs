//! Players that search selectively, whose wrong answers are asked again with more nodes.

use suites::SkipReason;

use super::*;
use crate::runner::{CRASH, HANG, MOST, by_any_threads};

/// The answer to a game; the flag says whether the search is the deeper one.
type Answers = fn(&Game, bool) -> Result<Reply, NoAnswer>;

fn player(answers: Answers) -> ScriptedPlayer {
    let player = ScriptedPlayer::new(move |question, _| {
        let game = Game::new(&question.fen, &question.moves).unwrap();
        answers(&game, is_deeper(question.limit))
    });
    player.searching_selectively()
}

/// A win that is scored as a draw at first.
const CASE: &str = "mate-at-100/01";

fn wrong(game: &Game) -> Reply {
    reply(Score::Centipawns(0), answer(game).best)
}

/// The verdict of the row, and what is tallied.
#[track_caller]
fn check(answers: Answers, verdict: DrawVerdict, expected: &str) {
    let case: Vec<DrawCase> = CASES.iter().filter(|case| case.id == CASE).cloned().collect();
    let outcome = put_to(&player(answers), Effort::Plain, &case);
    let ([row], [found]) = (&outcome.rows[..], &outcome.findings[..]) else { panic!("{outcome:#?}") };
    assert_eq!(row.verdict, verdict);
    let skipped = |reason| found.tally.skipped.contains_key(&reason).then_some("skipped");
    let agreed = || (found.tally.agreed == 1).then_some("agreed");
    let differed = || found.differences.first().map(|difference| &*difference.check);
    let tallied = skipped(SkipReason::OutOfTime).or_else(agreed).or_else(differed);
    assert_eq!((tallied, found.tally.total()), (Some(expected), 1));
}

#[test]
fn a_right_answer_of_the_deeper_search_agrees() {
    check(|game, _| Ok(answer(game)), DrawVerdict::Agree, "agreed");
    check(
        |game, deeper| Ok(if deeper { answer(game) } else { wrong(game) }),
        DrawVerdict::FoundDeeper,
        "agreed",
    );
}

#[test]
fn a_wrong_answer_of_the_deeper_search_is_a_finding() {
    check(|game, _| Ok(wrong(game)), DrawVerdict::Score, "draw/score");
    let worse = |game: &Game, deeper| {
        Ok(if deeper { reply(Score::Mate(-3), answer(game).best) } else { wrong(game) })
    };
    check(worse, DrawVerdict::Score, "draw/score");
}

#[test]
fn a_failure_in_the_deeper_search_is_no_answer() {
    let crashes = |game: &Game, deeper| {
        if deeper { Err(NoAnswer::Broken("it is dead".to_owned())) } else { Ok(wrong(game)) }
    };
    check(crashes, DrawVerdict::Unanswered, "draw/unanswered");
    let hangs = |game: &Game, deeper| {
        if deeper { Err(NoAnswer::Hung("it sleeps".to_owned())) } else { Ok(wrong(game)) }
    };
    check(hangs, DrawVerdict::Unanswered, "draw/unanswered");
}

#[test]
fn without_time_for_the_deeper_search_the_case_is_skipped() {
    check(
        |game, deeper| if deeper { Err(NoAnswer::OutOfTime) } else { Ok(wrong(game)) },
        DrawVerdict::NotAsked,
        "skipped",
    );
}

#[test]
fn a_missing_move_is_not_searched_deeper() {
    let no_move = |game: &Game, deeper: bool| {
        assert!(!deeper);
        Ok(reply(answer(game).lines[0].score, None))
    };
    check(no_move, DrawVerdict::Move, "draw/move");
}

/// The order of the cases decides where a player is given up.
#[test]
fn the_number_of_threads_does_not_change_the_verdicts() {
    fn third(game: &Game) -> bool {
        let index =
            CASES.iter().position(|case| key(&Game::new(&case.fen, &case.moves).unwrap()) == key(game));
        index.unwrap() % 3 == 1
    }
    let crashes = |game: &Game, _| {
        if third(game) { Err(NoAnswer::Broken("it is dead".to_owned())) } else { Ok(answer(game)) }
    };
    let hangs = |game: &Game, _| {
        if third(game) { Err(NoAnswer::Hung("it sleeps".to_owned())) } else { Ok(answer(game)) }
    };
    let both: [(Answers, u32); 2] = [(crashes, MOST / CRASH), (hangs, MOST / HANG)];
    for (answers, failures) in both {
        let outcome = by_any_threads(|| put_to(&player(answers), Effort::Plain, &CASES));
        let count = |verdict| outcome.rows.iter().filter(|row| row.verdict == verdict).count();
        assert_eq!(count(DrawVerdict::Unanswered), failures as usize);
        assert!(count(DrawVerdict::NotAsked) > CASES.len() / 3);
    }
}
