//! Compares two engines, or two versions of one, case by case.
//!
//! Both runs have the same suites and checks. If some cases of a set were not asked and no report has a row
//! for each case, none of them counts as right. A run of an engine has one subject; in a run of tables the
//! subjects are part of the case.

mod answers;
mod case;
mod figures;
mod further;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use suites::{Difference, Tally, catalogue};

use answers::{Answers, Side};
use case::Case;
pub use further::{excuse, insist};

use crate::order::sorted;
use crate::{CompareRow, CompareVerdict, Run, SideState};

/// The cases that one of two engines gets wrong and the other does not, and the case sets that only one of
/// them was asked, in order. Checks of other subjects than the engines are left out.
pub fn compare(a: &Run, b: &Run) -> Vec<CompareRow> {
    // Two different engines may support different parts of a case set.
    let mut rows = rows(a, b, |set, a, b| !(a.ran(set) && b.ran(set)));
    rows.retain(|row| row.verdict != CompareVerdict::Changed);
    rows
}

/// As [`compare`], and also the cases in which the answers differ and neither is better.
pub fn changes(a: &Run, b: &Run) -> Vec<CompareRow> {
    rows(a, b, |_, _, _| true)
}

/// All rows, with those of case sets that `is_shown` selects.
fn rows(a: &Run, b: &Run, is_shown: impl Fn(&Case, &Answers, &Answers) -> bool) -> Vec<CompareRow> {
    let counted = counted([a, b]);
    let [a, b] = [a, b].map(|run| Answers::new(run, &counted));
    let cases: BTreeSet<&Case> = a.wrong.keys().chain(b.wrong.keys()).collect();
    let mut rows: Vec<CompareRow> = cases.into_iter().filter_map(|case| wrong_case(case, &a, &b)).collect();
    let sets: BTreeSet<&Case> = a.tallies.keys().chain(b.tallies.keys()).collect();
    let sets = sets.into_iter().filter(|set| is_shown(set, &a, &b));
    rows.extend(sets.filter_map(|set| skipped_set(set, &a, &b)));
    rows.extend(a.figures.keys().filter_map(|case| other_figure(case, &a, &b)));
    sorted(rows)
}

/// Corrects the changes between the runs `first` by the runs `again`, in which both engines were asked again.
/// Each pair has the run of the old version first. Returns how many changes stay as they are, since `again` did not
/// compare their cases on both sides.
///
/// A change that did not come again becomes flaky. So does a finding that the old version had in the first run and
/// the new one in the second, and a failure of the process that both versions have by chance: they fail about as
/// often, by the cases that each answered, and the same case did not fail again.
pub fn confirm(rows: &mut Vec<CompareRow>, first: [&Run; 2], again: [&Run; 2]) -> usize {
    use CompareVerdict::{Accepted, Broken, Changed, Fixed, Flaky, OnlyA, OnlyB};
    let counted = counted(again);
    let mut of_again = changes(again[0], again[1]);
    of_again.retain(|row| !row.tells_nothing());
    let key = |row: &CompareRow| (Case::check(&row.check, &counted).to_owned(), same_failure(row).to_owned());
    let mut by_key = BTreeMap::<(String, String), Vec<&CompareRow>>::new();
    for row in &of_again {
        by_key.entry(key(row)).or_default().push(row);
    }
    let answers = again.map(|run| Answers::new(run, &counted));
    let chances = Chances::of([first, again], rows.iter().chain(&of_again));
    let comes_again =
        |row: &CompareRow, found: &CompareRow| found.verdict == row.verdict && !chances.explain(row, found);
    let mut open = 0;
    rows.retain_mut(|row| {
        let found = by_key.get(&key(row)).map(Vec::as_slice).unwrap_or_default();
        let check = Case::check(&row.check, &counted);
        let case = Case { check, id: Cow::Borrowed(&row.case), subject: "" };
        let is_compared = match row.severity {
            // A case set counts as compared if both engines compared some of its cases.
            None if matches!(row.verdict, OnlyA | OnlyB) => answers.iter().all(|answers| answers.ran(&case)),
            _ => answers.iter().all(|answers| answers.is_compared(&case)),
        };
        match row.verdict {
            Broken | Fixed | Changed if found.iter().any(|found| comes_again(row, found)) => {}
            Broken | Fixed | Changed if is_compared => row.verdict = Flaky,
            Broken | Fixed if chances.are_alike(row) => row.verdict = Flaky,
            OnlyA | OnlyB => match same_case(row, found) {
                Some(found) if is_contrary(row, found) => row.verdict = Flaky,
                Some(found) if chances.explain(row, found) => row.verdict = Flaky,
                Some(found) => row.clone_from(found),
                None if is_compared => return false,
                None => open += 1,
            },
            Broken | Fixed | Changed => open += 1,
            Flaky | Accepted => {}
        }
        true
    });
    open
}

