//! Merges two runs of a check. A fault that came in both is a finding, and a fault that came in one is a
//! note.

use std::collections::BTreeMap;

use suites::rows::{ProtocolRow, ProtocolVerdict};
use suites::{Answer, Difference, Findings, SkipReason, Verdict};

use super::context::{CheckOutcome, FLAKY};

/// Adds the second run to the first. The transcript has both.
pub(super) fn merge(first: &mut CheckOutcome, second: &CheckOutcome) {
    let is_late = second.findings.tally.skipped.contains_key(&SkipReason::OutOfTime);
    let joined = if is_late { cut_off(first, &second.findings) } else { both(first, second) };
    (first.findings, first.log.cases) = (joined.findings, joined.cases);
    first.exits.absorb(&second.exits);
    first.log.transcript.push_str(&second.log.transcript);
}

fn has(findings: &Findings, case: &str) -> bool {
    findings.differences.iter().any(|found| found.case == case)
}

impl CheckOutcome {
    /// Whether the run did not come to a case, or passed it over.
    fn did_not_ask(&self, case: &str) -> bool {
        let row = self.log.cases.iter().find(|row| row.case == case);
        row.is_none_or(|row| row.reason == Some(SkipReason::GivenUp)) || self.passed_over.contains(case)
    }
}

