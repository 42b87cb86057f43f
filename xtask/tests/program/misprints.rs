//! Our engine with one fault in what it prints: exactly the checks of that fault report it.

use std::collections::BTreeSet;

use reports::{CheckRow, DifferenceRow};

use crate::sandbox::Sandbox;

/// Won and lost positions of KQvK up to symmetry by published counts: a quick run asks for each with one
/// colour.
const DECIDED: u64 = 43_241;

/// The checks that find something of a subject.
fn found(subject: &str, asked: &str, code: i32) -> BTreeSet<String> {
    let sandbox = Sandbox::new();
    sandbox.verify(&format!("--subject {subject} {asked} --quick")).says(code, &[]);
    let checks: Vec<CheckRow> = sandbox.rows();
    let own = checks.iter().filter(|row| row.subject == subject);
    assert!(own.map(|row| row.compared).sum::<u64>() > 100, "{checks:?}");
    if asked.contains("--tables") {
        let announced = checks.iter().find(|row| row.check == "announcement").unwrap();
        assert_eq!((&*announced.subject, announced.compared, announced.skipped), (subject, DECIDED, 0));
    }
    let rows: Vec<DifferenceRow> = sandbox.rows();
    let told = rows.into_iter().map(|DifferenceRow(row)| {
        assert_eq!(row.subject, subject);
        assert!(row.replay.contains(subject) && row.replay.contains(&row.fen), "{row:?}");
        row.check
    });
    told.collect()
}

#[track_caller]
fn check(misprint: &str, asked: &str, expected: &[&str]) {
    let found = found(&format!("misprint-{misprint}"), asked, 1);
    assert_eq!(found.iter().collect::<Vec<_>>(), expected, "{misprint}");
}

const MATES: &str = "--tables KQvK --suite mates";
const DRAWS: &str = "--suite draws";

#[test]
fn correct_output_is_never_reported() {
    assert_eq!(found("engine", DRAWS, 0), BTreeSet::new());
}

#[test]
fn mates_one_move_too_short() {
    check("short-wins", "--suite mates", &["mate/line", "mate/unsound"]);
}

#[test]
#[ignore = "nightly: it is wrong in each position of the table"]
fn mates_one_move_too_short_in_a_table() {
    check("short-wins", MATES, &["announcement", "mate/line", "mate/unsound"]);
}

#[test]
#[ignore = "nightly: one misprint is tested by default"]
fn mates_one_move_too_long() {
    check("long-wins", MATES, &["announcement", "mate/longer"]);
    check("long-wins-of-four", MATES, &["announcement", "mate/longer"]);
}

#[test]
#[ignore = "nightly: one misprint is tested by default"]
fn losses_one_move_too_short() {
    check("short-losses", MATES, &["announcement", "mate/line", "mate/unsound"]);
}

#[test]
#[ignore = "nightly: one misprint is tested by default"]
fn losses_one_move_too_long() {
    check("long-losses", MATES, &["announcement", "mate/longer"]);
}

#[test]
#[ignore = "nightly: one misprint is tested by default"]
fn distances_too_long_with_one_colour() {
    check("white-bare", MATES, &["announcement", "mate/longer"]);
}

#[test]
fn distances_too_long_on_one_image() {
    check("one-image", MATES, &["announcement", "mate/longer"]);
}

#[test]
fn a_second_occurrence_taken_for_a_draw() {
    check("twofold", DRAWS, &["draw/score"]);
}

#[test]
fn every_misprint_is_tested() {
    let ended = crate::sandbox::run(&["verify", "--subject", "misprint"]);
    ended.says(2, &["no such subject; there are: engine, micromax, "]);
    let source = include_str!("misprints.rs");
    let names: Vec<&str> = ended.stderr.split("misprint-").skip(1).collect();
    assert_eq!(names.len(), 8, "{}", ended.stderr);
    for name in names {
        let name = name.split([',', '\n', ' ']).next().unwrap();
        assert!(source.contains(&format!("check(\"{name}\", ")), "{name}");
    }
}
