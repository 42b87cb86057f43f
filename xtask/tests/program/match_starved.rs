//! `match`: games in which an engine did not get the processor. Whether an engine is starved is up to the machine, so
//! that these tests alter a journal.

use serde_json::{Value, json};

use crate::players::hostile;
use crate::sandbox::{Ended, Sandbox};

/// A match of a round, with so much time that no engine is late.
fn run(sandbox: &Sandbox, more: &str) -> Ended {
    let words = "--each tc=1000 depth=1 --of 2:name=second --maxmoves 2 --rounds 1 --out out";
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
