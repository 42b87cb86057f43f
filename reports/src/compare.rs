//! `compare.csv`: what one program does that another does not.
//!
//! Two runs of the same suites and checks, each with a subject of its own. Compared is which cases they get wrong and
//! which checks they could be put to, not what exactly they say.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use suites::{Difference, Tally};

use crate::{Row, Run};

/// A case of which one of two programs is right.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct CompareRow {
    /// Id of the check.
    pub check: String,
    /// The case; the case set, where all of it was skipped.
    pub case: String,
    /// What the first does: `agrees`, `differs: ` and what it said, or `not compared: ` and why.
    pub a: String,
    /// What the second does, in the same words.
    pub b: String,
}

impl Row for CompareRow {
    const FILE: &'static str = "compare.csv";
}

impl CompareRow {
    /// Whether the second is wrong, and the first is not.
    pub fn is_worse(&self) -> bool {
        self.b.starts_with(DIFFERS)
    }

    /// Whether the first is wrong, and the second is not.
    pub fn is_better(&self) -> bool {
        self.a.starts_with(DIFFERS)
    }
}

const AGREES: &str = "agrees";
const DIFFERS: &str = "differs: ";

/// The rows of two runs, one subject each, in their order. What judged them, such as the tables, is left out.
pub fn compare(a: &Run, b: &Run) -> Vec<CompareRow> {
    let [a, b] = [a, b].map(Side::new);
    let cases: BTreeSet<&Case> = a.wrong.keys().chain(b.wrong.keys()).collect();
    let told = |(check, case): &Case, a: String, b: String| CompareRow {
        check: (*check).to_owned(),
        case: (*case).to_owned(),
        a,
        b,
    };
    let mut rows: Vec<CompareRow> = cases
        .into_iter()
        .filter(|case| a.wrong.contains_key(*case) != b.wrong.contains_key(*case))
        .map(|case| told(case, a.says(case), b.says(case)))
        .collect();
    let sets: BTreeSet<&Case> = a.tallies.keys().chain(b.tallies.keys()).collect();
    let skipped = sets.into_iter().filter(|set| a.ran(set) != b.ran(set));
    rows.extend(skipped.map(|set| told(set, a.ran_so(set), b.ran_so(set))));
    rows.sort();
    rows
}

/// Check and case, or check and case set.
type Case<'a> = (&'a str, &'a str);

/// One of the two runs.
struct Side<'a> {
    wrong: BTreeMap<Case<'a>, &'a Difference>,
    tallies: BTreeMap<Case<'a>, &'a Tally>,
}

impl<'a> Side<'a> {
    fn new(run: &'a Run) -> Self {
        let subject = run.engine.as_ref().map(|card| card.name.as_str());
        let is_own = |name: &str| subject.is_none_or(|subject| subject == name);
        let wrong = run.differences.iter().filter(|difference| is_own(&difference.subject));
        let tallies = run.tallies().filter(|tally| is_own(&tally.subject));
        Self {
            wrong: wrong.map(|found| ((found.check.as_str(), found.case.as_str()), found)).collect(),
            tallies: tallies.map(|tally| ((tally.check.as_str(), tally.case_set.as_str()), tally)).collect(),
        }
    }

    /// What it does in a case that one of the two gets wrong.
    fn says(&self, case: &Case) -> String {
        if let Some(found) = self.wrong.get(case) {
            return format!("{DIFFERS}{}", found.stored);
        }
        // A check may count its cases under the name of its family.
        let case_set = case.1.split('/').next().unwrap_or_default();
        let family = case.0.split('/').next().unwrap_or_default();
        let set = [(case.0, case_set), (family, case_set)];
        // Where cases do not begin with their set, the check has one.
        let only = || self.tallies.keys().find(|(check, _)| *check == case.0);
        let set = set.iter().find(|set| self.tallies.contains_key(*set)).or_else(only).unwrap_or(&set[0]);
        if self.ran(set) { AGREES.to_owned() } else { self.ran_so(set) }
    }

    /// Whether anything of a case set was compared.
    fn ran(&self, set: &Case) -> bool {
        self.tallies.get(set).is_some_and(|tally| tally.compared() > 0)
    }

    fn ran_so(&self, set: &Case) -> String {
        match self.tallies.get(set) {
            Some(tally) if tally.compared() > 0 => {
                format!("{} of {} agree", tally.agreed, tally.total())
            }
            Some(tally) => {
                let reasons: Vec<String> = tally.skipped.keys().map(ToString::to_string).collect();
                format!("not compared: {}", reasons.join(", "))
            }
            None => "not compared: not asked".to_owned(),
        }
    }
}
