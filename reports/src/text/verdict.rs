//! The verdict, and the run in a few lines, as an author pastes it.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use suites::SkipReason;

use super::found::found;
use super::{engine, time};
use crate::Run;
use crate::layout::{grouped, plain};
use crate::run::is_not_built;
use crate::verdict::{Verdict, counted};

/// The most checks that are named for each reason.
const NAMED: usize = 3;

/// The verdict in one line. A second line says what was not compared and why.
pub fn verdict(run: &Run) -> String {
    format!("{}\n{}", plain(&Verdict::new(run).line), not_compared(run))
}

/// The run in a few lines: the engine, a line for each cause, the verdict, and how it was run.
pub fn pasted(run: &Run) -> String {
    let mut text = run.engine.as_ref().map(engine).unwrap_or_default();
    text.push_str(&found(run, usize::MAX));
    let _ = write!(text, "{}{}", verdict(run), time(run));
    if let Some(card) = &run.engine {
        let revision =
            card.revision.as_ref().map(|name| format!(", revision {}", plain(name))).unwrap_or_default();
        let _ = writeln!(
            text,
            "touchstone {}, effort {}, seed {}{revision}",
            card.touchstone, card.effort, card.seed
        );
    }
    text
}

/// A line, if cases were not compared: how many for each reason, and the checks with the most of them. Cases
/// that the time limit cut off have a line of their own.
fn not_compared(run: &Run) -> String {
    let mut reasons = BTreeMap::<SkipReason, BTreeMap<&str, u64>>::new();
    for tally in run.judged().filter(|tally| !is_not_built(tally)) {
        for (&reason, &cases) in
            tally.skipped.iter().filter(|(reason, cases)| **cases > 0 && **reason != SkipReason::OutOfTime)
        {
            *reasons.entry(reason).or_default().entry(&tally.check).or_default() += cases;
        }
    }
    let named = |(reason, checks): (SkipReason, BTreeMap<&str, u64>)| {
        let all: u64 = checks.values().sum();
        let mut sorted: Vec<(&str, u64)> = checks.into_iter().collect();
        sorted.sort_by_key(|(_, cases)| Reverse(*cases));
        let mut names: Vec<String> = sorted.iter().take(NAMED).map(|(check, _)| plain(check)).collect();
        names.extend(
            (sorted.len() > NAMED)
                .then(|| format!("and {}", counted(sorted.len() as u64 - NAMED as u64, "more check"))),
        );
        format!("{} {reason} ({})", grouped(all), names.join(", ").replace(", and ", " and "))
    };
    let named: Vec<String> = reasons.into_iter().map(named).collect();
    if named.is_empty() { String::new() } else { format!("not compared: {}\n", named.join("; ")) }
}
