//! How much is asked, and how much of a table is judged, by its size.

use arbiter::Effort;
use oracle::checks::{Check, TableJob};
use oracle::positions::{Men, Scope};

/// The most men of tables that are judged on all squares.
pub(crate) const WHOLE: usize = 3;
/// How many positions of a larger table are compared if not all are.
const SAMPLE: u64 = 1_000_000;
/// The same for DTZ, since a probe takes five times as long, and for un-moves, which are those of each position that
/// a position leads to.
const SMALL_SAMPLE: u64 = 100_000;

/// How many classes of a larger table are drawn to judge the mates that a player announces. They are won,
/// drawn and lost ones, and those that are not legal.
const ANNOUNCED: u64 = 20_000;

/// How much `--quick` and `--thorough` ask for.
pub(crate) fn effort(quick: bool, thorough: bool) -> Effort {
    match (quick, thorough) {
        (true, _) => Effort::Quick,
        (_, true) => Effort::Thorough,
        _ => Effort::Plain,
    }
}

/// How many classes of a table are drawn for announcements; `None` for all.
pub(crate) fn announced(men: &Men, effort: Effort) -> Option<u64> {
    (is_large(men) && effort != Effort::Thorough).then_some(ANNOUNCED)
}

/// Whether a table is proven on one position of each class only.
pub(crate) fn is_large(men: &Men) -> bool {
    men.count() > WHOLE
}

/// The job with the extent that its table's size calls for.
pub(crate) fn of(job: TableJob, check: Check, effort: Effort) -> TableJob {
    if !is_large(job.men) {
        return job;
    }
    let sample = if matches!(check, Check::SyzygyDtz | Check::Unmove) { SMALL_SAMPLE } else { SAMPLE };
    TableJob { scope: Scope::Unique, sample: (effort != Effort::Thorough).then_some(sample), ..job }
}
