//! `judge`: games of files, of each program that writes them, plain and packed, whole and damaged.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::Stdio;

use reports::{DifferenceRow, MalformedRow};

use crate::sandbox::{Ended, Sandbox, half_written, run};

/// Rook and king against king: mate in 2.
const START: &str = "[SetUp \"1\"]\n[FEN \"8/8/8/8/8/1K6/2R5/1k6 w - - 0 1\"]\n";
const WON: &str = "1. Rc3 Ka1 2. Rc1# 1-0\n\n";
/// White throws the win.
const THROWN: &str = "1. Rc1+ Kxc1 1/2-1/2\n\n";

fn game(white: &str, black: &str, rest: &str) -> String {
    format!("[Event \"?\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n{START}\n{rest}")
}

/// `judge` of these files, with reports in `out`.
fn judge(sandbox: &Sandbox, args: &str) -> Ended {
    sandbox.run(["judge", "--out", "out"].into_iter().chain(args.split_whitespace()))
}

#[test]
fn a_thrown_result_is_found_with_its_replay() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "games.pgn",
        game("new", "old", WON) + &game("old", "new", THROWN) + "[White \"x\"]\n\n1. e4 *\n",
    );
    let ended = judge(&sandbox, "games.pgn --epdout thrown.epd");
    ended.says(1, &["reports in out"]);
    let players = "new: won 1 of 1 won endings, held 0 of 0 drawn ones, saved 1 of 1 lost ones\n\
                   old: won 0 of 1 won endings, held 0 of 0 drawn ones, saved 0 of 1 lost ones\n";
    assert!(ended.stdout.ends_with(players), "{}", ended.stdout);
    assert!(ended.stdout.contains("\n  got       "), "{}", ended.stdout);
    let found: Vec<DifferenceRow> = sandbox.rows();
    let [DifferenceRow(found)] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&*found.subject, &*found.check), ("old", "game/win-to-draw"));
    assert_eq!(found.case, "game 2 ply 0 (old - new)");
    assert_eq!((found.given.as_deref(), found.best.len() > 3), (Some("c2c1"), true));
    let epd = "8/8/8/8/8/1K6/2R5/1k6 w - - hmvc 0; fmvn 1; bm Rc3 ";
    assert!(sandbox.text("thrown.epd").starts_with(epd), "{}", sandbox.text("thrown.epd"));
    assert!(sandbox.text("thrown.epd").ends_with("; c0 \"White wins in 3 plies; Rc1+: drawn\";\n"));
    let games = sandbox.text("out/games.csv");
    let expected = "games.pgn,2,9,old,new,1/2-1/2,2,KRvK,0,1-0,0,1,0,game/win-to-draw\n";
    assert!(games.contains(expected) && games.lines().count() == 4, "{games}");
    assert!(sandbox.text("out/report.html").contains("c2c1"));
    assert_eq!(half_written(&sandbox.path("out")), [""; 0]);
    // The replay repeats it.
    let words = found.replay.split_once(" judge ").unwrap().1;
    assert_eq!(words, "games.pgn --game 2");
    let again = judge(&sandbox, words);
    again.says(1, &[]);
    assert_eq!(sandbox.rows::<DifferenceRow>().len(), 1);
    judge(&sandbox, "games.pgn --game 1").says(0, &[]);
    let rows = judge(&sandbox, "games.pgn --format row").stdout;
    assert_eq!(rows, sandbox.text("out/players.csv"));
    judge(&sandbox, "games.pgn --game 4").says(2, &["games.pgn has no game 4"]);
}

#[test]
fn severities_decide_on_the_exit_code() {
    let sandbox = Sandbox::new();
    sandbox.write("thrown.pgn", game("a", "b", THROWN));
    judge(&sandbox, "thrown.pgn --fail-on error").says(0, &[]);
    judge(&sandbox, "thrown.pgn --men 2").says(0, &[]);
    judge(&sandbox, "thrown.pgn --from-ply 1").says(0, &[]);
    sandbox.write("illegal.pgn", "1. e4 e5 2. Ke3 1-0\n");
    judge(&sandbox, "illegal.pgn --fail-on error").says(1, &[]);
    sandbox.write("note.pgn", "1. f3 e5 2. g4 Qh4# *\n");
    judge(&sandbox, "note.pgn").says(0, &[]);
    judge(&sandbox, "note.pgn --fail-on note").says(1, &[]);
    let timed =
        "[Termination \"time forfeit\"]\n[FEN \"4k3/8/8/8/8/8/PPPP4/4K2R w - - 0 1\"]\n\n1. Rg1 0-1\n";
    sandbox.write("time.pgn", timed);
    judge(&sandbox, "time.pgn").says(1, &[]);
    judge(&sandbox, "time.pgn --rules fastchess").says(0, &[]);
}

