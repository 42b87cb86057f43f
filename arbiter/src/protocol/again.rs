//! A check that was heard twice: what came again is a finding, what came once a note.

use std::collections::BTreeMap;

use suites::{Difference, Findings, SkipReason, Verdict};

use super::context::{CheckOutcome, FLAKY};

/// Makes one of both. What was said over the pipes is kept of both.
pub(super) fn join(first: &mut CheckOutcome, again: &CheckOutcome) {
    let is_late = again.findings.tally.skipped.contains_key(&SkipReason::OutOfTime);
    first.findings = if is_late { cut_off(first, &again.findings) } else { both(first, &again.findings) };
    first.transcript.transcript.push_str(&again.transcript.transcript);
}

fn has(findings: &Findings, case: &str) -> bool {
    findings.differences.iter().any(|found| found.case == case)
}

/// The findings of both hearings. What had come again at once in the first is a finding, whatever the second says.
fn both(first: &CheckOutcome, after: &Findings) -> Findings {
    let before = &first.findings;
    let came_again = after.differences.iter().filter(|found| has(before, &found.case)).cloned();
    let new = after.differences.iter().filter(|found| !has(before, &found.case)).map(noted);
    let gone = before.differences.iter().filter(|found| !has(after, &found.case));
    let gone =
        gone.map(|found| if first.confirmed.contains(&found.case) { found.clone() } else { noted(found) });
    let mut joined = without_findings(after);
    for found in came_again.chain(new) {
        joined.record(Verdict::Differ(Box::new(found)));
    }
    for found in gone {
        if joined.tally.agreed > 0 {
            joined.tally.agreed -= 1;
        } else if let Some(cases) = joined.tally.skipped.values_mut().next() {
            *cases = cases.saturating_sub(1);
        }
        joined.record(Verdict::Differ(Box::new(found)));
    }
    joined.tally.skipped.retain(|_, cases| *cases > 0);
    joined
}

/// The findings of the first context, where time was over in the second: what had come again is a finding; of the rest it is not
/// known.
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

/// The same tally, with those cases left out of which something is told.
fn without_findings(findings: &Findings) -> Findings {
    let mut left = Findings::new(findings.tally.clone());
    (left.tally.differed, left.tally.lesser) = (0, BTreeMap::default());
    left
}

fn noted(found: &Difference) -> Difference {
    let explanation = format!("{}; it came once: it did not come again", found.explanation);
    Difference { check: FLAKY.to_owned(), explanation, ..found.clone() }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use suites::{Evidence, Tally};

    use super::super::CheckTranscript;
    use super::*;

    fn found(case: &str) -> Difference {
        Difference {
            subject: "mine".to_owned(),
            check: "protocol/bad-fen".to_owned(),
            case: case.to_owned(),
            fen: String::new(),
            stored: String::new(),
            expected: String::new(),
            source: "UCI".to_owned(),
            explanation: String::new(),
            replay: suites::Replay::default(),
        }
    }

    /// A context with these findings, of which these came again at once; so many agreed, and so many were not begun in time.
    fn heard(cases: &[&str], confirmed: &[&str], agreed: u64, late: u64) -> CheckOutcome {
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
        CheckOutcome { findings, transcript, in_doubt: true, confirmed }
    }

    /// What stands in the end: findings, notes, cases that agreed, cases that were out of time.
    #[track_caller]
    fn check(mut first: CheckOutcome, again: &CheckOutcome, expected: (&[&str], &[&str], u64, u64)) {
        join(&mut first, again);
        let told = |is_note: bool| -> Vec<&str> {
            let differences = first.findings.differences.iter();
            differences.filter(|found| (found.check == FLAKY) == is_note).map(|found| &*found.case).collect()
        };
        let tally = &first.findings.tally;
        let late = tally.skipped.get(&SkipReason::OutOfTime).copied().unwrap_or_default();
        assert_eq!((&*told(false), &*told(true), tally.agreed, late), expected);
        assert_eq!(tally.total(), first.findings.differences.len() as u64 + tally.agreed + late);
    }

    #[test]
    fn what_comes_again_is_a_finding_and_what_does_not_a_note() {
        check(heard(&["a"], &[], 2, 0), &heard(&["a"], &[], 2, 0), (&["a"], &[], 2, 0));
        check(heard(&["a"], &[], 2, 0), &heard(&[], &[], 3, 0), (&[], &["a"], 2, 0));
        check(heard(&["a", "b"], &["a"], 1, 0), &heard(&[], &[], 3, 0), (&["a"], &["b"], 1, 0));
        check(heard(&["a"], &[], 2, 0), &heard(&["a", "c"], &[], 1, 0), (&["a"], &["c"], 1, 0));
    }

    /// What had come again at once is not forgotten, and what agreed is not either.
    #[test]
    fn where_time_is_over_only_what_is_in_doubt_is_not_told() {
        check(heard(&["a", "b"], &["a"], 4, 0), &heard(&[], &[], 0, 1), (&["a"], &[], 4, 1));
        check(heard(&["a", "b"], &[], 4, 0), &heard(&["b"], &[], 1, 1), (&["b"], &[], 4, 1));
    }
}
