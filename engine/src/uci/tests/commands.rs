//! Tests of options, positions and other commands, valid and invalid.

use std::io;

use super::{Script, Talk};
use crate::search_api::Setting;
use crate::tables::Metric;

#[test]
fn uci_prints_the_name_and_the_options() {
    let talk = Talk::using(Script::AtOnce, &[Setting::Hash]);
    talk.say("uci");
    let lines = talk.until("uciok");
    assert!(lines[0].starts_with("id name Scripted ") && lines[1].starts_with("id author "), "{lines:?}");
    assert!(lines.contains(&"option name Clear Hash type button".to_owned()));
    assert!(!lines.iter().any(|line| line.contains("Threads")));
}

#[test]
fn a_rejected_position_keeps_the_old_one() {
    let talk = Talk::with(Script::AtOnce);
    let fen = "8/8/8/8/8/1K6/2R5/1k6 b - - 7 9";
    talk.say(&format!("position fen {fen}"));
    for refused in [
        "position",
        "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5b4",
        "position fen x",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos e2e4",
    ] {
        let answers = talk.answers(refused);
        assert!(answers.len() == 1 && answers[0].starts_with("info string position: "), "{answers:?}");
        assert_eq!(talk.fen(), fen, "{refused}");
    }
}

/// Several options may be applied at once, so the number of configurations is not checked.
#[test]
fn settings_reach_the_searcher_before_a_search() {
    let talk = Talk::with(Script::AtOnce);
    let last = || talk.seen.lock().unwrap().settings.last().cloned().unwrap();
    talk.check(
        "setoption name Hash value 64\nsetoption name Threads value 2\nsetoption name MultiPV value 3",
        &[],
    );
    let got = last();
    assert_eq!((got.hash, got.threads, got.multi_pv), (64, 2, 3));
    assert!(got.tables.is_some() && got.evaluation.king_tables);
    talk.check("setoption name King Tables value false\nsetoption name Tables value false", &[]);
    assert!(last().tables.is_none());
    talk.say("setoption name Hash value 7\ngo");
    talk.until("bestmove");
    let got = last();
    assert_eq!((got.hash, got.threads, got.multi_pv), (7, 2, 3));
    assert!(!got.evaluation.king_tables);
}

/// The configuration does not wait for `isready` or `go`.
#[test]
fn the_searcher_is_configured_in_advance() {
    for command in ["", "setoption name Hash value 7"] {
        let talk = Talk::with(Script::AtOnce);
        talk.say(command);
        let told = || talk.seen.lock().unwrap().settings.len();
        let waited = (0..super::DEADLINE.as_millis()).find(|_| {
            std::thread::sleep(std::time::Duration::from_millis(1));
            told() > usize::from(!command.is_empty())
        });
        assert!(waited.is_some(), "{command}");
    }
}

#[test]
fn only_readyok_waits_for_the_configuration() {
    for (go, ends) in [
        ("go infinite", "stop"),
        ("go ponder wtime 9 btime 9", "stop"),
        ("go depth 5", "stop"),
        ("go movetime 600", ""),
        ("go wtime 100 btime 100", ""),
        ("go searchmoves b1a3 movetime 0", ""),
    ] {
        let talk = Talk::with(Script::Unready);
        talk.say(&format!("isready\n{go}\n{ends}"));
        let said = talk.until("bestmove");
        assert_eq!(
            said,
            ["info string the search is still being set up: answered without it", "bestmove b1a3"]
        );
        talk.say("d\nquit");
        assert!(!talk.until("Key: ").contains(&"readyok".to_owned()));
        let (result, _) = talk.end();
        assert!(result.is_ok());
    }
}

fn materials(talk: &Talk) -> Vec<String> {
    let seen = talk.seen.lock().unwrap();
    let tables = seen.settings[seen.settings.len() - 1].tables.clone();
    let names = |table: &crate::tables::Table| table.material().to_string();
    tables
        .iter()
        .flat_map(|set| set.iter().filter(|table| table.metric() == Metric::Dtm).map(names))
        .collect()
}

#[test]
fn tables_of_the_folder_and_of_three_men_are_used() {
    let talk = Talk::with(Script::AtOnce);
    let has = |name: &str| materials(&talk).contains(&name.to_owned());
    talk.check("", &[]);
    assert!(has("KQvK") && has("KRvK") && has("KPvK"));
    talk.check("setoption name TablePath value bad", &["info string setoption: TablePath: bad: not there"]);
    talk.check("setoption name TablePath value good", &[]);
    assert!(has("KBvK") && has("KQvK"));
    talk.check("setoption name TablePath value bad", &["info string setoption: TablePath: bad: not there"]);
    talk.check("setoption name Tables value false", &[]);
    assert!(materials(&talk).is_empty());
}

