//! Effort, progress and result of a suite.

use suites::Findings;

suites::words! {
    /// How much work a run does.
    pub enum Effort: "effort" {
        /// A few seconds: small samples.
        Quick = "quick",
        /// Every case of the suites, random samples of the rest.
        Plain = "plain",
        /// Large samples.
        Thorough = "thorough",
    }
}

/// Receives the progress of a run.
pub trait ProgressObserver: Sync {
    /// This many more cases will be run.
    fn begin(&self, cases: u64);
    /// This many more cases were run.
    fn advance(&self, cases: u64);
}

/// Ignores progress.
pub struct NoProgress;

impl ProgressObserver for NoProgress {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// The result of a suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome<R> {
    /// The verdicts, by case set.
    pub findings: Vec<Findings>,
    /// The rows of its report.
    pub rows: Vec<R>,
}
