//! Provers of mates that overlook one rule: the suite `mates` finds each of them, and several of its cases do.

use reports::DifferenceRow;

use crate::bench::Bench;

/// At least so many cases are told as unsound, in this class alone.
#[track_caller]
fn check(subject: &str, class: &str, least: usize) {
    let bench = Bench::new();
    bench.verify(&format!("--suite mates --subject {subject} --jobs 2")).says(1, &[]);
    let rows: Vec<DifferenceRow> = bench.rows();
    let unsound = rows.iter().filter(|row| row.0.check == "mate/unsound");
    let found = unsound.filter(|row| row.0.case.starts_with(class)).count();
    assert!(found >= least, "{found} of {least}: {rows:?}");
    assert!(rows.iter().all(|row| row.0.case.starts_with(class)), "{rows:?}");
}

#[test]
fn one_that_ignores_what_stood_twice() {
    check("forgets-repetition", "repetition/", 15);
}

#[test]
fn one_that_ignores_the_clock_where_a_table_is_asked() {
    check("forgets-table-clock", "table-clock/", 8);
}
