//! A plain run: green, everything compared, and the same whatever the number of threads.

use reports::CheckRow;

use crate::bench::Bench;
use crate::runs::{self, PLAIN};

/// Legal positions of both sides to move, on 64 squares and one for each symmetry class, as published.
const PUBLISHED: [(&str, u64, u64); 3] = [
    ("KPvK", 163_328 + 168_024, 81_664 + 84_012),
    ("KQvK", 144_508 + 223_944, 18_081 + 28_056),
    ("KRvK", 175_168 + 223_944, 21_959 + 28_056),
];

#[test]
fn a_plain_run_is_green() {
    PLAIN.ended.says(0, &["reports in out"]);
    let totals = PLAIN.ended.stdout.lines().rev().take(2);
    for (total, subject) in totals.zip(["production", "engine"]) {
        let (all, rest) =
            total.strip_prefix(&format!("{subject}: ")).and_then(|rest| rest.split_once(" of ")).unwrap();
        assert!(rest.starts_with(&format!("{all} agree, ")), "{}", PLAIN.ended.stdout);
    }
    assert_eq!(PLAIN.bench.text("out/differences.csv").lines().count(), 1);
}

#[test]
fn every_check_compares_as_many_positions_as_are_published() {
    let checks: Vec<CheckRow> = PLAIN.bench.rows();
    let compared = |check: &str, table: &str| {
        let row = checks.iter().find(|row| row.check == check && row.case_set == table);
        row.map_or_else(|| panic!("no {check} of {table}"), |row| row.compared)
    };
    for (table, raw, unique) in PUBLISHED {
        for check in ["legality", "certificate", "terminal"] {
            assert_eq!(compared(check, table), raw, "{check} {table}");
        }
        // A case of symmetry is a position with all its images.
        for check in ["symmetry", "syzygy-wdl", "syzygy-dtz"] {
            assert_eq!(compared(check, table), unique, "{check} {table}");
        }
        // Won and lost ones alone, one for each symmetry class with each colour as the stronger side.
        let histogram: Vec<reports::HistogramRow> = PLAIN.bench.rows();
        let decided =
            histogram.iter().filter(|row| row.table == table && row.wdl != suites::draws::GameResult::Draw);
        let decided = decided.map(|row| row.positions_unique).sum::<u64>();
        assert_eq!(compared("announcement", table), 2 * decided, "announcement {table}");
        if table != "KPvK" {
            assert_eq!(compared("syzygy-dtm", table), unique, "syzygy-dtm {table}");
        }
    }
}

#[test]
fn no_table_is_sampled_and_nothing_is_skipped() {
    let checks: Vec<CheckRow> = PLAIN.bench.rows();
    for row in checks.iter().filter(|row| row.subject == "production") {
        assert!(!matches!(row.evidence, suites::Evidence::Sample { .. }), "{row:?}");
    }
    for row in checks {
        // Games of a player that is not expected to win are only watched.
        assert!(row.compared > 0 || row.subject == "engine" && row.observed > 0, "{row:?}");
        assert!(row.compared == row.agreed && row.skipped == 0, "{row:?}");
    }
}

#[test]
fn reports_of_a_plain_run() {
    for name in ["checks.csv", "census.csv", "stalemates.csv"] {
        insta::assert_snapshot!(name, PLAIN.bench.text(&format!("out/{name}")));
    }
}

#[test]
fn histogram_adds_up_to_the_census() {
    let census: Vec<reports::CensusRow> = PLAIN.bench.rows();
    let histogram: Vec<reports::HistogramRow> = PLAIN.bench.rows();
    assert_eq!(census.len(), 12);
    for row in census {
        let of =
            histogram.iter().filter(|bin| bin.table == row.table && bin.side_to_move == row.side_to_move);
        let sums = of.fold([0, 0], |[raw, unique], bin| [raw + bin.positions, unique + bin.positions_unique]);
        assert_eq!(sums, [row.legal, row.legal_unique], "{} {}", row.table, row.side_to_move);
    }
}

