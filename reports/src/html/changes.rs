//! The figures of two runs beside each other.

use serde::Serialize;
use suites::catalogue::Severity;

use super::Named;
use crate::layout::grouped;
use crate::{CompareVerdict, MateVerdict, Run};

/// One figure of both runs.
#[derive(Debug, Serialize)]
pub(super) struct FigureOfBoth {
    name: &'static str,
    old: String,
    new: String,
    /// `better`, `worse`, or empty if it is the same or neither.
    class: &'static str,
    change: String,
}

/// The name of a figure, whether more of it is better, and the function that counts it.
type Counted = (&'static str, Option<bool>, fn(&Run) -> Option<u64>);

const FIGURES: [Counted; 8] = [
    ("errors", Some(false), |run| Some(run.differed_with(Severity::Error))),
    ("warnings", Some(false), |run| Some(run.differed_with(Severity::Warning))),
    ("notes", None, |run| Some(run.differed_with(Severity::Note))),
    ("cases that agree", None, |run| Some(run.tallies().map(|tally| tally.agreed).sum())),
    ("cases not compared", None, |run| Some(run.tallies().map(suites::Tally::skipped_total).sum())),
    ("exact mates", Some(true), |run| {
        let exact = run.mates.iter().filter(|row| row.verdict == MateVerdict::Exact).count() as u64;
        (!run.mates.is_empty()).then_some(exact)
    }),
    ("endings won", Some(true), |run| {
        let won = run.conversion.iter().map(|row| row.won).sum();
        (!run.conversion.is_empty()).then_some(won)
    }),
    ("signature (nodes)", None, |run| {
        let nodes = run.signatures.iter().map(|row| row.signature).sum();
        (!run.signatures.is_empty()).then_some(nodes)
    }),
];

/// What a change means, where the runs are called old and new.
pub(super) fn word(verdict: CompareVerdict) -> &'static str {
    match verdict {
        CompareVerdict::OnlyA => "only old",
        CompareVerdict::OnlyB => "only new",
        verdict => verdict.name(),
    }
}

/// The figures that at least one of the runs has.
pub(super) fn summary(old: &Named, new: &Named) -> Vec<FigureOfBoth> {
    let figure = |(name, more_is_better, count): Counted| {
        let both = [count(&old.run), count(&new.run)];
        let shown = both.map(|count| count.map(grouped).unwrap_or_default());
        let [before, after] = [both[0].unwrap_or_default(), both[1].unwrap_or_default()];
        let is_known = both.iter().all(Option::is_some);
        let change = match after.cmp(&before) {
            _ if !is_known => String::new(),
            std::cmp::Ordering::Equal => "same".to_owned(),
            std::cmp::Ordering::Greater => format!("+{}", grouped(after - before)),
            std::cmp::Ordering::Less => format!("−{}", grouped(before - after)),
        };
        let class = match more_is_better {
            Some(more) if is_known && after != before => {
                if more == (after > before) {
                    "better"
                } else {
                    "worse"
                }
            }
            _ => "",
        };
        let [old, new] = shown;
        both.iter().any(Option::is_some).then_some(FigureOfBoth { name, old, new, class, change })
    };
    FIGURES.into_iter().filter_map(figure).collect()
}
