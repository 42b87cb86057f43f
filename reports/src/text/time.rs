//! How many cases the time limit cut off, and how to give more time.

use suites::{SkipReason, Tally};

use crate::Run;
use crate::layout::grouped;
use crate::run::is_out_of_time;

/// How to give more time.
pub(crate) const MORE_TIME: &str = "to give more time, use --time-limit N";

/// A line, if the time limit kept cases from being asked: the number of these cases, the number of their case
/// sets, and the number of sets of which no case was compared.
pub fn time(run: &Run) -> String {
    let of = |tally: &Tally| tally.skipped.get(&SkipReason::OutOfTime).copied().filter(|&cases| cases > 0);
    let late: Vec<u64> = run.tallies().filter_map(of).collect();
    if late.is_empty() {
        return String::new();
    }
    let (cases, sets) = (counted(late.iter().sum(), "case"), counted(late.len() as u64, "set"));
    let none = run.tallies().filter(|tally| of(tally).is_some() && is_out_of_time(tally)).count() as u64;
    let none = if none > 0 { format!(" ({} not at all)", counted(none, "set")) } else { String::new() };
    let limits = without_limits(run).unwrap_or_default();
    format!("time limit reached; not asked: {cases} of {sets}{none}; {MORE_TIME}\n{limits}")
}

/// One line, if checks of the protocol were not asked because of the time limit, and the engine keeps no
/// limit except, perhaps, a clock.
fn without_limits(run: &Run) -> Option<String> {
    let card = run.engine.as_ref()?;
    let keeps = card.keeps.as_ref()?;
    let is_kept =
        |limit: &str| keeps.get(limit).is_some_and(|kept| !["not kept", "unknown"].contains(&&**kept));
    if ["depth", "nodes", "movetime"].into_iter().any(is_kept) {
        return None;
    }
    let protocol = || run.tallies().filter(|tally| tally.check.starts_with("protocol/"));
    let late = protocol().filter(|tally| is_out_of_time(tally)).count();
    let keeps = if is_kept("clock") { "only a clock" } else { "no limit of go" };
    let told =
        format!("{late} of {} protocol checks not asked: {} keeps {keeps}\n", protocol().count(), card.name);
    (late > 0).then_some(told)
}

/// A number and its noun.
fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}
