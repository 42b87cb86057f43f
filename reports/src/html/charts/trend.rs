//! Many runs: differences by severity, cases that agree, and signatures, in the order of the runs.

use suites::Tally;
use suites::catalogue::Severity;

use super::Figure;
use super::lines::Lines;
use crate::html::Named;
use crate::{MateVerdict, Run};

/// The pictures; none for fewer than three runs.
pub(in crate::html) fn trend(runs: &[Named]) -> Vec<Figure> {
    if runs.len() < 3 {
        return Vec::new();
    }
    let names: Vec<String> = runs.iter().map(|named| named.name.clone()).collect();
    let values = |figure: &dyn Fn(&Run) -> Option<f64>| -> Vec<Option<f64>> {
        runs.iter().map(|named| figure(&named.run)).collect()
    };
    let severities = [
        (Severity::Error, "errors", "c-bad"),
        (Severity::Warning, "warnings", "c-warn"),
        (Severity::Note, "notes", "c-none"),
    ];
    let differences = severities.map(|(severity, name, class)| {
        (name.to_owned(), class, values(&|run| Some(run.differed_with(severity) as f64)))
    });
    let agreed = values(&|run| share(run));
    let [mates, signatures] = [values(&exact_mates), values(&signature)];
    let one = |name: &str, class, values| vec![(name.to_owned(), class, values)];
    let lines = [
        (
            "trend-differences",
            "Differences",
            "Differences of each run, by severity.",
            "differences",
            differences.to_vec(),
        ),
        (
            "trend-agreed",
            "Cases that agree",
            "The share of the compared cases that agree.",
            "per cent",
            one("agree", "c-good", agreed),
        ),
        (
            "trend-mates",
            "Exact mates",
            "Mates announced with their true distance.",
            "positions",
            one("exact", "c-good", mates),
        ),
        (
            "trend-signature",
            "Signature",
            "Nodes of the searches that have a signature.",
            "nodes",
            one("nodes", "c-new", signatures),
        ),
    ];
    lines
        .into_iter()
        .filter(|(.., series)| series.iter().any(|(.., values)| values.iter().flatten().count() > 1))
        .map(|(id, title, caption, unit, series)| {
            Lines { id, title, caption, unit, runs: &names, series }.figure()
        })
        .map(Figure::bounded)
        .collect()
}

/// The share of the compared cases that agree, in per cent. In a run of an engine, only the engine's cases
/// count. `None` if nothing was compared.
fn share(run: &Run) -> Option<f64> {
    let counts = |tally: &&Tally| run.engine.as_ref().is_none_or(|card| card.name == tally.subject);
    let (agreed, compared) = run
        .tallies()
        .filter(counts)
        .fold((0, 0), |(agreed, compared), tally| (agreed + tally.agreed, compared + tally.compared()));
    (compared > 0).then(|| 100.0 * agreed as f64 / compared as f64)
}

/// The mates that were announced with their true distance.
fn exact_mates(run: &Run) -> Option<f64> {
    let exact = run.mates.iter().filter(|row| row.verdict == MateVerdict::Exact).count();
    (!run.mates.is_empty()).then_some(exact as f64)
}

/// The nodes of all signatures.
fn signature(run: &Run) -> Option<f64> {
    let nodes: u64 = run.signatures.iter().map(|row| row.signature).sum();
    (nodes > 0).then_some(nodes as f64)
}
