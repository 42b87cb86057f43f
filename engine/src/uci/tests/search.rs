//! Tests of the start, the end and the answer of a search.

use std::time::Duration;

use super::{LAST, Script, Talk};
use crate::search_api::Setting;

const HOUR: Duration = Duration::from_hours(1);

#[test]
fn a_search_reports_and_answers() {
    let talk = Talk::with(Script::AtOnce);
    talk.say("go depth 1");
    let lines = talk.until("bestmove");
    assert!(lines[0].starts_with("info depth 1 seldepth 1 multipv 1 score cp 0 nodes 1 "), "{lines:?}");
    assert_eq!(lines[1..], [LAST]);
}

#[test]
fn an_infinite_search_answers_after_stop() {
    let talk = Talk::with(Script::AtOnce);
    for position in ["startpos", "fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
        talk.say(&format!("position {position}\ngo infinite"));
        talk.until("info depth");
        talk.nothing_is_answered();
        talk.say("stop");
        talk.until("bestmove");
    }
}

#[test]
fn a_pondering_search_answers_after_ponderhit_or_stop() {
    for (script, word) in [
        (Script::AtOnce, "ponderhit"),
        (Script::AtOnce, "stop"),
        (Script::WhenHit, "ponderhit"),
        (Script::WhenHit, "stop"),
    ] {
        let talk = Talk::with(script);
        talk.say("go ponder wtime 1000 btime 1000");
        talk.until("info depth");
        talk.nothing_is_answered();
        talk.say(word);
        assert_eq!(talk.until("bestmove"), [LAST]);
        talk.check("ponderhit", &["info string ponderhit: not pondering"]);
    }
}

#[test]
fn ponderhit_does_not_change_a_search_that_does_not_ponder() {
    let talk = Talk::with(Script::WhenStopped);
    talk.say("go depth 5");
    talk.until("info depth");
    talk.check("ponderhit", &["info string ponderhit: not pondering"]);
    talk.say("stop");
    assert_eq!(talk.until("bestmove"), [LAST]);
}

#[test]
fn a_second_stop_does_nothing() {
    let talk = Talk::with(Script::WhenStopped);
    talk.check("stop", &[]);
    talk.check("go depth 5", &[]);
    talk.say("stop\nstop");
    talk.until("bestmove");
    talk.check("stop\nstop", &[]);
    talk.say("go\nstop");
    talk.until("bestmove");
}

#[test]
fn other_commands_are_answered_during_a_search() {
    let talk = Talk::with(Script::WhenStopped);
    talk.say("go infinite");
    talk.until("info depth");
    talk.nothing_is_answered();
    for (command, answer) in [("uci", "uciok"), ("d", "Key: "), ("eval", "score: "), ("help", "help ")] {
        talk.say(command);
        assert!(!talk.until(answer).iter().any(|line| line.starts_with("bestmove")), "{command}");
    }
    talk.say("stop");
    assert_eq!(talk.until("bestmove"), [LAST]);
}

#[test]
fn a_second_go_is_rejected() {
    for script in [Script::WhenStopped, Script::AtOnce] {
        let talk = Talk::with(script);
        talk.say("go infinite");
        talk.asked(1);
        talk.check(
            "go depth 3\ngo\nbench",
            &[
                "info string go \"depth 3\": ignored, a search is running",
                "info string go: ignored, a search is running",
                "info string bench: ignored, a search is running",
            ],
        );
        talk.say("stop");
        assert_eq!(talk.until("bestmove").pop().as_deref(), Some(LAST));
    }
}

#[test]
fn position_and_options_end_the_search_first() {
    for (command, ends) in [
        ("position startpos moves e2e4", true),
        ("position startpos moves e2e5", false),
        ("ucinewgame", true),
        ("setoption name Hash value 32", true),
        ("setoption name Clear Hash", true),
        ("setoption name TablePath value good", true),
        ("setoption name Hash value 4097", false),
        ("setoption name TablePath value bad", false),
        ("setoption name Ponder value true", false),
        ("go perft 1", false),
    ] {
        let talk = Talk::with(Script::WhenStopped);
        talk.say("go infinite");
        talk.asked(1);
        assert_eq!(talk.answers(command).contains(&LAST.to_owned()), ends, "{command}");
    }
}

#[test]
fn lines_received_while_a_search_ends_are_executed_in_order() {
    let talk = Talk::with(Script::WhenStopped);
    talk.say("go infinite");
    talk.asked(1);
    talk.say("position startpos moves e2e4\nposition startpos moves d2d4\ngo infinite\nucinewgame");
    talk.until("bestmove");
    talk.until("bestmove h7h5");
    let fen = talk.fen();
    assert!(fen.contains("/3P4/"), "{fen}");
}

#[test]
fn quit_and_the_end_of_input_end_a_search() {
    for (script, go, quits) in [
        (Script::WhenStopped, "go", true),
        (Script::WhenStopped, "go infinite", false),
        (Script::WhenStopped, "go depth 5", false),
        (Script::WhenHit, "go ponder", true),
        (Script::AtOnce, "go infinite", false),
        (Script::AtOnce, "go perft 100", true),
        (Script::AtOnce, "go perft 100", false),
        (Script::AtOnce, "isready", true),
    ] {
        let talk = Talk::at(HOUR, script, Setting::ALL);
        talk.check("", &[]);
        talk.say(go);
        if quits {
            talk.say("quit\nisready");
        }
        let (result, said) = talk.end();
        assert!(result.is_ok(), "{go}");
        let searched = !go.contains("perft") && go != "isready";
        assert_eq!(said.contains(&LAST.to_owned()), searched, "{go}: {said:?}");
    }
}

