//! The verdicts on an answer, as they stand in the report, and the checks that they belong to.

/// Id of the check.
pub(super) const CHECK: &str = "mate";

/// What is to be said of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MateVerdict {
    /// The shortest mate was announced.
    Exact,
    /// A longer one than there is.
    Longer,
    /// No mate was announced, and there is none.
    None,
    /// No mate was announced, and there is none; but the subject announces too few of those that there are.
    NotToldApart,
    /// No mate was announced, and there is one.
    NotFound,
    /// No mate was announced, and nobody knows whether there is one.
    Unknown,
    /// A mate was announced of which nobody knows whether it is there, or whether the move keeps it.
    Undecided,
    /// The line of the position says nothing: nobody was asked.
    Malformed,
    /// Nobody was asked, for time was over, or the subject was given up.
    NotAsked,
    /// The move loses the mate that was announced.
    Thrown,
    /// The line is not legal, or does not mate.
    BadLine,
    /// The move is not legal.
    BadMove,
    /// A mate was announced that is not there.
    Unsound,
    /// No mate was announced, and the subject had promised to announce this one.
    Missed,
    /// A mate was announced for the wrong side.
    WrongSign,
    /// There was no answer.
    Unanswered,
    /// What was wrong did not come again.
    Flaky,
}

impl MateVerdict {
    /// All.
    pub const ALL: [Self; 17] = [
        Self::Exact,
        Self::Longer,
        Self::None,
        Self::NotToldApart,
        Self::NotFound,
        Self::Unknown,
        Self::Undecided,
        Self::Malformed,
        Self::NotAsked,
        Self::Thrown,
        Self::BadLine,
        Self::BadMove,
        Self::Unsound,
        Self::Missed,
        Self::WrongSign,
        Self::Unanswered,
        Self::Flaky,
    ];

    /// Id of the check that speaks of it.
    pub(super) const fn check(self) -> &'static str {
        match self {
            Self::Thrown => "mate/thrown",
            Self::BadLine => "mate/line",
            Self::BadMove => "mate/move",
            Self::Unsound => "mate/unsound",
            Self::WrongSign => "mate/sign",
            Self::Unanswered => "mate/unanswered",
            Self::Flaky => "mate/flaky",
            Self::Missed => "mate/missed",
            Self::Longer => "mate/longer",
            Self::Exact
            | Self::None
            | Self::NotToldApart
            | Self::NotFound
            | Self::Unknown
            | Self::Undecided
            | Self::Malformed
            | Self::NotAsked => CHECK,
        }
    }

    /// As it stands in the report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Longer => "longer",
            Self::None => "none",
            Self::NotToldApart => "not told apart",
            Self::NotFound => "not found",
            Self::Unknown => "unknown",
            Self::Undecided => "undecided",
            Self::Malformed => "malformed",
            Self::NotAsked => "not asked",
            Self::Thrown => "thrown",
            Self::BadLine => "bad line",
            Self::BadMove => "bad move",
            Self::Unsound => "unsound",
            Self::Missed => "missed",
            Self::WrongSign => "wrong sign",
            Self::Unanswered => "unanswered",
            Self::Flaky => "flaky",
        }
    }
}
