//! `match`: games between engines, their files, and what goes wrong.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use reports::DifferenceRow;
use suites::Difference;
use suites::openings::OwnBook;

use crate::players::{engine, hostile};
use crate::sandbox::{Ended, Sandbox};

/// Three openings.
const BOOK: &str = "\
rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -
rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2
";

/// The arguments of that match.
pub(crate) fn arguments(more: &str) -> Vec<String> {
    let words = format!("--each nodes=1000 --of 2:name=weak 2:nodes=100 --openings book.epd {more}");
    let engines = ["match", engine(), engine()].map(str::to_owned);
    engines.into_iter().chain(words.split_whitespace().map(str::to_owned)).collect()
}

/// A folder with a book.
pub(crate) fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("book.epd", BOOK);
    sandbox
}

/// A match of our engine against itself with a tenth of the nodes.
pub(crate) fn run(sandbox: &Sandbox, more: &str) -> Ended {
    Ended::of(sandbox.program().args(arguments(more)).env("TOUCHSTONE_TODAY", "2026-11-26"))
}

/// What a match leaves, apart from the times in its journal.
pub(crate) fn results(sandbox: &Sandbox, folder: &str) -> [String; 3] {
    ["games.pgn", "standings.csv", "report.html"].map(|name| sandbox.text(&format!("{folder}/{name}")))
}

#[test]
fn games_at_the_same_time_give_the_same_files() {
    let sandbox = sandbox();
    let one = run(&sandbox, "--rounds 3 --out one");
    one.says(0, &["games in one/games.pgn"]);
    let three = run(&sandbox, "--rounds 3 --out three --concurrency 3");
    assert_eq!(three.stdout, one.stdout);
    assert_eq!(results(&sandbox, "three"), results(&sandbox, "one"));
    let [games, standings, _] = results(&sandbox, "one");
    assert_eq!(games.matches("\n[White \"engine\"]\n").count(), 3);
    assert_eq!(games.matches("[Date \"2026.11.26\"]").count(), 6);
    let row = standings.lines().nth(1).unwrap();
    assert!(row.starts_with("engine,6,"), "{standings}");
    let has_time = games.as_bytes().windows(3).any(|part| part[0].is_ascii_digit() && part[1..] == *b"s}");
    assert!(!has_time, "times differ from run to run: {games}");
}

#[test]
fn a_match_that_was_killed_goes_on() {
    let sandbox = sandbox();
    run(&sandbox, "--rounds 4 --out whole").says(0, &[]);
    let mut killed = sandbox.program();
    killed.args(arguments("--rounds 4 --out out")).env("TOUCHSTONE_TODAY", "2026-11-26");
    let mut killed = killed.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let journal = sandbox.path("out/match.jsonl");
    let lines = || std::fs::read_to_string(&journal).map(|text| text.lines().count()).unwrap_or_default();
    let until = Instant::now() + Duration::from_mins(2);
    while lines() < 4 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let kept = lines();
    assert!((4..9).contains(&kept), "{kept} lines");
    // The last line is torn, and its game is played again.
    let text = sandbox.text("out/match.jsonl");
    sandbox.write("out/match.jsonl", &text[..text.len() - 10]);
    run(&sandbox, "--rounds 4 --out out").says(2, &["out holds a match", "--resume"]);
    let before = sandbox.files("out");
    let other = run(&sandbox, "--rounds 5 --out out --resume");
    other.says(2, &["out/match.jsonl", "schedule.rounds"]);
    assert_eq!(sandbox.files("out"), before);
    let resumed = run(&sandbox, "--rounds 4 --out out --resume");
    resumed.says(0, &[]);
    assert!(resumed.stdout.starts_with(&format!("game {} of 8: ", kept - 1)), "{}", resumed.stdout);
    assert_eq!(results(&sandbox, "out"), results(&sandbox, "whole"));
    // Nothing is left to play.
    let again = run(&sandbox, "--rounds 4 --out out --resume");
    again.says(0, &[]);
    assert!(again.stdout.starts_with("\nengine"), "{}", again.stdout);
    assert_eq!(results(&sandbox, "out"), results(&sandbox, "whole"));
}

