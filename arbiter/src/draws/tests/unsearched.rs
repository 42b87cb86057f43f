//! The only legal move is played without a search: no score that is missing or wrong is a finding.

use shakmaty::Position;

use super::*;
use crate::draws::judge::judge;

/// An answer with the score of one line of this depth, or without a line.
fn answer_of(case: &DrawCase, line: Option<(u32, i32)>) -> Reply {
    let game = Game::new(&case.fen, &case.moves).unwrap();
    let position = game.position();
    let best = position.legal_moves().first().map(|mv| uci_text(*mv, position.castles().mode()));
    let mut reply = reply(Score::Centipawns(0), best);
    match line {
        None => reply.lines.clear(),
        Some((depth, score)) => {
            reply.lines[0].depth = depth;
            reply.lines[0].score = Score::Centipawns(score);
        }
    }
    reply
}

#[test]
fn the_only_move_without_a_search_is_no_finding() {
    let forced = |case: &DrawCase| {
        let game = Game::new(&case.fen, &case.moves).unwrap();
        game.position().legal_moves().len() == 1 && case.result == GameResult::Draw && !case.may_fail
    };
    let (forced, free): (Vec<DrawCase>, Vec<DrawCase>) = CASES.iter().cloned().partition(forced);
    assert!(!forced.is_empty());
    let verdict = |case: &DrawCase, line| judge(case, Ok(&answer_of(case, line))).verdict();
    for case in &forced {
        for said_nothing in [None, Some((0, 900)), Some((1, 900))] {
            assert_eq!(verdict(case, said_nothing), DrawVerdict::Unanswered, "{}", case.id);
            assert!(judge(case, Ok(&answer_of(case, said_nothing))).result.is_ok(), "{}", case.id);
        }
        assert_eq!(verdict(case, Some((1, 0))), DrawVerdict::Agree, "{}", case.id);
        assert_eq!(verdict(case, Some((2, 900))), DrawVerdict::Score, "{}", case.id);
        let mut illegal = answer_of(case, None);
        illegal.best = Some("a1a1".to_owned());
        assert_eq!(judge(case, Ok(&illegal)).verdict(), DrawVerdict::Move, "{}", case.id);
    }
    let free = free.iter().find(|case| case.result == GameResult::Draw && !case.may_fail).unwrap();
    assert!(judge(free, Ok(&answer_of(free, None))).result.is_err(), "it has a choice: {}", free.id);
    assert_eq!(verdict(free, Some((1, 900))), DrawVerdict::Score, "{}", free.id);
}
