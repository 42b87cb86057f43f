//! Each way not to win a won game, and how it is reported.

use std::collections::BTreeSet;
use std::sync::Mutex;

use engine::search_api::{Control, Limits, SearchInfo, SearchResult, Searcher, Setting, Settings};
use engine::specimens;
use uci::{Bound, Line, Score};

use super::*;
use crate::player::InProcess;

/// Checks that all games that are not won at once end for this reason.
#[track_caller]
fn check(players: &dyn PlayerFactory, reason: NotWonReason, looks: impl Fn(&NotWon)) {
    let outcome = ask(players, &certified(), Effort::Quick);
    let not_won: Vec<&NotWon> = outcome.rows.iter().flat_map(|row| &row.not_won).collect();
    assert!(not_won.len() >= 4, "{outcome:?}");
    for game in not_won {
        assert_eq!(game.reason, reason, "{game:?}");
        looks(game);
    }
    for (row, findings) in outcome.rows.iter().zip(&outcome.findings) {
        assert_eq!(row.games, row.won + row.ended(reason));
        assert_eq!(findings.tally.differed, u64::from(row.won < row.games), "{row:?}");
        assert_eq!(findings.tally.total(), 1);
        for difference in &findings.differences {
            assert_eq!(difference.case, format!("{}/none", row.ending));
            assert_eq!(difference.stored.to_string(), format!("{} of 2 games won", row.won));
            assert_eq!(difference.expected.to_string(), "all 2 won");
            assert_eq!((&difference.fen, &difference.replay), (&row.not_won[0].fen, &row.not_won[0].replay));
        }
    }
}

#[test]
fn a_win_that_is_given_away() {
    let throws = player(|game| Ok(Some(text(throwing(game).unwrap_or_else(|| best(game))))));
    check(&throws, NotWonReason::Thrown, |game| {
        let mut played = Game::at(position(&game.fen));
        assert_eq!(truth(played.position()).0, Wdl::Win);
        played.play_text(&game.played, board::Spelling::Exact).unwrap();
        assert_ne!(truth(played.position()).0, Wdl::Loss, "{game:?}");
        let asked = format!("none: position fen {}", game.start);
        assert!(game.replay.starts_with(&asked) && game.replay.ends_with("; go nodes 2000"), "{game:?}");
    });
}

#[test]
fn a_third_occurrence_of_a_position() {
    let shuffles = player(|game| {
        let mut moves = winning(game);
        moves.retain(|mv| !mv.is_zeroing() && !game.after(*mv).is_checkmate());
        moves.sort_by_key(|&mv| game.would_draw(mv).is_none());
        // It takes its last move back if it can.
        let last = game.moves().len().checked_sub(2).map(|last| game.moves()[last]);
        let takes_back = |mv: &&Move| {
            last.is_some_and(|last| mv.from() == Some(last.to()) && last.from() == Some(mv.to()))
        };
        let mv = moves.iter().find(takes_back).or(moves.first());
        Ok(Some(text(mv.copied().unwrap_or_else(|| best(game)))))
    });
    let outcome = ask(&shuffles, &certified(), Effort::Quick);
    let repetitions: u64 = outcome.rows.iter().map(|row| row.ended(NotWonReason::Repetition)).sum();
    assert!(repetitions >= 2, "{outcome:?}");
    assert!(
        outcome
            .rows
            .iter()
            .all(|row| row.ended(NotWonReason::Thrown) + row.ended(NotWonReason::Unanswered) == 0)
    );
}

#[test]
fn fifty_moves_without_progress() {
    // It goes to positions that have not occurred.
    let dawdles = player(|game| {
        let (moves, ply) = (winning(game), game.moves().len());
        let new = |mv: &&Move| {
            let after = game.after(**mv);
            !mv.is_zeroing() && !after.is_checkmate() && game.times(&after) == 0
        };
        let new: Vec<&Move> = moves.iter().filter(new).collect();
        Ok(Some(text(new.get(ply * ply * 31 % new.len().max(1)).map_or(moves[0], |&&mv| mv))))
    });
    let outcome = ask(&dawdles, &certified(), Effort::Quick);
    let not_won: Vec<&NotWon> = outcome.rows.iter().flat_map(|row| &row.not_won).collect();
    assert!(
        not_won.iter().filter(|game| game.reason == NotWonReason::FiftyMoves).count() >= 1,
        "{outcome:?}"
    );
    for game in not_won.iter().filter(|game| game.reason == NotWonReason::FiftyMoves) {
        assert!(game.played.is_empty() && game.fen.contains(" 100 "), "{game:?}");
    }
}

