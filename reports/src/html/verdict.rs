//! The verdict on a run, in one line, and its figures.

use serde::Serialize;
use suites::Tally;
use suites::catalogue::Severity;

use super::finding::short;
use super::groups::Group;
use crate::Run;
use crate::run::{is_not_built, stops};
use crate::text::{self, grouped};

/// The verdict, and a line for each subject.
#[derive(Debug, Serialize)]
pub(super) struct Verdict {
    /// `wrong`, `incomplete` or `right`.
    class: &'static str,
    line: String,
    subjects: Vec<String>,
}

/// The most subjects with a line.
const MOST_SUBJECTS: usize = 40;

/// A number and its noun.
pub(super) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A number of sets of cases.
fn sets(number: u64) -> String {
    format!("{} of cases", counted(number, "set"))
}

/// Whether a requested check could not run.
fn is_stopped(tally: &Tally) -> bool {
    tally.total() == 0 || tally.skipped.keys().any(|reason| stops(tally, *reason))
}

impl Verdict {
    pub(super) fn new(run: &Run, groups: &[Group]) -> Self {
        let stopped = run.tallies().filter(|tally| !is_not_built(tally) && is_stopped(tally)).count() as u64;
        let of = |severity: Severity| {
            let count = run.differed_with(severity);
            (count > 0).then(|| counted(count, severity.name()))
        };
        let [errors, lesser] = [
            of(Severity::Error),
            Some(
                [Severity::Warning, Severity::Note]
                    .into_iter()
                    .filter_map(of)
                    .collect::<Vec<_>>()
                    .join(" and "),
            )
            .filter(|text| !text.is_empty()),
        ];
        let agreed: u64 = run.tallies().map(|tally| tally.agreed).sum();
        let incomplete = (stopped > 0).then(|| format!("{} could not be checked in full", sets(stopped)));
        let compared: u64 = run.tallies().map(Tally::answered).sum();
        let (class, head) = match (&errors, &incomplete) {
            (Some(errors), _) => {
                let grave = groups.iter().filter(|group| group.is_error()).count() as u64;
                ("wrong", format!("{errors} in {}", counted(grave, "finding")))
            }
            (None, _) if compared == 0 => ("incomplete", "Nothing was compared".to_owned()),
            (None, Some(_)) => ("incomplete", "No errors in what could be checked".to_owned()),
            (None, None) if lesser.is_some() => ("right", "No errors".to_owned()),
            (None, None) => ("right", format!("All {} agree", counted(agreed, "case"))),
        };
        let parts: Vec<String> = [Some(head), lesser, incomplete].into_iter().flatten().collect();
        let subjects = text::summary(run.tallies()).lines().take(MOST_SUBJECTS).map(short).collect();
        Self { class, line: parts.join("; "), subjects }
    }
}
