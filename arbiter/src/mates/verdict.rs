//! The verdicts on an answer, and the checks that report them.

pub use suites::rows::MateVerdict;

/// Id of the check.
pub(super) const CHECK: &str = "mate";

/// The verdicts that have a check of their own, from the least grave to the gravest. If an answer has several
/// faults, the gravest is reported.
const FAULTS: [(MateVerdict, &str); 9] = [
    (MateVerdict::Flaky, "mate/flaky"),
    (MateVerdict::Longer, "mate/longer"),
    (MateVerdict::Thrown, "mate/thrown"),
    (MateVerdict::BadLine, "mate/line"),
    (MateVerdict::BadMove, "mate/move"),
    (MateVerdict::Unsound, "mate/unsound"),
    (MateVerdict::Missed, "mate/missed"),
    (MateVerdict::WrongSign, "mate/sign"),
    (MateVerdict::Unanswered, "mate/unanswered"),
];

/// The id of the check that reports a verdict.
pub(super) fn check_of(verdict: MateVerdict) -> &'static str {
    gravity(verdict).map_or(CHECK, |gravity| FAULTS[gravity].1)
}

/// How grave a fault is; `None` for a verdict that is no fault.
pub(super) fn gravity(verdict: MateVerdict) -> Option<usize> {
    FAULTS.iter().position(|&(fault, _)| fault == verdict)
}
