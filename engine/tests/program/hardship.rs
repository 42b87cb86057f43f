//! What user interfaces should not send, and what happens when they do.

use super::talk::Talk;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

fn ready(talk: &mut Talk) {
    assert_eq!(talk.answers(""), [""; 0]);
}

#[test]
fn the_end_of_input_ends_the_program() {
    for lines in
        ["", "uci", "isready", "go infinite", "go ponder wtime 1 btime 1", "go", "go perft 2", "bench 1"]
    {
        let mut talk = Talk::start();
        talk.say(lines);
        talk.end();
    }
}

#[test]
fn quit_ends_the_program_during_a_search() {
    for go in ["go infinite", "go ponder wtime 1000 btime 1000", "go depth 60", "go perft 50", "bench 60"] {
        let mut talk = Talk::start();
        talk.say(&format!("{go}\nisready"));
        talk.until("readyok");
        talk.say("quit");
        // The pipe stays open: it is the word that ends the program.
        let said = talk.until_closed();
        assert_eq!(
            said.iter().any(|line| line.starts_with("bestmove")),
            !go.contains("perft") && !go.contains("bench")
        );
    }
}

#[test]
fn long_lines_are_named_and_passed_over() {
    let mut talk = Talk::start();
    let word = "x".repeat(3 << 20);
    let answers = talk.answers(&word);
    assert_eq!(answers, [format!("info string line of {} bytes ignored: at most 1048576 are read", 3 << 20)]);
    let below = format!("position startpos moves{}", " e2e4".repeat(200_000));
    let answers = talk.answers(&below);
    assert!(answers.len() == 1 && answers[0].starts_with("info string position: move 2: "), "{answers:?}");
    let words = "x ".repeat(500_000);
    assert!(talk.answers(&words)[0].starts_with("info string unknown command"));
    assert!(talk.answers(&format!("go {words}perft x")).last().unwrap().contains("\"perft\", got \"x\""));
    talk.end();
}

#[test]
fn games_of_five_thousand_plies_are_played_on() {
    let mut talk = Talk::start();
    let there_and_back = " g1f3 g8f6 f3g1 f6g8".repeat(1_250);
    talk.say(&format!("position startpos moves{there_and_back}\nd"));
    let said = talk.until("Fen: ");
    assert_eq!(said[said.len() - 1], format!("Fen: {START} w KQkq - 5000 2501"));
    talk.say("go depth 2");
    assert_ne!(talk.until("bestmove").pop().unwrap(), "bestmove (none)");
    talk.end();
}

#[test]
fn bytes_that_are_no_text_are_named() {
    let mut talk = Talk::start();
    let mut bytes: Vec<u8> = (0..=255).filter(|&byte| byte != b'\n').collect();
    bytes.push(b'\n');
    talk.send(&bytes.repeat(50));
    let answers = talk.answers("");
    assert_eq!(answers.len(), 50);
    for answer in answers {
        assert!(answer.starts_with("info string unknown command"), "{answer}");
        assert!(!answer.chars().any(char::is_control), "{answer:?}");
    }
    ready(&mut talk);
    talk.end();
}

#[test]
fn line_ends_and_tabs_of_other_systems_are_understood() {
    let mut talk = Talk::start();
    talk.send(b"\r\n\t\r\nposition\tstartpos\tmoves\te2e4\r\n  go\t depth 1 \r\n");
    let said = talk.until("bestmove");
    assert!(!said.iter().any(|line| line.starts_with("info string")), "{said:?}");
    talk.end();
}
