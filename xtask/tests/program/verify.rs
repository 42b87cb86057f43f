//! Runs without errors: no difference, nothing skipped, and reports that do not depend on the number of
//! threads.

use std::path::Path;

use reports::CheckRow;

use crate::runs::{self, ONE_TABLE, PLAIN, Run, SAMPLES};
use crate::sandbox::Sandbox;

/// Legal positions of both sides to move, on 64 squares and one for each symmetry class, as published.
const PUBLISHED: [(&str, u64, u64); 3] = [
    ("KPvK", 163_328 + 168_024, 81_664 + 84_012),
    ("KQvK", 144_508 + 223_944, 18_081 + 28_056),
    ("KRvK", 175_168 + 223_944, 21_959 + 28_056),
];

/// A run without differences.
fn check_green(run: &Run) {
    run.ended.says(0, &["reports in out"]);
    let is_total = |line: &str| line.starts_with("All ") && line.ends_with(" cases agree");
    assert!(run.ended.stdout.lines().any(is_total), "{}", run.ended.stdout);
    assert_eq!(run.sandbox.text("out/differences.csv").lines().count(), 1);
}

/// Each check of these tables compares as many positions as are published.
fn check_positions(run: &Run, tables: &[(&str, u64, u64)]) {
    let checks: Vec<CheckRow> = run.sandbox.rows();
    let compared = |check: &str, table: &str| {
        let row = checks.iter().find(|row| row.check == check && row.case_set == table);
        row.map_or_else(|| panic!("no {check} of {table}"), |row| row.compared)
    };
    let histogram: Vec<reports::HistogramRow> = run.sandbox.rows();
    for &(table, raw, unique) in tables {
        for check in ["legality", "certificate", "terminal"] {
            assert_eq!(compared(check, table), raw, "{check} {table}");
        }
        // A case of symmetry is a position with all its images.
        for check in ["symmetry", "unmove", "syzygy-wdl", "syzygy-dtz"] {
            assert_eq!(compared(check, table), unique, "{check} {table}");
        }
        // Won and lost ones alone, one for each symmetry class with each colour as the stronger side.
        let decided =
            histogram.iter().filter(|row| row.table == table && row.wdl != suites::draws::GameResult::Draw);
        let decided = decided.map(|row| row.positions_unique).sum::<u64>();
        assert_eq!(compared("announcement", table), 2 * decided, "announcement {table}");
        if table != "KPvK" {
            assert_eq!(compared("syzygy-dtm", table), unique, "syzygy-dtm {table}");
        }
    }
}

/// No check of tables takes a sample or skips anything, and the engine is asked all but what it does not offer.
fn check_complete(run: &Run) {
    let checks: Vec<CheckRow> = run.sandbox.rows();
    for row in checks {
        assert_eq!(row.compared, row.agreed, "{row:?}");
        if row.subject == "production" {
            assert!(!matches!(row.evidence, suites::Evidence::Sample { .. }), "{row:?}");
            assert!(row.compared > 0 && row.skipped == 0, "{row:?}");
        } else {
            // Games of a player that is not expected to win are only observed.
            assert!(row.compared + row.observed > 0 || row.skipped > 0, "{row:?}");
            assert!(
                row.skipped == 0 || row.skip_reasons == format!("not supported={}", row.skipped),
                "{row:?}"
            );
        }
    }
}

/// The histogram has as many positions as the census, of this many tables and sides to move.
fn check_census(run: &Run, rows: usize) {
    let census: Vec<reports::CensusRow> = run.sandbox.rows();
    let histogram: Vec<reports::HistogramRow> = run.sandbox.rows();
    assert_eq!(census.len(), rows);
    for row in census {
        let of =
            histogram.iter().filter(|bin| bin.table == row.table && bin.side_to_move == row.side_to_move);
        let sums = of.fold([0, 0], |[raw, unique], bin| [raw + bin.positions, unique + bin.positions_unique]);
        assert_eq!(sums, [row.legal, row.legal_unique], "{} {}", row.table, row.side_to_move);
    }
}

/// Three perft suites, the random one with at least this many positions.
fn check_perft(run: &Run, drawn: usize) {
    let rows: Vec<reports::PerftRow> = run.sandbox.rows();
    let counts = |suite: &str| rows.iter().filter(|row| row.suite == suite).count();
    let suites: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.suite.as_str()).collect();
    let random = suites.iter().find(|suite| suite.contains("random")).unwrap();
    assert!(counts(random) >= drawn, "{suites:?}");
    assert_eq!(suites.len(), 3, "{suites:?}");
}

#[test]
fn one_table_is_checked_whole() {
    check_green(&ONE_TABLE);
    check_positions(&ONE_TABLE, &[PUBLISHED[1]]);
    check_complete(&ONE_TABLE);
    check_census(&ONE_TABLE, 4);
}

/// The five tables of three men, and the bare kings.
#[test]
#[ignore = "nightly: one table is checked by default"]
fn all_tables_of_three_men_are_checked() {
    let run = runs::verify("--men 3 --quick");
    check_green(&run);
    check_census(&run, 12);
}

