//! Tests of searches: every search has one legal answer, at the right time.

use engine::{CastlingMode, Position};

use super::process::Engine;

/// The move of the final `bestmove`.
fn best(said: &[String]) -> &str {
    said[said.len() - 1].split(' ').nth(1).unwrap()
}

#[test]
fn the_handshake_of_a_user_interface() {
    let mut engine = Engine::start();
    engine.say("uci");
    let said = engine.until("uciok");
    assert!(said[0].starts_with("id name ") && said[1].starts_with("id author "), "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("option name Hash type spin")));
    engine.say("setoption name Hash value 8\nucinewgame\nisready");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    engine.end();
}

#[test]
fn each_limit_has_a_legal_answer() {
    let fen = "r3k2r/ppp1qpp1/2n1b2p/3np3/1b1P4/2N1BN2/PPPQ1PPP/R3KB1R w KQkq - 0 10";
    let position = Position::from_fen(fen).unwrap();
    let mut engine = Engine::start();
    engine.say(&format!("position fen {fen}"));
    for limit in [
        "depth 1",
        "depth 0",
        "nodes 0",
        "nodes 1",
        "nodes 500",
        "movetime 0",
        "movetime 1",
        "movetime 50",
        "wtime 0 btime 0",
        "wtime -100 btime 1000",
        "wtime 1 btime 1 winc 1 binc 1 movestogo 1",
        "wtime 500 btime 500 winc 5 binc 5",
        "wtime 500 movestogo 0",
        "depth 1 nodes 1 movetime 1",
        "mate 1 depth 2",
    ] {
        engine.say(&format!("go {limit}"));
        let said = engine.until("bestmove");
        let parsed = position.parse_uci(best(&said), CastlingMode::Standard);
        assert!(parsed.is_ok(), "{limit}: {said:?}");
    }
    engine.end();
}

#[test]
fn only_searchmoves_are_searched() {
    let mut engine = Engine::start();
    for moves in ["a2a3", "h2h4", "b1a3 g1h3"] {
        engine.say(&format!("go depth 4 searchmoves {moves}"));
        let said = engine.until("bestmove");
        assert!(moves.split(' ').any(|mv| mv == best(&said)), "{moves}: {said:?}");
        let lines = said.iter().filter_map(|line| line.split(" pv ").nth(1));
        assert!(lines.into_iter().all(|line| moves.contains(&line[..4])), "{moves}: {said:?}");
    }
    engine.end();
}

#[test]
fn threads_stop_on_command() {
    let mut engine = Engine::start();
    assert_eq!(engine.answers("setoption name Threads value 4"), [""; 0]);
    for _ in 0..3 {
        engine.say("go infinite");
        engine.until("info depth 4 ");
        engine.say("stop");
        engine.until("bestmove");
    }
    engine.end();
}

/// At the end of input a search with a limit is completed.
#[test]
fn the_last_search_is_completed() {
    let mut engine = Engine::start();
    engine.say("go depth 6");
    assert!(engine.end().iter().any(|line| line.starts_with("info depth 6 ")));
}

#[test]
fn an_infinite_search_waits_for_stop_and_answers_isready() {
    let mut engine = Engine::start();
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        engine.say(&format!("position fen {fen}\ngo infinite"));
        for _ in 0..20 {
            assert!(!engine.answers("").iter().any(|line| line.starts_with("bestmove")), "{fen}");
        }
        assert!(engine.answers("go").contains(&"info string go: ignored, a search is running".to_owned()));
        engine.say("stop");
        engine.until("bestmove");
    }
    engine.end();
}

#[test]
fn ponderhit_ends_pondering() {
    let mut engine = Engine::start();
    engine.say("go ponder wtime 100 btime 100");
    for _ in 0..20 {
        assert!(!engine.answers("").iter().any(|line| line.starts_with("bestmove")));
    }
    engine.say("ponderhit");
    engine.until("bestmove");
    engine.end();
}

#[test]
fn positions_without_moves_have_no_best_move() {
    let mut engine = Engine::start();
    for (fen, info) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
    ] {
        engine.say(&format!("position fen {fen}\ngo depth 5"));
        assert_eq!(engine.until("bestmove"), [info, "bestmove (none)"]);
    }
    engine.end();
}

#[test]
fn chess960_castles_by_the_rook() {
    let mut engine = Engine::start();
    let fen = "k7/8/8/8/8/8/8/1R3KR1 w GB - 0 1";
    engine.say(&format!("setoption name UCI_Chess960 value true\nposition fen {fen}\ngo perft 1"));
    assert!(engine.until("Nodes searched").contains(&"f1g1: 1".to_owned()));
    engine.say(&format!("position fen {fen} moves f1g1\nd"));
    let said = engine.until("Fen: ");
    assert_eq!(said[said.len() - 1], "Fen: k7/8/8/8/8/8/8/1R3RK1 b - - 1 1");
    engine.end();
}
