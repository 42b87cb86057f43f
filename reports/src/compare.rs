//! `compare.csv`: what one program does that another does not.
//!
//! Two runs of the same suites and checks, each with a subject of its own. Compared is which cases they get wrong and
//! which checks they could be put to, not what exactly they say. Nobody is said to agree in a case that was perhaps not
//! put to him: where some of its set were not, and no report tells of each case, none of them counts as compared.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use suites::catalogue;
use suites::{Difference, SkipReason, Tally};

use crate::natural::{Natural, ordered};
use crate::{Row, Run};

/// A case of which one of two programs is right.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CompareRow {
    /// Id of the check.
    pub check: String,
    /// The case; the case set, where all of it was skipped.
    pub case: String,
    /// What the first does: `agrees`, `differs: ` and what it said, `not asked`, or `not compared` and why.
    pub a: String,
    /// What the second does, in the same words.
    pub b: String,
}

ordered!(CompareRow, row => (&row.check, Natural(&row.case), &row.a, &row.b));

impl Row for CompareRow {
    const FILE: &'static str = "compare.csv";
}

impl CompareRow {
    /// Whether the second is wrong, and the first is right, or less gravely wrong.
    pub fn is_worse(&self) -> bool {
        self.b.starts_with(DIFFERS) && is_better_than_wrong(&self.a)
    }

    /// Whether the first is wrong, and the second is right, or less gravely wrong.
    pub fn is_better(&self) -> bool {
        self.a.starts_with(DIFFERS) && is_better_than_wrong(&self.b)
    }

    /// Whether the second is wrong, and the first was not compared, so that nobody knows whether it is worse.
    pub fn is_open(&self) -> bool {
        self.b.starts_with(DIFFERS) && !is_better_than_wrong(&self.a)
    }
}

fn is_better_than_wrong(side: &str) -> bool {
    [AGREES, NOT_WRONG, OBSERVED].contains(&side) || side.starts_with(LESSER)
}

const AGREES: &str = "agrees";
/// Where of some cases of a set nothing is demanded, and no report tells of which.
const NOT_WRONG: &str = "not wrong: it agrees, or nothing is demanded";
/// Where nothing is demanded.
const OBSERVED: &str = "observed: nothing is demanded";
/// Where a case, or all of a set, was not put to it.
const NOT_ASKED: &str = "not asked";
const DIFFERS: &str = "differs: ";
/// Where both are wrong, and the other one more gravely.
const LESSER: &str = "differs, less gravely: ";

/// The rows of two runs, one subject each, in their order. What judged them, such as the tables, is left out.
pub fn compare(a: &Run, b: &Run) -> Vec<CompareRow> {
    let counted: BTreeSet<&str> = a.tallies().chain(b.tallies()).map(|tally| tally.check.as_str()).collect();
    let [a, b] = [a, b].map(|run| Side::new(run, &counted));
    let told = |check: &str, case: &str, a: String, b: String| CompareRow {
        check: check.to_owned(),
        case: case.to_owned(),
        a,
        b,
    };
    let cases: BTreeSet<&Case> = a.wrong.keys().chain(b.wrong.keys()).collect();
    let mut rows: Vec<CompareRow> = cases
        .into_iter()
        .filter_map(|case| match (a.wrong.get(case), b.wrong.get(case)) {
            (Some(found), None) | (None, Some(found)) => {
                Some(told(&found.check, case.1, a.says(case), b.says(case)))
            }
            (Some(of_a), Some(of_b)) => {
                let [grave_a, grave_b] = [of_a, of_b].map(|found| catalogue::severity(&found.check));
                let said = |found: &Difference, is_lesser| {
                    format!("{}{}", if is_lesser { LESSER } else { DIFFERS }, found.stored)
                };
                let graver = if grave_a > grave_b { of_a } else { of_b };
                let [a, b] = [said(of_a, grave_a < grave_b), said(of_b, grave_b < grave_a)];
                (grave_a != grave_b).then(|| told(&graver.check, case.1, a, b))
            }
            (None, None) => None,
        })
        .collect();
    let sets: BTreeSet<&Case> = a.tallies.keys().chain(b.tallies.keys()).collect();
    let skipped = sets.into_iter().filter(|set| a.ran(set) != b.ran(set));
    rows.extend(skipped.map(|set| told(set.0, set.1, a.ran_so(set), b.ran_so(set))));
    rows.sort();
    rows
}

/// The check under whose name cases are counted, which may be that of a family; and case, or case set.
type Case<'a> = (&'a str, &'a str);

/// One of the two runs.
struct Side<'a> {
    wrong: BTreeMap<Case<'a>, &'a Difference>,
    tallies: BTreeMap<Case<'a>, &'a Tally>,
    /// The cases of which reports tell that they were not compared, and why; nothing for those that were.
    told: BTreeMap<String, Option<&'a str>>,
}

