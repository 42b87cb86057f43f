//! A program that does not see some faults is caught by the command. A script stands in for it: it gives the
//! reports of the real one, without some of its findings.

use std::path::Path;
use std::process::{Command, Output};

use crate::write_program::write_program;

/// A stand-in for the program: it exports a table of 96 rows, and judges a dump of it by comparing lines.
/// `BLIND` is a line that it does not look at.
const PROGRAM: &str = r#"#!/bin/sh
table() {
    echo fen,wdl,dtm
    for kings in K1k5 K2k4 K3k3 1K1k4 1K2k3 2K1k3; do
        for rest in 8/8/8/8/8/8/8 8/8/8/8/8/8/7Q 8/8/8/8/8/7Q/8 8/8/8/8/7Q/8/8 \
            8/8/8/7Q/8/8/8 8/8/7Q/8/8/8/8 8/7Q/8/8/8/8/8 7Q/8/8/8/8/8/8; do
            echo "$rest/$kings w - - 0 1,win,3"
            echo "$rest/$kings b - - 0 1,loss,2"
        done
    done
}
case "$*" in
*"tables export"*) table ;;
*--dump*)
    mkdir -p out
    table >true.csv
    echo check,case,fen >out/differences.csv
    code=0
    number=1
    while read -r right <&3 && read -r line <&4; do
        if [ "$right" != "$line" ] && [ "$number" != "$BLIND" ]; then
            echo "dump/row,line $number,${line%%,*}" >>out/differences.csv
            code=1
        fi
        number=$((number + 1))
    done 3<true.csv 4<dump.csv
    if [ -n "$INVENT" ]; then
        echo "dump/row,line $INVENT,8" >>out/differences.csv
        code=1
    fi
    [ -z "$SILENT" ] || code=0
    exit $code
    ;;
esac
"#;

fn faults(only: &str, variable: &str, value: &str) -> (Output, String) {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("touchstone");
    write_program(&program, PROGRAM.as_bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_faults"));
    command.current_dir(folder.path()).env(variable, value);
    command.args(["--only", only, "--out", "reports", "--program"]).arg(Path::new("./touchstone"));
    let output = command.output().unwrap();
    let csv = std::fs::read_to_string(folder.path().join("reports/faults.csv")).unwrap_or_default();
    (output, csv)
}

#[track_caller]
fn check((output, _): &(Output, String), code: i32, says: &str) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(code), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains(says), "{text}");
}

#[test]
fn a_program_that_sees_all_is_green() {
    let seen = faults("dump/KQvK/draw-for-win", "NOBODY", "");
    check(&seen, 0, "dump: 3 of 3 faults are caught\n0 findings are invented (seed 1)\n");
    assert_eq!(seen.1.matches(",true,dump/row,").count(), 3, "{}", seen.1);
}

#[test]
fn a_line_that_is_not_looked_at_is_missed() {
    let blind = faults("dump/KQvK/draw-for-win", "BLIND", "6");
    check(&blind, 1, "dump: 2 of 3 faults are caught");
    let missed = "missed: dump/KQvK/draw-for-win/";
    let text = String::from_utf8_lossy(&blind.0.stdout).into_owned();
    let (_, rest) = text.split_once(missed).unwrap();
    let (number, place) = rest.split_once(": ").unwrap();
    assert!(place.starts_with("8/8/8/8/8/7Q/8/K1k5 w - - 0 1: draw for win in 3\n"), "{text}");
    let id = format!("dump/KQvK/draw-for-win/{number}");
    assert!(text.contains(&format!("\n  cargo xtask faults --seed 1 --only {id}\n")), "{text}");
    let row = format!("{id},draw-for-win,8/8/8/8/8/7Q/8/K1k5 w - - 0 1,draw for win in 3,false,,");
    assert!(blind.1.contains(&row), "{}", blind.1);
    // The replay plants that fault alone, and another one is caught.
    let replayed = faults(&id, "BLIND", "6");
    check(&replayed, 1, "dump: 0 of 1 faults are caught");
    assert!(replayed.1.contains(&row), "{}", replayed.1);
    let other = (number.parse::<u32>().unwrap() + 1) % 3;
    check(&faults(&format!("dump/KQvK/draw-for-win/{other}"), "BLIND", "6"), 0, "1 of 1 faults are caught");
}

#[test]
fn a_finding_without_a_fault_is_invented() {
    let invents = faults("dump/KQvK/draw-for-win", "INVENT", "10");
    check(&invents, 1, "invented: dump/KQvK/draw-for-win: line 10");
    check(&invents, 1, "the control has no fault and is refused");
    check(&faults("dump/KQvK/illegal-row", "INVENT", "3"), 1, "invented: dump/KQvK/illegal-row: line 3");
}

#[test]
fn an_exit_code_of_zero_hides_all_findings() {
    let silent = faults("dump/KQvK/draw-for-win", "SILENT", "1");
    check(&silent, 1, "dump: 0 of 3 faults are caught");
}

#[test]
fn wrong_arguments_are_told() {
    for (only, says) in [
        ("dump/KXvK", "no fault has this id; there are: dump/"),
        ("dump/KQvK/draw-for-win/5000", "no fault has this number"),
        ("dump/KQvK/region", "KQvK has 96 rows: too few for two regions"),
    ] {
        let (output, _) = faults(only, "NOBODY", "");
        let text =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains(says), "{text}");
    }
}
