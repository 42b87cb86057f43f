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
        ended.says(0, &["glaurung: not installed", "written: docs/src/reference/field-report.md"]);
        assert!(!ended.stderr.contains("stays as it is"), "{}", ended.stderr);
        assert!(sandbox.text(PAGE).starts_with("# Field report"));
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
        ended.says(0, &[&format!("written: {part}"), "docs/src/reference/field-report.md is unchanged"]);
        assert_eq!(sandbox.text(PAGE), "of all engines");
        assert!(sandbox.text(part).contains("| [stockfish](#stockfish) |"));
    }
}

#[cfg(unix)]
#[test]
fn a_folder_of_engines_is_checked_too() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new();
    sandbox.write("builds/mine", "#!/bin/sh\nexit 3\n");
    sandbox.write("builds/notes.txt", "no program");
    std::fs::set_permissions(sandbox.path("builds/mine"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let args = ["field-test", "--games", "nowhere", "--folder", "builds", "stockfish"];
    let ended = Ended::of(sandbox.program().args(args).env("PATH", ""));
    ended.says(0, &["stockfish: not installed", "mine: "]);
    assert!(!ended.stderr.contains("notes.txt"), "{}", ended.stderr);
    let page = sandbox.text("target/touchstone/field/report.md");
    assert!(page.contains("## mine\n") && page.contains("Could not be checked"), "{page}");
    sandbox.run(["field-test", "--folder", "nowhere"]).says(2, &["cannot read the folder nowhere"]);
}
