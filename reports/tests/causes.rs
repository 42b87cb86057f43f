//! Findings of one cause are one finding in each format.

use reports::{CheckRun, Run, engine_row, github, json, junit, text};
use suites::{Cause, Difference, Evidence};

use crate::fixture::{card, difference, tally};

/// Three findings of an engine: two with one cause, and one of which only the check is known.
fn run() -> Run {
    let card = card();
    let found = |check: &str, case: &str, cause: &str| Difference {
        subject: card.name.clone(),
        cause: Cause::read(cause.to_owned(), check),
        ..difference(check, case)
    };
    let mut draws = tally("draw", Evidence::Agreement, "fifty-clock", 3, 2);
    let mut forms = tally("protocol/illegal-move", Evidence::Specification, "uci", 0, 0);
    forms.differ("protocol/illegal-move");
    draws.subject.clone_from(&card.name);
    forms.subject.clone_from(&card.name);
    let clock = "the halfmove clock is not counted";
    let differences = vec![
        found("draw/score", "fifty-clock/8/8/8/8/8/1K6/2R5/1k6 b", clock),
        found("draw/score", "fifty-clock/8/8/8/8/8/1K6/8/1k6 b", clock),
        found("protocol/illegal-move", "empty square", "protocol/illegal-move"),
    ];
    let checks = [draws, forms].map(|tally| CheckRun { tally, duration: None, optional: false });
    Run { checks: checks.into(), differences, engine: Some(card), ..Run::default() }
}

#[test]
fn one_of_each_cause_is_printed() {
    insta::assert_snapshot!("text", text::differences(&run(), 10));
    insta::assert_snapshot!("github", github::annotations(&run(), 10));
}

#[test]
fn build_servers_get_one_of_each_cause() {
    insta::assert_snapshot!("junit", String::from_utf8(junit::document(&run())).unwrap());
    let document: serde_json::Value = serde_json::from_slice(&json::document(&run())).unwrap();
    insta::assert_snapshot!("json", serde_json::to_string_pretty(&document["causes"]).unwrap());
}

/// What is not shown is counted by differences, not by causes.
#[test]
fn the_rest_is_counted() {
    let text = text::differences(&run(), 1);
    assert!(text.ends_with("and 1 more: all are in differences.csv\n"), "{text}");
    assert!(github::annotations(&run(), 0).contains("and 2 more: all are in differences.csv"));
}

/// Rows are sorted by engine; a run without an engine has empty fields.
#[test]
fn lists_get_a_row_for_each_engine() {
    let mut named = run();
    named.engine.as_mut().unwrap().id.insert("name".to_owned(), "Ant, 1.0".to_owned());
    let text = String::from_utf8(engine_row::document([&run(), &named, &Run::default()])).unwrap();
    insta::assert_snapshot!(text, @r#"
    engine,author,verdict,compared,agreed,errors,warnings,notes,error_causes,warning_causes,note_causes,gravest,revision,sha256,effort,seed,day,touchstone
    ,,incomplete,0,0,0,0,0,0,0,0,,,,,,,
    "Ant, 1.0",A. Person,wrong,6,3,2,1,0,1,1,0,draw/score,v2.0-3-g1a2b3c4,9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08,plain,1,2027-01-31,0.1.0
    Mine 2.0,A. Person,wrong,6,3,2,1,0,1,1,0,draw/score,v2.0-3-g1a2b3c4,9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08,plain,1,2027-01-31,0.1.0
    "#);
}
