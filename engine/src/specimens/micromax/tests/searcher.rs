//! Tests of the contract of [`Searcher`]: legal answers, limits, determinism.

use super::*;
use crate::search_api::{NoClock, TimeBudget};
use std::time::Duration;

#[test]
fn answers_and_lines_are_legal_throughout_the_game() {
    let mut dice = Dice(2026);
    let mut searchers = Mode::ALL.map(|mode| specimens::by_name(mode.name()).unwrap());
    let mut game = Game::new(Position::starting());
    for round in 0..200 {
        if game.outcome().is_some() {
            game = Game::new(Position::starting());
        }
        let limits = Limits { nodes: Some([0, 1, 50, 3_000][round % 4]), ..Limits::default() };
        for searcher in &mut searchers {
            let play_through = |report: &SearchInfo| {
                report.line.iter().fold(*game.position(), |position, &mv| position.play(mv));
                assert!(!report.line.is_empty());
            };
            let answer =
                searcher.search(&game, &limits, &Control::default(), &mut |report| play_through(report));
            let after = game.position().play(answer.best.unwrap());
            assert!(answer.ponder.is_none_or(|mv| after.is_legal(mv)));
        }
        for _ in 0..3 {
            let moves = game.position().legal_moves();
            if !moves.is_empty() {
                game.play(moves[dice.roll(moves.len())]).unwrap();
            }
        }
    }
}

#[test]
fn positions_without_moves_are_reported_as_mate_or_draw() {
    for (fen, score) in
        [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"), ("8/8/8/8/8/4p1k1/8/4r1BK w - - 0 1", "cp 0")]
    {
        for mode in Mode::ALL {
            let SearchOutcome { best, score: said, reports, .. } = think(mode, fen, 3);
            assert_eq!((best, said.to_string().as_str()), (None, score));
            assert_eq!(reports.len(), 1);
            assert_eq!((reports[0].depth, reports[0].score), (0, said));
        }
    }
}

#[test]
fn limits_are_respected() {
    let mut deepest = Vec::new();
    for mode in Mode::ALL {
        let SearchOutcome { nodes, .. } =
            think_within(mode, BUSY, &Limits { nodes: Some(5_000), ..Limits::default() });
        assert!((5_000..5_004).contains(&nodes), "{nodes}");
        deepest.push(think(mode, START, 3).reports.last().unwrap().depth);
        let at_once = TimeBudget { soft: Some(Duration::ZERO), hard: Duration::ZERO };
        let thoughts = think_within(mode, BUSY, &Limits { time: Some(at_once), ..Limits::default() });
        assert!(thoughts.best.is_some() && thoughts.nodes == 0);
    }
    assert_eq!(deepest, [3, 3, 3]);
}

#[test]
fn it_stops_when_told_to() {
    let control = Control::new(NoClock);
    control.stop();
    let game = Game::new(position(BUSY));
    let mut searcher = specimens::by_name("micromax").unwrap();
    let answer = searcher.search(&game, &Limits::default(), &control, &mut |_| panic!("nothing to report"));
    assert!(game.position().is_legal(answer.best.unwrap()));
}

/// A clock that shows the end of the time after this many readings.
struct Readings(std::sync::atomic::AtomicU32);

impl crate::search_api::Clock for Readings {
    fn elapsed(&self) -> Duration {
        let before = self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        Duration::from_millis(before.into())
    }
}

/// Each iteration reads the clock at least once; depth 1 starts at the first reading.
#[test]
fn without_a_soft_limit_the_hard_one_ends_it() {
    let depth = |soft: Option<u64>| {
        let control = Control::new(Readings(0.into()));
        let time = TimeBudget { soft: soft.map(Duration::from_millis), hard: Duration::from_millis(30) };
        let (limits, mut deepest) = (Limits { time: Some(time), ..Limits::default() }, 0);
        let mut searcher = specimens::by_name("micromax").unwrap();
        let game = Game::new(position(BUSY));
        searcher.search(&game, &limits, &control, &mut |report| deepest = deepest.max(report.depth));
        deepest
    };
    assert!(depth(Some(1)) < depth(None));
}

#[test]
fn the_hard_limit_ends_the_current_iteration_unless_it_ponders() {
    let time = Some(TimeBudget { soft: Some(Duration::from_millis(20)), hard: Duration::from_millis(20) });
    let nodes = |pondering| {
        let control = Control::new(Readings(0.into()));
        control.set_pondering(pondering);
        let limits = Limits { time, nodes: Some(300_000), ..Limits::default() };
        let mut searcher = specimens::by_name("micromax").unwrap();
        searcher.search(&Game::new(position(BUSY)), &limits, &control, &mut |_| {}).nodes
    };
    assert!(nodes(false) < 30_000);
    assert!((300_000..300_004).contains(&nodes(true)));
}

#[test]
fn only_searchmoves_are_considered() {
    for (fen, text) in [(START, "a2a3"), ("8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f7f8n")] {
        let mv = position(fen).parse_uci(text, crate::CastlingMode::Standard).unwrap();
        let limits = Limits { depth: Some(3), moves: vec![mv], ..Limits::default() };
        for mode in Mode::ALL {
            assert_eq!(think_within(mode, fen, &limits).best, Some(mv));
        }
    }
}

/// Castling of Chess960 is legal but not supported: it never plays it, and still answers.
#[test]
fn it_answers_in_chess960_positions_with_castling() {
    let fen = "1k6/8/8/8/8/8/8/1K4R1 w G - 0 1";
    for mode in Mode::ALL {
        assert!(position(fen).is_legal(think(mode, fen, 3).best.unwrap()));
    }
}

#[test]
fn the_search_is_deterministic() {
    for mode in Mode::ALL {
        let mut searcher = specimens::by_name(mode.name()).unwrap();
        let limits = Limits { depth: Some(3), ..Limits::default() };
        let mut ask = |fen: &str| {
            let mut reports = Vec::new();
            let game = Game::new(position(fen));
            let answer = searcher
                .search(&game, &limits, &Control::default(), &mut |report| reports.push(report.clone()));
            (answer, reports)
        };
        let first = ask(BUSY);
        ask(START);
        assert_eq!(ask(BUSY), first);
    }
}

/// It ignores repetition: with an extra queen it returns to a position that occurred twice.
#[test]
fn it_ignores_history() {
    let mut game = Game::new(position("7k/8/8/8/8/8/1Q6/K7 b - - 0 1"));
    let fresh = Game::new(*game.position());
    let shuffle = ["h8g8", "b2c2", "g8h8", "c2b2"];
    for text in shuffle.iter().cycle().take(8) {
        let mv = game.position().parse_uci(text, crate::CastlingMode::Standard).unwrap();
        game.play(mv).unwrap();
    }
    let mut searcher = specimens::by_name("micromax").unwrap();
    let limits = Limits { depth: Some(4), ..Limits::default() };
    let mut score = |game: &Game| searcher.search(game, &limits, &Control::default(), &mut |_| {}).score;
    assert_eq!(game.repetitions(), 3);
    assert_eq!(score(&game), score(&fresh));
}
