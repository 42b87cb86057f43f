//! `bench search` beside a Stockfish that is none, so that its figures are known.

use std::os::unix::fs::PermissionsExt;

use crate::bench::{Bench, Ended};

/// Runs it beside a shell script that does this when it is told to bench.
fn beside(script: &str) -> Ended {
    let bench = Bench::new();
    let script = format!("#!/bin/sh\n[ \"$1\" = uci ] && echo 'id name Sham 1' && exit\n{script}\n");
    bench.write("sham", script);
    std::fs::set_permissions(bench.path("sham"), std::fs::Permissions::from_mode(0o755)).unwrap();
    bench.run(["bench", "search", "--rounds", "2", "--depth", "1", "--stockfish", "./sham"])
}

const SUMMARY: &str = "echo \"Total time (ms) : 1000\nNodes searched  : $N\" >&2";

#[test]
fn nodes_a_second_beside_those_of_a_peer() {
    // It has to be given the hash, the threads and the positions.
    let asked = "[ \"$2 $3 $4 $6\" = '16 1 13 depth' ] && [ -s \"$5\" ] || exit 1";
    let ended = beside(&format!("{asked}\nN=2000000\n{SUMMARY}"));
    ended.says(0, &[]);
    let line = |start: &str| ended.stdout.lines().find(|line| line.starts_with(start)).unwrap();
    let words = |start: &str| line(start).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words("Sham 1"), ["Sham", "1", "13", "2000000", "2.00", "(2.00", "-", "2.00)"]);
    assert_eq!(words("engine")[..2], ["engine", "1"]);
    assert!(line("times as many nodes a second").ends_with(')'));
}

#[test]
fn a_peer_that_does_not_do_is_refused() {
    beside("exit 1").says(2, &["./sham bench does not say its nodes"]);
    // $$ is the number of the process: another in each round.
    beside(&format!("N=$$\n{SUMMARY}")).says(2, &["Sham 1: ", " nodes in one round, "]);
    let nowhere = Bench::new().run(["bench", "search", "--stockfish", "./nowhere"]);
    nowhere.says(2, &["there is no program ./nowhere"]);
}