#[test]
fn a_test_ends_the_match() {
    let sandbox = sandbox();
    let test = "--rounds 500 --sprt elo0=0 elo1=200 --out";
    let better = run(&sandbox, &format!("{test} better"));
    better.says(0, &[]);
    assert!(better.stdout.contains(": H1\n"), "{}", better.stdout);
    let worse = run(&sandbox, &format!("{test} worse --of 1:nodes=100 1:name=mine 2:nodes=1000"));
    worse.says(0, &[]);
    assert!(worse.stdout.contains(": H0\n"), "{}", worse.stdout);
    let games = better.stdout.lines().filter(|line| line.starts_with("game ")).count();
    assert!(games % 2 == 0 && games < 100, "{games}");
    // The same games count, whatever finishes first.
    assert_eq!(run(&sandbox, &format!("{test} again --concurrency 4")).stdout, better.stdout);
    let journal = sandbox.text("better/match.jsonl");
    let (header, lines) = journal.split_once('\n').unwrap();
    let reversed: Vec<&str> = lines.lines().rev().collect();
    sandbox.write("better/match.jsonl", format!("{header}\n{}\n", reversed.join("\n")));
    let games = results(&sandbox, "better");
    assert!(
        games[2].contains("SPRT: H1 is accepted for engine against weak") && games[2].contains("id=\"llr\"")
    );
    let resumed = run(&sandbox, &format!("{test} better --resume"));
    resumed.says(0, &[]);
    assert!(better.stdout.ends_with(&resumed.stdout), "{}", resumed.stdout);
    assert_eq!(results(&sandbox, "better"), games);
}

#[test]
fn an_engine_that_fails_loses_and_is_told() {
    let sandbox = sandbox();
    let faulty = |fault: &str, rounds: u32, folder: &str| {
        let words = format!(
            "--each depth=1 --of 2:name=faulty 2:arg=--fault 2:arg={fault} --rounds {rounds} --out {folder}"
        );
        let engines = ["match", hostile(), hostile()];
        sandbox.run(engines.into_iter().chain(words.split_whitespace()))
    };
    let illegal = faulty("illegal-move", 1, "illegal");
    illegal.says(1, &["error: game 1: faulty: bestmove ", "session in illegal/faults/game-1.txt"]);
    assert!(sandbox.text("illegal/faults/game-1.txt").contains("> go depth 1"));
    let games = sandbox.text("illegal/games.pgn");
    assert_eq!(games.matches("[Termination \"illegal move\"]").count(), 2, "{games}");
    assert!(games.contains("Black makes an illegal move"), "{games}");
    let found: Vec<DifferenceRow> =
        reports::read(sandbox.text("illegal/differences.csv").as_bytes()).unwrap();
    let Difference { subject, check, case, given, replay, explanation, .. } = &found[0].0;
    assert_eq!((&**subject, &**check, found.len()), ("faulty", "game/illegal-move", 2));
    let page = sandbox.text("illegal/report.html");
    assert!(page.contains(case) && page.contains("plays an illegal move"), "{page}");
    assert!(explanation.ends_with("; its session is in faults/game-1.txt"), "{explanation}");
    let again = Ended::of(Command::new("sh").args(["-c", &replay.to_string()]));
    assert!(again.stdout.contains(&format!("bestmove {}", given.as_ref().unwrap())), "{again:?}");
    let told = illegal.stderr.clone();
    faulty("illegal-move", 1, "illegal --resume").says(1, &told.lines().collect::<Vec<_>>());
    let crash = faulty("crash-at-go", 1, "crash");
    crash.says(1, &["game 2: faulty: it ended with signal"]);
    assert!(sandbox.text("crash/games.pgn").contains("[Termination \"abandoned\"]"));
    assert!(sandbox.text("crash/differences.csv").contains("\nfaulty,process/crash,error,game 1 ply "));
    // It does not play at all.
    let broken = faulty("exit-at-go", 50, "broken");
    broken.says(2, &["faulty failed in each of its last games"]);
    assert_eq!(broken.stdout.lines().filter(|line| line.starts_with("game ")).count(), 5);
    // Such a match is over. One look says so first: a watch that misses it would have no end.
    let status = |more: &[&str]| {
        let ended = sandbox.run(["match", "status", "broken"].iter().chain(more));
        ended.says(2, &["faulty failed in each of its last games in broken"]);
    };
    status(&[]);
    status(&["--watch", "1", "--then", "false"]);
}