#[test]
fn samples_of_suites_are_green() {
    check_green(&SAMPLES);
    check_perft(&SAMPLES, 200);
}

#[test]
#[ignore = "nightly: a plain run of all tables and suites takes minutes"]
fn a_plain_run_is_green_and_complete() {
    check_green(&PLAIN);
    check_positions(&PLAIN, &PUBLISHED);
    check_complete(&PLAIN);
    check_census(&PLAIN, 12);
    check_perft(&PLAIN, 2_000);
    let rows: Vec<reports::PerftRow> = PLAIN.sandbox.rows();
    assert!(rows.iter().any(|row| row.depth == 5 && row.nodes == Some(4_865_609)), "startpos to depth 5");
}

/// A plain run writes the committed baseline, but for replays: outside a checkout they begin with the build of the engine.
#[test]
#[ignore = "nightly: a plain run of all tables and suites takes minutes"]
fn the_reports_of_a_plain_run_are_the_baseline() {
    let baseline = Path::new(env!("CARGO_MANIFEST_DIR")).join("../reports/baseline");
    let rows = |text: &str| -> Vec<csv::StringRecord> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let mut rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        if let Some(column) = rows[0].iter().position(|name| name == "replay") {
            rows = rows
                .iter()
                .map(|row| {
                    row.iter().enumerate().filter(|&(at, _)| at != column).map(|(_, text)| text).collect()
                })
                .collect();
        }
        rows
    };
    let mut compared = 0;
    for entry in std::fs::read_dir(baseline).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let expected = std::fs::read_to_string(&path).unwrap();
        assert_eq!(rows(&PLAIN.sandbox.text(&format!("out/{name}"))), rows(&expected), "{name}");
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
}

#[test]
#[ignore = "nightly: a plain run of all tables and suites takes minutes"]
fn a_plain_run_computes_the_signature() {
    let rows: Vec<reports::SignatureRow> = PLAIN.sandbox.rows();
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert!(row.subject == "engine" && row.positions >= 30 && row.signature > row.positions, "{row:?}");
    assert!(PLAIN.ended.stdout.contains(&format!("signature of engine: {} (", row.signature)));
}

#[test]
fn a_part_of_a_plain_run_computes_no_signature() {
    let sandbox = Sandbox::new();
    sandbox.verify("--tables KvK").says(0, &[]);
    assert_eq!(sandbox.rows::<reports::SignatureRow>(), []);
}

#[test]
fn the_number_of_threads_changes_no_report() {
    let [one, two] = [1, 2].map(|jobs| {
        let run = runs::verify(&format!("--tables KQvK --suite random --quick --jobs {jobs}"));
        assert_eq!(run.ended.code, 0, "{}", run.ended.stderr);
        let mut files = run.sandbox.files("out");
        assert!(files.remove("timings.csv").is_some());
        files
    });
    assert_eq!(one, two);
}

/// Of an earlier run in the same folder nothing stays that would pass for this run's.
#[test]
fn no_report_of_an_earlier_run_stays() {
    let sandbox = Sandbox::new();
    sandbox.write("kvk.csv", "fen,wdl\n8/8/8/8/8/8/8/K6k w - - 0 1,draw\n8/8\n");
    sandbox.verify("--tables KvK --quick --dump kvk.csv --partial").says(2, &["kvk.csv:3: "]);
    assert!(sandbox.files("out").contains_key("malformed.csv"));
    sandbox.verify("--tables KvK --quick --update-baseline --baseline base").says(0, &[]);
    sandbox.verify("--tables KvK --quick --baseline base").says(0, &[]);
    assert!(sandbox.files("out").contains_key("regression.csv"));
    sandbox.verify("--tables KvK --quick").says(0, &[]);
    let names: Vec<String> = sandbox.files("out").into_keys().collect();
    assert!(!names.iter().any(|name| name == "malformed.csv" || name == "regression.csv"), "{names:?}");
}

/// Three men are audited in seconds; the report has what `verify` writes of the same tables.
#[test]
fn an_audit_of_the_evaluation() {
    let sandbox = Sandbox::new();
    let ended = sandbox.run(["audit-eval", "--tables", "KvK,KQvK", "--jobs", "2", "--out", "out"]);
    ended.says(0, &[]);
    for words in ["lone king (printed)", "evaluator: steps", "knowledge", "certificate"] {
        assert!(ended.stdout.contains(words), "{words}: {}", ended.stdout);
    }
    let rows: Vec<reports::KnowledgeRow> = sandbox.rows();
    let row =
        |heuristic: &str| rows.iter().find(|row| row.heuristic == heuristic && row.table == "KQvK").unwrap();
    assert_eq!(row("evaluator").positions, 144_508 + 223_944);
    assert_eq!(row("evaluator: certain draws").false_positive, Some(0));
    assert!(row("lone king (printed)").spearman < Some(suites::Decimal3(0)));
    assert!(row("lone king (meant)").spearman > Some(suites::Decimal3(500)));
}
