//! Merges two runs of a check. A fault that came in both is a finding, and a fault that came in one is a
//! note.

use std::collections::BTreeMap;

use suites::{Answer, Difference, Findings, SkipReason, Verdict};

use super::context::{CheckOutcome, FLAKY};

/// Adds the second run to the first. The transcript has both.
pub(super) fn merge(first: &mut CheckOutcome, second: &CheckOutcome) {
    let is_late = second.findings.tally.skipped.contains_key(&SkipReason::OutOfTime);
    first.findings = if is_late { cut_off(first, &second.findings) } else { both(first, &second.findings) };
    first.exits.absorb(&second.exits);
    first.transcript.transcript.push_str(&second.transcript.transcript);
}

fn has(findings: &Findings, case: &str) -> bool {
    findings.differences.iter().any(|found| found.case == case)
}

/// The findings of both runs. A case that was confirmed in the first run is a finding, whatever the second
/// run shows.
fn both(first: &CheckOutcome, after: &Findings) -> Findings {
    let before = &first.findings;
    let came_again = after.differences.iter().filter(|found| has(before, &found.case)).cloned();
    let new = after.differences.iter().filter(|found| !has(before, &found.case)).map(once);
    let gone = before.differences.iter().filter(|found| !has(after, &found.case));
    let gone = gone.map(|found| {
        if first.confirmed.contains(&found.case) {
            Verdict::Differ(Box::new(found.clone()))
        } else {
            once(found)
        }
    });
    let mut joined = without_findings(after);
    for verdict in came_again.map(|found| Verdict::Differ(Box::new(found))).chain(new) {
        joined.record(verdict);
    }
    for verdict in gone {
        if joined.tally.agreed > 0 {
            joined.tally.agreed -= 1;
        } else if let Some(cases) = joined.tally.skipped.values_mut().next() {
            *cases = cases.saturating_sub(1);
        }
        joined.record(verdict);
    }
    joined.tally.skipped.retain(|_, cases| *cases > 0);
    joined
}

/// The verdict on a fault that came in one of two runs. It is a note, but a late answer is only observed,
/// since a busy machine may cause it.
fn once(found: &Difference) -> Verdict {
    match found.stored {
        Answer::Late(_) => Verdict::Observed,
        _ => Verdict::Differ(Box::new(noted(found))),
    }
}

/// The findings of the first run, if the deadline passed in the second. Confirmed cases are findings, the
/// others are skipped.
fn cut_off(first: &CheckOutcome, after: &Findings) -> Findings {
    let mut joined = without_findings(&first.findings);
    for found in &first.findings.differences {
        let is_known =
            found.check == FLAKY || first.confirmed.contains(&found.case) || has(after, &found.case);
        joined.record(if is_known {
            Verdict::Differ(Box::new(found.clone()))
        } else {
            Verdict::Skip(SkipReason::OutOfTime)
        });
    }
    joined
}

/// The tally without the cases that have findings.
fn without_findings(findings: &Findings) -> Findings {
    let mut left = Findings::new(findings.tally.clone());
    (left.tally.differed, left.tally.lesser) = (0, BTreeMap::default());
    left
}

fn noted(found: &Difference) -> Difference {
    let explanation = format!("{}; it came once, and not in a second run", found.explanation);
    Difference { check: FLAKY.to_owned(), explanation, ..found.clone() }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use suites::{Evidence, Late, Tally};

    use super::super::CheckTranscript;
    use super::super::exits::Exits;
    use super::*;

    fn found(case: &str) -> Difference {
        Difference {
            subject: "mine".to_owned(),
            check: "protocol/bad-fen".to_owned(),
            case: case.to_owned(),
            fen: String::new(),
            played: None,
            limit: None,
            stored: Answer::default(),
            given: None,
            expected: Answer::default(),
            best: Vec::new(),
            source: "UCI".to_owned(),
            explanation: String::new(),
            cause: None,
            replay: suites::Replay::default(),
        }
    }

    /// A run with findings in these cases, some of them confirmed, and the numbers of cases that agreed and
    /// that were out of time.
    fn outcome(cases: &[&str], confirmed: &[&str], agreed: u64, late: u64) -> CheckOutcome {
        let tally = Tally::new("mine", "protocol/bad-fen", Evidence::Specification, "uci");
        let mut findings = Findings::new(tally);
        for case in cases {
            findings.record(Verdict::Differ(Box::new(found(case))));
        }
        for _ in 0..agreed {
            findings.record(Verdict::Agree);
        }
        if late > 0 {
            findings.tally.skip(SkipReason::OutOfTime, late);
        }
        let transcript = CheckTranscript { check: "protocol/bad-fen", transcript: String::new() };
        let confirmed: BTreeSet<String> = confirmed.iter().map(|&case| case.to_owned()).collect();
        let exits = Exits::default();
        CheckOutcome { findings, transcript, in_doubt: true, confirmed, exits }
    }

    /// Expected: the findings, the notes, how many cases agreed, how many were out of time.
    #[track_caller]
    fn check(mut first: CheckOutcome, second: &CheckOutcome, expected: (&[&str], &[&str], u64, u64)) {
        merge(&mut first, second);
        let cases = |is_note: bool| -> Vec<&str> {
            let differences = first.findings.differences.iter();
            differences.filter(|found| (found.check == FLAKY) == is_note).map(|found| &*found.case).collect()
        };
        let tally = &first.findings.tally;
        let late = tally.skipped.get(&SkipReason::OutOfTime).copied().unwrap_or_default();
        assert_eq!((&*cases(false), &*cases(true), tally.agreed, late), expected);
        assert_eq!(tally.total(), first.findings.differences.len() as u64 + tally.agreed + late);
    }

    #[test]
    fn a_finding_that_comes_once_is_a_note() {
        check(outcome(&["a"], &[], 2, 0), &outcome(&["a"], &[], 2, 0), (&["a"], &[], 2, 0));
        check(outcome(&["a"], &[], 2, 0), &outcome(&[], &[], 3, 0), (&[], &["a"], 2, 0));
        check(outcome(&["a", "b"], &["a"], 1, 0), &outcome(&[], &[], 3, 0), (&["a"], &["b"], 1, 0));
        check(outcome(&["a"], &[], 2, 0), &outcome(&["a", "c"], &[], 1, 0), (&["a"], &["c"], 1, 0));
    }

    #[test]
    fn a_late_answer_that_comes_once_is_observed() {
        let mut first = outcome(&["a"], &[], 1, 0);
        first.findings.differences[0].stored = Answer::Late(Late::BestMove);
        merge(&mut first, &outcome(&[], &[], 2, 0));
        let tally = &first.findings.tally;
        assert_eq!((first.findings.differences.len(), tally.agreed, tally.observed), (0, 1, 1));
    }

    /// Confirmed cases and agreements of the first run stand.
    #[test]
    fn after_the_deadline_unconfirmed_findings_are_skipped() {
        check(outcome(&["a", "b"], &["a"], 4, 0), &outcome(&[], &[], 0, 1), (&["a"], &[], 4, 1));
        check(outcome(&["a", "b"], &[], 4, 0), &outcome(&["b"], &[], 1, 1), (&["b"], &[], 4, 1));
    }
}
