//! Matches that are killed, interrupted or out of room, and engines that fail at the start or at the end: nothing is
//! lost, and `--resume` gives the bytes of a match that nothing happened to.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use reports::DifferenceRow;
use suites::Difference;

use crate::matches::{arguments, results, run, sandbox};
use crate::players::{engine, hostile};
use crate::sandbox::{Ended, Sandbox};

/// How long to wait for what must happen.
const LONGEST: Duration = Duration::from_mins(2);

fn start(sandbox: &Sandbox, more: &str) -> Child {
    let mut program = sandbox.program();
    program.args(arguments(more)).env("TOUCHSTONE_TODAY", "2026-11-26");
    program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn length(path: &Path) -> u64 {
    std::fs::metadata(path).map(|file| file.len()).unwrap_or_default()
}

/// Waits until a file has another length, or the program has ended.
fn grows(path: &Path, program: &mut Child) {
    let (before, until) = (length(path), Instant::now() + LONGEST);
    while length(path) == before && program.try_wait().unwrap().is_none() {
        assert!(Instant::now() < until, "{} does not grow", path.display());
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Kills a match at so many moments, and compares what it leaves with that of a match that was not killed. The
/// moments are soon after the start, or soon after a game is written.
fn killed(times: u32, rounds: u32) {
    let sandbox = sandbox();
    run(&sandbox, &format!("--rounds {rounds} --out whole")).says(0, &[]);
    let journal = sandbox.path("out/match.jsonl");
    let resume = || if journal.exists() { "--resume" } else { "" };
    let mut random: u64 = 39;
    for number in 0..times {
        // The generator of Knuth's MMIX.
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let [kind, moment] = [random >> 60, random >> 33 & 0xff];
        let concurrency = 1 + number % 3;
        let more = format!("--rounds {rounds} --out out --concurrency {concurrency} {}", resume());
        let mut program = start(&sandbox, &more);
        let pause = if kind < 8 {
            Duration::from_millis(moment)
        } else {
            grows(&journal, &mut program);
            Duration::from_micros(10 * moment)
        };
        std::thread::sleep(pause);
        program.kill().unwrap();
        program.wait().unwrap();
    }
    let finished = run(&sandbox, &format!("--rounds {rounds} --out out {}", resume()));
    finished.says(0, &["games in out/games.pgn"]);
    assert_eq!(results(&sandbox, "out"), results(&sandbox, "whole"));
}

#[test]
fn a_match_goes_on_after_each_of_five_kills() {
    killed(5, 3);
}

#[test]
#[ignore = "nightly: five kills are tested by default"]
fn a_match_goes_on_after_each_of_fifty_kills() {
    killed(50, 30);
}

/// Killed when the PGN was made and the journal was not.
#[test]
fn a_match_begins_where_one_was_killed_at_once() {
    let sandbox = sandbox();
    sandbox.write("out/games.pgn", "");
    run(&sandbox, "--rounds 1 --out out").says(0, &["games in out/games.pgn"]);
    assert_eq!(sandbox.text("out/games.pgn").matches("[Event ").count(), 2);
}

/// The PGN is a pipe that nothing reads, so that the first program waits for it. It has the journal by then.
#[test]
fn one_program_alone_goes_on_with_a_match() {
    let sandbox = sandbox();
    let more = "--rounds 1 --out out --pgnout mine.pgn";
    run(&sandbox, more).says(0, &[]);
    let journal = sandbox.text("out/match.jsonl");
    std::fs::remove_file(sandbox.path("mine.pgn")).unwrap();
    assert!(Command::new("mkfifo").arg(sandbox.path("mine.pgn")).status().unwrap().success());
    std::fs::remove_dir(sandbox.path("out/faults")).unwrap();
    let more = format!("{more} --resume");
    let until = Instant::now() + LONGEST;
    let mut first = start(&sandbox, &more);
    while !sandbox.path("out/faults").exists() {
        assert!(first.try_wait().unwrap().is_none() && Instant::now() < until, "it does not begin");
        std::thread::sleep(Duration::from_millis(1));
    }
    let mut second = sandbox.program();
    second.args(arguments(&more)).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut second = second.spawn().unwrap();
    while second.try_wait().unwrap().is_none() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(1));
    }
    for program in [&mut first, &mut second] {
        let _ = program.kill();
    }
    first.wait().unwrap();
    let ended = second.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(2), "{told}");
    assert!(told.contains("another program is writing the journal"), "{told}");
    assert_eq!(sandbox.text("out/match.jsonl"), journal);
}

