//! Those who may be late: wrong at first, asked again with more nodes.

use suites::SkipReason;

use super::*;
use crate::player::Player;
use crate::runner::{CRASH, HANG, MOST, by_any_threads};

/// What is answered to a game, at first and when asked again.
type Answers = fn(&Game, bool) -> Result<Reply, NoAnswer>;

/// One who may be late.
#[derive(Clone, Copy)]
struct Late(Answers);

impl PlayerFactory for Late {
    fn name(&self) -> &'static str {
        "late"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        Ok(Box::new(*self))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn searches_selectively(&self) -> bool {
        true
    }

    fn replay(&self, _: Setup, question: &Question) -> String {
        question.commands().join("; ")
    }
}

impl Player for Late {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        let game = Game::new(&question.fen, &question.moves).unwrap();
        let late = [NODES, NODES_DEEP].map(|nodes| Limit::Nodes(nodes * LATE));
        (self.0)(&game, late.contains(&question.limit))
    }
}

/// A win that is taken for a draw at first.
const CASE: &str = "mate-at-100/01";

fn wrong(game: &Game) -> Reply {
    reply(Score::Centipawns(0), answer(game).best)
}

/// What the row says, and what is found.
#[track_caller]
fn check(answers: Answers, word: &str, expected: &str) {
    let case: Vec<DrawCase> = CASES.iter().filter(|case| case.id == CASE).cloned().collect();
    let outcome = put_to(&Late(answers), Effort::Plain, &case);
    let ([row], [found]) = (&outcome.rows[..], &outcome.findings[..]) else { panic!("{outcome:#?}") };
    assert_eq!(row.verdict, word);
    let skipped = |reason| found.tally.skipped.contains_key(&reason).then_some("skipped");
    let agreed = || (found.tally.agreed == 1).then_some("agreed");
    let differed = || found.differences.first().map(|difference| &*difference.check);
    let verdict = skipped(SkipReason::OutOfTime).or_else(agreed).or_else(differed);
    assert_eq!((verdict, found.tally.total()), (Some(expected), 1));
}

#[test]
fn who_is_right_in_the_end_is_late_and_not_to_blame() {
    check(|game, _| Ok(answer(game)), "agree", "agreed");
    check(|game, late| Ok(if late { answer(game) } else { wrong(game) }), "late", "agreed");
}

#[test]
fn who_stays_wrong_is_to_blame() {
    check(|game, _| Ok(wrong(game)), "score", "draw/score");
    let worse =
        |game: &Game, late| Ok(if late { reply(Score::Mate(-3), answer(game).best) } else { wrong(game) });
    check(worse, "score", "draw/score");
}

#[test]
fn who_breaks_when_asked_again_has_not_answered() {
    let dies = |game: &Game, late| {
        if late { Err(NoAnswer::Broken("it is dead".to_owned())) } else { Ok(wrong(game)) }
    };
    check(dies, "unanswered", "draw/unanswered");
    let hangs =
        |game: &Game, late| if late { Err(NoAnswer::Hung("it sleeps".to_owned())) } else { Ok(wrong(game)) };
    check(hangs, "unanswered", "draw/unanswered");
}

/// No agreement either, and not late.
#[test]
fn who_is_not_asked_again_is_not_to_blame() {
    check(|game, late| if late { Err(NoAnswer::OutOfTime) } else { Ok(wrong(game)) }, "not asked", "skipped");
}

/// What is no matter of nodes is not asked again.
#[test]
fn no_move_does_not_heal() {
    let silent = |game: &Game, late: bool| {
        assert!(!late);
        Ok(reply(answer(game).lines[0].score, None))
    };
    check(silent, "move", "draw/move");
}

/// Who breaks time and again is given up, by the order of the cases.
#[test]
fn the_number_of_threads_decides_nothing() {
    fn third(game: &Game) -> bool {
        let place =
            CASES.iter().position(|case| key(&Game::new(&case.fen, &case.moves).unwrap()) == key(game));
        place.unwrap() % 3 == 1
    }
    let dies = |game: &Game, _| {
        if third(game) { Err(NoAnswer::Broken("it is dead".to_owned())) } else { Ok(answer(game)) }
    };
    let hangs = |game: &Game, _| {
        if third(game) { Err(NoAnswer::Hung("it sleeps".to_owned())) } else { Ok(answer(game)) }
    };
    let both: [(Answers, u32); 2] = [(dies, MOST / CRASH), (hangs, MOST / HANG)];
    for (answers, broken) in both {
        let alone = by_any_threads(|| put_to(&Late(answers), Effort::Plain, &CASES));
        let count = |word| alone.rows.iter().filter(|row| row.verdict == word).count();
        assert_eq!(count("unanswered"), broken as usize);
        assert_eq!(count("not asked"), CASES.len() - 3 * broken as usize + 1);
    }
}
