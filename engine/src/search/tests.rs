//! One test for each rule of the search. Positions are chosen so that the answer changes when the rule is broken.

use super::Searcher;
use crate::tables::build;
use crate::thinking::{Answer, Bound, Control, Limits, Report, Settings, Thinker};
use crate::{CastlingMode, Game, Position, Score, ScoreKind};
use std::sync::Arc;

fn small() -> Settings {
    Settings { hash: 1, ..Settings::default() }
}

fn with_tables() -> Settings {
    let materials = ["KQvK", "KRvK", "KPvK"].map(|name| name.parse().unwrap());
    Settings { tables: Some(Arc::new(build::production(&materials).unwrap())), ..small() }
}

/// A game: a position and the moves played from it.
fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::new(Position::from_fen(fen).unwrap());
    for mv in moves.split_whitespace() {
        let mv = game.position().parse_uci(mv, CastlingMode::Standard).unwrap();
        game.play(mv).unwrap();
    }
    game
}

fn ask(settings: &Settings, game: &Game, limits: &Limits) -> (Answer, Vec<Report>) {
    let mut reports = Vec::new();
    let answer = Searcher::new(settings)
        .think(game, limits, &Control::default(), &mut |report| reports.push(report.clone()));
    (answer, reports)
}

fn to_depth(depth: u16) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn best(answer: &Answer) -> String {
    answer.best.map_or("none".to_owned(), |mv| mv.to_string())
}

/// Both sides have back-rank mates to give and to prevent.
const BACK_RANKS: &str = "6k1/5ppp/8/8/8/q7/5PPP/1Q4K1 w - - 0 1";

#[test]
fn no_move_at_the_root() {
    for (fen, score) in
        [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0"), ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0")]
    {
        let (answer, reports) = ask(&small(), &game(fen, ""), &to_depth(5));
        assert_eq!(answer.best, None);
        assert_eq!(reports.len(), 1);
        assert_eq!((reports[0].depth, reports[0].score.to_string()), (0, score.to_owned()));
    }
}

