//! docs/reports.md describes every report that a run writes, with its header.

use std::collections::BTreeMap;

use crate::runs::ONE_TABLE;
use crate::sandbox::Sandbox;

const PAGE: &str = include_str!("../../../docs/src/reference/reports.md");

/// The header of each report: the first line of its example, or else the names in its table of columns.
fn headers() -> BTreeMap<String, String> {
    let sections = PAGE.split("\n## ").skip(1).filter_map(|section| section.split_once('\n'));
    let reports =
        sections.filter(|(title, _)| title.split_once('.').is_some_and(|(_, suffix)| suffix == "csv"));
    reports.map(|(title, text)| (title.to_owned(), header(text))).collect()
}

fn header(section: &str) -> String {
    if let Some((_, example)) = section.split_once("```csv\n") {
        return example.lines().next().unwrap().to_owned();
    }
    let cells = section.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    cells.map(|(name, _)| name).collect::<Vec<_>>().join(",")
}

fn check(sandbox: &Sandbox, expected: &[&str]) {
    let headers = headers();
    let files = sandbox.files("out");
    assert_eq!(files.keys().map(String::as_str).collect::<Vec<_>>(), expected);
    for (name, text) in files.into_iter().filter(|(name, _)| name != "junit.xml") {
        let header = headers.get(&name).unwrap_or_else(|| panic!("{name} is not on the page"));
        assert_eq!(text.lines().next().unwrap(), header, "{name}");
    }
}

const ALWAYS: [&str; 17] = [
    "bestmove.csv",
    "census.csv",
    "checks.csv",
    "conversion.csv",
    "differences.csv",
    "draws.csv",
    "features.csv",
    "histogram.csv",
    "junit.xml",
    "knowledge.csv",
    "mates.csv",
    "perft.csv",
    "signature.csv",
    "stalemates.csv",
    "stalemates_subjects.csv",
    "timings.csv",
    "wins_thrown.csv",
];

fn with(more: &[&'static str]) -> Vec<&'static str> {
    let mut names = [&ALWAYS[..], more].concat();
    names.sort_unstable();
    names
}

#[test]
fn reports_of_one_table() {
    let more = [
        "compare.csv",
        "dump.csv",
        "edge_cases.csv",
        "malformed.csv",
        "protocol.csv",
        "regression.csv",
        "speed.csv",
    ];
    let tables = ALWAYS.iter().filter(|name| **name != "junit.xml").chain(&more);
    assert!(headers().keys().eq(tables.collect::<std::collections::BTreeSet<_>>()));
    check(&ONE_TABLE.sandbox, &ALWAYS);
}

#[test]
fn reports_of_a_dump_and_of_a_run_with_a_baseline() {
    let sandbox = Sandbox::new();
    sandbox.write("mine.csv", "fen,wdl\n8/8/8/8/8/8/8/K6k w - - 0 1,draw\n");
    sandbox.verify("--tables KvK --quick --dump mine.csv --partial").says(0, &[]);
    check(&sandbox, &with(&["dump.csv", "malformed.csv"]));
    sandbox.verify("--tables KvK --quick --edge-cases").says(0, &[]);
    check(&sandbox, &with(&["edge_cases.csv"]));
    sandbox.verify("--tables KvK --quick --baseline base --update-baseline").says(0, &[]);
    sandbox.verify("--tables KvK --quick --baseline base").says(0, &[]);
    check(&sandbox, &with(&["regression.csv"]));
}
