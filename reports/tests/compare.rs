//! Two programs beside each other, and the page on many.

use std::time::Duration;

use reports::field::{Entry, FieldNote, Outcome, document};
use reports::{Check, CompareRow, Run, compare, text};
use suites::{Evidence, SkipReason};

use crate::fixture::{card, difference, skipping, tally};

/// A program that was put to two checks and is wrong in these cases.
fn run(name: &str, wrong: &[&str], supports: bool) -> Run {
    let mut card = card();
    name.clone_into(&mut card.name);
    let count = wrong.len() as u64;
    let draws = tally("draw", Evidence::Agreement, "fifty-clock", 3 - count, count);
    let ponder = tally("protocol/ponder", Evidence::Specification, "uci", u64::from(supports), 0);
    let ponder = if supports { ponder } else { skipping(ponder, SkipReason::Unsupported, 1) };
    let check = |mut tally: suites::Tally| {
        name.clone_into(&mut tally.subject);
        Check { tally, duration: None, optional: false }
    };
    let judge = tally("certificate", Evidence::Certificate, "KPvK", 100 + count, 0);
    let mut differences: Vec<_> =
        wrong.iter().map(|case| difference("draw/score", &format!("fifty-clock/{case}"))).collect();
    for difference in &mut differences {
        name.clone_into(&mut difference.subject);
    }
    Run {
        checks: vec![check(draws), check(ponder), Check { tally: judge, duration: None, optional: false }],
        differences,
        engine: Some(card),
        ..Run::default()
    }
}

#[test]
fn what_one_does_that_the_other_does_not() {
    let (a, b) = (run("old", &["01", "02"], false), run("new", &["02", "03"], true));
    let rows = compare(&a, &b);
    insta::assert_snapshot!("compare.csv", String::from_utf8(reports::to_bytes(rows.clone())).unwrap());
    insta::assert_snapshot!("compare", text::compare(&card(), &card(), &rows, 2));
    let turned = compare(&b, &a);
    let exchanged = |row: &CompareRow| CompareRow { a: row.b.clone(), b: row.a.clone(), ..row.clone() };
    assert_eq!(turned.iter().map(exchanged).collect::<Vec<_>>(), rows);
}

#[test]
fn nothing_tells_a_program_from_itself() {
    let (a, b) = (run("old", &["01"], true), run("new", &["01"], true));
    assert_eq!(compare(&a, &b), []);
    assert!(text::compare(&card(), &card(), &[], 2).ends_with("\nboth do the same\n"));
}

#[test]
fn the_page_on_engines_of_others() {
    let entry =
        |name: &str, outcome| Entry { name: name.to_owned(), command: format!("{name} --uci"), outcome };
    let checked = |run| Outcome::Checked { run: Box::new(run), took: Duration::from_millis(61_400) };
    let entries = [
        entry("absent", Outcome::Absent),
        entry("mute", Outcome::Failed("no uciok within 10000 ms\n  0.1 > uci".to_owned())),
        entry("wrong", checked(run("wrong", &["01", "02", "03", "04"][..3], false))),
        entry("right", checked(run("right", &[], true))),
    ];
    let note = |engine: &str, check: &str| FieldNote {
        engine: engine.to_owned(),
        check: check.to_owned(),
        by_hand: "so it is.".to_owned(),
    };
    let notes = [note("wrong", "draw/score"), note("right", "draw/score"), note("absent", "draw/score")];
    insta::assert_snapshot!("field", document(&entries, &notes));
    assert!(document(&entries, &[]).contains("3 found. By hand: not looked at yet.\n"));
}
