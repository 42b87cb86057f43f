//! The verdicts on a case, as they stand in the report.

use super::CHECK;

/// The verdict on a case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DrawVerdict {
    /// Score and move are right.
    Agree,
    /// The same after a search of more nodes.
    FoundDeeper,
    /// The score is right, though a wrong one would be no finding.
    Found,
    /// The score is wrong, and that is no finding.
    Missed,
    /// The score is right, but the player scores wins and losses as draws too.
    NotToldApart,
    /// The player was not asked, or not again.
    NotAsked,
    /// Something was wrong, and was not when the same was asked again.
    Flaky,
    /// The score is wrong.
    Score,
    /// The same because the player scores the second occurrence of a position as a draw.
    Twofold,
    /// The move is missing, not legal, or gives the result away.
    Move,
    /// There was no answer, or no score.
    Unanswered,
}

impl DrawVerdict {
    /// The name in the report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::FoundDeeper => "late",
            Self::Found => "found",
            Self::Missed => "missed",
            Self::NotToldApart => "not told apart",
            Self::NotAsked => "not asked",
            Self::Flaky => "flaky",
            Self::Score => "score",
            Self::Twofold => "twofold",
            Self::Move => "move",
            Self::Unanswered => "unanswered",
        }
    }

    /// The id of the check that reports it, if it is a finding.
    pub(super) fn check(self) -> String {
        format!("{CHECK}/{}", self.name())
    }
}
