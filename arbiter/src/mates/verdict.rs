//! The verdicts on an answer, as they stand in the report, and the checks that report them.

/// The id of the check.
pub(super) const CHECK: &str = "mate";

/// The verdict on an answer, the gravest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MateVerdict {
    /// The shortest mate was announced.
    Exact,
    /// A longer mate than the shortest was announced.
    Longer,
    /// No mate was announced, and there is none.
    None,
    /// No mate was announced, and there is none; but the player announces too few of the mates in other cases.
    NotToldApart,
    /// No mate was announced, and there is one.
    NotFound,
    /// No mate was announced, and it is not known whether there is one.
    Unknown,
    /// It could not be decided whether an announced mate is forced, or whether the move keeps it.
    Undecided,
    /// The line of the position cannot be read, so the player was not asked.
    Malformed,
    /// The player was not asked: time was over, or it was given up.
    NotAsked,
    /// The move gives the announced mate away.
    Thrown,
    /// The line is not legal, or does not mate.
    BadLine,
    /// The move is not legal.
    BadMove,
    /// A mate was announced that is not forced.
    Unsound,
    /// No mate was announced, and the player has to announce this one.
    Missed,
    /// A mate was announced for the wrong side.
    WrongSign,
    /// There was no answer.
    Unanswered,
    /// Something was wrong, and was not when the same was asked again.
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

    /// The id of the check that reports it.
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

    /// The name in the report.
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