#[test]
fn perft_counts_every_case_of_its_suites() {
    let rows: Vec<reports::PerftRow> = PLAIN.bench.rows();
    let counts = |suite: &str| rows.iter().filter(|row| row.suite == suite).count();
    let suites: std::collections::BTreeSet<&str> = rows.iter().map(|row| row.suite.as_str()).collect();
    let random = suites.iter().find(|suite| suite.contains("random")).unwrap();
    assert!(counts(random) >= 2_000, "{suites:?}");
    assert_eq!(suites.len(), 3, "{suites:?}");
    assert!(rows.iter().any(|row| row.depth == 5 && row.nodes == Some(4_865_609)), "startpos to depth 5");
}

#[test]
fn a_plain_run_takes_the_signature_and_no_part_of_it_does() {
    let rows: Vec<reports::SignatureRow> = PLAIN.bench.rows();
    let [row] = &rows[..] else { panic!("{rows:?}") };
    assert!(row.subject == "engine" && row.positions >= 30 && row.signature > row.positions, "{row:?}");
    assert!(PLAIN.ended.stdout.contains(&format!("signature of engine: {} (", row.signature)));
    let bench = Bench::new();
    bench.verify("--tables KvK").says(0, &[]);
    assert_eq!(bench.rows::<reports::SignatureRow>(), []);
}

#[test]
fn the_number_of_threads_changes_no_report() {
    let [one, two] = [1, 2].map(|jobs| {
        let run = runs::verify(&format!("--tables KQvK --suite random --quick --jobs {jobs}"));
        assert_eq!(run.ended.code, 0, "{}", run.ended.stderr);
        let mut files = run.bench.files("out");
        assert!(files.remove("timings.csv").is_some());
        files
    });
    assert_eq!(one, two);
}

/// Of an earlier run in the same folder nothing stays that would pass for this run's.
#[test]
fn no_report_of_an_earlier_run_stays() {
    let bench = Bench::new();
    bench.write("kvk.csv", "fen,wdl\n8/8/8/8/8/8/8/K6k w - - 0 1,draw\n8/8\n");
    bench.verify("--tables KvK --quick --dump kvk.csv").says(2, &["kvk.csv:3: "]);
    assert!(bench.files("out").contains_key("malformed.csv"));
    bench.verify("--tables KvK --quick --update-baseline --baseline base").says(0, &[]);
    bench.verify("--tables KvK --quick --baseline base").says(0, &[]);
    assert!(bench.files("out").contains_key("regression.csv"));
    bench.verify("--tables KvK --quick").says(0, &[]);
    let names: Vec<String> = bench.files("out").into_keys().collect();
    assert!(!names.iter().any(|name| name == "malformed.csv" || name == "regression.csv"), "{names:?}");
}

/// Three men are audited in seconds; the report has what `verify` writes of the same tables.
#[test]
fn an_audit_of_the_evaluation() {
    let bench = Bench::new();
    let ended = bench.run(["audit-eval", "--tables", "KvK,KQvK", "--jobs", "2", "--out", "out"]);
    ended.says(0, &[]);
    for words in ["lone king (printed)", "evaluator: steps", "knowledge", "certificate"] {
        assert!(ended.stdout.contains(words), "{words}: {}", ended.stdout);
    }
    let rows: Vec<reports::KnowledgeRow> = bench.rows();
    let row =
        |heuristic: &str| rows.iter().find(|row| row.heuristic == heuristic && row.table == "KQvK").unwrap();
    assert_eq!(row("evaluator").positions, 144_508 + 223_944);
    assert_eq!(row("evaluator: certain draws").false_positive, Some(0));
    assert!(row("lone king (printed)").spearman < Some(reports::Decimal3(0)));
    assert!(row("lone king (meant)").spearman > Some(reports::Decimal3(500)));
}