#[test]
fn games_that_cannot_be_read_are_named_and_skipped() {
    let sandbox = Sandbox::new();
    let bad = "[Event \"?\"]\n[White \"bad\"]\n\n1. e4\nxyz *\n\n";
    sandbox.write("games.pgn", bad.to_owned() + &game("a", "b", WON));
    let named = "games.pgn:5: game 1 cannot be read: 1... \"xyz\" is no move";
    judge(&sandbox, "games.pgn").says(2, &[named]);
    let malformed: Vec<MalformedRow> = sandbox.rows();
    assert_eq!((malformed.len(), malformed[0].line), (1, 5));
    assert_eq!(sandbox.text("out/games.csv").lines().count(), 2);
    // The list is gone when nothing is wrong any more.
    sandbox.write("games.pgn", game("a", "b", WON));
    judge(&sandbox, "games.pgn").says(0, &[]);
    assert!(!sandbox.path("out/malformed.csv").exists());
    sandbox.write("games.pgn", bad.to_owned() + &game("a", "b", THROWN));
    judge(&sandbox, "games.pgn").says(1, &[named]);
    sandbox.write("games.pgn", "[Variant \"Atomic\"]\n\n1. e4 *\n".to_owned() + &game("a", "b", WON));
    judge(&sandbox, "games.pgn").says(0, &[]);
}

/// Control characters of a file do not reach the terminal.
#[test]
fn names_and_words_are_printed_escaped() {
    let sandbox = Sandbox::new();
    let bad = "[Event \"?\"]\n\n1. x\u{1b}[2Jy *\n\n";
    sandbox.write("games.pgn", game("\u{1b}[31mred", "b\u{7}", THROWN) + bad);
    let ended = judge(&sandbox, "games.pgn");
    ended.says(1, &["game 2 cannot be read: 1. \"x\\u{1b}\" is no move"]);
    for text in [&ended.stdout, &ended.stderr] {
        assert!(!text.chars().any(|letter| letter.is_control() && letter != '\n'), "{text:?}");
    }
    assert!(ended.stdout.contains("\n\\u{1b}[31mred: won 0 of 1"), "{}", ended.stdout);
}

#[test]
fn a_file_that_cannot_be_read_leaves_no_report() {
    let sandbox = Sandbox::new();
    sandbox.write("games.pgn", game("a", "b", WON));
    judge(&sandbox, "games.pgn none.pgn").says(2, &["error: cannot read none.pgn"]);
    let mut packed = packed(game("a", "b", WON).repeat(99).as_bytes());
    packed.truncate(packed.len() - 9);
    sandbox.write("cut.pgn.gz", packed);
    judge(&sandbox, "cut.pgn.gz").says(2, &["cut.pgn.gz: the gzip stream is cut off"]);
    judge(&sandbox, "games.pgn --tb none").says(2, &["--tb: "]);
    assert!(!sandbox.path("out/games.csv").exists());
    sandbox.write("empty.pgn", "\n");
    judge(&sandbox, "empty.pgn").says(2, &["empty.pgn has no game"]);
    run(&["judge"]).says(2, &["<GAMES.pgn>"]);
    run(&["judge", "-", "-"]).says(2, &["standard input (-) can be read once"]);
    run(&["judge", "x.pgn", "--rules", "uscf"]).says(2, &["none of fide, fastchess, cutechess and lichess"]);
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// The reports do not depend on the number of threads, on how a file is packed, or on its line breaks.
#[test]
fn reports_are_the_same_from_each_form_of_a_file() {
    let mut text = String::new();
    for number in 0..3_000 {
        let rest = if number % 7 == 0 { THROWN } else { WON };
        write!(text, "{}", game(&format!("a{}", number % 5), "b", rest)).unwrap();
    }
    let sandbox = Sandbox::new();
    let reports = |file: &str, bytes: &[u8], args: &str| {
        sandbox.write(file, bytes);
        judge(&sandbox, &format!("{file} {args}")).says(1, &[]);
        let files = sandbox.files("out").into_iter();
        files.map(|(name, text)| (name, text.replace(file, "FILE"))).collect::<Vec<_>>()
    };
    let expected = reports("plain.pgn", text.as_bytes(), "--jobs 1");
    assert_eq!(
        expected.iter().find(|(name, _)| name == "differences.csv").unwrap().1.lines().count(),
        1 + 429
    );
    assert_eq!(reports("jobs.pgn", text.as_bytes(), "--jobs 5"), expected);
    assert_eq!(reports("packed.pgn.gz", &packed(text.as_bytes()), ""), expected);
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    assert_eq!(
        reports("packed.pgn.zst", &ruzstd::encoding::compress_to_vec(text.as_bytes(), level), ""),
        expected
    );
    assert_eq!(reports("windows.pgn", text.replace('\n', "\r\n").as_bytes(), ""), expected);
}

#[test]
fn standard_input_is_read() {
    let sandbox = Sandbox::new();
    let mut child = sandbox
        .program()
        .args(["judge", "-", "--out", "out"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(game("a", "b", THROWN).as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    assert_eq!(sandbox.rows::<DifferenceRow>()[0].0.subject, "a");
}