#[test]
fn however_small_the_limits_the_move_is_legal() {
    for limits in [
        Limits { nodes: Some(0), ..Limits::default() },
        Limits { nodes: Some(1), ..Limits::default() },
        Limits { depth: Some(0), ..Limits::default() },
    ] {
        let game = game("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "");
        assert_eq!(best(&ask(&small(), &game, &limits).0), "e1e2");
    }
    let control = Control::default();
    control.stop();
    let answer = Searcher::new(&small()).think(
        &Game::new(Position::starting()),
        &Limits::default(),
        &control,
        &mut |_| {},
    );
    assert!(Position::starting().is_legal(answer.best.unwrap()));
}

#[test]
fn the_limit_of_nodes_holds() {
    for nodes in [100, 5_000, 20_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let (answer, _) = ask(&small(), &Game::new(Position::starting()), &limits);
        assert_eq!(answer.nodes, nodes);
    }
}

#[test]
fn one_thread_is_deterministic() {
    let game = game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", "");
    for limits in [to_depth(9), Limits { nodes: Some(20_000), ..Limits::default() }] {
        assert_eq!(ask(&small(), &game, &limits), ask(&small(), &game, &limits));
    }
    let mut searcher = Searcher::new(&small());
    let mut once = || searcher.think(&game, &to_depth(8), &Control::default(), &mut |_| {});
    let (first, again) = (once(), once());
    assert_ne!(first.nodes, again.nodes, "the hash table helps the second time");
    searcher.forget();
    assert_eq!(searcher.think(&game, &to_depth(8), &Control::default(), &mut |_| {}).nodes, first.nodes);
}

#[test]
fn threads_agree_on_a_mate() {
    let settings = Settings { threads: 4, ..small() };
    let (answer, _) = ask(&settings, &game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", ""), &to_depth(6));
    assert_eq!((best(&answer), answer.score.to_string()), ("a1a8".to_owned(), "mate 1".to_owned()));
}

#[test]
fn only_the_moves_asked_for() {
    let game = game("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", "");
    let read = |text| game.position().parse_uci(text, CastlingMode::Standard).unwrap();
    let limits = Limits { moves: vec![read("h2h3"), read("g2g3")], ..to_depth(5) };
    let (answer, reports) = ask(&Settings { multi_pv: 5, ..small() }, &game, &limits);
    assert!(["h2h3", "g2g3"].contains(&best(&answer).as_str()));
    assert_eq!(reports.iter().map(|report| report.rank).max(), Some(2));
}

#[test]
fn lines_are_distinct_and_in_order() {
    let settings = Settings { multi_pv: 4, ..small() };
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3", "");
    let (_, reports) = ask(&settings, &game, &to_depth(6));
    for depth in 1..=6 {
        let lines: Vec<&Report> = reports.iter().filter(|report| report.depth == depth).collect();
        assert_eq!(lines.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert!(lines.is_sorted_by_key(|line| std::cmp::Reverse(line.score)), "{depth}");
        let mut first: Vec<_> = lines.iter().map(|line| line.line[0]).collect();
        first.sort();
        first.dedup();
        assert_eq!(first.len(), 4);
        assert!(lines.iter().all(|line| line.bound == Bound::Exact));
    }
}

#[test]
fn lines_are_legal() {
    for fen in [BACK_RANKS, "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"] {
        let game = game(fen, "");
        for report in ask(&small(), &game, &to_depth(9)).1 {
            let mut game = game.clone();
            for mv in report.line {
                game.play(mv).unwrap();
            }
        }
    }
}

/// A rook up, White wins unless the position stands for the third time: the move that repeats is shunned by the side that
/// is ahead, and sought by the other.
#[test]
fn repetition() {
    // Two-fold inside the tree: Black, a queen down, has a perpetual check.
    let lost = game("6k1/5p1p/6p1/8/8/1r4q1/PP6/K6Q b - - 0 1", "");
    let (answer, _) = ask(&small(), &lost, &to_depth(6));
    assert!(answer.score.raw() > -1_000);
    // Three-fold from the game: after the king's walks to and fro, Kg1 would repeat for the third time.
    let shuffled =
        game("6k1/8/8/8/8/8/1R6/6K1 w - - 0 1", "g1h1 g8h8 h1g1 h8g8 g1h1 g8h8 h1g1 h8g8 g1h1 g8h8");
    let read = |text| shuffled.position().parse_uci(text, CastlingMode::Standard).unwrap();
    let only = |text| Limits { moves: vec![read(text)], ..to_depth(3) };
    assert_eq!(ask(&small(), &shuffled, &only("h1g1")).0.score, Score::DRAW);
    assert!(ask(&small(), &shuffled, &only("h1h2")).0.score.raw() > 300);
    let once = game("6k1/8/8/8/8/8/1R6/6K1 w - - 0 1", "g1h1 g8h8");
    assert!(
        ask(&small(), &once, &only("h1g1")).0.score.raw() > 300,
        "a second time is no draw yet, if the first was in the game"
    );
}

#[test]
fn fifty_moves_and_the_mate_on_the_hundredth_ply() {
    let mates = |clock: u16| game(&format!("7k/8/6K1/8/8/8/8/R7 w - - {clock} 80"), "");
    let (answer, _) = ask(&small(), &mates(99), &to_depth(4));
    assert_eq!((best(&answer), answer.score.to_string()), ("a1a8".to_owned(), "mate 1".to_owned()));
    // One ply too late: mate in two, with two plies left.
    let late = |clock: u16| game(&format!("7k/8/5K2/8/8/8/8/R7 w - - {clock} 80"), "");
    assert_eq!(ask(&small(), &late(98), &to_depth(6)).0.score, Score::DRAW);
    assert!(ask(&small(), &late(90), &to_depth(6)).0.score.raw() > 300);
    assert_eq!(ask(&with_tables(), &late(98), &to_depth(6)).0.score, Score::DRAW, "the tables know no clock");
}

#[test]
fn dead_material() {
    for (fen, draws) in [
        ("4k3/8/8/3b4/4K3/8/8/8 w - - 0 1", true),
        ("4k3/8/8/3r4/4K3/8/8/6N1 w - - 0 1", true),
        ("4k3/8/8/3r4/4K3/8/8/6R1 w - - 0 1", false),
    ] {
        let score = ask(&small(), &game(fen, ""), &to_depth(2)).0.score;
        assert_eq!(score == Score::DRAW, draws, "{fen}: {score}");
    }
}

/// Won because the other side has to move. Who passes in it finds nothing of that at this depth.
#[test]
fn no_null_move_with_king_and_pawns_alone() {
    let score = ask(&small(), &game("2k5/4p3/4P3/5K2/8/8/8/8 w - - 0 1", ""), &to_depth(9)).0.score.raw();
    assert!(score > 5_000, "{score}");
}

#[test]
fn tables_are_played_and_announced_from_depth_1() {
    let settings = with_tables();
    for (fen, score) in [
        ("8/8/8/8/8/1KR5/8/1k6 w - - 0 1", "mate 2"),
        ("8/8/8/8/8/1KR5/8/1k6 b - - 0 1", "mate -1"),
        ("8/1P6/7k/8/4K3/8/8/8 w - - 0 1", "mate 5"),
        ("8/8/8/8/8/2k5/1r6/K7 b - - 0 1", "mate 3"),
        ("8/8/8/8/8/k7/p7/K7 w - - 0 1", "cp 0"),
    ] {
        let (answer, reports) = ask(&settings, &game(fen, ""), &to_depth(1));
        assert_eq!(answer.score.to_string(), score, "{fen}");
        let report = reports.last().unwrap();
        match report.score.kind() {
            ScoreKind::Mate(plies) | ScoreKind::Mated(plies) => {
                assert_eq!(report.line.len(), usize::from(plies.0), "{fen}");
                let mut position = Position::from_fen(fen).unwrap();
                for &mv in &report.line {
                    position = position.play(mv);
                }
                assert!(position.is_checkmate(), "{fen}");
            }
            ScoreKind::Centipawns(_) => {}
        }
    }
}

#[test]
fn tables_are_probed_in_the_tree() {
    // Taking the pawn leaves a king against a king and pawn that is drawn; the other moves lose.
    let (answer, reports) = ask(&with_tables(), &game("8/8/8/8/3k4/8/p1K5/8 w - - 0 1", ""), &to_depth(2));
    assert_eq!(best(&answer), "c2b2");
    assert!(reports.last().unwrap().table_hits > 0);
}

#[test]
fn every_mate_that_is_said_is_one() {
    for (fen, depth, score) in [
        ("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1", 2, "mate 1"),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 5, "mate 2"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 3, "mate 1"),
        ("8/8/8/8/8/5k2/6p1/6K1 w - - 0 1", 1, "cp"),
    ] {
        let (answer, reports) = ask(&small(), &game(fen, ""), &to_depth(depth));
        assert!(answer.score.to_string().starts_with(score), "{fen}: {}", answer.score);
        for report in reports {
            if let ScoreKind::Mate(plies) | ScoreKind::Mated(plies) = report.score.kind() {
                assert_eq!(report.line.len(), usize::from(plies.0), "{fen}");
            }
        }
    }
}

#[test]
fn a_mate_asked_for_ends_the_search() {
    let limits = Limits { mate: Some(2), ..Limits::default() };
    let (answer, _) = ask(&small(), &game("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", ""), &limits);
    assert_eq!(answer.score.to_string(), "mate 2");
}
