//! `--nodes`, `--movetime` and `--option`: what is asked of a player, and what is refused.

use reports::CheckRow;

use crate::bench::Bench;
use crate::engine::named;
use crate::epd::WAC;

#[test]
fn nodes_and_time_are_for_every_suite_that_takes_them() {
    let bench = named();
    bench.write("wac.epd", WAC);
    let asked = |args: &str| -> Vec<String> {
        let all = format!("--engine ours --quick --time-limit 300 --transcripts log {args}");
        let ended = bench.verify(&all);
        assert!(ended.code < 2, "{}", ended.stderr);
        let logs = bench.files("log");
        std::fs::remove_dir_all(bench.path("log")).unwrap();
        // What is tried before anything is asked has limits of its own.
        let asked =
            logs.iter().filter(|(name, _)| !name.starts_with("limits") && !name.starts_with("introduction"));
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
    let card: serde_json::Value = serde_json::from_str(&bench.text("out/engine.json")).unwrap();
    assert_eq!(card["limit"], "movetime 5");
}

/// With fewer positions than a draw takes, or a time, its score is a figure.
#[test]
fn what_is_given_less_than_it_takes_is_observed() {
    let bench = Bench::new();
    bench.verify("--suite draws --nodes 50").says(0, &[]);
    let rows: Vec<CheckRow> = bench.rows();
    let draws: Vec<&CheckRow> = rows.iter().filter(|row| row.check == "draw").collect();
    assert!(draws.len() > 5 && draws.iter().all(|row| row.observed > 0 && row.differed == 0), "{rows:?}");
    assert!(draws.iter().all(|row| row.agreed == 0), "{rows:?}");
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    let check =
        |args: &str, parts: &[&str]| Bench::new().verify(args).says(2, &[&["error: "], parts].concat());
    let suites = "--nodes and --movetime apply to the suites conversion, mates, draws and bestmove";
    check("--suite stalemates --nodes 5", &["suite stalemates searches to fixed depths; ", suites]);
    check("--suite perft --movetime 5", &[suites, "add --suite conversion"]);
    let ended = Bench::new().verify("--suite stalemates,draws --quick --nodes 20000");
    ended.says(0, &["note: suite stalemates searches to fixed depths and ignores --nodes and --movetime"]);
}

#[test]
fn an_option_that_wants_a_value_is_not_set_without_one() {
    let bench = named();
    let check = |option: &str, parts: &[&str]| {
        let args =
            ["verify", "--out", "out", "--engine", "ours", "--option", option, "--check", "protocol/id-name"];
        bench.run(args).says(2, &[&["error: "], parts].concat());
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
    bench.run(args).says(0, &[]);
}
