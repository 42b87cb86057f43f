//! Comparison with a baseline.

use std::collections::BTreeMap;

use reports::RegressionRow;

use crate::runs::{self, FIRST_PASS};
use crate::sandbox::{Ended, Sandbox};

/// The smallest table, which no run can get wrong.
const SMALL: &str = "--tables KvK --quick";

/// A folder with a baseline of the smallest table, and how a run that is held against it ends.
struct Small(Sandbox);

impl Small {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.verify(&format!("{SMALL} --update-baseline --baseline base")).says(0, &[]);
        Self(sandbox)
    }

    /// Changes a report of the baseline, which must have what is to be replaced.
    fn edit(self, report: &str, from: &str, to: &str) -> Self {
        let text = self.0.text(&format!("base/{report}"));
        assert!(text.contains(from), "{from} is not in {text}");
        self.0.write(&format!("base/{report}"), text.replacen(from, to, 1));
        self
    }

    fn run(&self) -> Ended {
        self.0.verify(&format!("{SMALL} --baseline base"))
    }

    #[track_caller]
    fn check(&self, code: i32, expected: &[(&str, &str)]) {
        self.run().says(code, &[]);
        let rows: Vec<RegressionRow> = self.0.rows();
        let got: Vec<_> = rows.iter().map(|row| (row.case.as_str(), row.verdict.name())).collect();
        assert_eq!(got, expected);
    }
}

const HEADER: &str = "subject,check,severity,case,fen,stored,expected,source,explanation,cause,replay,moves,position_after,given,best,stored_value,expected_value,limit\n";
const MADE_UP: &str =
    "production,certificate,error,KvK/7k/8/8/8/8/8/K7/8 w - -,,win 9,draw,certificate,,,,,,,,,,\n";

#[test]
fn nothing_changed() {
    let small = Small::new();
    small.check(0, &[]);
    assert_eq!(small.0.text("out/regression.csv"), "report,case,before,after,verdict\n");
    let mut out = small.0.files("out");
    out.retain(|name, _| {
        !["timings.csv", "features.csv", "junit.xml", "regression.csv"].contains(&name.as_str())
    });
    assert_eq!(small.0.files("base"), out, "a baseline is the reports without what depends on the run");
}

#[test]
fn a_figure_that_changed_is_a_note() {
    Small::new()
        .edit("census.csv", "KvK,white,3612,462,0,", "KvK,white,3612,462,1,")
        .check(0, &[("KvK white", "changed")]);
}

#[test]
fn a_difference_that_is_gone_is_fixed() {
    let case = "production certificate KvK/7k/8/8/8/8/8/K7/8 w - -";
    Small::new()
        .edit("differences.csv", HEADER, &[HEADER, MADE_UP].concat())
        .edit("checks.csv", "certificate,KvK,7224,7224,0,0", "certificate,KvK,7224,7223,1,0")
        .check(0, &[(case, "fixed")]);
}

#[test]
fn fewer_comparisons_than_before_are_broken() {
    Small::new()
        .edit("checks.csv", "certificate,KvK,7224,7224,0,0", "certificate,KvK,7225,7225,0,0")
        .check(1, &[("production certificate KvK", "broken")]);
}

#[test]
fn a_check_that_is_gone_is_broken() {
    let gone = "production,mobility,agreement,KvK,5,5,0,0,0,0,\nproduction,symmetry,";
    let small = Small::new().edit("checks.csv", "production,symmetry,", gone);
    // A quick run is asked for some of the checks alone, and says nothing of others.
    assert_eq!(small.run().code, 0);
    let whole_table = small.0.verify("--tables KvK --baseline base");
    assert_eq!(whole_table.code, 1, "{}", whole_table.stderr);
    let row = "checks.csv,production mobility KvK,evidence=agreement agreed=5 differed=0 observed=0 skipped=0,,broken";
    assert!(small.0.text("out/regression.csv").contains(row), "{}", small.0.text("out/regression.csv"));
}

#[test]
fn a_row_that_is_new_is_added() {
    Small::new()
        .edit("histogram.csv", "KvK,white,draw,,3612,462\n", "")
        .check(0, &[("KvK white draw ", "added")]);
}

#[test]
fn a_baseline_that_cannot_be_read_is_named_with_its_line() {
    let check = |report: &str, from: &str, to: &str, part: &str| {
        Small::new().edit(report, from, to).run().says(2, &["error: base: baseline: ", part]);
    };
    check("census.csv", "KvK,white,3612", "KvK,white,many", "census.csv:2: column legal: ");
    check("census.csv", "KvK,black,", "KvK,green,", "census.csv:3: ");
    check("census.csv", "KvK,black,3612,", "KvK,black,", "census.csv:3: expected 11 fields, got 10");
    check(
        "checks.csv",
        "production,certificate",
        "production,\"certificate",
        "checks.csv:3: expected quotes in pairs",
    );
    check("checks.csv", "subject,check,", "check,subject,", "checks.csv:1: expected the columns ");
    let sandbox = Sandbox::new();
    sandbox
        .verify("--tables KvK --quick --baseline base")
        .says(2, &["there is no baseline base", "--update-baseline"]);
}

/// On one thread, against the run on two: all the same, but what was changed by hand.
#[test]
fn a_specimen_held_against_its_own_run() {
    const KNOWN: &str = "truth,error,KPvK/8/1P6/7k/8/4K3/8/8/8 w - -,";
    let sandbox = Sandbox::new();
    let earlier: BTreeMap<String, String> = FIRST_PASS.sandbox.files("out");
    for (name, text) in &earlier {
        sandbox.write(&format!("base/{name}"), text);
    }
    let differences = &earlier["differences.csv"];
    let known = differences.lines().find(|line| line.contains(KNOWN)).unwrap();
    let made_up = known.replace(KNOWN, "truth,error,KPvK/8/8/8/8/8/2K5/2P5/k7 w - -,");
    sandbox.write("base/differences.csv", differences.replace(known, &made_up));
    let run = runs::verify_in(sandbox, "--builder first-pass --jobs 1 --baseline base --format github");
    assert_eq!(run.ended.code, 1, "{}", run.ended.stderr);
    insta::assert_snapshot!(run.sandbox.text("out/regression.csv"));
    // Other builds list more differences.
    if cfg!(not(any(feature = "gaviota", feature = "prophet"))) {
        insta::assert_snapshot!("annotations", run.ended.stdout);
    }
    let mut later = run.sandbox.files("out");
    later.remove("regression.csv");
    let without_times = |mut files: BTreeMap<String, String>| files.remove("timings.csv").map(|_| files);
    assert_eq!(without_times(later), without_times(earlier));
}
