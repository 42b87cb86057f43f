//! The checks that the time limit cut short, and how to give more time.

use suites::SkipReason;

use super::layout::grouped;
use crate::Run;
use crate::run::is_out_of_time;

/// How to give more time.
pub(crate) const MORE_TIME: &str =
    "to give more time, use --time-limit N or --thorough, or leave out --quick";

/// One line, if any case was not asked because the time limit was reached.
pub fn time(run: &Run) -> String {
    let late = run.tallies().filter(|tally| tally.skipped.contains_key(&SkipReason::OutOfTime));
    let (none, part): (Vec<_>, Vec<_>) = late.partition(|tally| is_out_of_time(tally));
    let parts = [(none.len(), "not compared"), (part.len(), "compared only in part")];
    let parts = parts.into_iter().filter(|(sets, _)| *sets > 0);
    let parts: Vec<String> = parts.map(|(sets, how)| format!("{} {how}", grouped(sets as u64))).collect();
    if parts.is_empty() {
        return String::new();
    }
    let parts = parts.join(", ");
    format!("time limit reached; case sets: {parts}; {MORE_TIME}\n")
}
