//! The verdict on a run.

use std::collections::BTreeSet;

use serde::Serialize;
use suites::catalogue::Severity;
use suites::{SkipReason, Tally};

use crate::Run;
use crate::causes::cause_or_check;
use crate::layout::{grouped, plain};
use crate::run::{is_not_built, stops};

/// The verdict.
#[derive(Debug, Serialize)]
pub(crate) struct Verdict {
    /// `wrong`, `incomplete`, `warned` where there are warnings and no errors, or `right`.
    pub(crate) class: &'static str,
    /// In one line.
    pub(crate) line: String,
    /// In two or three words.
    #[serde(skip)]
    pub(crate) words: String,
}

/// A number and its noun.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// A number of sets of cases.
fn sets(number: u64) -> String {
    format!("{} of cases", counted(number, "set"))
}

/// How many causes the differences of these severities have; those of a check without a known cause count as
/// one.
pub(crate) fn causes(run: &Run, severities: &[Severity]) -> u64 {
    let found = severities.iter().flat_map(|severity| run.differences_with(*severity));
    found.map(|found| (&found.subject, cause_or_check(found))).collect::<BTreeSet<_>>().len() as u64
}

/// Whether a requested check could not run.
fn is_stopped(tally: &Tally) -> bool {
    tally.total() == 0 || tally.skipped.keys().any(|reason| stops(tally, *reason))
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Verdict {
    pub(crate) fn new(run: &Run) -> Self {
        let stopped = run.tallies().filter(|tally| !is_not_built(tally) && is_stopped(tally)).count() as u64;
        let of = |severity: Severity| {
            let count = run.differed_with(severity);
            (count > 0).then(|| counted(count, severity.name()))
        };
        let in_causes = |counts: &str, severities: &[Severity]| match causes(run, severities) {
            0 => counts.to_owned(),
            causes => format!("{counts} in {}", counted(causes, "cause")),
        };
        let errors = of(Severity::Error);
        let lesser: Vec<String> = [Severity::Warning, Severity::Note].into_iter().filter_map(of).collect();
        let lesser = (!lesser.is_empty()).then(|| lesser.join(" and "));
        let agreed: u64 = run.judged().map(|tally| tally.agreed).sum();
        let incomplete = (stopped > 0).then(|| format!("{} could not be checked in full", sets(stopped)));
        let left_out = run.judged().any(|tally| tally.skipped.contains_key(&SkipReason::LeftOut));
        let compared: u64 = run.judged().map(Tally::answered).sum();
        let (class, head) = match (&errors, &incomplete) {
            (Some(errors), _) => ("wrong", in_causes(errors, &[Severity::Error])),
            (None, _) if compared == 0 => ("incomplete", "nothing was compared".to_owned()),
            (None, Some(_)) => ("incomplete", "no errors in what could be checked".to_owned()),
            (None, None) if run.differed_with(Severity::Warning) > 0 => ("warned", "no errors".to_owned()),
            (None, None) if lesser.is_some() => ("right", "no errors".to_owned()),
            (None, None) if agreed == 1 => ("right", "the only case agrees".to_owned()),
            (None, None) if left_out => {
                ("right", format!("all {} that were asked agree", counted(agreed, "case")))
            }
            (None, None) => ("right", format!("all {} agree", counted(agreed, "case"))),
        };
        let words = match class {
            "wrong" => errors.unwrap_or_default(),
            "incomplete" => "incomplete".to_owned(),
            _ => lesser.clone().unwrap_or_else(|| "all agree".to_owned()),
        };
        let lesser = lesser.map(|counts| in_causes(&counts, &[Severity::Warning, Severity::Note]));
        let parts: Vec<String> = [Some(head), lesser, incomplete].into_iter().flatten().collect();
        let line = parts.join("; ");
        let line = match &run.engine {
            Some(card) => format!("{}: {line}", plain(&card.name)),
            None => capitalized(&line),
        };
        Self { class, line, words }
    }
}
