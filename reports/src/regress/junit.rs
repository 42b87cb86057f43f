//! The changes in the `JUnit` format: a test case for each group of changes. One that is broken and fails the
//! run is a failure, one of which it is not known an error; the others pass and have their changes in their
//! output.

use std::fmt::Write as _;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{ChangeGroup, Regress, details, name};
use crate::CompareVerdict;

pub(super) fn document(regress: &Regress) -> Vec<u8> {
    let mut suite = TestSuite::new(format!("{} to {}", regress.old.label, regress.new.label));
    let groups = regress.groups();
    for group in &groups {
        suite.add_test_case(case(regress, group));
    }
    if regress.cut_off {
        suite.add_test_case(TestCase::new(
            regress.verdict(),
            TestCaseStatus::non_success(NonSuccessKind::Error),
        ));
    } else if groups.is_empty() {
        suite.add_test_case(TestCase::new(regress.verdict(), TestCaseStatus::success()));
    }
    let mut report = Report::new("touchstone regress");
    report.add_test_suite(suite);
    let mut bytes = Vec::new();
    report.serialize(&mut bytes).expect("writing to memory does not fail");
    bytes
}

fn case(regress: &Regress, group: &ChangeGroup) -> TestCase {
    let row = group.first();
    let mut text = String::new();
    for (name, value) in details(row, &regress.replays()) {
        let _ = writeln!(text, "{name:<8}  {value}");
    }
    let fails = row.verdict == CompareVerdict::Broken && row.severity >= Some(regress.fails_from);
    let cases = format!("{} {}", group.rows.len(), name(row, regress.fails_from));
    let is_open = row.is_lost() || row.is_open() && row.severity >= Some(regress.fails_from);
    let status = if fails || is_open {
        let kind = if fails { NonSuccessKind::Failure } else { NonSuccessKind::Error };
        let mut status = TestCaseStatus::non_success(kind);
        status.set_message(cases.clone());
        status.set_description(text.clone());
        status
    } else {
        TestCaseStatus::success()
    };
    let mut case = TestCase::new(format!("{} {}", row.check, row.case), status);
    case.set_classname(name(row, regress.fails_from));
    if !fails && !is_open {
        case.set_system_out(format!("{cases}\n{text}"));
    }
    case
}
