//! `arbiter-test`: our own runner, runners that end a game wrongly, and the command lines of others.

#[cfg(unix)]
use crate::sandbox::{Ended, Sandbox};

/// Our runner, which is this program too.
const OWN: &str = env!("CARGO_BIN_EXE_touchstone");

fn run(sandbox: &Sandbox, words: &[&str]) -> Ended {
    sandbox.run([&["arbiter-test", "--out", "out"], words].concat())
}

/// The verdict of each game in the report.
fn verdicts(sandbox: &Sandbox) -> Vec<(String, String)> {
    let text = sandbox.text("out/arbiter.csv");
    let rows = text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    rows.map(|row| (row[0].clone(), row[2].clone())).collect()
}

/// Our runner waits until each game is on the disk, for which other work on the disk can make it wait a minute.
const PATIENCE: [&str; 2] = ["--patience", "600"];

/// One game of each kind that a match sets up otherwise.
#[test]
fn our_runner_ends_a_sample_of_games_as_it_has_to() {
    let sandbox = Sandbox::new();
    let games = "checkmate/05,mate-at-100/01,fifty-moves/24,repetition/05,chess960/02,time/01,crash/07,second-bestmove/08,\
                 resign/34,score-draw/33,tables/01,tables/07,tables/17";
    run(&sandbox, &[&PATIENCE[..], &["--concurrency", "4", "--case", games, "--", OWN]].concat())
        .says(0, &["report in out/arbiter.csv"]);
    let verdicts = verdicts(&sandbox);
    assert_eq!(verdicts.len(), 13);
    // It refuses openings in which the game is over.
    let expected = |case: &str| if case == "fifty-moves/24" { "refused" } else { "right" };
    assert!(verdicts.iter().all(|(case, verdict)| verdict == expected(case)), "{verdicts:?}");
    let expected = "time/01,fastchess,right,0-1 time after 0 plies,";
    let fastchess = ["--policy", "fastchess", "--case", "time/01", "--", OWN];
    run(&sandbox, &[&PATIENCE[..], &fastchess].concat()).says(0, &[]);
    assert!(sandbox.text("out/arbiter.csv").contains(expected), "{}", sandbox.text("out/arbiter.csv"));
}

#[test]
#[ignore = "nightly: all games, a process of the runner for each"]
fn our_runner_ends_all_games_as_it_has_to() {
    let sandbox = Sandbox::new();
    let ended = run(&sandbox, &[&PATIENCE[..], &["--concurrency", "4", "--", OWN]].concat());
    assert_eq!(ended.code, 0, "{}", ended.stdout);
}

/// A runner that writes these moves of checkmate/04, whatever the engines say.
#[cfg(unix)]
fn by_shell(moves: &str, case: &str) -> (Sandbox, Ended) {
    let sandbox = Sandbox::new();
    let tags = "[Event \"x\"]\\n[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\\n\\n";
    let script = format!("printf '{tags}{moves}\\n' > \"$0\"");
    let words = ["--case", case, "--", "sh", "-c", &script, "{pgn}", "{player}", "{script}", "{book}"];
    let ended = run(&sandbox, &words);
    (sandbox, ended)
}

