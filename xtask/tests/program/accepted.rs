//! `[accept]` of touchstone.toml: which findings it takes out of a run, until which day, and how the program
//! names entries without findings.

use reports::{CheckRow, DifferenceRow};

use crate::players::hostile;
use crate::sandbox::{Ended, Sandbox};

/// A run of two checks on an engine that prints no author, with these entries of `[accept]`, on a day.
fn verify(entries: &str, today: &str, more: &[&str]) -> (Sandbox, Ended) {
    let sandbox = Sandbox::new();
    let args = "args = [\"--said\", \"id author the tests=>id author\"]";
    let config = format!("[engine.mine]\npath = \"{}\"\n{args}\n[accept]\n{entries}\n", hostile());
    sandbox.write("touchstone.toml", config);
    let mut program = sandbox.program();
    program.args(["verify", "--engine", "mine", "--out", "out", "--fail-on", "note"]);
    program.args(["--check", "protocol/id-author,protocol/id-name"]).args(more);
    let ended = Ended::of(program.env("TOUCHSTONE_TODAY", today));
    (sandbox, ended)
}

#[test]
fn a_finding_is_accepted_until_its_day() {
    let check = |entry: &str, today: &str, code: i32, said: &str| {
        let (sandbox, ended) = verify(entry, today, &[]);
        ended.says(code, &[said]);
        assert_eq!(sandbox.rows::<DifferenceRow>().len(), usize::from(code == 1), "{entry}");
        let skipped: u64 = sandbox.rows::<CheckRow>().iter().map(|row| row.skipped).sum();
        assert_eq!(skipped, u64::from(code == 0), "{entry}");
    };
    check("", "2027-01-31", 1, "");
    check(
        "\"protocol/id-author\" = \"nobody wrote it\"",
        "2027-01-31",
        0,
        "accepted: 1 of protocol/id-author (nobody",
    );
    check("\"protocol/id-*\" = \"nobody wrote it\"", "2027-01-31", 0, "accepted: 1 of protocol/id-* (nobody");
    let entry = "protocol = { reason = \"for now\", until = \"2027-01-31\" }";
    check(entry, "2027-01-31", 0, "accepted: 1 of protocol (for now)");
    check(
        entry,
        "2027-02-01",
        1,
        "expired: protocol was accepted until 2027-01-31 (for now); findings that count again: 1",
    );
}

/// The engine that `[build]` makes is named by its path.
#[test]
fn findings_of_the_engine_that_the_file_builds() {
    let sandbox = Sandbox::new();
    let entry = "[accept]\n\"process/start\" = \"it is no engine yet\"";
    let verify = |binary: &str| {
        sandbox.write(
            "touchstone.toml",
            format!("[build]\ncommand = \"make\"\nbinary = \"{binary}\"\n{entry}\n"),
        );
        sandbox.verify(&format!("--engine {} --check protocol/id-name", hostile())).stderr
    };
    assert!(verify(hostile()).contains("process/start is accepted"));
    assert!(!verify("bin/mine").contains("process/start is accepted"));
}

#[test]
fn entries_without_findings_are_errors_if_asked_for() {
    let author = "\"protocol/id-author\" = \"nobody wrote it\"\n";
    let check = |entry: &str, code: i32, said: &[&str]| {
        verify(&format!("{author}{entry}"), "2027-01-31", &["--strict"]).1.says(code, said);
    };
    check("", 0, &["accepted: 1"]);
    check(
        "\"protocol/id-name\" = \"so it is\"",
        2,
        &[
            "note: protocol/id-name is accepted",
            "error: [accept]: no finding matches \"protocol/id-name\" any more",
        ],
    );
    // What was not compared may have the finding still.
    check("\"draw/twofold\" = \"it saves time\"", 0, &["note: draw/twofold", "not all of it was compared"]);
    check(
        "draw = { reason = \"for now\", until = \"2027-01-30\" }",
        2,
        &["error: [accept]: \"draw\" has expired"],
    );
    let (_, ended) = verify(&format!("{author}\"protocol/id-name\" = \"so it is\""), "2027-01-31", &[]);
    ended.says(0, &["remove it from [accept]"]);
    verify("draw = { reason = \"for now\", untill = \"x\" }", "2027-01-31", &[])
        .1
        .says(2, &["line 5", "expected the reason"]);
    verify("draw = { reason = \"for now\", until = \"x\" }", "2027-01-31", &[])
        .1
        .says(2, &["a day such as 2027-01-31, got \"x\""]);
    verify(author, "soon", &[]).1.says(2, &["TOUCHSTONE_TODAY is a day such as 2027-01-31, got \"soon\""]);
}
