//! Judges how the processes of all checks end after `quit`. `protocol/exit-status` reports this beside its
//! own cases.

use std::collections::BTreeSet;
use std::time::Instant;

use suites::catalogue::{self, Severity};
use suites::{Answer, Cause, Difference, SkipReason, Verdict};

use super::context::{CheckOutcome, FLAKY, ProtocolCheck};
use super::exits::BadExit;

/// The check that reports them.
pub(super) const EXIT_STATUS: &str = "protocol/exit-status";
/// What it expects.
pub(super) const EXPECTED: &str = "status 0 after quit";

/// Adds the ends of the processes of all checks to the findings of `protocol/exit-status`, one finding for
/// each cause. If a bad end came only once, its whole check runs again. Checks whose findings are notes are
/// left out, since they send input that UCI does not allow.
pub(super) fn judge(
    asked: &[&'static ProtocolCheck],
    outcomes: &mut [CheckOutcome],
    until: Option<Instant>,
    run: impl Fn(&'static ProtocolCheck) -> CheckOutcome,
) {
    let Some(own) = asked.iter().position(|check| check.id == EXIT_STATUS) else { return };
    let found = outcomes[own].findings.differences.iter().filter(|found| found.check != FLAKY);
    let mut known: BTreeSet<Cause> = found.filter_map(|found| found.cause.clone()).collect();
    let is_judged = |index: &usize| *index != own && catalogue::severity(asked[*index].id) > Severity::Note;
    let judged: Vec<usize> = (0..asked.len()).filter(is_judged).collect();
    for &index in &judged {
        let exits = outcomes[index].exits.clone();
        if exits.bad.is_empty() && exits.clean > 0 {
            outcomes[own].findings.record(Verdict::Agree);
        }
        for bad in exits.bad.iter().filter(|bad| known.insert(bad.cause.clone())) {
            let times: usize = judged.iter().map(|&index| outcomes[index].exits.count(&bad.cause)).sum();
            let verdict = if times > 1 {
                Verdict::Differ(Box::new(difference(&outcomes[index], asked[own], bad)))
            } else if until.is_some_and(|until| Instant::now() >= until) {
                Verdict::Skip(SkipReason::OutOfTime)
            } else {
                let mut found = difference(&outcomes[index], asked[own], bad);
                let again = run(asked[index]);
                if again.exits.count(&bad.cause) == 0 {
                    FLAKY.clone_into(&mut found.check);
                    found.explanation.push_str("; it came once, and not in a second run");
                }
                outcomes[own].log.transcript.push_str(&again.log.transcript);
                Verdict::Differ(Box::new(found))
            };
            let transcript = outcomes[index].log.transcript.clone();
            outcomes[own].log.transcript.push_str(&transcript);
            outcomes[own].findings.record(verdict);
        }
    }
}

/// The finding of a bad end in a check.
fn difference(outcome: &CheckOutcome, own: &ProtocolCheck, bad: &BadExit) -> Difference {
    let (fen, played) = bad.asked.clone();
    Difference {
        subject: outcome.findings.tally.subject.clone(),
        check: EXIT_STATUS.to_owned(),
        case: format!("after {}", outcome.findings.tally.check),
        fen,
        played,
        limit: bad.limit.clone(),
        stored: Answer::Ended { end: bad.end.clone(), after: None },
        given: None,
        expected: EXPECTED.into(),
        best: Vec::new(),
        source: "UCI".to_owned(),
        explanation: format!("{} The last lines: {}", own.why, bad.last_lines),
        cause: Some(bad.cause.clone()),
        replay: bad.replay.clone(),
    }
}
