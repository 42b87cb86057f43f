//! `draws.csv`: the score given to each position of the suite `draws`.

use serde::{Deserialize, Serialize};
use suites::draws::GameResult;

use crate::natural::{Natural, ordered};
use crate::word;

suites::words! {
    /// How a position of the suite `draws` came out.
    pub enum DrawVerdict: "verdict" {
        /// Score and move are right.
        Agree = "agree",
        /// Bishops on squares of one colour are not scored as a draw. No mate is possible with them.
        DeadBishops = "dead-bishops",
        /// The answer was wrong, and right when the position was asked again.
        Flaky = "flaky",
        /// Score and move are right, in a class that engines are not expected to see, or with fewer nodes than the case needs.
        Found = "found",
        /// The answer was wrong, and right with twenty times as many nodes.
        FoundDeeper = "late",
        /// Score or move is wrong, in a class that engines are not expected to see, or with fewer nodes than the case needs.
        Missed = "missed",
        /// The move is illegal, or gives the result away.
        Move = "move",
        /// The engine was not asked: the time limit was reached, or the engine was given up.
        NotAsked = "not asked",
        /// The score is right, but the engine scores decided positions as draws too.
        NotToldApart = "not told apart",
        /// The score is wrong.
        Score = "score",
        /// The score is wrong: the engine scores a twofold repetition as a draw.
        Twofold = "twofold",
        /// There was no answer, or no exact score.
        Unanswered = "unanswered",
    }
}

/// One position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRow {
    /// Name of the engine.
    pub subject: String,
    /// Id of the position in the suite.
    pub case: String,
    /// The draw rule.
    pub class: String,
    /// Whether the engine had its tables.
    pub tables: bool,
    /// The true result for the side to move.
    #[serde(with = "word")]
    pub expected: GameResult,
    /// The engine's score, as UCI writes it; empty if it gave none.
    pub score: String,
    /// How it came out.
    #[serde(with = "word")]
    pub verdict: DrawVerdict,
}

ordered!(DrawRow, row => {
    let DrawRow { subject, case, class, tables, expected, score, verdict } = row;
    (subject, Natural(case), class, tables, expected.name(), score, verdict)
});
