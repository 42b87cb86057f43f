//! `mates.csv`: the mate announced in each position with a known mate, or without one.

use serde::{Deserialize, Serialize};
use suites::Evidence;

use crate::natural::{Natural, ordered};
use crate::word;

suites::words! {
    /// How a position of the suite `mates`, or of a file in its place, came out.
    pub enum MateVerdict: "verdict" {
        /// The principal variation is illegal, or does not mate.
        BadLine = "bad line",
        /// The move is not legal.
        BadMove = "bad move",
        /// The shortest mate was announced.
        Exact = "exact",
        /// The answer was wrong, and right when the position was asked again.
        Flaky = "flaky",
        /// A longer mate than the shortest was announced.
        Longer = "longer",
        /// The line of the file cannot be read; the engine was not asked.
        Malformed = "malformed",
        /// No mate was announced, and the engine has promised to announce this one.
        Missed = "missed",
        /// No mate was announced, and there is none.
        None = "none",
        /// The engine was not asked: the time limit was reached, or the engine was given up.
        NotAsked = "not asked",
        /// No mate was announced, and there is one.
        NotFound = "not found",
        /// No mate was announced, and there is none; but the engine announces too few of the mates that there are.
        NotToldApart = "not told apart",
        /// The move loses the announced mate.
        Thrown = "thrown",
        /// There was no answer.
        Unanswered = "unanswered",
        /// A mate was announced, and it could not be decided whether it is there, or whether the move keeps it.
        Undecided = "undecided",
        /// No mate was announced, and it is not known whether there is one.
        Unknown = "unknown",
        /// The announced mate is not there.
        Unsound = "unsound",
        /// The mate was announced for the wrong side.
        WrongSign = "wrong sign",
    }
}

/// One position. Mates are in moves, negative where the side to move is mated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MateRow {
    /// Name of the engine.
    pub subject: String,
    /// The suite, or the name of a file.
    pub suite: String,
    /// Id of the position in the suite; its line in a file.
    pub case: String,
    /// What the position tests; the name of the file if it is from a file.
    pub class: String,
    /// The shortest mate; `None` if there is none, or none is known.
    pub mate: Option<i32>,
    /// The evidence for the mate, or for its absence; `None` if there is no evidence.
    #[serde(with = "word::or_empty")]
    pub evidence: Option<Evidence>,
    /// The last mate that the engine announced; `None` if it announced none.
    pub announced: Option<i32>,
    /// How it came out.
    #[serde(with = "word")]
    pub verdict: MateVerdict,
    /// Nodes searched up to the first true announcement; `None` if there was none.
    pub nodes: Option<u64>,
}

ordered!(MateRow, row => {
    let MateRow { subject, suite, case, class, mate, evidence, announced, verdict, nodes } = row;
    let evidence = evidence.map(|evidence| evidence.to_string());
    (subject, suite, Natural(case), class, mate, evidence, announced, verdict, nodes)
});
