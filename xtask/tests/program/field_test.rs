//! `field-test` where no engine is installed: which page it writes.

use crate::bench::{Bench, Ended};

const PAGE: &str = "docs/src/reference/field-report.md";

/// Runs it where nothing is found in the PATH, over a page that is there.
fn run(args: &str) -> (Bench, Ended) {
    let bench = Bench::new();
    bench.write(PAGE, "of all engines");
    let ended = Ended::of(bench.program().arg("field-test").args(args.split_whitespace()).env("PATH", ""));
    (bench, ended)
}

#[test]
fn a_run_of_all_engines_writes_the_page() {
    let all = "stockfish fairy-stockfish ethereal-chess toga2 glaurung gnuchess";
    for args in ["", all, "--quick --out docs/src/reference/field-report.md"] {
        let (bench, ended) = run(args);
        ended.says(0, &["glaurung: not installed", "written: docs/src/reference/field-report.md"]);
        assert!(!ended.stderr.contains("stays as it is"), "{}", ended.stderr);
        assert!(bench.text(PAGE).starts_with("# Field report"));
    }
}

#[test]
fn a_run_that_tells_less_leaves_the_page() {
    for (args, part) in [
        ("--quick", "target/touchstone/field/report.md"),
        ("stockfish toga2", "target/touchstone/field/report.md"),
        ("stockfish --reports mine", "mine/report.md"),
    ] {
        let (bench, ended) = run(args);
        ended.says(0, &[&format!("written: {part}"), "docs/src/reference/field-report.md is unchanged"]);
        assert_eq!(bench.text(PAGE), "of all engines");
        assert!(bench.text(part).contains("| [stockfish](#stockfish) |"));
    }
}