#[test]
fn no_answer_no_move_and_no_legal_move() {
    let silent = player(|_| Err(NoAnswer::Broken("it is\nout of time".to_owned())));
    check(&silent, NotWonReason::Unanswered, |game| {
        assert_eq!((&game.fen, &*game.played), (&game.start, ""));
    });
    check(&player(|_| Ok(None)), NotWonReason::Unanswered, |game| assert_eq!(game.played, ""));
    for answer in ["a1h2", "e1e9", "\u{1b}[2Jh8"] {
        let illegal = player(move |_| Ok(Some(answer.to_owned())));
        check(&illegal, NotWonReason::Unanswered, |game| {
            assert!(!game.played.contains('\u{1b}') && game.explanation.contains("is not legal"), "{game:?}");
        });
    }
    let long = player(|_| Ok(Some("e2".repeat(1_000))));
    check(&long, NotWonReason::Unanswered, |game| assert!(game.played.len() <= 40));
}

/// Its search panics.
struct Panics;

impl Searcher for Panics {
    fn name(&self) -> String {
        "panics".to_owned()
    }

    fn configure(&mut self, _: &Settings) {}

    fn settings_used(&self) -> &'static [Setting] {
        &[]
    }

    fn new_game(&mut self) {}

    fn search(
        &mut self,
        _: &engine::Game,
        _: &Limits,
        _: &Control,
        _: &mut dyn FnMut(&SearchInfo),
    ) -> SearchResult {
        panic!("planned")
    }
}

#[test]
fn a_panic_is_no_answer() {
    let panics = InProcess::new("panics", "", || Box::new(Panics));
    check(&panics, NotWonReason::Unanswered, |game| {
        assert_eq!(game.explanation, "no answer: defect: the search failed with \"planned\"");
    });
}

#[test]
fn a_player_that_does_not_start_does_not_answer() {
    let fails = |why: &str| NoAnswer::Broken(why.to_owned());
    let never_asked = player(|_| panic!("it is not to be asked"));
    let absent = never_asked.clone().failing_at_start(fails("no such program"));
    let stubborn = never_asked.failing_at_new_game(fails("never"));
    for (player, why) in [(absent, "no such program"), (stubborn, "never")] {
        check(&player, NotWonReason::Unanswered, |game| {
            assert_eq!(game.explanation, format!("it does not start: {why}"));
        });
    }
}

#[test]
fn specimens_have_no_aids_and_answer() {
    for name in specimens::NAMES {
        let specimen = InProcess::specimen(name).unwrap();
        let outcome = ask(&specimen, &certified(), Effort::Quick);
        let aids: Vec<String> = outcome.rows.iter().map(|row| row.aids.to_string()).collect();
        assert_eq!(aids, ["none"; 3], "{name}");
        assert!(
            outcome.rows.iter().all(|row| row.ended(NotWonReason::Unanswered) == 0),
            "{name}: {outcome:?}"
        );
    }
}

/// A player that throws each win at its second move, with this score. The start tells whether it has it.
fn announcing(
    score: Score,
    bound: Bound,
    tells: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> ScriptedPlayer {
    ScriptedPlayer::new(move |question, _| {
        let game = game(question);
        let is_second = game.moves().len() >= 2;
        let slowest = || *winning(&game).last().unwrap();
        let best = text(throwing(&game).filter(|_| is_second).unwrap_or_else(slowest));
        let line = |score, bound| Line { depth: 5, score, bound, nodes: None, pv: vec![best.clone()] };
        let mut lines = vec![line(Score::Centipawns(500), Bound::Exact)];
        if is_second && tells(&question.fen) {
            lines.push(line(score, bound));
        }
        Ok(Reply { best: Some(best.clone()), lines, cut: false })
    })
}

/// The checks of the findings, and what stands in place of the win.
fn found(player: &ScriptedPlayer) -> BTreeSet<(String, String)> {
    let outcome = ask(player, &certified(), Effort::Quick);
    let found = outcome.findings.into_iter().flat_map(|findings| findings.differences);
    found.map(|found| (found.check.clone(), found.stored.to_string())).collect()
}

#[test]
fn a_mate_that_is_announced_and_not_played() {
    let mate = Score::Mate(4);
    let announced = (ANNOUNCED.to_owned(), "mate 4, and no win".to_owned());
    assert!(found(&announcing(mate, Bound::Exact, |_| true)).contains(&announced));
    // A mate of the other side, a bound, and a mate that does not come again.
    let starts = Mutex::new(BTreeSet::new());
    for player in [
        announcing(Score::Mate(-4), Bound::Exact, |_| true),
        announcing(mate, Bound::Lower, |_| true),
        announcing(mate, Bound::Exact, move |fen| starts.lock().unwrap().insert(fen.to_owned())),
    ] {
        let found = found(&player);
        assert!(!found.is_empty() && found.iter().all(|(check, _)| check == WON), "{found:?}");
    }
}
