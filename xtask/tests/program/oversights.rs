//! Provers of mates that ignore one rule: several cases of the suite `mates` find each of them.

use reports::DifferenceRow;

use crate::sandbox::Sandbox;

/// At least so many cases are told by this check, and all that is told is of this class.
#[track_caller]
fn finds(subject: &str, asked: &str, class: &str, check: &str, least: usize) {
    let sandbox = Sandbox::new();
    sandbox.verify(&format!("--suite mates --subject {subject} {asked} --jobs 2")).says(1, &[]);
    let rows: Vec<DifferenceRow> = sandbox.rows();
    let found = rows.iter().filter(|row| row.0.check == check).count();
    assert!(found >= least, "{found} of {least}: {rows:?}");
    assert!(rows.iter().all(|row| row.0.case.starts_with(class)), "{rows:?}");
}

#[test]
fn a_prover_that_ignores_repetitions() {
    finds("forgets-repetition", "--quick", "repetition/", "mate/unsound", 6);
}

#[test]
fn a_prover_that_ignores_the_clock_in_tables() {
    finds("forgets-table-clock", "--quick", "table-clock/", "mate/unsound", 3);
}

/// What it found too late at one clock it does not look for at another.
#[test]
fn a_prover_that_ignores_the_clock_in_its_hash_table() {
    finds("forgets-memory-clock", "--quick", "memory-clock/", "mate/missed", 1);
}

#[test]
#[ignore = "nightly: four times as many cases"]
fn a_prover_that_ignores_the_clock_in_its_hash_table_in_all_cases() {
    finds("forgets-memory-clock", "", "memory-clock/", "mate/missed", 8);
}
