//! A run is read from its reports.

use crate::fixture::{card, difference, run, skipping, tally};
use reports::{CheckRun, EngineCard, FEATURES, Files, RegressionRow, RegressionVerdict, Run, json, text};
use suites::catalogue::Severity;
use suites::{Evidence, SkipReason};

/// Checks that a run, written and read, writes the same bytes.
fn check(run: &Run) -> Run {
    let files = run.files();
    let read = Run::from_files(&files).unwrap();
    for (name, bytes) in read.files() {
        assert_eq!(
            String::from_utf8(bytes).unwrap(),
            String::from_utf8(files[&name].clone()).unwrap(),
            "{name}"
        );
    }
    assert_eq!(read.files().len(), files.len());
    read
}

#[test]
fn a_run_is_read_as_it_was_written() {
    let mut run = run();
    run.regression = Some(vec![RegressionRow {
        report: "checks.csv".to_owned(),
        case: "mine draw fortress".to_owned(),
        before: "agreed=1".to_owned(),
        after: "agreed=0".to_owned(),
        verdict: RegressionVerdict::Broken,
    }]);
    let read = check(&run);
    assert_eq!(read.engine, Some(card()));
    assert!(read.checks.iter().any(|check| check.optional && check.tally.check == "prophet"));
    // What this build has not is in no report.
    run.checks.retain(|check| check.tally.check != "gaviota");
    assert_eq!(text::render(&read, 5), text::render(&run, 5));
    assert_eq!(json::document(&read), json::document(&run));
    check(&Run::default());
}

/// The row counts how many are no errors; the list says whether they are warnings or notes.
#[test]
fn lesser_differences_are_counted_by_severity() {
    let mut run = Run::default();
    for (id, cases, found) in [
        ("draw", "fortress", ["draw/score", "draw/twofold", "draw/dead-bishops"]),
        ("draw", "repetition", ["draw/twofold", "draw/score", "draw/twofold"]),
    ] {
        let mut tally = tally(id, Evidence::Agreement, cases, 5, 0);
        for (number, check) in found.into_iter().enumerate() {
            tally.differ(check);
            run.differences.push(difference(check, &format!("{cases}/{number}")));
        }
        run.checks.push(CheckRun { tally, duration: None, optional: false });
    }
    let read = check(&run);
    assert_eq!(read.checks, run.checks);
    // A list that was cut.
    let mut files = run.files();
    files.extend(Run::default().files().into_iter().filter(|(name, _)| name == "differences.csv"));
    let counts = |run: &Run| run.tallies().map(|tally| tally.differed_with(Severity::Error)).sum::<u64>();
    assert_eq!(counts(&Run::from_files(&files).unwrap()), counts(&run));
}

#[test]
fn two_reports_must_be_there() {
    let files = run().files();
    for name in ["checks.csv", "differences.csv"] {
        let mut files = files.clone();
        files.remove(name);
        let error = Run::from_files(&files).unwrap_err().to_string();
        assert_eq!(error, format!("{name}: missing: there are no reports of a run here"));
    }
    let two =
        files.into_iter().filter(|(name, _)| ["checks.csv", "differences.csv"].contains(&name.as_str()));
    let read = Run::from_files(&two.collect()).unwrap();
    assert!(read.mates.is_empty() && read.engine.is_none() && !read.differences.is_empty());
}

#[test]
fn counts_must_add_up() {
    const HEADER: &str =
        "subject,check,evidence,case_set,compared,agreed,differed,errors,observed,skipped,skip_reasons";
    let refused = |row: &str, file: &str, expected: &str| {
        let mut files: Files = run().files();
        files.insert(file.to_owned(), format!("{HEADER}\nmine,mate,agreement,a,{row}\n").into_bytes());
        assert_eq!(Run::from_files(&files).unwrap_err().to_string(), format!("{file}:2: column {expected}"));
    };
    let check = |row: &str, expected: &str| refused(row, "checks.csv", expected);
    check("5,3,1,1,0,0,", "compared: expected agreed + differed, got \"5\"");
    check("4,3,1,2,0,0,", "errors: expected no more than differed, got \"2\"");
    check("4,3,1,0,0,1,", "skip_reasons: expected reasons whose cases add up to skipped, got \"\"");
    let sum = "skip_reasons: expected reasons whose cases add up to skipped";
    check("4,3,1,0,0,1,malformed=2", &format!("{sum}, got \"malformed=2\""));
    check("4,3,1,0,0,1,malformed", "skip_reasons: expected reasons such as malformed=3, got \"malformed\"");
    check("0,0,0,0,9999999999999999,0,", "observed: expected at most 2^40 cases, got \"9999999999999999\"");
    refused("5,3,1,1,0,0,", FEATURES, "compared: expected agreed + differed, got \"5\"");
    let mut files = run().files();
    let unheard = format!("{HEADER}\nmine,mate,agreement,a,4,3,1,0,0,1,bored=1\n");
    files.insert("checks.csv".to_owned(), unheard.into_bytes());
    let error = Run::from_files(&files).unwrap_err().to_string();
    assert!(error.starts_with("checks.csv:2: column skip_reasons: unknown reason \"bored\""), "{error}");
}

#[test]
fn the_engine_must_be_of_this_version() {
    let refused = |document: &str, expected: &str| {
        let mut files = run().files();
        files.insert(EngineCard::FILE.to_owned(), document.as_bytes().to_vec());
        let error = Run::from_files(&files).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    };
    refused("{\"schema\": 2}", "engine.json: expected schema 3, got 2");
    refused("{\"schema\": 3}", "engine.json:1: missing field `name`");
    refused("[", "engine.json:1: ");
    let skipped = skipping(tally("mate", Evidence::Agreement, "a", 1, 0), SkipReason::Accepted, 2);
    let run =
        Run { checks: vec![CheckRun { tally: skipped, duration: None, optional: false }], ..Run::default() };
    check(&run);
}
