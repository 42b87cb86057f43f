//! `verify --engine` on programs of a few lines for a shell, each wrong in one way.

use std::os::unix::fs::PermissionsExt;

use reports::{DifferenceRow, MateRow};

use crate::bench::Bench;

/// A folder with the program `./script`, which does this when it is told to go, and more when it hears something else.
fn script(go: &str, more: &str) -> Bench {
    let bench = Bench::new();
    let text = format!(
        "#!/bin/sh\nwhile read line; do case \"$line\" in\n\
         uci) echo option name OwnBook type check default true; echo uciok;;\n\
         isready) echo readyok;;\nquit) exit 0;;\ngo*) {go};;\n{more}esac; done\n"
    );
    bench.write("script", text);
    std::fs::set_permissions(bench.path("script"), std::fs::Permissions::from_mode(0o755)).unwrap();
    bench
}

/// One that announces a mate in the first position, at depth 3, so; and at depth 6 sees none.
fn liar(announces: &str) -> Bench {
    let lines = [
        format!("info depth 3 score mate 1 {announces}nodes 10 pv e2e4"),
        "info depth 6 score cp 10 nodes 3000 pv e2e4".to_owned(),
        "bestmove e2e4".to_owned(),
    ];
    let bench = script(&lines.map(|line| format!("echo {line}")).join("; "), "");
    bench.write("first.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    bench
}

#[test]
fn what_counts_as_an_announcement_is_for_the_user_to_say() {
    let check = |announces: &str, flags: &str, verdict: &str| {
        let bench = liar(announces);
        let args = "--engine ./script --suite mates --epd first.epd --time-limit 120";
        let ended = bench.verify(&format!("{args} {flags}"));
        ended.says(i32::from(verdict == "unsound"), &[]);
        let rows: Vec<MateRow> = bench.rows();
        assert_eq!(rows.iter().map(|row| row.verdict.name()).collect::<Vec<_>>(), [verdict], "{flags}");
        let found = bench.rows::<DifferenceRow>().iter().any(|row| row.0.check == "mate/unsound");
        assert_eq!(found, verdict == "unsound");
    };
    check("", "", "unsound");
    check("", "--mate-depth 3", "unsound");
    check("", "--mate-depth 4", "unknown");
    check("", "--no-bound-mates", "unsound");
    check("lowerbound ", "", "unsound");
    check("lowerbound ", "--no-bound-mates", "unknown");
    check("lowerbound ", "--mate-depth 4", "unknown");
    check("upperbound ", "", "unknown");
}

/// A longer mate is a figure, unless the shortest is asked for.
#[test]
fn the_shortest_mate_is_for_the_user_to_demand() {
    let check = |moves: u32, flags: &str, code: i32, expected: &str| {
        let go = format!("echo info depth 3 score mate {moves} nodes 10 pv c2c8; echo bestmove c2c8");
        let bench = script(&go, "");
        bench.write("two.epd", "8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n");
        let args = "--engine ./script --suite mates --epd two.epd --time-limit 120";
        bench.verify(&format!("{args} {flags}")).says(code, &[]);
        let rows: Vec<MateRow> = bench.rows();
        assert_eq!(rows.iter().map(|row| row.verdict.name()).collect::<Vec<_>>(), [expected], "{flags}");
        let found = bench.rows::<DifferenceRow>().iter().any(|row| row.0.check == "mate/longer");
        assert_eq!(found, code == 1);
    };
    check(3, "", 0, "longer");
    check(3, "--exact-mates", 1, "longer");
    check(2, "--exact-mates", 0, "exact");
}

#[test]
fn what_was_set_unasked_and_what_it_remembers_is_told() {
    let card = |more: &str| -> serde_json::Value {
        let bench = script("echo info depth 6 score cp 0 nodes 3000; echo bestmove e2e4", more);
        bench.write("first.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
        bench.verify("--engine ./script --suite mates --epd first.epd --time-limit 120").says(0, &[]);
        serde_json::from_str(&bench.text("out/engine.json")).unwrap()
    };
    let keeps = card("");
    assert_eq!(keeps["options"], serde_json::json!({}));
    assert_eq!(keeps["set_up"]["OwnBook"], "false");
    assert_eq!(keeps["hash"], "cleared by ucinewgame before each case");
    assert_eq!(card("ucinewgame) exit 4;;\n")["hash"], "a new process for each case");
}

/// What an earlier run left would pass for what is known of a program that is none.
#[test]
fn a_program_that_is_no_engine_leaves_no_reports_of_an_earlier_run() {
    let bench = script("exit 3", "");
    bench.write("deaf", "#!/bin/sh\nexit 0\n");
    std::fs::set_permissions(bench.path("deaf"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let earlier = [
        "out/engine.json",
        "out/differences.csv",
        "out/junit.xml",
        "out/a/checks.csv",
        "out/b/checks.csv",
        "out/compare.csv",
        "out/transcripts/process-crash-001.txt",
    ];
    let own = ["out/notes.txt", "out/transcripts/notes.txt"];
    let leave = || earlier.iter().chain(&own).for_each(|name| bench.write(name, "of an earlier run"));
    let left = || -> Vec<&str> {
        earlier.iter().chain(&own).copied().filter(|name| bench.path(name).exists()).collect()
    };
    // Whoever misspells something loses nothing.
    leave();
    bench.verify("--engine ./defa").says(2, &["cannot find"]);
    bench.verify("--engine ./script --option Hahs=16").says(2, &["declares no option"]);
    bench.run(["compare", "./script", "./defa", "--out", "out"]).says(2, &["cannot find"]);
    assert_eq!(left().len(), earlier.len() + own.len());
    let removed = "No report was written; those of an earlier run were removed from out";
    bench.verify("--engine ./deaf").says(2, &["is no UCI engine", removed]);
    assert_eq!(left(), [&earlier[3..5], &own].concat());
    bench.verify("--engine ./deaf").says(2, &["is no UCI engine", "\nNo report was written.\n"]);
    leave();
    bench.run(["compare", "./script", "./deaf", "--out", "out"]).says(2, &[removed, "out/a, out/b"]);
    assert_eq!(left(), own);
}
