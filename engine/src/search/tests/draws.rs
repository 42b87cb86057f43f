//! Tests of draws inside the tree: repetition, fifty moves, dead material.

use super::*;
use crate::Ply;

/// Whether a position is a draw, after moves of the game and moves of the search.
fn drawn(fen: &str, played: &str, looked_at: &str) -> bool {
    let game = game(fen, played);
    at(&game, |worker| {
        let mut position = *game.position();
        for (ply, text) in looked_at.split_whitespace().enumerate() {
            position = worker.make(&position, read(&position, text), ply);
        }
        worker.is_draw(&position)
    })
}

#[test]
fn two_occurrences_in_the_tree_or_three_with_the_game_are_a_draw() {
    const ROOK: &str = "6k1/8/8/8/8/8/1R6/6K1 w - - 0 1";
    const AROUND: &str = "g1h1 g8h8 h1g1 h8g8";
    let twice = format!("{AROUND} {AROUND}");
    for (played, looked_at, draws) in [
        ("", "g1h1 g8h8", false),
        ("", AROUND, false),
        ("", "g1h1 g8h8 h1g1 h8g8 g1h1", true),
        ("g1h1 g8h8", "h1g1 h8g8", false),
        (AROUND, "g1h1", false),
        (AROUND, AROUND, true),
        (twice.as_str(), "g1h1", true),
        (twice.as_str(), "g1f1", false),
    ] {
        assert_eq!(drawn(ROOK, played, looked_at), draws, "{played} | {looked_at}");
    }
}

/// White is a rook down and can only give checks: perpetual check, unless a bishop interposes.
#[test]
fn perpetual_check() {
    let score = |fen| ask(&small(), &game(fen, ""), &to_depth(3)).0.score;
    assert_eq!(score("6k1/6p1/8/7Q/8/8/rq6/7K w - - 0 1"), Score::DRAW);
    assert!(score("6k1/3b2p1/8/7Q/8/8/rq6/7K w - - 0 1") < cp(-300));
}

#[test]
fn the_hundredth_ply_is_a_draw_unless_it_mates() {
    for (fen, draws) in [
        ("7k/8/8/8/8/8/8/KR6 w - - 99 80", false),
        ("7k/8/8/8/8/8/8/KR6 w - - 100 80", true),
        ("R6k/8/8/8/8/8/8/K7 b - - 100 80", true),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 100 80", true),
        ("R6k/8/6K1/8/8/8/8/8 b - - 100 80", false),
    ] {
        assert_eq!(drawn(fen, "", ""), draws, "{fen}");
    }
    let mate = game("R6k/8/6K1/8/8/8/8/8 b - - 100 80", "");
    for depth in [0, 3] {
        let score = at(&mate, |worker| worker.search(mate.position(), 5, depth, Window::FULL, false));
        assert_eq!(score, Score::mated_in(Ply(5)));
    }
}

#[test]
fn dead_material_is_a_draw_without_evaluation() {
    for (fen, draws) in [
        ("4k3/8/8/8/4K3/8/8/6N1 w - - 0 1", true),
        ("4k3/8/8/8/4K3/8/8/6B1 b - - 0 1", true),
        ("4k3/8/8/8/4K3/8/8/5NN1 w - - 0 1", false),
        ("4k3/8/8/8/4K3/8/7P/8 w - - 0 1", false),
    ] {
        assert_eq!(drawn(fen, "", ""), draws, "{fen}");
    }
}

/// A rook up, White wins unless the position occurs for the third time: the side ahead avoids the repetition,
/// the other side seeks it.
#[test]
fn repetition() {
    // Threefold with the game: after the king's moves to and fro, Kg1 would repeat for the third time.
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

/// Four plies are left. White can offer the rook so that its capture resets the clock, but Black need not
/// capture: pruning by evaluation must not skip the moves that decline.
#[test]
fn moves_that_let_the_clock_run_out_are_not_pruned() {
    let late = game("8/1R6/8/6k1/8/8/Q7/4K3 w - - 96 68", "");
    for depth in 4..=11 {
        assert_eq!(ask(&small(), &late, &to_depth(depth)).0.score, Score::DRAW, "depth {depth}");
    }
}
