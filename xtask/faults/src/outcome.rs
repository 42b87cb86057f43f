//! What became of planted faults.

use std::collections::BTreeSet;
use std::time::Duration;

/// What became of the faults of a group.
pub(crate) struct Done {
    pub(crate) faults: Vec<Fault>,
    pub(crate) control: Control,
    /// Findings of the program where no fault was planted: their places.
    pub(crate) invented: Vec<String>,
    /// The time of the program on this group.
    pub(crate) time: Duration,
}

/// Whether the program is content with what has no fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Control {
    Clean,
    /// What it said.
    Refused(String),
}

/// A planted fault.
pub(crate) struct Fault {
    /// Its number in its group.
    pub(crate) number: u32,
    /// A FEN, or a file and an offset.
    pub(crate) place: String,
    /// What was there and what is there now.
    pub(crate) planted: String,
    /// The checks or the words by which the program names the place; none if it does not.
    pub(crate) caught_by: BTreeSet<String>,
}

impl Done {
    /// Nothing planted yet.
    pub(crate) fn new(control: Control) -> Self {
        Self { faults: Vec::new(), control, invented: Vec::new(), time: Duration::ZERO }
    }

    /// How many are not caught.
    pub(crate) fn missed(&self) -> usize {
        self.faults.iter().filter(|fault| fault.caught_by.is_empty()).count()
    }

    /// By what its faults were caught.
    pub(crate) fn checks(&self) -> String {
        let all: BTreeSet<&str> =
            self.faults.iter().flat_map(|fault| &fault.caught_by).map(String::as_str).collect();
        all.into_iter().collect::<Vec<_>>().join(", ")
    }
}
