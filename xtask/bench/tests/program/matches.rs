//! `bench match` with shell scripts in the place of the match programs.

use std::path::Path;
use std::process::{Command, Output};

use crate::write_program::write_program;

/// A program that takes some time and says that the engines of these sessions answered so often.
fn sham(folder: &Path, name: &str, sessions: &[u32]) {
    let sessions: Vec<String> = sessions.iter().map(ToString::to_string).collect();
    let sessions = sessions.join(" ");
    let script = format!(
        "#!/bin/sh\n\
         i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done\n\
         for word in \"$@\"; do file=${{word##*--count }}; file=${{file#arg=}}\n\
         case $file in /*answers) printf '%s\\n' {sessions} > \"$file\";; esac; done\n"
    );
    let path = folder.join(name);
    write_program(&path, script.as_bytes());
}

/// Runs `bench match` with these programs. Ours tries each engine first. No other program is in the PATH.
fn measure(ours: u32, fastchess: Option<u32>) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    let mut program = Command::new(env!("CARGO_BIN_EXE_bench"));
    program.env("BENCH_UNMEASURED_BUILD", "1").env("PATH", folder.path()).current_dir(folder.path());
    program.args(["match", "--rounds", "2", "--pairs", "1", "--touchstone", "./ours"]);
    sham(folder.path(), "ours", &[1, 1, ours]);
    if let Some(answers) = fastchess {
        sham(folder.path(), "peer", &[answers]);
        program.args(["--fastchess", "./peer"]);
    }
    program.output().expect("the program starts")
}

#[test]
fn the_costs_of_the_same_games_are_compared() {
    let output = measure(40, Some(40));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(printed.contains("2 games and 40 plies"), "{printed}");
    assert!(printed.contains("own cost of touchstone by that of fastchess"), "{printed}");
    assert!(printed.contains("python-chess                    not measured"), "{printed}");
    assert!(!printed.contains("NaN") && !printed.contains("inf"), "no processor time was seen: {printed}");
}

#[test]
fn other_games_are_not_compared() {
    let output = measure(40, Some(41));
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("one match has 40 plies and another 41"), "{error}");
}

#[test]
fn without_a_peer_the_exit_code_is_2() {
    let output = measure(40, None);
    assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("fastchess                       not measured"));
}
