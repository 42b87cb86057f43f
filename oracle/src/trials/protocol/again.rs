//! A check that was heard twice: what came again is a finding, what came once a note.

use std::collections::BTreeMap;

use suites::{Difference, Findings, SkipReason, Verdict};

use super::hearing::{FLAKY, Heard};

/// Makes one of both. What was said over the pipes is kept of both.
pub(super) fn join(first: &mut Heard, again: &Heard) {
    let (before, after) = (&first.findings, &again.findings);
    let has = |findings: &Findings, case: &str| findings.differences.iter().any(|found| found.case == case);
    let came_again = after.differences.iter().filter(|found| has(before, &found.case)).cloned();
    // Where time was over before they could be heard again, nobody knows: they are among the cases that were not asked.
    let late = after.tally.skipped.contains_key(&SkipReason::OutOfTime);
    let gone = before.differences.iter().filter(|found| !late && !has(after, &found.case)).map(noted);
    let new = after.differences.iter().filter(|found| !has(before, &found.case)).map(noted);
    let mut joined = Findings::new(after.tally.clone());
    // The cases of which something is told are counted anew.
    (joined.tally.differed, joined.tally.lesser) = (0, BTreeMap::default());
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
    first.findings = joined;
    first.minutes.transcript.push_str(&again.minutes.transcript);
}

fn noted(found: &Difference) -> Difference {
    let explanation = format!("{}; it came once: it did not come again", found.explanation);
    Difference { check: FLAKY.to_owned(), explanation, ..found.clone() }
}
