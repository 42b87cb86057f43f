//! Compares two engines: the cases that one of them gets wrong and the other does not.
//!
//! Both runs have the same suites and checks, and one engine each. Compared are the cases that are wrong and the checks that could
//! run, not the exact answers. If some cases of a set were not asked and no report has a row for each case, none of them counts as
//! right.

use std::collections::{BTreeMap, BTreeSet};

use suites::{Difference, SkipReason, Tally, catalogue};

use crate::{CompareRow, DrawVerdict, MateVerdict, Run};

const AGREES: &str = CompareRow::AGREES;
const DIFFERS: &str = CompareRow::DIFFERS;
const NOT_ASKED: &str = CompareRow::NOT_ASKED;
const OBSERVED: &str = CompareRow::OBSERVED;

/// The rows of two runs, one engine each, in their order. Checks of other subjects, such as the tables, are left out.
pub fn compare(a: &Run, b: &Run) -> Vec<CompareRow> {
    let counted: BTreeSet<&str> = a.tallies().chain(b.tallies()).map(|tally| tally.check.as_str()).collect();
    let [a, b] = [a, b].map(|run| Answers::new(run, &counted));
    let row = |check: &str, case: &str, a: String, b: String| CompareRow {
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
                Some(row(&found.check, case.1, a.answer(case), b.answer(case)))
            }
            (Some(of_a), Some(of_b)) => {
                let [grave_a, grave_b] = [of_a, of_b].map(|found| catalogue::severity(&found.check));
                let answer = |found: &Difference, is_lesser| {
                    format!("{}{}", if is_lesser { CompareRow::LESSER } else { DIFFERS }, found.stored)
                };
                let graver = if grave_a > grave_b { of_a } else { of_b };
                let [a, b] = [answer(of_a, grave_a < grave_b), answer(of_b, grave_b < grave_a)];
                (grave_a != grave_b).then(|| row(&graver.check, case.1, a, b))
            }
            (None, None) => None,
        })
        .collect();
    let sets: BTreeSet<&Case> = a.tallies.keys().chain(b.tallies.keys()).collect();
    let skipped = sets.into_iter().filter(|set| a.ran(set) != b.ran(set));
    rows.extend(skipped.map(|set| row(set.0, set.1, a.counts(set), b.counts(set))));
    rows.sort();
    rows
}

/// A check, which may be a family, and a case or case set.
type Case<'a> = (&'a str, &'a str);

/// What one of the two engines answered.
struct Answers<'a> {
    wrong: BTreeMap<Case<'a>, &'a Difference>,
    tallies: BTreeMap<Case<'a>, &'a Tally>,
    /// The cases that have a row of their own in a report: why they were not compared; `None` for those that were.
    by_case: BTreeMap<String, Option<&'static str>>,
}

impl<'a> Answers<'a> {
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
            by_case: by_case(run, is_own),
        }
    }

    /// The answer in a case that one of the two gets wrong.
    fn answer(&self, case: &Case) -> String {
        if let Some(found) = self.wrong.get(case) {
            return format!("{DIFFERS}{}", found.stored);
        }
        match self.by_case.get(&format!("{}/{}", case.0, case.1)) {
            Some(None) => return AGREES.to_owned(),
            Some(Some(reason @ (NOT_ASKED | OBSERVED))) => return (*reason).to_owned(),
            Some(Some(why)) => return format!("not compared: {why}"),
            None => {}
        }
        let set = (case.0, case.1.split('/').next().unwrap_or_default());
        let own = self.tallies.get(&set).map(|tally| vec![*tally]);
        // A case that does not begin with its set may belong to any set of the check.
        let of_check =
            || self.tallies.iter().filter(|((check, _), _)| *check == case.0).map(|(_, tally)| *tally);
        let sets = own.unwrap_or_else(|| of_check().collect());
        let Some(part) = sets.iter().find(|tally| tally.skipped_total() > 0).or(sets.first()) else {
            return not_compared(None);
        };
        match part.skipped_total() {
            0 if part.compared() > 0 && part.observed > 0 => CompareRow::NOT_WRONG.to_owned(),
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

    /// Whether any case of a set was compared.
    fn ran(&self, set: &Case) -> bool {
        self.tallies.get(set).is_some_and(|tally| tally.compared() > 0)
    }

    /// How many cases of a set agree, or why none was compared.
    fn counts(&self, set: &Case) -> String {
        match self.tallies.get(set) {
            Some(tally) if tally.compared() > 0 => {
                format!("{} of {} agree", tally.agreed, tally.total() - tally.observed)
            }
            tally => not_compared(tally.copied()),
        }
    }
}

/// The cases that have a row of their own, by family and id; with the reason if they were not compared.
fn by_case(run: &Run, is_own: impl Fn(&str) -> bool) -> BTreeMap<String, Option<&'static str>> {
    let mates = run.mates.iter().filter(|row| is_own(&row.subject)).flat_map(|row| {
        let why = match row.verdict {
            MateVerdict::NotFound | MateVerdict::NotToldApart | MateVerdict::Unknown => Some(OBSERVED),
            why @ (MateVerdict::Undecided | MateVerdict::Malformed | MateVerdict::NotAsked) => {
                Some(why.name())
            }
            _ => None,
        };
        // Ids of cases from files begin with the file.
        [(format!("mate/{}", row.case), why), (format!("mate/{}/{}", row.suite, row.case), why)]
    });
    let draws = run.draws.iter().filter(|row| is_own(&row.subject)).map(|row| {
        let off = if row.tables { "" } else { " without tables" };
        let why = match row.verdict {
            DrawVerdict::Found | DrawVerdict::Missed | DrawVerdict::NotToldApart => Some(OBSERVED),
            DrawVerdict::NotAsked => Some(NOT_ASKED),
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

/// Whether the skipped cases of a set were not asked, or asked and not compared.
fn word(tally: &Tally) -> &'static str {
    let not_asked = |reason: &SkipReason| matches!(reason, SkipReason::OutOfTime | SkipReason::GivenUp);
    if tally.skipped.keys().all(not_asked) { NOT_ASKED } else { "not compared" }
}

fn reasons(tally: &Tally) -> String {
    tally.skipped.keys().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