#[cfg(unix)]
#[test]
fn runners_that_are_wrong_are_found() {
    let check = |moves: &str, case: &str, code: i32, verdict: &str, why: &str| {
        let (sandbox, ended) = by_shell(moves, case);
        assert_eq!(
            (ended.code, verdicts(&sandbox)[0].1.as_str()),
            (code, verdict),
            "{moves}: {}",
            ended.stdout
        );
        assert!(
            sandbox.text("out/arbiter.csv").contains(why),
            "{moves}: {}",
            sandbox.text("out/arbiter.csv")
        );
        ended.stdout
    };
    check("1. Ra8# {White mates} 1-0", "checkmate/04", 0, "right", "");
    let text = check("1. Ra8# 0-1", "checkmate/04", 1, "wrong", "the result is 0-1");
    for part in [
        "wrong: checkmate/04",
        "expected  1-0 checkmate after 1 plies",
        "Laws of Chess 5.1.1",
        "--case checkmate/04",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    check("1. Ra8# {Black loses on time} 1-0", "checkmate/04", 1, "wrong", "Black loses on time");
    check("1. Ra8", "checkmate/04", 1, "wrong", "the result is *");
    check("1. Kf1 *", "checkmate/04", 1, "wrong", "ply 1 is not that of the script");
    check("1. Rxx *", "checkmate/04", 1, "wrong", "is no move");
    check("*", "resign/01", 2, "not supported", "the template has no settings");
}

#[cfg(unix)]
#[test]
fn a_runner_without_games_is_told() {
    let sandbox = Sandbox::new();
    let words = ["sh", "-c", "echo no such option; exit 3", "{pgn}", "{player}", "{script}", "{book}"];
    let ended = run(&sandbox, &[&["--case", "checkmate/04", "--"], &words[..]].concat());
    assert_eq!(ended.code, 2, "{}", ended.stdout);
    assert!(
        ended.stdout.contains("got       no game; the runner ended with exit status: 3: no such option"),
        "{}",
        ended.stdout
    );
    // It may refuse a game that is over before its first move.
    let refused = run(&sandbox, &[&["--case", "fifty-moves/24", "--"], &words[..]].concat());
    assert_eq!((refused.code, verdicts(&sandbox)[0].1.as_str()), (2, "refused"), "{}", refused.stdout);
    let words = ["sh", "-c", "echo busy; sleep 60 & wait", "{pgn}{player}{script}{book}"];
    let sleeps = run(&sandbox, &[&["--patience", "3", "--case", "checkmate/04", "--"], &words[..]].concat());
    let why = "did not end within 3 s; it said last: busy";
    assert!(sleeps.code == 2 && sleeps.stdout.contains(why), "{}", sleeps.stdout);
}

/// Programs that write their arguments down.
#[cfg(unix)]
#[test]
fn the_options_are_those_of_the_runner() {
    let sandbox = Sandbox::new();
    for name in ["fastchess", "cutechess-cli"] {
        let file = sandbox.path("words").display().to_string();
        sandbox.write_program(
            name,
            format!(
                "#!/bin/sh\nfor word; do echo \"$word\"; done > {file}\ncat book.epd book.pgn >> {file}\n"
            ),
        );
        let runner = sandbox.path(name).display().to_string();
        run(&sandbox, &["--case", "resign/30", "--", &runner, "-wait", "5"]).says(2, &[]);
        let words = sandbox.text("words").lines().collect::<Vec<_>>().join(" ");
        // cutechess-cli reads the clocks of a FEN in games alone.
        let own = if name == "fastchess" {
            ["-each nodes=1", "-pgnout file=", "format=epd order=sequential"]
        } else {
            ["-each proto=uci tc=inf nodes=1", "-pgnout ", "format=pgn order=sequential"]
        };
        for part in own.into_iter().chain(["-resign movecount=2 score=600 twosided=true -wait 5"]) {
            assert!(words.contains(part), "{name}: {part}: {words}");
        }
        run(&sandbox, &["--case", "repetition/03", "--", &runner]).says(2, &[]);
        let words = sandbox.text("words").lines().collect::<Vec<_>>().join(" ");
        assert!(words.contains("format=pgn") && words.contains("1. Nf3 Nf6 2. Ng1 Ng8 *"), "{words}");
        run(&sandbox, &["--case", "tables/01", "--", &runner]).says(2, &[]);
        assert_eq!(verdicts(&sandbox)[0].1, "not supported");
    }
}

/// A match program plays each opening with both colours. A single right game says nothing about the other.
#[cfg(unix)]
#[test]
fn a_game_of_two_that_is_missing_is_told() {
    let sandbox = Sandbox::new();
    let game = "[FEN \"6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\"]\\n\\n1. Ra8# {White mates} 1-0\\n\\n";
    let check = |games: &str, code: i32, verdict: &str, why: &str| {
        let file = "for word; do case $word in file=*) out=${word#file=};; esac; done";
        sandbox.write_program("fastchess", format!("#!/bin/sh\n{file}\nprintf '{games}' > \"$out\"\n"));
        let runner = sandbox.path("fastchess").display().to_string();
        let ended = run(&sandbox, &["--case", "checkmate/04", "--", &runner]);
        assert_eq!((ended.code, verdicts(&sandbox)[0].1.as_str()), (code, verdict), "{}", ended.stdout);
        assert!(ended.stdout.contains(why), "{}", ended.stdout);
    };
    check(&game.repeat(2), 0, "right", "");
    check(game, 2, "not played", "one game of two; the runner ended with exit status: 0");
}

/// A runner of the template that reads no games gets the first position.
#[cfg(unix)]
#[test]
fn a_runner_may_read_positions_alone() {
    let sandbox = Sandbox::new();
    let copy = sandbox.path("copy").display().to_string();
    sandbox.write_program("mine", format!("#!/bin/sh\ncat \"$3\" > {copy}\n"));
    let runner = sandbox.path("mine").display().to_string();
    let words =
        |case| ["--case", case, "--", &*runner, "{player}", "{script}", "{epd}", "{pgn}"].map(str::to_owned);
    let of = |case| words(case).iter().map(String::as_str).collect::<Vec<_>>().join(" ");
    run(&sandbox, &of("fifty-moves/07").split(' ').collect::<Vec<_>>()).says(2, &[]);
    assert_eq!(sandbox.text("copy"), "6k1/8/8/8/2K5/8/8/R7 w - - 98 80\n");
    run(&sandbox, &of("repetition/03").split(' ').collect::<Vec<_>>()).says(2, &[]);
    assert_eq!(verdicts(&sandbox)[0].1, "not supported");
    run(&sandbox, &["--", &runner, "{player}", "{script}", "{pgn}"]).says(2, &["{book} is missing"]);
}

#[test]
fn wrong_arguments() {
    let sandbox = Sandbox::new();
    let check = |words: &[&str], parts: &[&str]| run(&sandbox, words).says(2, parts);
    check(
        &["--case", "checkmat", "--", OWN],
        &["--case checkmat: there is no such game", "did you mean checkmate"],
    );
    check(&["--policy", "uscf", "--", OWN], &["--policy uscf", "fide, lichess, fastchess or cutechess"]);
    check(&["--policy", "x", "--", OWN], &["'x'", "\"chesscom\""]);
    check(&["--tb", "nowhere", "--", OWN], &["--tb nowhere"]);
    sandbox.write("larger/KQvKR.rtbw", "");
    check(&["--tb", "larger", "--", OWN], &["KQvKR.rtbw has more than three men"]);
    check(&["--", "no-such-runner"], &["cannot find the runner no-such-runner"]);
    check(
        &["--", "cargo", "{player}", "{script}", "{book}"],
        &["the options of cargo are not known", "{pgn} is missing"],
    );
    check(&[], &["<RUNNER>"]);
    sandbox.run(["play-script", "x"]).says(2, &["there is no scripted game x"]);
    assert!(!sandbox.path("out").exists());
}
