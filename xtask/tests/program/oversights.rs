//! Provers of mates that overlook one rule: the suite `mates` finds each of them, and several of its cases do.

use reports::DifferenceRow;

use crate::bench::Bench;

/// At least so many cases are told by this check, and all that is told is of this class.
#[track_caller]
fn finds(subject: &str, asked: &str, class: &str, check: &str, least: usize) {
    let bench = Bench::new();
    bench.verify(&format!("--suite mates --subject {subject} {asked} --jobs 2")).says(1, &[]);
    let rows: Vec<DifferenceRow> = bench.rows();
    let found = rows.iter().filter(|row| row.0.check == check).count();
    assert!(found >= least, "{found} of {least}: {rows:?}");
    assert!(rows.iter().all(|row| row.0.case.starts_with(class)), "{rows:?}");
}

#[test]
fn one_that_ignores_what_stood_twice() {
    finds("forgets-repetition", "--quick", "repetition/", "mate/unsound", 6);
}

#[test]
fn one_that_ignores_the_clock_where_a_table_is_asked() {
    finds("forgets-table-clock", "--quick", "table-clock/", "mate/unsound", 3);
}

/// What it found too late at one clock it does not look for at another.
#[test]
fn one_that_ignores_the_clock_in_its_memory() {
    finds("forgets-memory-clock", "", "memory-clock/", "mate/missed", 8);
}