#[test]
fn no_tables_are_built_for_a_searcher_that_does_not_use_them() {
    let talk = Talk::using(Script::AtOnce, &[]);
    talk.check("setoption name Tables value true", &["info string setoption: no option \"Tables\""]);
    assert!(talk.seen.lock().unwrap().settings[0].tables.is_none());
}

#[test]
fn ucinewgame_and_clear_hash_reach_the_searcher() {
    let talk = Talk::with(Script::AtOnce);
    talk.check("ucinewgame\nsetoption name Clear Hash", &[]);
    assert_eq!(talk.seen.lock().unwrap().forgotten, 2);
}

#[test]
fn castling_follows_the_option_uci_chess960() {
    let talk = Talk::with(Script::AtOnce);
    talk.say("position fen 4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1\ngo searchmoves e1g1");
    assert!(talk.until("bestmove").ends_with(&["bestmove e1g1".to_owned()]));
    talk.say("setoption name UCI_Chess960 value true\ngo searchmoves e1h1");
    let said = talk.until("bestmove");
    assert!(said[0].ends_with(" pv e1h1") && said[1] == "bestmove e1h1", "{said:?}");
    talk.check("position fen 4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1 moves e1h1", &[]);
    assert_eq!(talk.fen(), "4k2r/8/8/8/8/8/8/5RK1 b h - 1 1");
}

#[test]
fn wdl_is_printed_if_the_option_is_set() {
    let talk = Talk::with(Script::AtOnce);
    talk.say("setoption name UCI_ShowWDL value true\ngo");
    assert!(talk.until("bestmove")[0].contains(" score cp 0 wdl 191 618 191 nodes "));
}

#[test]
fn unknown_commands_are_named() {
    let talk = Talk::with(Script::AtOnce);
    talk.check("", &[]);
    talk.check(" \t \r\n\r", &[]);
    talk.check("joho debug on", &["info string unknown word \"joho\": ignored"]);
    talk.check("isredy quit", &["info string unknown command \"isredy quit\"; try help"]);
    talk.check("GO depth 3", &["info string unknown command \"GO depth 3\"; try help"]);
    talk.check("a\u{1b}[2J", &["info string unknown command \"a\\u{1b}[2J\"; try help"]);
    let long = "x".repeat(2_000_000);
    talk.check(&long, &["info string line of 2000000 bytes ignored: at most 1048576 are read"]);
    talk.input.send(b"\xff\xfe\0\x80\n".to_vec()).unwrap();
    let expected = "info string unknown command \"\u{fffd}\u{fffd}\\u{0}\u{fffd}\"; try help";
    talk.check("", &[expected]);
    talk.check(
        "\tposition\tstartpos\tmoves e2e4\r\nd",
        &talk.answers("position startpos moves e2e4\nd").iter().map(String::as_str).collect::<Vec<_>>(),
    );
}

#[test]
fn a_closed_output_ends_the_session() {
    let Talk { input, output, session, .. } = Talk::with(Script::AtOnce);
    drop(output);
    input.send(b"isready\n".to_vec()).unwrap();
    assert_eq!(session.join().unwrap().unwrap_err().kind(), io::ErrorKind::BrokenPipe);
}

/// Random lines of protocol words (seeded): the session continues, and the position stays legal.
#[test]
fn random_input_neither_ends_nor_hangs_the_session() {
    const WORDS: &str = "uci isready ucinewgame setoption position go stop ponderhit d eval help debug name value Hash \
        MultiPV TablePath good bad Clear true false startpos fen moves e2e4 e7e5 e1g1 e7e8q depth nodes mate movetime \
        wtime btime winc binc movestogo infinite ponder searchmoves perft 0 1 -1 7 99999999999999999999 x \u{e9} \
        8/8/8/8/8/1K6/2R5/1k6 b w - rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQkq";
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut seed = 1_u64;
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    for script in [Script::AtOnce, Script::WhenHit] {
        let talk = Talk::with(script);
        for _ in 0..1_000 {
            let count = 1 + below(9);
            let line: Vec<&str> = (0..count).map(|_| words[below(words.len())]).collect();
            talk.answers(&line.join(" "));
        }
        let (result, _) = talk.end();
        assert!(result.is_ok());
    }
}
