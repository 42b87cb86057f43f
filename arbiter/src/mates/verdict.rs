//! The verdicts on an answer, and the checks that report them.

pub use reports::MateVerdict;

/// Id of the check.
pub(super) const CHECK: &str = "mate";

/// The id of the check that reports a verdict.
pub(super) const fn check_of(verdict: MateVerdict) -> &'static str {
    match verdict {
        MateVerdict::Thrown => "mate/thrown",
        MateVerdict::BadLine => "mate/line",
        MateVerdict::BadMove => "mate/move",
        MateVerdict::Unsound => "mate/unsound",
        MateVerdict::WrongSign => "mate/sign",
        MateVerdict::Unanswered => "mate/unanswered",
        MateVerdict::Flaky => "mate/flaky",
        MateVerdict::Missed => "mate/missed",
        MateVerdict::Longer => "mate/longer",
        MateVerdict::Exact
        | MateVerdict::None
        | MateVerdict::NotToldApart
        | MateVerdict::NotFound
        | MateVerdict::Unknown
        | MateVerdict::Undecided
        | MateVerdict::Malformed
        | MateVerdict::NotAsked => CHECK,
    }
}

/// The faults of an answer, from the least grave to the gravest. Of several faults the gravest is reported.
const FAULTS: [MateVerdict; 8] = [
    MateVerdict::Longer,
    MateVerdict::Thrown,
    MateVerdict::BadLine,
    MateVerdict::BadMove,
    MateVerdict::Unsound,
    MateVerdict::Missed,
    MateVerdict::WrongSign,
    MateVerdict::Unanswered,
];

/// How grave a fault is; `None` for a verdict that is no fault.
pub(super) fn gravity(verdict: MateVerdict) -> Option<usize> {
    FAULTS.iter().position(|&fault| fault == verdict)
}
