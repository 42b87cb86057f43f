//! A finding is one row of a comparison, whichever row of `checks.csv` counts it.

use reports::regression::compare;
use reports::{CheckRun, Run, Scope};
use suites::{Evidence, Tally};

use crate::fixture::{difference, run};

/// Check and case set of each tally.
const CHECKS: [(&str, &str); 10] = [
    ("protocol/idle", "uci"),
    ("protocol/quit", "uci"),
    ("movegen/castling", "moves"),
    ("movegen/en-passant", "moves"),
    ("movegen/perft", "standard"),
    ("bestmove/solved", "theirs.epd"),
    ("bestmove/thrown", "theirs.epd"),
    ("mate", "theirs.epd"),
    ("mate", "theirs.epd (on its word)"),
    ("draw", "fifty-clock"),
];

/// A run with these findings: the check and case set that count it, its own check, and its case.
fn with(found: &[[&str; 4]]) -> Run {
    let tally = |(check, case_set): (&str, &str)| {
        let mut tally = Tally::new("production", check, Evidence::Specification, case_set);
        let own = found.iter().filter(|[counts, set, ..]| (*counts, *set) == (check, case_set));
        own.for_each(|[_, _, check, _]| tally.differ(check));
        tally.agreed = 10 - tally.differed;
        CheckRun { tally, duration: None, optional: false }
    };
    Run {
        checks: CHECKS.into_iter().map(tally).collect(),
        differences: found.iter().map(|[_, _, check, case]| difference(check, case)).collect(),
        ..Run::default()
    }
}

/// Verdict, report and case of each change.
fn changes(before: &Run, after: &Run, scope: &Scope) -> Vec<String> {
    let rows = compare(&before.baseline_files(), &after.baseline_files(), scope).unwrap();
    rows.iter().map(|row| format!("{} {} {}", row.verdict.name(), row.report, row.case)).collect()
}

/// That a new finding and one that is gone are each one row, in whole runs and those of some checks.
fn check(found: [&str; 4], new: &str) {
    let [_, _, id, case] = found;
    let (right, wrong) = (with(&[]), with(&[found]));
    let row = |verdict| vec![format!("{verdict} differences.csv production {id} {case}")];
    let scopes = |run: &Run| [Scope::whole(run.tallies()), Scope::exactly(run.tallies())];
    for scope in scopes(&right) {
        assert_eq!(changes(&right, &wrong, &scope), row(new));
        assert_eq!(changes(&wrong, &right, &scope), row("fixed"));
    }
}

#[test]
fn a_finding_is_listed_once() {
    check(["protocol/quit", "uci", "protocol/quit", "idle"], "broken");
    check(["movegen/castling", "moves", "movegen/castling", "castling-01"], "broken");
    check(["bestmove/solved", "theirs.epd", "bestmove/move", "theirs.epd/3"], "broken");
    check(["bestmove/solved", "theirs.epd", "bestmove/unanswered", "theirs.epd/3"], "broken");
    check(["bestmove/thrown", "theirs.epd", "bestmove/thrown", "theirs.epd/3"], "broken");
    check(["mate", "theirs.epd (on its word)", "mate/unsound", "theirs.epd/3"], "broken");
    check(["draw", "fifty-clock", "draw/score", "fifty-clock/01"], "broken");
}

#[test]
fn a_note_on_a_flaky_answer_is_listed_once() {
    check(["protocol/quit", "uci", "protocol/flaky", "idle"], "added");
    check(["movegen/castling", "moves", "movegen/flaky", "castling-01"], "added");
    check(["movegen/perft", "standard", "movegen/flaky", "standard/start"], "added");
    check(["bestmove/solved", "theirs.epd", "bestmove/flaky", "theirs.epd/3"], "added");
}

#[test]
fn a_finding_that_becomes_a_note_changes_two_rows() {
    let error = with(&[["protocol/quit", "uci", "protocol/quit", "idle"]]);
    let note = with(&[["protocol/quit", "uci", "protocol/flaky", "idle"]]);
    assert_eq!(
        changes(&error, &note, &Scope::whole(note.tallies())),
        [
            "added differences.csv production protocol/flaky idle",
            "fixed differences.csv production protocol/quit idle",
        ]
    );
}

#[test]
fn a_row_that_no_finding_explains_is_listed() {
    let right = with(&[]);
    let quit = ["protocol/quit", "uci", "protocol/quit", "idle"];
    let mut wrong = with(&[quit, ["protocol/idle", "uci", "protocol/idle", "go"]]);
    wrong.differences.pop();
    let rows = changes(&right, &wrong, &Scope::whole(wrong.tallies()));
    let expected = [
        "broken checks.csv production protocol/idle uci",
        "broken differences.csv production protocol/quit idle",
    ];
    assert_eq!(rows, expected);
    // One note cannot explain two rows.
    let mut wrong = with(&[quit, quit]);
    wrong.differences = vec![difference("protocol/flaky", "idle")];
    let rows = changes(&right, &wrong, &Scope::whole(wrong.tallies()));
    assert_eq!(rows.iter().filter(|row| row.starts_with("broken checks.csv")).count(), 1, "{rows:?}");
}

#[test]
fn findings_outside_of_the_scope_are_not_fixed() {
    let before = with(&[
        ["protocol/idle", "uci", "protocol/idle", "go"],
        ["protocol/idle", "uci", "protocol/flaky", "stop"],
    ]);
    let mut after = with(&[]);
    after.checks.retain(|check| check.tally.check == "protocol/quit");
    assert!(changes(&before, &after, &Scope::exactly(after.tallies())).is_empty());
}

#[test]
fn a_row_that_repeats_a_finding_is_not_listed() {
    let row = |verdict: reports::BestMoveVerdict| reports::BestMoveRow {
        subject: "production".to_owned(),
        suite: "theirs.epd".to_owned(),
        line: 3,
        verdict,
        ..run().best_moves.swap_remove(0)
    };
    let mut right = with(&[]);
    let mut wrong = with(&[["bestmove/thrown", "theirs.epd", "bestmove/thrown", "theirs.epd/3"]]);
    (right.best_moves, wrong.best_moves) =
        (vec![row(reports::BestMoveVerdict::Missed)], vec![row(reports::BestMoveVerdict::Thrown)]);
    assert_eq!(changes(&right, &wrong, &Scope::whole(wrong.tallies())).len(), 1);
    wrong = with(&[]);
    wrong.best_moves = vec![row(reports::BestMoveVerdict::Solved)];
    assert_eq!(changes(&right, &wrong, &Scope::whole(wrong.tallies())).len(), 1);
}
