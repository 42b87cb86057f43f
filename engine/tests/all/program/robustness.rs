//! Tests of unusual input.

use super::process::Engine;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn ready(engine: &mut Engine) {
    assert_eq!(engine.answers(""), [""; 0]);
}

#[test]
fn the_end_of_input_ends_the_program() {
    for lines in
        ["", "uci", "isready", "go infinite", "go ponder wtime 1 btime 1", "go", "go perft 2", "bench 1"]
    {
        let mut engine = Engine::start();
        engine.say(lines);
        engine.end();
    }
}

#[test]
fn quit_ends_the_program_during_a_search() {
    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go depth 60", "go perft 50", "bench 60"] {
        let mut engine = Engine::start();
        engine.say(&format!("{go}\nisready"));
        engine.until("readyok");
        engine.say("quit");
        // The pipe stays open: only `quit` ends the program.
        let said = engine.until_closed();
        assert_eq!(
            said.iter().any(|line| line.starts_with("bestmove")),
            !go.contains("perft") && !go.contains("bench")
        );
    }
}

#[test]
fn long_lines_are_reported_and_skipped() {
    let mut engine = Engine::start();
    let word = "x".repeat(3 << 20);
    let answers = engine.answers(&word);
    assert_eq!(answers, [format!("info string line of {} bytes ignored: at most 1048576 are read", 3 << 20)]);
    let below = format!("position startpos moves{}", " e2e4".repeat(200_000));
    let answers = engine.answers(&below);
    assert!(answers.len() == 1 && answers[0].starts_with("info string position: move 2: "), "{answers:?}");
    let words = "x ".repeat(500_000);
    assert!(engine.answers(&words)[0].starts_with("info string unknown command"));
    assert!(engine.answers(&format!("go {words}perft x")).last().unwrap().contains("\"perft\", got \"x\""));
    engine.end();
}

#[test]
fn games_of_five_thousand_plies_are_accepted() {
    let mut engine = Engine::start();
    let there_and_back = " g1f3 g8f6 f3g1 f6g8".repeat(1_250);
    engine.say(&format!("position startpos moves{there_and_back}\nd"));
    let said = engine.until("Fen: ");
    assert_eq!(said[said.len() - 1], format!("Fen: {START} w KQkq - 5000 2501"));
    engine.say("go depth 2");
    assert_ne!(engine.until("bestmove").pop().unwrap(), "bestmove (none)");
    engine.end();
}

#[test]
fn invalid_utf8_is_reported() {
    let mut engine = Engine::start();
    let mut bytes: Vec<u8> = (0..=255).filter(|&byte| byte != b'\n').collect();
    bytes.push(b'\n');
    engine.send(&bytes.repeat(50));
    let answers = engine.answers("");
    assert_eq!(answers.len(), 50);
    for answer in answers {
        assert!(answer.starts_with("info string unknown command"), "{answer}");
        assert!(!answer.chars().any(char::is_control), "{answer:?}");
    }
    ready(&mut engine);
    engine.end();
}

#[test]
fn line_ends_of_other_systems_and_tabs_are_accepted() {
    let mut engine = Engine::start();
    engine.send(b"\r\n\t\r\nposition\tstartpos\tmoves\te2e4\r\n  go\t depth 1 \r\n");
    let said = engine.until("bestmove");
    assert!(!said.iter().any(|line| line.starts_with("info string")), "{said:?}");
    engine.end();
}