/// For at most [`GRACE`]: see the case of `go depth 5` above, where an hour has passed.
#[test]
fn limited_jobs_run_to_their_end_at_the_end_of_input() {
    const FIRST: &str = "bestmove b1a3";
    for (command, last) in [
        ("go depth 5", LAST),
        ("go nodes 5", LAST),
        ("go mate 5", LAST),
        ("go movetime 5", LAST),
        ("go wtime 5 btime 5", LAST),
        ("go depth 5\nquit", FIRST),
        ("go depth 5 infinite", FIRST),
        ("go depth 5 ponder", FIRST),
        ("go", FIRST),
        ("go perft 4", "Nodes searched: 197281"),
        ("bench 1", "Signature: 40"),
        ("isready", "readyok"),
    ] {
        let talk = Talk::with(if command.starts_with("go") { Script::Late } else { Script::AtOnce });
        talk.check("", &[]);
        talk.say(command);
        let (_, said) = talk.end();
        assert!(said.contains(&last.to_owned()), "{command}: {said:?}");
    }
}

#[test]
fn a_rejected_go_starts_nothing_and_unknown_words_are_named() {
    let talk = Talk::with(Script::WhenStopped);
    talk.check(
        "go depth x",
        &["info string go: expected a number from 0 to 65535 after \"depth\", got \"x\""],
    );
    talk.check("go fast infinite", &["info string go: unknown word \"fast\" ignored"]);
    talk.say("stop");
    talk.until("bestmove");
    assert_eq!(talk.seen.lock().unwrap().limits.len(), 1);
}

/// A program that sends clocks waits for a move.
#[test]
fn a_missing_clock_is_named_and_the_search_is_still_limited() {
    let talk = Talk::with(Script::AtOnce);
    talk.check("", &[]);
    talk.say("go btime 5");
    let said = talk.until("bestmove");
    assert_eq!(said[0], "info string go: it is white's turn, but wtime is missing");
    assert!(talk.seen.lock().unwrap().limits[0].time.is_some());
}

#[test]
fn positions_without_moves_are_answered_without_the_searcher() {
    let talk = Talk::with(Script::Never);
    for (fen, score) in
        [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")]
    {
        let expected = [&format!("info depth 0 score {score}"), "bestmove (none)"];
        talk.check(&format!("position fen {fen}\ngo movetime 100"), &expected);
    }
}

#[test]
fn a_panicking_searcher_ends_neither_the_session_nor_the_game() {
    let talk = Talk::with(Script::Never);
    for (go, answer) in [("go", "bestmove b1a3"), ("go searchmoves e2e4", "bestmove e2e4")] {
        talk.say(go);
        let said = talk.until("bestmove");
        assert_eq!(said[1..], ["info string defect: the search failed with \"scripted defect\"", answer]);
    }
}

#[test]
fn the_searcher_receives_the_whole_game() {
    let talk = Talk::with(Script::AtOnce);
    talk.say("position startpos moves g1f3 g8f6 f3g1 f6g8\ngo");
    talk.until("bestmove");
    let seen = talk.seen.lock().unwrap();
    assert_eq!((seen.games[0].moves().len(), seen.games[0].repetitions()), (4, 2));
}

#[test]
fn perft_counts_and_stops() {
    let talk = Talk::with(Script::Never);
    talk.say("go perft 3");
    assert!(talk.until("Nodes searched").ends_with(&["Nodes searched: 8902".to_owned()]));
    talk.next();
    talk.say("go perft 100");
    talk.nothing_is_answered();
    talk.say("stop");
    talk.until("info string perft stopped");
    talk.say("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\ngo perft 2");
    talk.until("Nodes searched: 0");
}

/// After the last line of a job, the next one may start.
#[test]
fn the_session_is_idle_when_the_last_line_of_a_job_is_printed() {
    let talk = Talk::with(Script::AtOnce);
    for (command, last) in [("go perft 1", "Nodes searched"), ("bench 1", "Signature"), ("go", "bestmove")] {
        for _ in 0..100 {
            talk.say(command);
            let said = talk.until(last);
            assert!(!said.iter().any(|line| line.contains("ignored")), "{command}");
        }
    }
}

#[test]
fn bench_prints_totals_and_the_settings_are_applied_again() {
    let talk = Talk::with(Script::AtOnce);
    talk.check("setoption name Hash value 3", &[]);
    talk.say("bench 2");
    let said = talk.until("Signature");
    assert_eq!(said.len(), 46);
    assert!(said.contains(&"Nodes searched  : 40".to_owned()), "{said:?}");
    assert_eq!(said[45], "Signature: 40");
    talk.check("", &[]);
    let hash: Vec<usize> = talk.seen.lock().unwrap().settings.iter().map(|settings| settings.hash).collect();
    assert!(hash.ends_with(&[3, 16, 3]), "{hash:?}");
    talk.check(
        "bench x",
        &["info string bench: expected a number from 1 to 65535 after \"bench\", got \"x\""],
    );
}
