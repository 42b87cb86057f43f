//! `compare.csv`: the cases that two engines answer differently.

use serde::{Deserialize, Serialize};

use crate::natural::{Natural, ordered};

/// A case that one of two engines gets wrong, or gets more gravely wrong, or was not asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompareRow {
    /// Id of the check.
    pub check: String,
    /// The case; the case set if all of it was skipped.
    pub case: String,
    /// Engine a: `agrees`, `differs: ` and its answer, `not asked`, or `not compared` and why.
    pub a: String,
    /// Engine b, in the same words.
    pub b: String,
}

ordered!(CompareRow, row => (&row.check, Natural(&row.case), &row.a, &row.b));

impl CompareRow {
    pub(crate) const AGREES: &str = "agrees";
    /// Some cases of the set have no required answer, and no report says which.
    pub(crate) const NOT_WRONG: &str = "not wrong: it agrees, or nothing is demanded";
    /// The case has no required answer.
    pub(crate) const OBSERVED: &str = "observed: nothing is demanded";
    /// The engine was not asked for the case, or for any case of the set.
    pub(crate) const NOT_ASKED: &str = "not asked";
    /// Start of the text for a wrong answer.
    pub(crate) const DIFFERS: &str = "differs: ";
    /// Start of the text for a wrong answer if the other engine's is more gravely wrong.
    pub(crate) const LESSER: &str = "differs, less gravely: ";

    /// Whether b is wrong, and a is right or less gravely wrong.
    pub fn is_worse(&self) -> bool {
        self.b.starts_with(Self::DIFFERS) && is_better_than_wrong(&self.a)
    }

    /// Whether a is wrong, and b is right or less gravely wrong.
    pub fn is_better(&self) -> bool {
        self.a.starts_with(Self::DIFFERS) && is_better_than_wrong(&self.b)
    }

    /// Whether b is wrong and a was not compared, so that it is not known which is better.
    pub fn is_open(&self) -> bool {
        self.b.starts_with(Self::DIFFERS) && !is_better_than_wrong(&self.a)
    }
}

fn is_better_than_wrong(side: &str) -> bool {
    [CompareRow::AGREES, CompareRow::NOT_WRONG, CompareRow::OBSERVED].contains(&side)
        || side.starts_with(CompareRow::LESSER)
}
