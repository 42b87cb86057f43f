//! The session without threads prints what the one with threads prints.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::{Script, Scripted, Seen, World};
use crate::search::AlphaBeta;
use crate::search_api::{Searcher, Setting, Settings};
use crate::specimens;
use crate::uci::{Dialogue, run};

type Make = fn() -> Box<dyn Searcher>;

const WORLD: World = World(Duration::from_millis(20));

fn searcher() -> Box<dyn Searcher> {
    Box::new(AlphaBeta::new(&Settings::default()))
}

fn broken() -> Box<dyn Searcher> {
    let seen = Arc::new(Mutex::new(Seen::default()));
    Box::new(Scripted { script: Script::Never, uses: Setting::ALL, seen })
}

#[track_caller]
fn check(make: Make, lines: &str, part: &str) {
    let mut printed = Vec::new();
    run(WORLD, make(), std::io::Cursor::new(lines.as_bytes().to_vec()), &mut printed).unwrap();
    let printed = String::from_utf8(printed).unwrap();
    assert!(printed.contains(part), "{lines}: {printed}");
    assert_eq!(Dialogue::new(WORLD, make()).say(lines).unwrap(), printed, "{lines}");
}

#[test]
fn the_output_equals_that_with_threads() {
    check(searcher, "uci", "option name Tables type check default true\n");
    check(searcher, "isready", "readyok\n");
    check(searcher, "go depth 6", " pv ");
    check(
        searcher,
        "setoption name MultiPV value 3\nposition startpos moves e2e4\ngo depth 4",
        " multipv 3 ",
    );
    check(searcher, "position fen 8/8/8/4k3/8/8/2K5/R7 w - - 0 1\ngo depth 1", " score mate 13 ");
    let tables_off = "setoption name Tables value false\nposition fen 8/8/8/4k3/8/8/2K5/R7 w - - 0 1\n";
    check(searcher, &format!("{tables_off}go depth 1"), " score cp ");
    check(searcher, &format!("ucinewgame\n{tables_off}go nodes 900"), " score cp ");
    check(searcher, "position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\ngo depth 1", "mate 0\nbestmove (none)\n");
    check(searcher, "position fen x\nsetoption name Hash value y\nnonsense\ngo depth z", "info string go: ");
    check(searcher, "go perft 3", "8902");
    check(searcher, "d\neval\nhelp", "Key: ");
    // Lines after `quit` are ignored; with threads, an `isready` right before it may go unanswered.
    check(searcher, "uci\nquit\nd", "uciok\n");
    check(|| specimens::by_name("micromax").unwrap(), "go depth 3", "bestmove ");
    check(broken, "go depth 3", "info string defect: the search failed with \"scripted defect\"\nbestmove ");
}

/// A searcher keeps its state between calls; `ucinewgame` clears it.
#[test]
fn the_session_keeps_its_state_between_calls() {
    let mut dialogue = Dialogue::new(WORLD, searcher());
    assert_eq!(dialogue.say("isready\n").unwrap(), "readyok\n");
    assert_eq!(dialogue.say("position startpos moves e2e4").unwrap(), "");
    let first = dialogue.say("go depth 6\n").unwrap();
    let second = dialogue.say("go depth 6\n").unwrap();
    assert!(first.contains("\nbestmove ") && first != second, "{first}");
    assert_eq!(dialogue.say("ucinewgame\ngo depth 6\n").unwrap(), first);
    assert_eq!(dialogue.say("quit\nuci\n").unwrap(), "");
}
