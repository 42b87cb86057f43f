//! What time did not suffice for, and how to give more.

use suites::SkipReason;

use super::layout::grouped;
use crate::Run;
use crate::run::is_out_of_time;

/// How more is asked.
pub(crate) const MORE_TIME: &str = "for more time --time-limit N, no --quick, or --thorough";

/// One line, if anything was not asked since time was over.
pub fn time(run: &Run) -> String {
    let late = run.tallies().filter(|tally| tally.skipped.contains_key(&SkipReason::OutOfTime));
    let (none, part): (Vec<_>, Vec<_>) = late.partition(|tally| is_out_of_time(tally));
    let parts = [(none.len(), "not at all"), (part.len(), "only in part")];
    let parts = parts.into_iter().filter(|(sets, _)| *sets > 0);
    let parts: Vec<String> = parts.map(|(sets, how)| format!("{} {how}", grouped(sets as u64))).collect();
    if parts.is_empty() {
        return String::new();
    }
    let parts = parts.join(", ");
    format!("time was over; sets of cases compared {parts}: {MORE_TIME}\n")
}