/// `report` makes the page again from the journal, also of a match that goes on.
#[test]
fn a_match_has_a_page() {
    let sandbox = sandbox();
    run(&sandbox, "--rounds 3 --out out --sprt elo0=0 elo1=5").says(0, &[]);
    let [.., page] = results(&sandbox, "out");
    let of_journal = |parts: &[&str]| {
        sandbox.run(["report", "out", "-o", "again.html"]).says(0, &[]);
        let page = sandbox.text("again.html");
        for part in parts {
            assert!(page.contains(part), "{part}");
        }
        page
    };
    let parts = ["<h1>engine against weak</h1>", "6 of 6 games", "checkmate", "id=\"llr\""];
    assert_eq!(of_journal(&parts), page);
    let journal = sandbox.text("out/match.jsonl");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    sandbox.write("out/match.jsonl", lines[..3].concat());
    of_journal(&["2 of 6 games"]);
    sandbox.write("out/match.jsonl", lines[0]);
    of_journal(&["0 of 6 games"]);
    sandbox.write("out/match.jsonl", format!("{}{{}}\n", lines[0]));
    sandbox.run(["report", "out"]).says(2, &["out/match.jsonl", "line 2"]);
    sandbox.write("out/match.jsonl", "");
    sandbox.run(["report", "out"]).says(2, &["no match has begun in out"]);
    sandbox.run(["report", "out", "--format", "badge"]).says(2, &["out holds a match"]);
    sandbox.run(["report", "out", "out"]).says(2, &["out holds a match"]);
}

