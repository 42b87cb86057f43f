//! `faults` on the real program and on one that loses a finding: the wrong cell is caught, or missed.

use std::process::Command;

use crate::players::faults;
use crate::sandbox::{Ended, Sandbox};

/// Loses the first row of each report of differences. The fault below has one.
const BLIND: &str = r#"#!/bin/sh
"$TOUCHSTONE" "$@"
code=$?
[ ! -f out/differences.csv ] || { sed 2d out/differences.csv >rest && mv rest out/differences.csv; }
exit $code
"#;

#[test]
fn a_program_that_loses_a_finding_misses_a_wrong_cell() {
    let real = env!("CARGO_BIN_EXE_touchstone");
    let sandbox = Sandbox::new();
    sandbox.write_program("blind", BLIND);
    for (program, code, says) in [
        (real, 0, "table-cells: 1 of 1 faults are caught"),
        ("./blind", 1, "table-cells: 0 of 1 faults are caught"),
    ] {
        let mut command = Command::new(faults());
        command.current_dir(sandbox.path("")).env("TOUCHSTONE", real);
        command.args(["--only", "table-cells/KRvK.dtz/cell/2", "--program", program, "--out", "reports"]);
        let ended = Ended::of(&mut command);
        assert_eq!(ended.code, code, "{}{}", ended.stdout, ended.stderr);
        assert!(ended.stdout.contains(says), "{}", ended.stdout);
    }
}
