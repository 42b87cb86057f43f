//! `verify --engine` with shell scripts, each of which is wrong in one way.

use reports::{DifferenceRow, MateRow};

use crate::sandbox::Sandbox;

/// A folder with the program `./script`, which does this when it is told to go, and more when it hears
/// something else.
fn script(go: &str, more: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    let text = format!(
        "#!/bin/sh\nwhile read line; do case \"$line\" in\n\
         uci) echo option name OwnBook type check default true; echo uciok;;\n\
         isready) echo readyok;;\nquit) exit 0;;\ngo*) {go};;\n{more}esac; done\n"
    );
    sandbox.write_program("script", text);
    sandbox
}

/// One that announces a mate in the first position, at depth 3, so; and at depth 6 sees none.
fn liar(announces: &str) -> Sandbox {
    let lines = [
        format!("info depth 3 score mate 1 {announces}nodes 10 pv e2e4"),
        "info depth 6 score cp 10 nodes 3000 pv e2e4".to_owned(),
        "bestmove e2e4".to_owned(),
    ];
    let sandbox = script(&lines.map(|line| format!("echo {line}")).join("; "), "");
    sandbox.write("first.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
    sandbox
}

#[test]
fn the_user_sets_what_counts_as_an_announcement() {
    let check = |announces: &str, flags: &str, verdict: &str| {
        let sandbox = liar(announces);
        let args = "--engine ./script --suite mates --epd first.epd --time-limit 120";
        let ended = sandbox.verify(&format!("{args} {flags}"));
        ended.says(i32::from(verdict == "unsound"), &[]);
        let rows: Vec<MateRow> = sandbox.rows();
        assert_eq!(rows.iter().map(|row| row.verdict.name()).collect::<Vec<_>>(), [verdict], "{flags}");
        let found = sandbox.rows::<DifferenceRow>().iter().any(|row| row.0.check == "mate/unsound");
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
fn the_user_may_demand_the_shortest_mate() {
    let check = |moves: u32, flags: &str, code: i32, expected: &str| {
        let go = format!("echo info depth 3 score mate {moves} nodes 10 pv c2c8; echo bestmove c2c8");
        let sandbox = script(&go, "");
        sandbox.write("two.epd", "8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n");
        let args = "--engine ./script --suite mates --epd two.epd --time-limit 120";
        sandbox.verify(&format!("{args} {flags}")).says(code, &[]);
        let rows: Vec<MateRow> = sandbox.rows();
        assert_eq!(rows.iter().map(|row| row.verdict.name()).collect::<Vec<_>>(), [expected], "{flags}");
        let found = sandbox.rows::<DifferenceRow>().iter().any(|row| row.0.check == "mate/longer");
        assert_eq!(found, code == 1);
    };
    check(3, "", 0, "longer");
    check(3, "--exact-mates", 1, "longer");
    check(2, "--exact-mates", 0, "exact");
}

#[test]
fn the_card_has_our_options_and_how_the_hash_table_is_cleared() {
    let card = |more: &str| -> serde_json::Value {
        let sandbox = script("echo info depth 6 score cp 0 nodes 3000; echo bestmove e2e4", more);
        sandbox.write("first.epd", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n");
        sandbox.verify("--engine ./script --suite mates --epd first.epd --time-limit 120").says(0, &[]);
        serde_json::from_str(&sandbox.text("out/engine.json")).unwrap()
    };
    let keeps = card("");
    assert_eq!(keeps["options"], serde_json::json!({}));
    assert_eq!(keeps["set_up"]["OwnBook"], "false");
    assert_eq!(keeps["hash"], "cleared by ucinewgame before each case");
    assert_eq!(card("ucinewgame) exit 4;;\n")["hash"], "a new process for each case");
}

/// What an earlier run left would pass for what is known of a program that is none.
#[test]
fn reports_stay_if_the_program_is_not_an_engine() {
    let sandbox = script("exit 3", "");
    sandbox.write_program("deaf", "#!/bin/sh\nexit 0\n");
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
    let leave = || earlier.iter().chain(&own).for_each(|name| sandbox.write(name, "of an earlier run"));
    let left = || -> Vec<&str> {
        earlier.iter().chain(&own).copied().filter(|name| sandbox.path(name).exists()).collect()
    };
    // Whoever misspells something loses nothing.
    leave();
    sandbox.verify("--engine ./defa").says(2, &["cannot find"]);
    sandbox.verify("--engine ./script --option Hahs=16").says(2, &["declares no option"]);
    sandbox.run(["compare", "./script", "./defa", "--out", "out"]).says(2, &["cannot find"]);
    assert_eq!(left().len(), earlier.len() + own.len());
    // Nor does who names a program that is no engine: reports are replaced by reports alone.
    sandbox
        .verify("--engine ./deaf")
        .says(2, &["is no UCI engine", "No report was written; those in out are of an earlier run."]);
    sandbox
        .run(["compare", "./script", "./deaf", "--out", "out"])
        .says(2, &["No report was written; those in out, out/a, out/b are of an earlier run."]);
    assert_eq!(left().len(), earlier.len() + own.len());
    sandbox
        .run(["verify", "--engine", "./deaf", "--out", "other"])
        .says(2, &["is no UCI engine", "\nNo report was written.\n"]);
}
