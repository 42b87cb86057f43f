//! `--nodes`, `--movetime` and `--option`.

use reports::CheckRow;

use crate::engine::named;
use crate::epd::WAC;
use crate::sandbox::Sandbox;

#[test]
fn nodes_and_time_limit_every_suite_that_takes_them() {
    let sandbox = named();
    sandbox.write("wac.epd", WAC);
    let asked = |args: &str| -> Vec<String> {
        let all = format!("--engine ours --quick --time-limit 300 --transcripts log {args}");
        let ended = sandbox.verify(&all);
        assert!(ended.code < 2, "{}", ended.stderr);
        let logs = sandbox.files("log");
        std::fs::remove_dir_all(sandbox.path("log")).unwrap();
        // What is tried before anything is asked has limits of its own.
        let before = ["limits", "introduction", "adaptation"];
        let asked = logs.iter().filter(|(name, _)| !before.iter().any(|part| name.starts_with(part)));
        let lines =
            asked.flat_map(|(_, text)| text.lines().map(str::to_owned)).filter(|line| line.contains("> go "));
        let mut lines: Vec<String> =
            lines.map(|line| line.split("> go ").nth(1).unwrap().to_owned()).collect();
        lines.sort();
        lines.dedup();
        lines
    };
    assert_eq!(asked("--suite bestmove --epd wac.epd --nodes 777"), ["nodes 777"]);
    assert_eq!(asked("--suite bestmove --epd wac.epd"), ["nodes 100000"]);
    assert_eq!(asked("--suite bestmove --epd wac.epd --movetime 9"), ["movetime 9"]);
    assert!(asked("--suite mates --nodes 777").contains(&"nodes 777".to_owned()));
    assert_eq!(asked("--suite draws --nodes 777"), ["nodes 777"]);
    assert_eq!(asked("--suite draws --movetime 5"), ["movetime 5"]);
    let card: serde_json::Value = serde_json::from_str(&sandbox.text("out/engine.json")).unwrap();
    assert_eq!(card["limit"], "movetime 5");
}

/// With fewer positions than a draw takes, or a time, its score is a figure.
#[test]
fn results_below_the_usual_limit_are_observed() {
    let sandbox = Sandbox::new();
    sandbox.verify("--suite draws --nodes 50").says(0, &[]);
    let rows: Vec<CheckRow> = sandbox.rows();
    let draws: Vec<&CheckRow> = rows.iter().filter(|row| row.check == "draw").collect();
    assert!(draws.len() > 5 && draws.iter().all(|row| row.observed > 0 && row.differed == 0), "{rows:?}");
    assert!(draws.iter().all(|row| row.agreed == 0), "{rows:?}");
}

#[test]
fn limits_that_apply_to_nothing_are_refused() {
    let check =
        |args: &str, parts: &[&str]| Sandbox::new().verify(args).says(2, &[&["error: "], parts].concat());
    let suites = "--nodes and --movetime apply to the suites conversion, mates, draws and bestmove";
    check("--suite stalemates --nodes 5", &["suite stalemates searches to fixed depths; ", suites]);
    check("--suite perft --movetime 5", &[suites, "add --suite conversion"]);
    let ended = Sandbox::new().verify("--suite stalemates,draws --quick --nodes 20000");
    ended.says(0, &["note: suite stalemates searches to fixed depths and ignores --nodes and --movetime"]);
}

#[test]
fn an_option_needs_its_value() {
    let sandbox = named();
    let check = |option: &str, parts: &[&str]| {
        let args =
            ["verify", "--out", "out", "--engine", "ours", "--option", option, "--check", "protocol/id-name"];
        sandbox.run(args).says(2, &[&["error: "], parts].concat());
    };
    check("Hash", &["the option Hash of ours wants a number from 0 to ", "write --option \"Hash=16\""]);
    check("hash=", &["the option Hash of ours wants a number"]);
    check("Ponder", &["the option Ponder of ours wants true or false: write --option \"Ponder="]);
    let args = [
        "verify",
        "--out",
        "out",
        "--engine",
        "ours",
        "--option",
        "Clear Hash",
        "--check",
        "protocol/id-name",
    ];
    sandbox.run(args).says(0, &[]);
}

/// An engine is not blamed if this process cannot open its pipes.
#[cfg(unix)]
#[test]
fn too_few_files_are_an_error_of_the_machine() {
    let sandbox = named();
    let verify = |limit: &str| {
        let mut shell = std::process::Command::new("sh");
        let line =
            format!("{limit} && exec \"$0\" verify --engine ours --quick --suite stalemates --out out");
        shell.args(["-c", &line, env!("CARGO_BIN_EXE_touchstone")]).current_dir(sandbox.path("."));
        crate::sandbox::Ended::of(&mut shell)
    };
    verify("ulimit -n 16").says(2, &["may have only 16 files open at once, and needs 64", "ulimit -n 1024"]);
    // This one may be raised.
    verify("ulimit -S -n 16").says(0, &[]);
}