/// Ctrl-C ends all engines, and none of them loses by that.
#[test]
fn an_interrupted_match_books_no_loss() {
    let sandbox = sandbox();
    run(&sandbox, "--rounds 3 --out whole").says(0, &[]);
    let journal = sandbox.path("out/match.jsonl");
    for resume in ["", "--resume"] {
        let mut program = start(&sandbox, &format!("--rounds 3 --out out --concurrency 2 {resume}"));
        // The header, or a game.
        grows(&journal, &mut program);
        let pid = program.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        assert_eq!(program.wait().unwrap().code(), Some(130));
    }
    let journal = sandbox.text("out/match.jsonl");
    assert!(!journal.contains("\"fault\"") && !journal.contains("interrupted"), "{journal}");
    run(&sandbox, "--rounds 3 --out out --resume").says(0, &[]);
    assert_eq!(results(&sandbox, "out"), results(&sandbox, "whole"));
}

/// The shell limits the length of files, as a full disk does.
#[test]
fn a_match_goes_on_after_a_full_disk() {
    let sandbox = sandbox();
    run(&sandbox, "--rounds 2 --out whole").says(0, &[]);
    let words = arguments("--rounds 2 --out out");
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", limited]).arg(sandbox.program().get_program()).args(words);
    shell.current_dir(sandbox.path(".")).env("TOUCHSTONE_TODAY", "2026-11-26");
    let full = Ended::of(&mut shell);
    full.says(2, &["File too large", "its games so far are kept, and --resume goes on with it"]);
    assert_eq!(full.stderr.matches("error: ").count(), 1, "{}", full.stderr);
    assert!(full.stderr.contains("match.jsonl"), "{}", full.stderr);
    run(&sandbox, "--rounds 2 --out out --resume").says(0, &[]);
    assert_eq!(results(&sandbox, "out"), results(&sandbox, "whole"));
}

/// The PGN lies on another disk, and that is full.
#[test]
fn a_pgn_on_a_full_disk_stops_the_match() {
    let sandbox = sandbox();
    run(&sandbox, "--rounds 1 --out whole").says(0, &[]);
    let mut program = start(&sandbox, "--rounds 1 --out out --pgnout mine.pgn");
    grows(&sandbox.path("mine.pgn"), &mut program);
    grows(&sandbox.path("mine.pgn"), &mut program);
    program.kill().unwrap();
    program.wait().unwrap();
    std::fs::remove_file(sandbox.path("mine.pgn")).unwrap();
    std::os::unix::fs::symlink("/dev/full", sandbox.path("mine.pgn")).unwrap();
    let resume = || run(&sandbox, "--rounds 1 --out out --pgnout mine.pgn --resume");
    resume().says(2, &["its games so far are kept", "cannot write mine.pgn: No space left on device"]);
    std::fs::remove_file(sandbox.path("mine.pgn")).unwrap();
    resume().says(0, &["games in mine.pgn"]);
    assert_eq!(sandbox.text("mine.pgn"), sandbox.text("whole/games.pgn"));
}

/// The program `./script`, which does this at its start and is then the engine for tests.
fn script(sandbox: &Sandbox, start: &str, engine: &str) {
    sandbox.write_program(
        "script",
        format!("#!/bin/sh\ncd '{}'\n{start}\nexec {engine}\n", sandbox.path(".").display()),
    );
}

fn against_script(sandbox: &Sandbox, more: &str) -> Ended {
    let words = format!("--each depth=1 --of 1:name=good --openings book.epd --out out {more}");
    sandbox.run(["match", hostile(), "./script"].into_iter().chain(words.split_whitespace()))
}

