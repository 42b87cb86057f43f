//! Searches of the program: that there is a legal answer, whatever the limits, and nothing else at the wrong time.

use engine::{CastlingMode, Position};

use super::talk::Talk;

/// The move of the answer that ends these lines.
fn best(said: &[String]) -> &str {
    said[said.len() - 1].split(' ').nth(1).unwrap()
}

#[test]
fn the_handshake_of_a_user_interface() {
    let mut talk = Talk::start();
    talk.say("uci");
    let said = talk.until("uciok");
    assert!(said[0].starts_with("id name ") && said[1].starts_with("id author "), "{said:?}");
    assert!(said.iter().any(|line| line.starts_with("option name Hash type spin")));
    talk.say("setoption name Hash value 8\nucinewgame\nisready");
    assert_eq!(talk.until("readyok"), ["readyok"]);
    talk.end();
}

#[test]
fn each_limit_is_answered_with_a_legal_move() {
    let fen = "r3k2r/ppp1qpp1/2n1b2p/3np3/1b1P4/2N1BN2/PPPQ1PPP/R3KB1R w KQkq - 0 10";
    let position = Position::from_fen(fen).unwrap();
    let mut talk = Talk::start();
    talk.say(&format!("position fen {fen}"));
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
        talk.say(&format!("go {limit}"));
        let said = talk.until("bestmove");
        let parsed = position.parse_uci(best(&said), CastlingMode::Standard);
        assert!(parsed.is_ok(), "{limit}: {said:?}");
    }
    talk.end();
}

#[test]
fn first_moves_asked_for_are_the_only_ones() {
    let mut talk = Talk::start();
    for moves in ["a2a3", "h2h4", "b1a3 g1h3"] {
        talk.say(&format!("go depth 4 searchmoves {moves}"));
        let said = talk.until("bestmove");
        assert!(moves.split(' ').any(|mv| mv == best(&said)), "{moves}: {said:?}");
        let lines = said.iter().filter_map(|line| line.split(" pv ").nth(1));
        assert!(lines.into_iter().all(|line| moves.contains(&line[..4])), "{moves}: {said:?}");
    }
    talk.end();
}

#[test]
fn threads_stop_when_told() {
    let mut talk = Talk::start();
    assert_eq!(talk.answers("setoption name Threads value 4"), [""; 0]);
    for _ in 0..3 {
        talk.say("go infinite");
        talk.until("info depth 4 ");
        talk.say("stop");
        talk.until("bestmove");
    }
    talk.end();
}

/// At the end of input too: what has an end comes to it.
#[test]
fn the_last_search_is_answered_in_full() {
    let mut talk = Talk::start();
    talk.say("go depth 6");
    assert!(talk.end().iter().any(|line| line.starts_with("info depth 6 ")));
}

#[test]
fn infinite_searches_wait_and_answer_questions() {
    let mut talk = Talk::start();
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"] {
        talk.say(&format!("position fen {fen}\ngo infinite"));
        for _ in 0..20 {
            assert!(!talk.answers("").iter().any(|line| line.starts_with("bestmove")), "{fen}");
        }
        assert!(talk.answers("go").contains(&"info string go: ignored, one is under way".to_owned()));
        talk.say("stop");
        talk.until("bestmove");
    }
    talk.end();
}

#[test]
fn ponderhit_ends_the_pondering() {
    let mut talk = Talk::start();
    talk.say("go ponder wtime 100 btime 100");
    for _ in 0..20 {
        assert!(!talk.answers("").iter().any(|line| line.starts_with("bestmove")));
    }
    talk.say("ponderhit");
    talk.until("bestmove");
    talk.end();
}

#[test]
fn positions_without_moves_have_no_best_move() {
    let mut talk = Talk::start();
    for (fen, info) in [
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score mate 0"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "info depth 0 score cp 0"),
    ] {
        talk.say(&format!("position fen {fen}\ngo depth 5"));
        assert_eq!(talk.until("bestmove"), [info, "bestmove (none)"]);
    }
    talk.end();
}

#[test]
fn chess960_castles_by_the_rook() {
    let mut talk = Talk::start();
    let fen = "k7/8/8/8/8/8/8/1R3KR1 w GB - 0 1";
    talk.say(&format!("setoption name UCI_Chess960 value true\nposition fen {fen}\ngo perft 1"));
    assert!(talk.until("Nodes searched").contains(&"f1g1: 1".to_owned()));
    talk.say(&format!("position fen {fen} moves f1g1\nd"));
    let said = talk.until("Fen: ");
    assert_eq!(said[said.len() - 1], "Fen: k7/8/8/8/8/8/8/1R3RK1 b - - 1 1");
    talk.end();
}