/// How often the processes of each version failed in all runs, by the failure. A race shows in any case, and a busy
/// machine shows it more often.
struct Chances([Failures; 2]);

#[derive(Default)]
struct Failures {
    /// How often a failure came once, and how often it came again at once.
    counts: BTreeMap<String, [u64; 2]>,
    /// How many cases have an answer. A version that fails often is given up early.
    answered: u64,
}

impl Chances {
    fn of<'a>(runs: [[&Run; 2]; 2], rows: impl Iterator<Item = &'a CompareRow>) -> Self {
        let mut sides = [Failures::default(), Failures::default()];
        for pair in runs {
            for (run, side) in pair.into_iter().zip(&mut sides) {
                side.answered += run.judged().map(Tally::answered).sum::<u64>();
            }
        }
        for row in rows.filter(|row| Case::is_of_process(&row.check)) {
            let came_again = usize::from(row.verdict != CompareVerdict::Flaky);
            let answers = [(&row.a, row.a_state), (&row.b, row.b_state)];
            for ((failure, state), side) in answers.into_iter().zip(&mut sides) {
                if state == Some(SideState::Differs) {
                    side.counts.entry(failure.clone()).or_default()[came_again] += 1;
                }
            }
        }
        Self(sides)
    }

    /// The failures of the version that failed in this row, and those of the other one, with the failure.
    fn sides<'a>(&self, row: &'a CompareRow) -> (&Failures, &Failures, &'a str) {
        let [a, b] = &self.0;
        if row.verdict == CompareVerdict::Fixed { (a, b, &row.a) } else { (b, a, &row.b) }
    }

    /// Whether both versions failed as in this row, and the one that failed in it has also failed once only, and
    /// at most twice as often as the other one, by the cases that it answered.
    fn are_alike(&self, row: &CompareRow) -> bool {
        let (own, other, failure) = self.sides(row);
        let of = |side: &Failures| side.counts.get(failure).copied().unwrap_or_default();
        let [own_count, other_count] = [own, other].map(|side| of(side).iter().sum::<u64>());
        Case::is_of_process(&row.check)
            && of(own)[0] > 0
            && own_count * other.answered <= 2 * other_count * own.answered
    }

    /// Whether a failure may have come again by chance: it came in another case, both versions fail about as
    /// often, and the other version too has failed twice at once.
    fn explain(&self, row: &CompareRow, again: &CompareRow) -> bool {
        let (_, other, failure) = self.sides(again);
        let has_failed_twice = other.counts.get(failure).is_some_and(|counts| counts[1] > 0);
        again.case != row.case && has_failed_twice && self.are_alike(again)
    }
}

/// Whether the two runs contradict each other: the version that was wrong at first is right now, and the other
/// one is wrong now, in the same way.
fn is_contrary(row: &CompareRow, again: &CompareRow) -> bool {
    use CompareVerdict::{Broken, Fixed, OnlyA, OnlyB};
    row.severity.is_some()
        && match (row.verdict, again.verdict) {
            (OnlyA, Broken) => row.a == again.b,
            (OnlyB, Fixed) => row.b == again.a,
            _ => false,
        }
}

/// What came again of a row: its case; else, for a failure of the process, the first of the same set.
fn same_case<'a>(row: &CompareRow, found: &[&'a CompareRow]) -> Option<&'a CompareRow> {
    let is_case = |found: &&CompareRow| found.severity.is_some() == row.severity.is_some();
    let mut of_set = found.iter().copied().filter(is_case);
    let same = of_set.clone().find(|found| found.case == row.case);
    same.or_else(|| of_set.next().filter(|_| Case::is_of_process(&row.check)))
}

/// What must come again for a row: its case; for a failure of the process, any case of the same set; for a
/// finding of the protocol, any case of its check. One case stands for all that fail in the same way, and the
/// next run may choose another one.
fn same_failure(row: &CompareRow) -> &str {
    if row.severity.is_some() && row.check.starts_with("protocol/") {
        return "";
    }
    let set = row.case.split('/').next().filter(|_| Case::is_of_process(&row.check));
    set.unwrap_or(&row.case)
}

/// The checks that count cases in any of the runs.
fn counted(runs: [&Run; 2]) -> BTreeSet<&str> {
    runs.into_iter().flat_map(Run::tallies).map(|tally| tally.check.as_str()).collect()
}

/// The row of a case that at least one of the two gets wrong; `None` if both give the same wrong answer.
fn wrong_case(case: &Case, a: &Answers, b: &Answers) -> Option<CompareRow> {
    let (found, verdict) = match (a.wrong.get(case), b.wrong.get(case)) {
        (Some(of_a), Some(of_b)) => return both_wrong(case, of_a, of_b),
        (Some(found), None) => {
            let verdict = if b.is_right(case) { CompareVerdict::Fixed } else { CompareVerdict::OnlyA };
            (found, verdict)
        }
        (None, found) => {
            let verdict = if a.is_right(case) { CompareVerdict::Broken } else { CompareVerdict::OnlyB };
            (found?, verdict)
        }
    };
    Some(with_sides(row(case, found, verdict), a.answer(case), b.answer(case)))
}