#[test]
fn an_engine_is_started_a_second_time() {
    let sandbox = sandbox();
    // The first start asks for its name, the second tries a search, and the third is that of the match.
    let fails = |at: &str| format!("echo >> starts; case $(wc -l < starts) in {at}) exit 1;; esac");
    script(&sandbox, &fails("3"), hostile());
    against_script(&sandbox, "--rounds 1").says(0, &["games in out/games.pgn"]);
    assert_eq!(sandbox.text("starts"), "\n\n\n\n");
    let games = sandbox.text("out/games.pgn");
    std::fs::remove_dir_all(sandbox.path("out")).unwrap();
    std::fs::remove_file(sandbox.path("starts")).unwrap();
    script(&sandbox, &fails("3|4"), hostile());
    against_script(&sandbox, "--rounds 1").says(2, &["script does not start: ", "--resume goes on"]);
    // Two more starts before the match, and one that plays.
    against_script(&sandbox, "--rounds 1 --resume").says(0, &[]);
    assert_eq!(sandbox.text("out/games.pgn"), games);
}

/// The engine of the replay has the variables of `touchstone.toml`, without which it does not start.
#[test]
fn a_replay_has_the_environment_of_the_engine() {
    let sandbox = sandbox();
    script(&sandbox, "[ -n \"$LEVEL\" ] || exit 1", &format!("{} --fault illegal-move", hostile()));
    sandbox
        .write("touchstone.toml", "[engine.faulty]\npath = \"./script\"\nenv = { LEVEL = \"very high\" }\n");
    let words = "--each st=0.3 timemargin=60000 --of 1:name=good --openings book.epd --rounds 1 --out out";
    let ended = sandbox.run(["match", hostile(), "faulty"].into_iter().chain(words.split_whitespace()));
    ended.says(1, &["faulty: bestmove "]);
    let found: Vec<DifferenceRow> = reports::read(sandbox.text("out/differences.csv").as_bytes()).unwrap();
    let Difference { given, replay, .. } = &found[0].0;
    let mut shell = Command::new("sh");
    let again = Ended::of(shell.args(["-c", &replay.to_string()]).current_dir(sandbox.path(".")));
    assert!(again.stdout.contains(&format!("bestmove {}", given.as_ref().unwrap())), "{replay}: {again:?}");
    sandbox.write("touchstone.toml", "[engine.faulty]\npath = \"./script\"\nenv = { LEVEL = \"low\" }\n");
    let words = format!("{words} --resume");
    let ended = sandbox.run(["match", hostile(), "faulty"].into_iter().chain(words.split_whitespace()));
    ended.says(2, &["variable of faulty: LEVEL"]);
}

/// What a process got that is gone is not known: it must not count as starved.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_that_is_gone_is_not_measured() {
    let sandbox = sandbox();
    // The system ends it after a second of processor time: some ten moves, whatever else runs.
    script(&sandbox, "ulimit -t 1", engine());
    let words = "--each st=20 nodes=100000 timemargin=60000 --of 1:name=good --openings book.epd --rounds 1 --out out";
    let ended = sandbox.run(["match", engine(), "./script"].into_iter().chain(words.split_whitespace()));
    ended.says(1, &["error: game 1: script: it ended with signal"]);
    let journal = sandbox.text("out/match.jsonl");
    let game: serde_json::Value = serde_json::from_str(journal.lines().nth(1).unwrap()).unwrap();
    let record = &game["record"]["record"];
    let of = |name: &str| {
        let player = [&record["white"], &record["black"]].into_iter().find(|player| player["name"] == name);
        player.unwrap()["processor"].clone()
    };
    assert!(record["moves"].as_array().unwrap().len() > 4, "{record}");
    assert!(of("good")["ran"].as_u64().unwrap() > 0, "{record}");
    assert!(of("script").is_null(), "{record}");
}

