//! `mates.csv`: what a subject announced in positions with a known mate, or without one.

use serde::{Deserialize, Serialize};

use crate::Row;
use crate::natural::{Natural, ordered};

/// One position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MateRow {
    /// Who was asked.
    pub subject: String,
    /// The suite.
    pub suite: String,
    /// Id of the position in it.
    pub case: String,
    /// What the position is there for; the name of the file where it is one of others.
    pub class: String,
    /// The shortest mate in moves, negative for the side that is mated; empty if there is none, or none is known.
    pub mate: Option<i32>,
    /// What stands behind it, that there is none included: `certificate`, `word of the file`; empty if nothing.
    pub evidence: String,
    /// The last mate that the subject announced, in the same way; empty if none.
    pub announced: Option<i32>,
    /// What is to be said of it: `exact`, `longer`, `none`, `not told apart`, `not found`, `unknown`, `undecided`, `malformed`, `not asked`, `thrown`, `bad line`, `bad move`,
    /// `unsound`, `missed`, `wrong sign`, `unanswered`, `flaky`.
    pub verdict: String,
    /// Nodes up to the first announcement that is true; empty if there is none.
    pub nodes: Option<u64>,
}

ordered!(MateRow, row => {
    let MateRow { subject, suite, case, class, mate, evidence, announced, verdict, nodes } = row;
    (subject, suite, Natural(case), class, mate, evidence, announced, verdict, nodes)
});

impl Row for MateRow {
    const FILE: &'static str = "mates.csv";
}
