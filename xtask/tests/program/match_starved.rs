//! `match`: games in which an engine did not get the processor. Whether an engine is starved is up to the machine:
//! one test makes it so on Linux, and another one alters a journal.

#[cfg(target_os = "linux")]
use std::process::{Child, Command};

use serde_json::{Value, json};

use crate::players::hostile;
use crate::sandbox::{Ended, Sandbox};

/// A match of a round. Searches that no clock limits are not measured, so that no engine is starved.
fn run(sandbox: &Sandbox, more: &str) -> Ended {
    let words = "--each depth=1 --of 2:name=second --maxmoves 2 --rounds 1 --out out";
    let engines = ["match", hostile(), hostile()];
    sandbox.run(engines.into_iter().chain(words.split_whitespace()).chain(more.split_whitespace()))
}

#[test]
fn starved_games_are_marked_and_told_apart() {
    let sandbox = Sandbox::new();
    run(&sandbox, "").says(0, &[]);
    assert!(!sandbox.text("out/games.pgn").contains("[Starved"));
    let journal = sandbox.text("out/match.jsonl");
    let mut lines: Vec<Value> = journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [_, first, second] = &mut lines[..] else { panic!("{journal}") };
    let starved = json!({ "ran": 500, "waited": 900 });
    first["record"]["record"]["end"] = json!({ "kind": "time-forfeit", "loser": "black" });
    first["record"]["record"]["black"]["processor"] = starved.clone();
    second["record"]["record"]["white"]["processor"] = starved;
    let write = |lines: &[Value]| {
        let text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
        sandbox.write("out/match.jsonl", text.concat());
    };
    write(&lines);
    let resumed = run(&sandbox, "--resume");
    resumed.says(0, &[]);
    let told =
        "\nstarved: in 2 games an engine got less than half of the processor; it was late in 1 of them";
    assert!(
        resumed.stdout.contains(&format!("{told}, which --replay-starved plays again\n")),
        "{}",
        resumed.stdout
    );
    let pgn = sandbox.text("out/games.pgn");
    assert_eq!(pgn.matches("\n[Starved \"second\"]\n").count(), 2, "{pgn}");
    // Games that did not count.
    let [_, first, _] = &mut lines[..] else { panic!("{journal}") };
    first["record"]["record"]["replays"] = json!(3);
    write(&lines);
    let resumed = run(&sandbox, "--resume");
    let told = format!("{told}; 3 more did not count, and were played again\n");
    assert!(resumed.stdout.contains(&told), "{}", resumed.stdout);
}

#[test]
fn how_often_a_game_is_played_again_is_bounded() {
    let sandbox = Sandbox::new();
    run(&sandbox, "--replay-starved=101").says(2, &["101", "0..=100"]);
    run(&sandbox, "--replay-starved=often").says(2, &["often"]);
    run(&sandbox, "--replay-starved").says(0, &[]);
    run(&sandbox, "--resume --replay-starved=4").says(2, &["settings.replay-starved", "\"3\"", "\"4\""]);
}

/// Busy loops on one processor. Dropping them ends them.
#[cfg(target_os = "linux")]
struct BusyLoops(Vec<Child>);

#[cfg(target_os = "linux")]
impl BusyLoops {
    fn start(count: u32, processor: &str) -> Self {
        let busy = |_| {
            let mut program = Command::new("taskset");
            program.args(["-c", processor, "sh", "-c", "while :; do :; done"]);
            program.spawn().expect("taskset is there")
        };
        Self((0..count).map(busy).collect())
    }
}

#[cfg(target_os = "linux")]
impl Drop for BusyLoops {
    fn drop(&mut self) {
        for program in &mut self.0 {
            let _ = program.kill();
            let _ = program.wait();
        }
    }
}

/// The first processor on which this process may run.
#[cfg(target_os = "linux")]
fn processor() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap();
    allowed.trim().chars().take_while(char::is_ascii_digit).collect()
}

/// An engine that computes for 0.3 seconds, whatever it is asked, and is late.
#[cfg(target_os = "linux")]
const LATE: &str = r#"while read -r line; do case "$line" in
uci) echo uciok;;
isready) echo readyok;;
go*) until=$((${EPOCHREALTIME/./} + 300000)); while ((${EPOCHREALTIME/./} < until)); do :; done; echo "bestmove e2e4";;
quit) exit;;
esac; done
"#;

/// Eight busy loops have the processor of the engine, so that it gets about a ninth of it, however busy the machine is.
#[cfg(target_os = "linux")]
#[test]
fn an_engine_beside_busy_loops_is_starved_and_plays_again() {
    assert!(std::path::Path::new("/proc/self/schedstat").exists(), "Linux counts no waiting here");
    let (sandbox, processor) = (Sandbox::new(), processor());
    sandbox.write("late.bash", LATE);
    for (name, command) in [("late", "bash late.bash"), ("calm", hostile())] {
        sandbox.write_program(name, format!("#!/bin/sh\nexec taskset -c {processor} {command}\n"));
    }
    let _busy = BusyLoops::start(8, &processor);
    let against = |engine: &str, words: &str| {
        let words = format!("--of 1:name=other 2:name={engine} --rounds 1 --maxmoves 2 {words}");
        let engine = format!("./{engine}");
        let ended = sandbox.run(["match", hostile(), &engine].into_iter().chain(words.split_whitespace()));
        ended.says(0, &[]);
        ended.stdout
    };
    // The other engine may be starved too, by what else the machine does.
    let marked = |stdout: &str| -> Vec<String> {
        let games = stdout.lines().filter(|line| line.starts_with("game "));
        let marks = games.filter_map(|line| Some(line.split_once("; starved: ")?.1));
        marks.map(|mark| mark.replace("other, ", "").replace(", other", "")).collect()
    };
    let told =
        "\nstarved: in 2 games an engine got less than half of the processor; it was late in 2 of them";
    let late = against("late", "--of 1:tc=1000 2:st=0.1 --out once");
    assert_eq!(marked(&late), ["late"; 2], "{late}");
    assert!(late.contains(&format!("{told}, which --replay-starved plays again\n")), "{late}");
    let pgn = sandbox.text("once/games.pgn");
    let tags = pgn.lines().filter(|line| line.starts_with("[Starved \"") && line.contains("late"));
    assert_eq!(tags.count(), 2, "{pgn}");
    let again = against("late", "--of 1:tc=1000 2:st=0.1 --replay-starved=2 --out again");
    assert_eq!(marked(&again), ["late; played 3 times"; 2], "{again}");
    assert!(again.contains(&format!("{told}; 4 more did not count, and were played again\n")), "{again}");
    // Searches that no clock limits are not measured.
    let calm = against("calm", "--each depth=1 --replay-starved --out unmeasured");
    assert!(!calm.contains("starved"), "{calm}");
}