/// A failure before the first move has the commands that begin a game as its replay.
#[test]
fn an_engine_that_ends_as_a_game_begins() {
    let sandbox = sandbox();
    // Each start but the first two, which ask for its name and try a search, ends at `ucinewgame`.
    let fault =
        "echo >> starts; case $(wc -l < starts) in 1|2) fault=;; *) fault='--fault crash-at-newgame';; esac";
    script(&sandbox, fault, &format!("{} $fault", hostile()));
    against_script(&sandbox, "--rounds 1").says(1, &["error: game 1: script: "]);
    let found: Vec<DifferenceRow> = reports::read(sandbox.text("out/differences.csv").as_bytes()).unwrap();
    let Difference { check, replay, .. } = &found[0].0;
    assert_eq!(check, "process/crash");
    assert!(replay.to_string().contains(" ucinewgame isready; sleep "), "{replay}");
    let mut shell = Command::new("sh");
    let again = Ended::of(shell.args(["-c", &replay.to_string()]).current_dir(sandbox.path(".")));
    assert!(again.stdout.contains("uciok\n") && !again.stdout.contains("readyok"), "{again:?}");
}

/// An engine that fails in five games after the other does not play, unless these were the last ones.
#[test]
fn an_engine_that_fails_in_its_last_games_ends_no_match() {
    let check = |rounds: u32, code: i32| -> String {
        let sandbox = sandbox();
        script(&sandbox, "", &format!("{} $(cat fault)", hostile()));
        sandbox.write("fault", "");
        let rounds = format!("--rounds {rounds}");
        against_script(&sandbox, &rounds).says(0, &[]);
        let journal = sandbox.text("out/match.jsonl");
        let first: String = journal.split_inclusive('\n').take(2).collect();
        sandbox.write("out/match.jsonl", first);
        sandbox.write("fault", "--fault exit-at-go");
        let resumed = against_script(&sandbox, &format!("{rounds} --resume"));
        resumed.says(code, &["error: game 2: script: ", "error: game 6: script: "]);
        assert_eq!(resumed.stdout.lines().filter(|line| line.starts_with("game ")).count(), 5);
        resumed.stderr
    };
    assert!(!check(3, 1).contains("failed in each of its last games"));
    assert!(check(4, 2).contains("script failed in each of its last games"));
}

#[test]
fn an_engine_without_chess960_plays_none() {
    let sandbox = sandbox();
    let option = "option name UCI_Chess960 type check default false";
    let words =
        ["--each", "depth=1", "--rounds", "1", "--out", "out", "--of", "2:name=plain", "2:arg=--said"];
    let hidden = format!("2:arg={option}=>");
    let args = |more: &[&str]| {
        let engines = ["match", hostile(), hostile()];
        sandbox.run([&engines, &words[..], &[hidden.as_str()], more].concat())
    };
    sandbox.write("book.epd", "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n");
    let refusal = ["plain has no option UCI_Chess960, and the book has openings of Chess960"];
    args(&["--chess960", "--openings", "book.epd"]).says(2, &refusal);
    assert!(!sandbox.path("out").exists());
    args(&[]).says(0, &[]);
}

/// An engine that answers a short search, and another one after `stop` alone. It notes its process.
const STUCK: &str = r#"#!/bin/sh
while read -r line; do case "$line" in
uci) echo uciok;;
isready) echo readyok;;
"go nodes 100") echo "bestmove e2e4";;
go*) echo $$ >> hung;;
stop) echo "bestmove e2e4";;
quit) exit 0;;
esac; done
"#;

#[test]
fn an_engine_that_hangs_and_answers_stop_is_started_anew() {
    let sandbox = Sandbox::new();
    sandbox.write_program("stuck", STUCK);
    let words = "--of 2:name=stuck --each nodes=5000 --rounds 1 --patience 1 --out out";
    let ended = sandbox.run(["match", hostile(), "./stuck"].into_iter().chain(words.split_whitespace()));
    ended.says(1, &["stuck"]);
    assert_eq!(ended.stdout.matches("connection stalls").count(), 2, "{}", ended.stdout);
    let hung = sandbox.text("hung");
    let mut processes: Vec<&str> = hung.lines().collect();
    processes.dedup();
    assert_eq!(processes.len(), 2, "{hung}");
}
