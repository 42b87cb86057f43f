//! `bench search` beside a shell script in the place of Stockfish, so that the figures of the peer are known.

use std::path::Path;
use std::process::{Command, Output};

use crate::write_program::write_program;

/// Runs `bench search` in a folder of its own, beside a script that does this when it is told to bench.
fn run_beside(script: &str) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let sham = folder.path().join("sham");
    let script = format!("#!/bin/sh\n[ \"$1\" = uci ] && echo 'id name Sham 1' && exit\n{script}\n");
    write_program(&sham, script.as_bytes());
    search(folder.path(), &["--rounds", "2", "--depth", "1", "--stockfish", "./sham"])
}

fn search(folder: &Path, args: &[&str]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bench"));
    program.env("BENCH_UNMEASURED_BUILD", "1");
    program.current_dir(folder).arg("search").args(args).output().expect("the program starts")
}

/// The tests are usually a debug build.
#[cfg(debug_assertions)]
#[test]
fn a_build_that_is_not_measured_prints_no_figures() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_bench"));
    let output =
        program.arg("perft").env_remove("BENCH_UNMEASURED_BUILD").output().expect("the program starts");
    check_error(&output, &["a debug build", "cargo xtask bench"]);
    assert!(output.stdout.is_empty());
}

#[track_caller]
fn check_error(output: &Output, parts: &[&str]) {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    for part in parts {
        assert!(error.contains(part), "{part:?} is not in\n{error}");
    }
}

const SUMMARY: &str = "echo \"Total time (ms) : 1000\nNodes searched  : $N\" >&2";

#[test]
fn nodes_a_second_beside_those_of_a_peer() {
    // The peer has to be given the hash, the threads and the positions.
    let given = "[ \"$2 $3 $4 $6\" = '16 1 13 depth' ] && [ -s \"$5\" ] || exit 1";
    let output = run_beside(&format!("{given}\nN=2000000\n{SUMMARY}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    let line = |start: &str| text.lines().find(|line| line.starts_with(start)).unwrap();
    let words = |start: &str| line(start).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words("Sham 1"), ["Sham", "1", "13", "2000000", "2.00", "(2.00", "-", "2.00)"]);
    assert_eq!(words("engine")[..2], ["engine", "1"]);
    assert!(line("times as many nodes a second").ends_with(')'));
}

#[test]
fn a_peer_whose_figures_cannot_be_used_is_an_error() {
    check_error(&run_beside("exit 1"), &["./sham bench does not say its nodes"]);
    // $$ is the number of the process: another in each round.
    check_error(&run_beside(&format!("N=$$\n{SUMMARY}")), &["Sham 1: ", " nodes in one round, "]);
    let folder = tempfile::tempdir().unwrap();
    check_error(&search(folder.path(), &["--stockfish", "./nowhere"]), &["there is no program ./nowhere"]);
}