impl<'a> Side<'a> {
    fn new(run: &'a Run, counted: &BTreeSet<&'a str>) -> Self {
        let subject = run.engine.as_ref().map(|card| card.name.as_str());
        let is_own = |name: &str| subject.is_none_or(|subject| subject == name);
        let wrong = run.differences.iter().filter(|difference| is_own(&difference.subject));
        let check = |found: &'a Difference| {
            let family = found.check.split('/').next().and_then(|family| counted.get(family));
            family.copied().unwrap_or(&found.check)
        };
        let tallies = run.tallies().filter(|tally| is_own(&tally.subject));
        Self {
            wrong: wrong.map(|found| ((check(found), found.case.as_str()), found)).collect(),
            tallies: tallies.map(|tally| ((tally.check.as_str(), tally.case_set.as_str()), tally)).collect(),
            told: told(run, is_own),
        }
    }

    /// What it does in a case that one of the two gets wrong.
    fn says(&self, case: &Case) -> String {
        if let Some(found) = self.wrong.get(case) {
            return format!("{DIFFERS}{}", found.stored);
        }
        match self.told.get(&format!("{}/{}", case.0, case.1)) {
            Some(None) => return AGREES.to_owned(),
            Some(Some(said @ (NOT_ASKED | OBSERVED))) => return (*said).to_owned(),
            Some(Some(why)) => return format!("not compared: {why}"),
            None => {}
        }
        let set = (case.0, case.1.split('/').next().unwrap_or_default());
        let own = self.tallies.get(&set).map(|tally| vec![*tally]);
        // Where a case does not begin with its set, it may be of any set of the check.
        let of_check =
            || self.tallies.iter().filter(|((check, _), _)| *check == case.0).map(|(_, tally)| *tally);
        let sets = own.unwrap_or_else(|| of_check().collect());
        let Some(part) = sets.iter().find(|tally| tally.skipped_total() > 0).or(sets.first()) else {
            return not_compared(None);
        };
        match part.skipped_total() {
            0 if part.compared() > 0 && part.observed > 0 => NOT_WRONG.to_owned(),
            0 if part.compared() > 0 => AGREES.to_owned(),
            _ if part.compared() == 0 && (part.observed == 0 || part.skipped_total() == 0) => {
                not_compared(Some(part))
            }
            skipped => format!(
                "{}, for all that is known: {skipped} of {} were not, {}",
                word(part),
                part.total(),
                reasons(part)
            ),
        }
    }

    /// Whether anything of a case set was compared.
    fn ran(&self, set: &Case) -> bool {
        self.tallies.get(set).is_some_and(|tally| tally.compared() > 0)
    }

    fn ran_so(&self, set: &Case) -> String {
        match self.tallies.get(set) {
            Some(tally) if tally.compared() > 0 => {
                format!("{} of {} agree", tally.agreed, tally.total() - tally.observed)
            }
            tally => not_compared(tally.copied()),
        }
    }
}

/// What the reports that have a row for each case tell of it, by the family that counts it and its name.
fn told(run: &Run, is_own: impl Fn(&str) -> bool) -> BTreeMap<String, Option<&str>> {
    let mates = run.mates.iter().filter(|row| is_own(&row.subject)).flat_map(|row| {
        let why = match row.verdict.as_str() {
            "not found" | "not told apart" | "unknown" => Some(OBSERVED),
            why @ ("undecided" | "malformed" | NOT_ASKED) => Some(why),
            _ => None,
        };
        // Cases of files begin with the file.
        [(format!("mate/{}", row.case), why), (format!("mate/{}/{}", row.suite, row.case), why)]
    });
    let draws = run.draws.iter().filter(|row| is_own(&row.subject)).map(|row| {
        let off = if row.tables { "" } else { " without tables" };
        let why = match row.verdict.as_str() {
            "found" | "missed" | "not told apart" => Some(OBSERVED),
            NOT_ASKED => Some(NOT_ASKED),
            _ => None,
        };
        (format!("draw/{}{off}", row.case), why)
    });
    mates.chain(draws).collect()
}

fn not_compared(tally: Option<&Tally>) -> String {
    match tally {
        None => NOT_ASKED.to_owned(),
        Some(tally) if tally.answered() > 0 => OBSERVED.to_owned(),
        Some(tally) => format!("{}: {}", word(tally), reasons(tally)),
    }
}

/// What became of the cases of a set that were not compared: they were not asked, or the answer could not be compared.
fn word(tally: &Tally) -> &'static str {
    let not_asked = |reason: &SkipReason| matches!(reason, SkipReason::OutOfTime | SkipReason::GivenUp);
    if tally.skipped.keys().all(not_asked) { NOT_ASKED } else { "not compared" }
}

fn reasons(tally: &Tally) -> String {
    tally.skipped.keys().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