/// The openings that the program carries have names, and a file of such a name has a folder before it.
#[test]
fn openings_have_names() {
    let sandbox = Sandbox::new();
    sandbox.write("balanced", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    let placements = |out: &str, openings: &str| -> Vec<String> {
        let words =
            format!("--each depth=1 --of 2:name=other --rounds 3 --maxmoves 1 --out {out} {openings}");
        let engines = ["match", engine(), engine()];
        sandbox.run(engines.into_iter().chain(words.split_whitespace())).says(0, &[]);
        let games = sandbox.text(&format!("{out}/games.pgn"));
        let fens = games.lines().filter_map(|line| line.strip_prefix("[FEN \""));
        fens.filter_map(|fen| fen.split(' ').next()).map(str::to_owned).collect()
    };
    let of_book = |found: &[String], book: OwnBook| {
        found.len() == 6 && found.iter().all(|placement| book.text().contains(&format!("\n{placement} ")))
    };
    let usual = placements("usual", "");
    assert!(of_book(&usual, OwnBook::Balanced) && usual[0] == usual[1] && usual[1] != usual[2], "{usual:?}");
    assert_eq!(placements("named", "--openings balanced"), usual);
    let endings = placements("endings", "--openings endings");
    assert!(of_book(&endings, OwnBook::Endings), "{endings:?}");
    assert!(placements("start", "--openings startpos").is_empty());
    assert_eq!(placements("file", "--openings ./balanced"), ["4k3/8/8/8/8/8/4P3/4K3"; 6]);
}

#[test]
fn arguments_that_make_no_match() {
    let sandbox = sandbox();
    let check = |args: &str, parts: &[&str]| {
        let args = args.replace("ENGINE", engine());
        let ended = sandbox.run(["match"].into_iter().chain(args.split_whitespace()));
        ended.says(2, parts);
        assert!(!sandbox.path("out").exists(), "{args}");
    };
    check("ENGINE ENGINE --each nodes=1 --out out", &["both called engine", "--of 2:name=new"]);
    check("ENGINE ./nobody --each nodes=1 --out out", &["./nobody"]);
    check("ENGINE cat --each nodes=1 --out out", &["is no UCI engine"]);
    let two = "ENGINE ENGINE --of 2:name=other --out out";
    check(two, &["no limit is given", "tc="]);
    check(&format!("{two} --each tc=abc"), &["tc: \"abc\" is no number of seconds"]);
    check(&format!("{two} --each hash=16"), &["\"hash=16\": expected tc=", "option.NAME="]);
    check(&format!("{two} --each nodes=1 --of 3:nodes=2"), &["--of \"3:nodes=2\": expected ENGINE:WORD"]);
    check(&format!("{two} --each nodes=1 --rounds 0"), &["a round or more"]);
    check(&format!("{two} --each nodes=1 --sprt elo0=5 elo1=0"), &["elo0=5 and elo1=0"]);
    check(&format!("{two} --each nodes=1 --sprt elo0=0 elo1=5 model=bayesian"), &["model=logistic"]);
    check(&format!("{two} --each nodes=1 --seeds 2"), &["seeds=2"]);
    let rule = |words: &str, part: &str| check(&format!("{two} --each nodes=1 {words}"), &[part]);
    rule("--resign movecount=3", "--resign movecount=3: score= is missing");
    rule("--draw movecount=3 ENGINE", "is no KEY=VALUE; engines stand before the option");
    rule("--of 2:memory=0", "\"memory=0\": expected a number of MiB");
    check(&format!("{two} --each nodes=1 --resume"), &["out holds no match to go on with"]);
    check(&format!("{two} --each nodes=1 --openings nowhere.epd"), &["nowhere.epd"]);
    check(
        &format!("{two} --each nodes=1 --pgnout x --epdout ./x"),
        &["--epdout", "another file of the match"],
    );
    check(
        &format!("{two} --each nodes=1 --pgnout out/match.jsonl"),
        &["--pgnout", "another file of the match"],
    );
    check(&format!("{two} --each nodes=1 --openings book.epd --start 4"), &["--start", "1 to 3"]);
    sandbox.write("book.epd", "7k/5KQ1/8/8/8/8/8/8 b - - 0 1\n");
    check(&format!("{two} --each nodes=1 --openings book.epd"), &["book.epd", "line 1"]);
    sandbox.write("book.pgn", "1. e4 e5 2. Ke3 *\n");
    check(&format!("{two} --each nodes=1 --openings book.pgn"), &["book.pgn", "game 1", "Ke3"]);
}

/// Neither a match nor a file of the user is overwritten.
#[test]
fn files_that_are_there_stay() {
    let sandbox = sandbox();
    run(&sandbox, "--rounds 1 --out out --pgnout book.epd").says(2, &["book.epd exists", "--pgnout"]);
    assert_eq!(sandbox.text("book.epd"), BOOK);
    assert!(!sandbox.path("out/match.jsonl").exists());
    run(&sandbox, "--rounds 1 --out out --pgnout mine.pgn").says(0, &["games in mine.pgn"]);
    let before = [sandbox.text("mine.pgn"), sandbox.text("out/match.jsonl")];
    run(&sandbox, "--rounds 1 --out out --pgnout book.epd --resume").says(2, &["settings.pgn"]);
    run(&sandbox, "--rounds 1 --out other --pgnout mine.pgn").says(2, &["mine.pgn exists"]);
    assert_eq!([sandbox.text("mine.pgn"), sandbox.text("out/match.jsonl")], before);
}

/// The journal has absolute paths, so that the folder in which a match goes on does not matter.
#[test]
fn a_match_goes_on_in_another_folder() {
    let sandbox = sandbox();
    std::fs::create_dir(sandbox.path("run")).unwrap();
    sandbox.write("other/book.epd", BOOK);
    let here = std::fs::canonicalize(sandbox.path("")).unwrap();
    // With relative paths, and with absolute ones.
    let words = |folder: &str| {
        format!(
            "--rounds 1 --out {folder}out --pgnout {folder}mine.pgn --epdout {folder}mine.epd \
             --of 2:dir={folder}run"
        )
    };
    run(&sandbox, &words("")).says(0, &[]);
    let files = ["mine.pgn", "mine.epd", "out/report.html"].map(|name| sandbox.text(name));
    let resumed = |words: &str| {
        let mut program = sandbox.program();
        program.args(arguments(&format!("{words} --resume"))).current_dir(sandbox.path("other"));
        Ended::of(program.env("TOUCHSTONE_TODAY", "2026-11-26"))
    };
    let of_here = words(&format!("{}/", here.display()));
    resumed(&of_here).says(0, &["mine.pgn"]);
    assert_eq!(["mine.pgn", "mine.epd", "out/report.html"].map(|name| sandbox.text(name)), files);
    for (name, setting) in [("mine.pgn", "settings.pgn"), ("mine.epd", "settings.epd")] {
        let other = of_here.replace(&format!("{}/{name}", here.display()), name);
        resumed(&other).says(2, &[setting]);
    }
    std::fs::create_dir(sandbox.path("other/run")).unwrap();
    let other = of_here.replace(&format!("dir={}/run", here.display()), "dir=run");
    resumed(&other).says(2, &["settings.folder of weak"]);
    assert!(!sandbox.path("other/mine.pgn").exists());
    sandbox.run(["report", "out", "-o", "page.html"]).says(0, &[]);
    assert_eq!(sandbox.text("page.html"), files[2]);
}
