//! The run as text: the engine that was checked, a line for each check or family, the first differences with
//! their replay commands, the changes against the baseline, a summary, the verdict, and what to do if the
//! time limit was reached.
//!
//! [`render`] has no colours and no width; a [`View`] adds them for a terminal. Control characters, which a
//! dump may contain, are escaped.

mod bestmove;
mod checks;
mod compare;
mod conversion;
mod differences;
mod dump;
mod engine;
mod found;
mod knowledge;
mod mates;
mod paint;
mod regression;
mod signatures;
mod time;
mod verdict;

pub use bestmove::best_moves;
pub use checks::{by_tallies, checks, summary};
pub use compare::compare;
pub use conversion::conversion;
pub use differences::differences;
pub use dump::dump;
pub use engine::engine;
pub use knowledge::knowledge;
pub use mates::mates;
pub use paint::paint;
pub use regression::regression;
pub use signatures::signatures;
pub(crate) use time::MORE_TIME;
pub use time::time;
pub use verdict::{pasted, verdict};

pub(crate) use checks::by_subject as checks_by_subject;

use crate::Run;

/// How a run is shown. The default is for files: no colours, and lines of any length.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct View {
    /// The columns of the terminal, in which tables fit.
    pub width: Option<usize>,
    /// Whether verdicts and severities have colours, as ANSI sequences.
    pub colored: bool,
}

/// The whole run, with at most `shown` differences and `shown` changes against the baseline.
pub fn render(run: &Run, shown: usize) -> String {
    render_in(run, shown, View::default())
}

/// The same for a terminal: with a width, tables fit it, and a line for each cause stands before the summary.
pub fn render_in(run: &Run, shown: usize, view: View) -> String {
    let colored = |text: String| if view.colored { paint(&text) } else { text };
    let outcomes = |text: String| if view.colored { paint::outcomes(&text) } else { text };
    let parts = [
        run.engine.as_ref().map(engine).unwrap_or_default(),
        outcomes(checks::within(run.shown_checks(), view.width)),
        dump(&run.dump),
        mates(&run.mates),
        best_moves(&run.best_moves, shown),
        conversion(&run.conversion),
        signatures(&run.signatures),
        colored(differences(run, shown)),
        run.regression.as_deref().map(|rows| regression(rows, shown)).unwrap_or_default(),
        view.width.map(|width| colored(found::found(run, width))).unwrap_or_default(),
        outcomes(summary(run)),
        [verdict(run), time(run)].concat(),
    ];
    let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("\n")
}
