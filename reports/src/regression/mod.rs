//! Compares the reports of a run with those of an earlier one, the baseline, for `regression.csv`.
//!
//! `compare` pairs the rows of both runs; `rules` says which columns are compared and what a change means;
//! `scope` says which rows of the baseline the run covers. A finding is listed once: `explained` drops
//! changed rows that only count or repeat findings which are listed, and `attribution` knows which row of
//! `checks.csv` counts a finding.

mod attribution;
mod compare;
mod explained;
mod rules;
mod scope;

pub(crate) use attribution::Attribution;
pub use compare::{CompareError, compare};
pub use scope::Scope;
