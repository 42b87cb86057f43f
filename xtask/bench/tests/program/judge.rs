//! `bench judge` with a shell script in the place of the program.

use std::path::Path;
use std::process::{Command, Output};

use crate::write_program::write_program;

/// Measures a script as the program. No other program is in the PATH.
fn measure(folder: &Path, script: &str) -> Output {
    let path = folder.join("ours");
    write_program(&path, format!("#!/bin/sh\n{script}\n").as_bytes());
    let mut program = Command::new(env!("CARGO_BIN_EXE_bench"));
    program.env("BENCH_UNMEASURED_BUILD", "1").env("PATH", folder).current_dir(folder);
    program.args(["judge", "--rounds", "2", "--games", "40", "--touchstone", "./ours"]);
    program.output().expect("the program starts")
}

#[test]
fn games_are_read_by_all_programs_that_are_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let games = folder.path().join("copy.pgn");
    // The script keeps the games that it is given; each is a result and a blank line.
    let output = measure(
        folder.path(),
        &format!("while read -r line; do echo \"$line\"; done < games.pgn > {}", games.display()),
    );
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "peers are missing: {printed}");
    assert!(printed.starts_with("40 random games of at most 120 plies with comments,"), "{printed}");
    assert_eq!(printed.matches("not measured: it is not installed").count(), 2, "{printed}");
    let games = std::fs::read_to_string(games).expect("the games");
    assert_eq!(games.matches("[Result ").count(), 40);
    assert!(games.contains("1. ") && games.contains(" {+0.35/12 0.052s}\n"), "{games}");
}

#[test]
fn a_program_that_fails_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = measure(folder.path(), "exit 2");
    let printed = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(printed.contains("judge, tables of 4 men failed: exit status: 2"), "{printed}");
}
