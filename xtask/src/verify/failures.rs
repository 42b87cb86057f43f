//! How a program failed over the cases of a part of a run.

use arbiter::{Coverage, Incident};

/// The failures of an engine over cases of one kind, and how many of these it was asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Failures {
    pub(super) incidents: Vec<Incident>,
    pub(super) coverage: Coverage,
}

impl Failures {
    /// Adds those of other cases of the same kind.
    pub(super) fn extend(&mut self, incidents: Vec<Incident>, coverage: Coverage) {
        self.incidents.extend(incidents);
        self.coverage = std::mem::take(&mut self.coverage).and(coverage);
    }
}
