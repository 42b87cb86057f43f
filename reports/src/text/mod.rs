//! The run as text: the engine that was checked, a line for each check or family, the first differences with their replay commands,
//! the changes against the baseline, a summary, and what to do if the time limit was reached.
//!
//! No colours, no terminal width. Control characters, which a dump may contain, are escaped.

mod bestmove;
mod checks;
mod compare;
mod conversion;
mod differences;
mod dump;
mod engine;
mod knowledge;
pub(crate) mod layout;
mod mates;
mod regression;
mod signatures;
mod time;

pub use bestmove::best_moves;
pub use checks::{checks, summary};
pub use compare::compare;
pub use conversion::conversion;
pub use differences::differences;
pub use dump::dump;
pub use engine::engine;
pub use knowledge::knowledge;
pub use mates::mates;
pub use regression::regression;
pub use signatures::signatures;
pub(crate) use time::MORE_TIME;
pub use time::time;

pub(crate) use checks::by_subject as checks_by_subject;
pub(crate) use layout::{grouped, plain};

use crate::Run;

/// The whole run, with at most `shown` differences and `shown` changes against the baseline.
pub fn render(run: &Run, shown: usize) -> String {
    let parts = [
        run.engine.as_ref().map(engine).unwrap_or_default(),
        checks(&run.checks),
        dump(&run.dump),
        mates(&run.mates),
        best_moves(&run.best_moves),
        conversion(&run.conversion),
        signatures(&run.signatures),
        differences(run, shown),
        run.regression.as_deref().map(|rows| regression(rows, shown)).unwrap_or_default(),
        [summary(run.tallies()), time(run)].concat(),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}
