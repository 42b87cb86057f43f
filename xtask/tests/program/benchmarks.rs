//! `bench` starts the package of benchmarks through cargo. A shell script stands in for cargo.

use crate::sandbox::{Ended, Sandbox};

/// Runs `bench` with these arguments and a cargo that prints what it is given and ends with this code.
fn bench_by_cargo(args: &[&str], code: u8) -> Ended {
    by_cargo("bench", args, code)
}

fn by_cargo(verb: &str, args: &[&str], code: u8) -> Ended {
    let sandbox = Sandbox::new();
    sandbox.write_program("cargo", format!("#!/bin/sh\necho \"$@\"\nexit {code}\n"));
    let mut program = sandbox.program();
    program.env("CARGO_PKG_NAME", env!("CARGO_PKG_NAME")).env("CARGO_MANIFEST_DIR", "/workspace/xtask");
    Ended::of(program.env("CARGO", sandbox.path("cargo")).arg(verb).args(args))
}

#[test]
fn arguments_and_exit_codes_are_passed_on() {
    for code in [0, 1, 2] {
        let ended = bench_by_cargo(&["search", "--rounds", "3"], code);
        ended.says(i32::from(code), &[]);
        let run = "run --quiet --package bench --manifest-path /workspace/xtask/Cargo.toml --release";
        let features = if cfg!(feature = "gaviota") { " --features gaviota" } else { "" };
        assert_eq!(ended.stdout, format!("{run}{features} -- search --rounds 3\n"));
    }
    bench_by_cargo(&["perft", "--help"], 101).says(2, &["the benchmark failed", "101"]);
}

/// `bench match` and `bench judge` measure the program itself, as users have it.
#[test]
fn the_program_is_built_before_it_is_measured() {
    let built =
        "build --quiet --package touchstone-chess --manifest-path /workspace/xtask/Cargo.toml --release\n";
    let ended = bench_by_cargo(&["match", "--rounds", "1"], 0);
    ended.says(0, &[]);
    assert!(
        ended.stdout.starts_with(built) && ended.stdout.ends_with("-- match --rounds 1\n"),
        "{}",
        ended.stdout
    );
    bench_by_cargo(&["judge"], 101).says(2, &["touchstone cannot be built", "101"]);
}

#[test]
fn faults_are_planted_for_this_program() {
    for (args, passed) in [("--quick --seed 7", "--quick --seed 7"), ("-- --help", "--help")] {
        let ended = by_cargo("faults", &args.split(' ').collect::<Vec<_>>(), 1);
        let program = std::fs::canonicalize(env!("CARGO_BIN_EXE_touchstone")).unwrap();
        let run = "run --quiet --package faults --manifest-path /workspace/xtask/Cargo.toml --";
        ended.says(1, &[]);
        assert_eq!(ended.stdout, format!("{run} {passed} --program {}\n", program.display()));
    }
}

#[test]
fn an_installed_program_says_that_bench_needs_the_workspace() {
    let sandbox = Sandbox::new();
    let ended = Ended::of(sandbox.program().env_remove("CARGO_PKG_NAME").args(["bench", "perft"]));
    ended.says(2, &["bench needs the workspace", "cargo xtask bench"]);
}
