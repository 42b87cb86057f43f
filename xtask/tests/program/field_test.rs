//! `field-test` without installed engines: which page it writes.

use crate::sandbox::{Ended, Sandbox};

const PAGE: &str = "docs/src/reference/field-report.md";

/// Runs it where nothing is found in the PATH, over a page that is there.
fn run(args: &str) -> (Sandbox, Ended) {
    let sandbox = Sandbox::new();
    sandbox.write(PAGE, "of all engines");
    let ended = Ended::of(
        sandbox
            .program()
            .args(["field-test", "--games", "nowhere"])
            .args(args.split_whitespace())
            .env("PATH", ""),
    );
    (sandbox, ended)
}

#[test]
fn a_run_of_all_engines_writes_the_page() {
    let all = "stockfish fairy-stockfish ethereal-chess toga2 glaurung gnuchess";
    for args in ["", all, "--quick --out docs/src/reference/field-report.md"] {
        let (sandbox, ended) = run(args);
        ended.says(
            0,
            &[
                "glaurung: not installed",
                "written: docs/src/reference/field-report.md and docs/src/reference/field-report-bugs.md",
            ],
        );
        assert!(!ended.stderr.contains("stays as it is"), "{}", ended.stderr);
        assert!(sandbox.text(PAGE).starts_with("# Field report"));
        let bugs = sandbox.text("docs/src/reference/field-report-bugs.md");
        assert!(bugs.starts_with("# Bugs found") && bugs.contains("(field-report.md)"), "{bugs}");
    }
}

#[test]
fn a_partial_run_does_not_change_the_page() {
    for (args, part) in [
        ("--quick", "target/touchstone/field/report.md"),
        ("stockfish toga2", "target/touchstone/field/report.md"),
        ("stockfish --reports mine", "mine/report.md"),
    ] {
        let (sandbox, ended) = run(args);
        ended.says(0, &[&format!("written: {part} and "), "docs/src/reference/field-report.md is unchanged"]);
        assert_eq!(sandbox.text(PAGE), "of all engines");
        assert!(sandbox.text(part).contains("| [stockfish](#stockfish) |"));
        let bugs = sandbox.text(&part.replace("report.md", "report-bugs.md"));
        assert!(bugs.contains("[field report](report.md)"), "{bugs}");
    }
}

/// A folder with the engine for tests, once with each fault.
#[cfg(unix)]
fn faulty_engines(sandbox: &Sandbox, faults: &[&str]) {
    for fault in faults {
        let script = format!("#!/bin/sh\nexec '{}' --fault {fault} \"$@\"\n", crate::players::hostile());
        sandbox.write_program(&format!("builds/{fault}"), &script);
    }
}

/// Each replay whose output tells shows its finding again: so many at least.
#[cfg(unix)]
#[track_caller]
fn replays_show_findings(faults: &[&str], least: usize) {
    let sandbox = Sandbox::new();
    faulty_engines(&sandbox, faults);
    let args = ["field-test", "--games", "nowhere", "--folder", "builds", "--quick", "stockfish"];
    // No engine of the machine, but the shell.
    Ended::of(sandbox.program().args(args).env("PATH", "/usr/bin:/bin")).says(0, &["written: "]);
    let page = sandbox.text("target/touchstone/field/report.md");
    assert!(!page.contains("does not show it"), "{page}");
    let shown = page.matches("Its replay shows it again.").count();
    assert!(shown >= least, "{shown} of {least}: {page}");
}

#[cfg(unix)]
#[test]
fn the_replays_of_a_field_test_show_the_findings() {
    replays_show_findings(&["exit-at-go"], 5);
}

#[cfg(unix)]
#[test]
#[ignore = "nightly: one faulty engine is tested by default"]
fn the_replays_of_more_engines_show_the_findings() {
    let faults = ["unsound-mate", "wrong-sign", "illegal-move", "crash-at-castling", "crash-at-mate"];
    replays_show_findings(&faults, 80);
}

#[cfg(unix)]
#[test]
fn a_folder_of_engines_is_checked_too() {
    let sandbox = Sandbox::new();
    sandbox.write_program("builds/mine", "#!/bin/sh\nexit 3\n");
    sandbox.write("builds/notes.txt", "no program");
    let args = ["field-test", "--games", "nowhere", "--folder", "builds", "stockfish"];
    let ended = Ended::of(sandbox.program().args(args).env("PATH", ""));
    ended.says(0, &["stockfish: not installed", "mine: "]);
    assert!(!ended.stderr.contains("notes.txt"), "{}", ended.stderr);
    let page = sandbox.text("target/touchstone/field/report.md");
    assert!(page.contains("## mine\n") && page.contains("Could not be checked"), "{page}");
    sandbox.run(["field-test", "--folder", "nowhere"]).says(2, &["cannot read the folder nowhere"]);
}
