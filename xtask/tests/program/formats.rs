//! The output formats of a run, and its seed.

use reports::{CheckRow, DifferenceRow, PerftRow};
use serde_json::Value;

use crate::runs::FIRST_PASS;
use crate::sandbox::Sandbox;

fn number(entry: &Value, key: &str) -> u64 {
    entry[key].as_u64().unwrap_or_else(|| panic!("{key} in {entry}"))
}

fn text(entry: &Value, key: &str) -> String {
    entry[key].as_str().unwrap_or_else(|| panic!("{key} in {entry}")).to_owned()
}

/// An entry of `checks` as a row of `checks.csv`.
fn row(entry: &Value) -> CheckRow {
    let reasons = entry["skip_reasons"].as_object().unwrap().iter();
    CheckRow {
        subject: text(entry, "subject"),
        check: text(entry, "check"),
        evidence: text(entry, "evidence").parse().unwrap(),
        case_set: text(entry, "case_set"),
        compared: number(entry, "compared"),
        agreed: number(entry, "agreed"),
        differed: number(entry, "differed"),
        errors: number(entry, "errors"),
        observed: number(entry, "observed"),
        skipped: number(entry, "skipped"),
        skip_reasons: reasons
            .map(|(reason, count)| format!("{reason}={count}"))
            .collect::<Vec<_>>()
            .join(";"),
    }
}

#[test]
fn the_document_has_the_contents_of_the_reports() {
    let document: Value = serde_json::from_str(&FIRST_PASS.ended.stdout).unwrap();
    let of_features = |row: &CheckRow| ["gaviota", "prophet"].contains(&row.check.as_str());
    let entries: Vec<CheckRow> = document["checks"].as_array().unwrap().iter().map(row).collect();
    assert!(entries.iter().any(of_features), "checks that are not built are named");
    let built: Vec<CheckRow> = entries.iter().filter(|row| !of_features(row)).cloned().collect();
    assert_eq!(built, FIRST_PASS.sandbox.rows::<CheckRow>());

    let differences = document["differences"].as_array().unwrap();
    let rows: Vec<DifferenceRow> = FIRST_PASS.sandbox.rows();
    assert_eq!(differences.len(), rows.len());
    for (entry, row) in differences.iter().zip(rows) {
        let keys =
            ["subject", "check", "case", "fen", "stored", "expected", "source", "explanation", "replay"];
        let row = row.0;
        let fields = [
            row.subject,
            row.check,
            row.case,
            row.fen,
            row.stored.to_string(),
            row.expected.to_string(),
            row.source,
            row.explanation,
            row.replay.to_string(),
        ];
        assert_eq!(keys.map(|key| text(entry, key)), fields);
    }
    let sum = |count: fn(&CheckRow) -> u64| entries.iter().map(count).sum::<u64>();
    let summary = &document["summary"];
    assert_eq!(number(summary, "compared"), sum(|row| row.compared));
    assert_eq!(number(summary, "agreed"), sum(|row| row.agreed));
    assert_eq!(number(summary, "differed"), sum(|row| row.differed));
    assert_eq!(number(summary, "skipped"), sum(|row| row.skipped));
    assert!(document["regression"].is_null());
}

/// Every line is an annotation, and they count as many differences as the reports.
#[test]
fn annotations_count_what_the_reports_count() {
    let sandbox = Sandbox::new();
    let dump: String = (0..25).map(|_| "8/8/8/8/8/8/8/K6k w - - 0 1,win\n").collect();
    sandbox.write("mine.csv", format!("fen,wdl\n{dump}x,win\n"));
    let ended = sandbox.verify("--tables KvK --quick --dump mine.csv --partial --format github");
    ended.says(1, &["mine.csv:27: "]);
    let split = |line: &str| {
        let (title, message) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
        (title.to_owned(), message.to_owned())
    };
    let (titles, messages): (Vec<_>, Vec<_>) = ended.stdout.lines().map(split).unzip();
    let rows: Vec<DifferenceRow> = sandbox.rows();
    assert_eq!(rows.len(), 25);
    let listed = std::iter::repeat_n("error title=dump%3A has a wrong row".to_owned(), 10);
    let rest = ["error title=touchstone", "warning title=dump dump rows"].map(str::to_owned);
    assert_eq!(titles, listed.chain(rest).collect::<Vec<_>>());
    assert!(messages[9].starts_with("check dump/row: line 11%0A"), "{}", messages[9]);
    assert_eq!(messages[10], "and 15 more: all are in differences.csv");
    assert_eq!(messages[11], "not compared: 1 malformed");
}

#[test]
fn the_seed_determines_the_random_positions() {
    let draw = |seed: u64| {
        let sandbox = Sandbox::new();
        let ended = sandbox.verify(&format!("--suite random --quick --seed {seed}"));
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        let checks = sandbox.text("out/checks.csv");
        assert!(checks.contains(&format!(",sample (seed {seed}),random,200,200,0,0,")), "{checks}");
        sandbox.rows::<PerftRow>().into_iter().map(|row| row.fen).collect::<Vec<_>>()
    };
    let [seven, again, eight] = [7, 7, 8].map(draw);
    assert_eq!(seven, again);
    let shared = seven.iter().filter(|fen| eight.contains(fen)).count();
    assert!(shared < 10, "{shared} of 200 positions are the same");
}