/// The findings of both runs. A case that was confirmed in the first run is a finding, whatever the second
/// run shows, and so is one that the other run did not ask.
fn both(first: &CheckOutcome, second: &CheckOutcome) -> Joined {
    let [before, after] = [&first.findings, &second.findings];
    let came_again = after.differences.iter().filter(|found| has(before, &found.case));
    let only = |found: &Difference, other: &CheckOutcome| {
        if other.did_not_ask(&found.case) { Verdict::Differ(Box::new(found.clone())) } else { once(found) }
    };
    let new = after
        .differences
        .iter()
        .filter(|found| !has(before, &found.case))
        .map(|found| (found, only(found, first)));
    let gone = before.differences.iter().filter(|found| !has(after, &found.case));
    let gone = gone.map(|found| {
        if first.confirmed.contains(&found.case) {
            (found, Verdict::Differ(Box::new(found.clone())))
        } else {
            (found, only(found, second))
        }
    });
    let mut joined = Joined::new(second);
    for (found, verdict) in
        came_again.map(|found| (found, Verdict::Differ(Box::new(found.clone())))).chain(new)
    {
        joined.record(&found.case, verdict);
    }
    for (found, verdict) in gone {
        joined.record(&found.case, verdict);
    }
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
fn cut_off(first: &CheckOutcome, after: &Findings) -> Joined {
    let mut joined = Joined::new(first);
    for found in &first.findings.differences {
        let is_known =
            found.check == FLAKY || first.confirmed.contains(&found.case) || has(after, &found.case);
        let verdict = if is_known {
            Verdict::Differ(Box::new(found.clone()))
        } else {
            Verdict::Skip(SkipReason::OutOfTime)
        };
        joined.record(&found.case, verdict);
    }
    joined
}

/// What both runs say together.
struct Joined {
    findings: Findings,
    cases: Vec<ProtocolRow>,
}

impl Joined {
    /// What one run says, without its findings.
    fn new(run: &CheckOutcome) -> Self {
        let mut findings = Findings::new(run.findings.tally.clone());
        (findings.tally.differed, findings.tally.lesser) = (0, BTreeMap::default());
        Self { findings, cases: run.log.cases.clone() }
    }

    /// Counts the verdict on a case, in place of that of the run.
    fn record(&mut self, case: &str, verdict: Verdict) {
        let tally = &mut self.findings.tally;
        let row = ProtocolRow::new(&tally.subject, &tally.check, case, &verdict);
        // An option that is declared twice has two rows.
        let is_wrong = |known: &ProtocolRow| known.case == case && known.verdict == ProtocolVerdict::Differs;
        let place = self.cases.iter().position(is_wrong);
        if let Some(place) = place.or_else(|| self.cases.iter().position(|known| known.case == case)) {
            match std::mem::replace(&mut self.cases[place], row) {
                ProtocolRow { reason: Some(reason), .. } => tally.take_back_skipped(reason),
                ProtocolRow { verdict: ProtocolVerdict::Agrees, .. } => tally.agreed -= 1,
                ProtocolRow { verdict: ProtocolVerdict::Observed, .. } => tally.observed -= 1,
                ProtocolRow { .. } => {}
            }
        } else {
            // A run that ended before its first case was counted as one that was not compared.
            if let (true, Some(&reason)) = (self.cases.is_empty(), tally.skipped.keys().next()) {
                tally.take_back_skipped(reason);
            }
            self.cases.push(row);
        }
        self.findings.record(verdict);
    }
}

fn noted(found: &Difference) -> Difference {
    let explanation = format!("{}; it came once, and not in a second run", found.explanation);
    Difference { check: FLAKY.to_owned(), explanation, ..found.clone() }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use suites::{Evidence, Late, Tally};

    use super::super::CheckLog;
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
    fn outcome(wrong: &[&str], confirmed: &[&str], agreed: usize, late: u64) -> CheckOutcome {
        const CHECK: &str = "protocol/bad-fen";
        let mut findings = Findings::new(Tally::new("mine", CHECK, Evidence::Specification, "uci"));
        let mut cases = Vec::new();
        let mut record = |case: &str, verdict| {
            cases.push(ProtocolRow::new("mine", CHECK, case, &verdict));
            findings.record(verdict);
        };
        for case in wrong {
            record(case, Verdict::Differ(Box::new(found(case))));
        }
        for case in ["a", "b", "c", "d", "e", "f"].iter().filter(|case| !wrong.contains(case)).take(agreed) {
            record(case, Verdict::Agree);
        }
        for number in 0..late {
            record(&format!("late {number}"), Verdict::Skip(SkipReason::OutOfTime));
        }
        let log = CheckLog { check: CHECK, transcript: String::new(), cases };
        let confirmed: BTreeSet<String> = confirmed.iter().map(|&case| case.to_owned()).collect();
        let exits = Exits::default();
        CheckOutcome { findings, log, in_doubt: true, confirmed, passed_over: BTreeSet::new(), exits }
    }

    /// How many cases have rows with this verdict.
    fn rows(outcome: &CheckOutcome, verdict: ProtocolVerdict) -> u64 {
        outcome.log.cases.iter().filter(|row| row.verdict == verdict).count() as u64
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
        let counted =
            [ProtocolVerdict::Agrees, ProtocolVerdict::Differs].map(|verdict| rows(&first, verdict));
        assert_eq!(counted, [tally.agreed, tally.differed]);
    }

    #[test]
    fn a_finding_that_comes_once_is_a_note() {
        check(outcome(&["a"], &[], 2, 0), &outcome(&["a"], &[], 2, 0), (&["a"], &[], 2, 0));
        check(outcome(&["a"], &[], 2, 0), &outcome(&[], &[], 3, 0), (&[], &["a"], 2, 0));
        check(outcome(&["a", "b"], &["a"], 1, 0), &outcome(&[], &[], 3, 0), (&["a"], &["b"], 1, 0));
        check(outcome(&["a"], &[], 2, 0), &outcome(&["a", "c"], &[], 1, 0), (&["a"], &["c"], 1, 0));
    }

    /// A case that the other run did not come to keeps its finding. One over which the program failed in a way
    /// that another check reports was asked.
    #[test]
    fn a_finding_that_the_other_run_did_not_ask_stays() {
        let lacking = |reason: Option<SkipReason>, is_passed_over: bool| {
            let mut run = outcome(&[], &[], 2, 0);
            if let Some(reason) = reason {
                let verdict = Verdict::Skip(reason);
                run.log.cases.push(ProtocolRow::new("mine", run.log.check, "z", &verdict));
                run.findings.record(verdict);
            }
            run.passed_over.extend(is_passed_over.then(|| "z".to_owned()));
            run
        };
        let finding = "protocol/bad-fen";
        for (reason, is_passed_over, expected) in [
            (Some(SkipReason::FailedElsewhere), true, finding),
            (Some(SkipReason::FailedElsewhere), false, FLAKY),
            (Some(SkipReason::GivenUp), false, finding),
            (None, false, finding),
        ] {
            let (mut first, mut second) = (outcome(&["z"], &[], 2, 0), lacking(reason, is_passed_over));
            merge(&mut first, &second);
            assert_eq!(first.findings.differences[0].check, expected, "the second run lacks it: {reason:?}");
            merge(&mut second, &outcome(&["z"], &[], 2, 0));
            assert_eq!(second.findings.differences[0].check, expected, "the first run lacks it: {reason:?}");
        }
    }

    /// A second run without a case, and an option that is declared twice.
    #[test]
    fn cases_without_a_row_and_with_two_are_counted() {
        let mut first = outcome(&["a"], &["a"], 0, 0);
        let mut second = outcome(&[], &[], 0, 0);
        second.findings.tally.skip(SkipReason::GivenUp, 1);
        merge(&mut first, &second);
        assert_eq!((first.findings.tally.total(), first.findings.tally.differed), (1, 1));
        let twice = || {
            let mut run = outcome(&["a"], &[], 1, 0);
            "a".clone_into(&mut run.log.cases[1].case);
            run.log.cases.swap(0, 1);
            run
        };
        let mut first = twice();
        merge(&mut first, &twice());
        assert_eq!((first.findings.tally.agreed, first.findings.tally.differed), (1, 1));
        assert_eq!(
            [ProtocolVerdict::Agrees, ProtocolVerdict::Differs].map(|verdict| rows(&first, verdict)),
            [1, 1]
        );
    }

    #[test]
    fn a_late_answer_that_comes_once_is_observed() {
        let mut first = outcome(&["a"], &[], 1, 0);
        first.findings.differences[0].stored = Answer::Late(Late::BestMove);
        merge(&mut first, &outcome(&[], &[], 2, 0));
        let tally = &first.findings.tally;
        assert_eq!((first.findings.differences.len(), tally.agreed, tally.observed), (0, 1, 1));
        assert_eq!(rows(&first, ProtocolVerdict::Observed), 1);
    }

    /// Confirmed cases and agreements of the first run stand.
    #[test]
    fn after_the_deadline_unconfirmed_findings_are_skipped() {
        check(outcome(&["a", "b"], &["a"], 4, 0), &outcome(&[], &[], 0, 1), (&["a"], &[], 4, 1));
        check(outcome(&["a", "b"], &[], 4, 0), &outcome(&["b"], &[], 1, 1), (&["b"], &[], 4, 1));
    }
}
