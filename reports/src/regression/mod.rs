//! `regression.csv`: what changed between an earlier run and this one.
//!
//! Compares the files of two runs, case by case; opens none of them. What a change means is in `rules`, which
//! changes a run can speak of is in `scope`. A finding is listed once: `told` knows the rows that only count or repeat
//! findings that are listed, and `counted` which of them count a finding.

mod compare;
mod counted;
mod row;
mod rules;
mod scope;
mod told;

pub use compare::{CompareError, compare};
pub use row::{RegressionRow, RegressionVerdict};
pub use scope::Scope;