fn both_wrong(case: &Case, of_a: &Difference, of_b: &Difference) -> Option<CompareRow> {
    let [grave_a, grave_b] = [of_a, of_b].map(|found| catalogue::severity(&found.check));
    let answer = |found: &Difference, is_lesser| {
        format!("{}{}", if is_lesser { CompareRow::LESSER } else { CompareRow::DIFFERS }, found.stored)
    };
    let (found, verdict) = match grave_a.cmp(&grave_b) {
        std::cmp::Ordering::Greater => (of_a, CompareVerdict::Fixed),
        std::cmp::Ordering::Less => (of_b, CompareVerdict::Broken),
        std::cmp::Ordering::Equal
            if of_a.check == of_b.check && of_a.stored.to_string() == of_b.stored.to_string() =>
        {
            return None;
        }
        std::cmp::Ordering::Equal => (of_b, CompareVerdict::Changed),
    };
    let [a, b] = [answer(of_a, grave_a < grave_b), answer(of_b, grave_b < grave_a)];
    let state = Some(SideState::Differs);
    Some(CompareRow { a, b, a_state: state, b_state: state, ..row(case, found, verdict) })
}

/// The row with what both did.
fn with_sides(row: CompareRow, (a_state, a): Side, (b_state, b): Side) -> CompareRow {
    CompareRow { a, b, a_state: Some(a_state), b_state: Some(b_state), ..row }
}

/// A row with the wrong answer `found`. An answer that did not come again in its own run is flaky, whatever
/// the other engine answered.
fn row(case: &Case, found: &Difference, verdict: CompareVerdict) -> CompareRow {
    let verdict = if found.check.ends_with("/flaky") { CompareVerdict::Flaky } else { verdict };
    CompareRow {
        check: found.check.clone(),
        case: case.shown(),
        verdict,
        severity: Some(catalogue::severity(&found.check)),
        fen: found.fen.clone(),
        expected: found.expected.to_string(),
        source: found.source.clone(),
        explanation: found.explanation.clone(),
        cause: crate::causes::cause_or_check(found).to_owned(),
        replay: found.replay.to_string(),
        moves: found.played.as_ref().map(|played| played.moves.join(" ")).unwrap_or_default(),
        position_after: found.played.as_ref().map(|played| played.fen.clone()).unwrap_or_default(),
        given: found.given.clone().unwrap_or_default(),
        best: found.best.join(" "),
        ..CompareRow::default()
    }
}

/// The row of a case set if only one of the two compared cases of it, or if one of them was asked fewer cases
/// than the other. The cause of the row says why.
fn skipped_set(set: &Case, a: &Answers, b: &Answers) -> Option<CompareRow> {
    // A failure of the process is counted in each of its checks; the cases that it cost are counted
    // elsewhere.
    let not_asked =
        |answers: &Answers| if Case::is_of_process(set.check) { 0 } else { answers.not_asked(set) };
    let verdict = match ((a.ran(set), not_asked(a)), (b.ran(set), not_asked(b))) {
        ((true, _), (false, _)) => CompareVerdict::OnlyA,
        ((false, _), (true, _)) => CompareVerdict::OnlyB,
        ((true, of_a), (true, of_b)) if of_a < of_b => CompareVerdict::OnlyA,
        ((true, of_a), (true, of_b)) if of_a > of_b => CompareVerdict::OnlyB,
        _ => return None,
    };
    let fewer = if verdict == CompareVerdict::OnlyA { b } else { a };
    let (check, case) = (set.check.to_owned(), set.shown());
    let (of_a, of_b, cause) = (a.counts(set), b.counts(set), fewer.why_not(set));
    Some(with_sides(CompareRow { check, case, verdict, cause, ..CompareRow::default() }, of_a, of_b))
}

/// The row of a case in which neither is wrong and the figures differ.
fn other_figure(case: &Case, a: &Answers, b: &Answers) -> Option<CompareRow> {
    if a.wrong.contains_key(case) || b.wrong.contains_key(case) {
        return None;
    }
    let (of_a, of_b) = (a.figures.get(case)?, b.figures.get(case)?);
    let cause = of_a.changed(of_b)?;
    Some(CompareRow {
        check: case.check.to_owned(),
        case: case.shown(),
        a: of_a.to_string(),
        b: of_b.to_string(),
        a_state: Some(SideState::Counted),
        b_state: Some(SideState::Counted),
        cause: cause.to_owned(),
        ..CompareRow::default()
    })
}
