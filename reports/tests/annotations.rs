//! The annotations of a run for GitHub's pages.

use reports::{RegressionVerdict, Run, github};
use suites::SkipReason;

use crate::fixture::difference;
use crate::snapshots::{later, skipped};

#[test]
fn each_finding_has_one_up_to_a_limit() {
    insta::assert_snapshot!("github", github::annotations(&later(), 1));
    assert_eq!(github::annotations(&Run::default(), 1), "");
}

#[test]
fn an_annotation_is_one_line_with_one_title() {
    let differences = vec![difference("symmetry", "KPvK/: a,b\n::error::100%")];
    let text = github::annotations(&Run { differences, ..Run::default() }, 1);
    let (title, message) = text.strip_prefix("::error title=").unwrap().split_once("::").unwrap();
    assert_eq!(title, "production%3A has two values for images of one position");
    assert!(message.contains("check symmetry: KPvK/: a,b%0A::error::100%25%0A"), "{message}");
    assert_eq!(message.lines().count(), 1);
}

#[test]
fn only_changed_signatures_are_noticed_among_figures() {
    let mut changed = later();
    changed.regression.iter_mut().flatten().for_each(|row| row.verdict = RegressionVerdict::Changed);
    let text = github::annotations(&changed, 10);
    let notices: Vec<&str> = text.lines().filter(|line| line.starts_with("::notice")).collect();
    let figures = "signature.csv%0Abefore signature=1234567%0Aafter signature=1234890";
    assert_eq!(notices, [format!("::notice title=changed engine 12::{figures}")]);
}

#[test]
fn checks_stopped_by_the_time_limit_share_one_annotation() {
    let late = skipped(&[("c", 0), ("a", 0), ("b", 0), ("part", 2)], SkipReason::OutOfTime);
    let undecided = skipped(&[("d", 0), ("part", 2)], SkipReason::Undecided);
    let run = Run { checks: [late, undecided].concat(), ..Run::default() };
    insta::assert_snapshot!(github::annotations(&run, 2), @"
    ::warning title=out of time::not compared, time limit reached; to give more time, use --time-limit N:%0Aproduction mate a%0Aproduction mate b%0Aand 2 more
    ::warning title=production mate d::not compared: 3 undecided
    ");
}
