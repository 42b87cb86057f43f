//! How much is asked, the observer of progress, and what a suite returns.

use suites::Findings;

/// How much is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effort {
    /// A few seconds: small samples.
    Quick,
    /// Every case of the suites, samples of what is drawn.
    Plain,
    /// Large samples.
    Thorough,
}

/// Is told how far a run is.
pub trait ProgressObserver: Sync {
    /// So many cases will be asked for.
    fn begin(&self, cases: u64);
    /// So many more have been.
    fn advance(&self, cases: u64);
}

/// For callers who do not look.
pub struct NoProgress;

impl ProgressObserver for NoProgress {
    fn begin(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// What a suite returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome<R> {
    /// The verdicts, by class of cases.
    pub findings: Vec<Findings>,
    /// The rows of its report.
    pub rows: Vec<R>,
}
