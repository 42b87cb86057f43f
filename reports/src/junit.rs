//! `junit.xml`: the run in the `JUnit` format, which build servers display.
//!
//! A test suite is a family of checks of one subject. A test case is a check on a case set: a row of
//! `checks.csv` or `features.csv`. A test case fails if it has a difference that fails the run; it then lists
//! the first differences and their replay commands. It is skipped, with the reasons, if nothing was compared.
//! It is an error if there was nothing to compare. A passing test case lists its other differences in its
//! output. The document has no time and no date.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};
use suites::{Difference, Tally, natural};

use crate::replays::Replays;
use crate::run::{is_not_built, stops};
use crate::{CauseGroup, CheckRow, DifferenceRow, Row, Run, causes, finding};

/// The file's name.
pub const FILE: &str = "junit.xml";
/// How many differences a test case lists.
const SHOWN: usize = 20;

/// The document.
///
/// # Panics
/// Never: characters that XML does not allow are dropped, and writing to memory does not fail.
pub fn document(run: &Run) -> Vec<u8> {
    let mut differences = BTreeMap::<(&str, &str), Vec<&Difference>>::new();
    for difference in &run.differences {
        let Difference { subject, check, .. } = difference;
        differences.entry((subject, check)).or_default().push(difference);
        // A check may count its cases under the name of its family.
        if let Some((family, _)) = check.split_once('/') {
            differences.entry((subject, family)).or_default().push(difference);
        }
    }
    for found in differences.values_mut() {
        found.sort_by(|one, other| natural::differences(one, other));
    }
    let replays = run.replays();
    let mut families = BTreeMap::<(&str, &str), TestSuite>::new();
    for (row, tally) in run.sorted_tallies().iter().filter(|(_, tally)| !is_not_built(tally)) {
        let family = tally.check.split('/').next().unwrap_or_default();
        let found = differences.get(&(tally.subject.as_str(), tally.check.as_str())).map(Vec::as_slice);
        let suite = families
            .entry((&tally.subject, family))
            .or_insert_with(|| TestSuite::new(format!("{} {family}", tally.subject)));
        suite.add_test_case(case(run, &replays, tally, row, found.unwrap_or_default()));
    }
    let mut report = Report::new("touchstone");
    report.add_test_suites(families.into_values());
    let mut bytes = Vec::new();
    report.serialize(&mut bytes).expect("writing to memory does not fail");
    bytes
}

fn case(run: &Run, replays: &Replays, tally: &Tally, row: &CheckRow, of_check: &[&Difference]) -> TestCase {
    let demanded = tally.total() - tally.observed;
    let observed = if tally.observed > 0 { format!(", {} observed", tally.observed) } else { String::new() };
    let compared = format!("{} of {demanded} agree{observed}", tally.agreed);
    let status = if tally.total() == 0 {
        non_success(NonSuccessKind::Error, "nothing compared")
    } else if tally.differed_from(run.fails_from) > 0 {
        let mut failure =
            non_success(NonSuccessKind::Failure, &format!("{compared}, {} differ", tally.differed));
        failure.set_description(listed(
            tally,
            of_check,
            run.answer_word(&tally.check, &tally.subject),
            replays,
        ));
        failure
    } else if tally.skipped.keys().any(|reason| stops(tally, *reason)) {
        non_success(NonSuccessKind::Error, &format!("{compared}, {}", row.skip_reasons))
    } else if tally.compared() == 0 {
        let mut skipped = TestCaseStatus::skipped();
        let observed = (tally.observed > 0).then(|| format!("{} observed, nothing demanded", tally.observed));
        let reasons =
            observed.into_iter().chain((!row.skip_reasons.is_empty()).then(|| row.skip_reasons.clone()));
        skipped.set_message(reasons.collect::<Vec<_>>().join(";"));
        skipped
    } else {
        TestCaseStatus::success()
    };
    let passes = matches!(status, TestCaseStatus::Success { .. });
    let mut case = TestCase::new(format!("{} {}", tally.check, tally.case_set), status);
    case.set_classname(tally.subject.clone());
    if passes && (tally.differed > 0 || tally.observed > 0 || tally.skipped_total() > 0) {
        let skipped =
            if row.skip_reasons.is_empty() { String::new() } else { format!(", {}", row.skip_reasons) };
        case.set_system_out(format!(
            "{compared}{skipped}\n{}",
            listed(tally, of_check, run.answer_word(&tally.check, &tally.subject), replays)
        ));
    }
    case
}

fn non_success(kind: NonSuccessKind, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message);
    status
}

/// The first differences of a case set; those of the whole check if no case begins with the case set.
fn listed(tally: &Tally, of_check: &[&Difference], answer: &'static str, replays: &Replays) -> String {
    let begins = |difference: &&&Difference| difference.case.split('/').next() == Some(&tally.case_set);
    let own: Vec<&Difference> = of_check.iter().filter(begins).copied().collect();
    let own = if own.is_empty() && tally.differed > 0 { of_check } else { &own };
    let mut text = String::new();
    let groups = causes(own.iter().copied());
    for group in groups.iter().take(SHOWN) {
        let title = finding::title_of(group.first);
        let _ = writeln!(text, "{title}");
        for (name, value) in finding::lines(group, answer, replays) {
            let _ = writeln!(text, "  {name:<8}  {value}");
        }
    }
    let listed: u64 = groups.iter().take(SHOWN).map(CauseGroup::count).sum();
    if tally.differed > listed {
        let _ = writeln!(text, "and more: all are in {}", DifferenceRow::FILE);
    }
    text
}
