//! The answers of one engine by case: which are wrong, and why a case was not compared.

use std::borrow::Cow;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use suites::{Difference, SkipReason, Tally, catalogue};

use super::case::Case;
use super::figures::{self, Figure, draw_case, mate_case};
use crate::{CompareRow, DrawVerdict, MateVerdict, ProtocolVerdict, Run, SideState};

const NOT_ASKED: &str = CompareRow::NOT_ASKED;

/// What an engine did, as a word and in words.
pub(super) type Side = (SideState, String);

fn side(state: SideState, text: impl Into<String>) -> Side {
    (state, text.into())
}

/// The answers of one run.
pub(super) struct Answers<'a> {
    /// The wrong ones: the gravest of each case.
    pub(super) wrong: BTreeMap<Case<'a>, &'a Difference>,
    /// The counts of each case set.
    pub(super) tallies: BTreeMap<Case<'a>, &'a Tally>,
    /// The figures of the cases for which a report has some.
    pub(super) figures: BTreeMap<Case<'a>, Figure>,
    /// For each case with a row of its own in a report: why it was not compared, or `None` if it was
    /// compared.
    by_case: BTreeMap<Case<'a>, Option<(SideState, &'static str)>>,
}

impl<'a> Answers<'a> {
    /// The answers of a run. `counted` has the checks of both runs; a finding belongs to the family that
    /// counts it.
    pub(super) fn new(run: &'a Run, counted: &BTreeSet<&'a str>) -> Self {
        let engine = run.engine.as_ref().map(|card| card.name.as_str());
        let subject = |name: &'a str| match engine {
            Some(engine) => (engine == name).then_some(""),
            None => Some(name),
        };
        let mut wrong = BTreeMap::<Case, &Difference>::new();
        for found in &run.differences {
            let Some(subject) = subject(&found.subject) else { continue };
            let check = Case::check(&found.check, counted);
            match wrong.entry(Case { check, id: Cow::Borrowed(&found.case), subject }) {
                Entry::Vacant(place) => {
                    place.insert(found);
                }
                Entry::Occupied(mut place) => {
                    if catalogue::severity(&found.check) > catalogue::severity(&place.get().check) {
                        place.insert(found);
                    }
                }
            }
        }
        let of_tally = |tally: &'a Tally| {
            let subject = subject(&tally.subject)?;
            Some((Case { check: &tally.check, id: Cow::Borrowed(&tally.case_set), subject }, tally))
        };
        Self {
            wrong,
            tallies: run.tallies().filter_map(of_tally).collect(),
            figures: figures::of(run, subject),
            by_case: by_case(run, subject),
        }
    }

    /// Whether the case was compared and is not wrong.
    pub(super) fn is_right(&self, case: &Case) -> bool {
        matches!(self.answer(case).0, SideState::Agrees | SideState::NotWrong | SideState::Observed)
    }

    /// Whether the case was compared.
    pub(super) fn is_compared(&self, case: &Case) -> bool {
        self.wrong.contains_key(case) || self.figures.contains_key(case) || self.is_right(case)
    }

    /// The answer in a case that one of the two gets wrong.
    pub(super) fn answer(&self, case: &Case) -> Side {
        if let Some(found) = self.wrong.get(case) {
            return side(SideState::Differs, format!("{}{}", CompareRow::DIFFERS, found.stored));
        }
        match self.by_case.get(case) {
            Some(None) => return side(SideState::Agrees, CompareRow::AGREES),
            Some(Some((state @ SideState::NotCompared, why))) => {
                return side(*state, format!("not compared: {why}"));
            }
            Some(Some((state @ SideState::NotAsked, why))) if *why != NOT_ASKED => {
                return side(*state, format!("{NOT_ASKED}: {why}"));
            }
            Some(Some((state, words))) => return side(*state, *words),
            None => {}
        }
        let id = Cow::Borrowed(case.id.split('/').next().unwrap_or_default());
        let own = self.tallies.get(&Case { id, ..*case }).map(|tally| vec![*tally]);
        // A case that does not begin with its set may belong to any set of the check.
        let is_of_check = |set: &Case| {
            set.check == case.check && set.subject == case.subject && !Case::is_of_process(case.check)
        };
        let of_check =
            || self.tallies.iter().filter(|(set, _)| is_of_check(set)).map(|(_, tally)| *tally).collect();
        let sets: Vec<&Tally> = own.unwrap_or_else(of_check);
        let Some(part) = sets.iter().find(|tally| tally.skipped_total() > 0).or(sets.first()) else {
            return not_compared(None);
        };
        match part.skipped_total() {
            0 if part.compared() > 0 && part.observed > 0 => side(SideState::NotWrong, CompareRow::NOT_WRONG),
            0 if part.compared() > 0 => side(SideState::Agrees, CompareRow::AGREES),
            _ if part.compared() == 0 && (part.observed == 0 || part.skipped_total() == 0) => {
                not_compared(Some(part))
            }
            skipped => {
                let (state, word) = state_of_skipped(part);
                let (total, reasons) = (part.total(), reasons(part));
                side(
                    state,
                    format!("{word}, for all that is known: {skipped} of {total} were not, {reasons}"),
                )
            }
        }
    }

    /// Whether any case of a set was compared.
    pub(super) fn ran(&self, set: &Case) -> bool {
        self.tallies.get(set).is_some_and(|tally| tally.compared() > 0)
    }

    /// How many cases of a set have no answer that counts: see [`lost`].
    pub(super) fn not_asked(&self, set: &Case) -> u64 {
        self.tallies.get(set).map_or(0, |tally| lost(tally))
    }

    /// Why cases of a set were not compared.
    pub(super) fn why_not(&self, set: &Case) -> String {
        self.tallies.get(set).map_or(NOT_ASKED.to_owned(), |tally| reasons(tally))
    }

    /// How many cases of a set agree, or why none was compared.
    pub(super) fn counts(&self, set: &Case) -> Side {
        match self.tallies.get(set) {
            Some(tally) if tally.compared() > 0 => {
                let demanded = tally.total() - tally.observed;
                let agreed = format!("{} of {demanded} agree", tally.agreed);
                side(
                    SideState::Counted,
                    match lost(tally) {
                        0 => agreed,
                        lost => format!("{agreed}, {lost} not compared: {}", reasons(tally)),
                    },
                )
            }
            tally => not_compared(tally.copied()),
        }
    }
}

/// The cases that have a row of their own, with the reason if they were not compared.
fn by_case<'a>(
    run: &'a Run,
    subject: impl Fn(&'a str) -> Option<&'a str>,
) -> BTreeMap<Case<'a>, Option<(SideState, &'static str)>> {
    const OBSERVED: (SideState, &str) = (SideState::Observed, CompareRow::OBSERVED);
    let mates = run.mates.iter().filter_map(|row| {
        let why = match row.verdict {
            MateVerdict::NotFound | MateVerdict::NotToldApart | MateVerdict::Unknown => Some(OBSERVED),
            MateVerdict::NotAsked => Some((SideState::NotAsked, NOT_ASKED)),
            why @ (MateVerdict::Undecided | MateVerdict::Malformed | MateVerdict::Unanswered) => {
                Some((SideState::NotCompared, why.name()))
            }
            _ => None,
        };
        let id = mate_case(&row.suite, &row.case);
        Some((Case { check: "mate", id, subject: subject(&row.subject)? }, why))
    });
    let draws = run.draws.iter().filter_map(|row| {
        let why = match row.verdict {
            DrawVerdict::Found | DrawVerdict::Missed | DrawVerdict::NotToldApart => Some(OBSERVED),
            DrawVerdict::NotAsked => Some((SideState::NotAsked, NOT_ASKED)),
            why @ DrawVerdict::Unanswered => Some((SideState::NotCompared, why.name())),
            _ => None,
        };
        let id = draw_case(&row.case, row.tables);
        Some((Case { check: "draw", id, subject: subject(&row.subject)? }, why))
    });
    let mut cases: BTreeMap<_, _> = mates.chain(draws).collect();
    for row in &run.protocol {
        let why = match row.verdict {
            ProtocolVerdict::Agrees => None,
            ProtocolVerdict::Skipped => row.reason.map(of_reason),
            // A finding goes first. Without one the fault came once, or the author accepts it.
            ProtocolVerdict::Differs | ProtocolVerdict::Observed => {
                Some((SideState::NotCompared, "a fault came once, or is accepted"))
            }
        };
        let Some(subject) = subject(&row.subject) else { continue };
        let case = Case { check: &row.check, id: Cow::Borrowed(&row.case), subject };
        // An engine may declare an option twice: all cases of a name have to be compared.
        let known = cases.entry(case).or_insert(why);
        *known = known.or(why);
    }
    cases
}

fn not_compared(tally: Option<&Tally>) -> Side {
    match tally {
        None => side(SideState::NotAsked, NOT_ASKED),
        Some(tally) if tally.answered() > 0 && lost(tally) > 0 => {
            let (observed, lost, reasons) = (CompareRow::OBSERVED, lost(tally), reasons(tally));
            side(SideState::NotCompared, format!("{observed}; {lost} not compared: {reasons}"))
        }
        Some(tally) if tally.answered() > 0 => side(SideState::Observed, CompareRow::OBSERVED),
        Some(tally) => {
            let (state, word) = state_of_skipped(tally);
            side(state, format!("{word}: {}", reasons(tally)))
        }
    }
}

/// Why a case was not compared, and whether it was asked.
fn of_reason(reason: SkipReason) -> (SideState, &'static str) {
    let state = if is_unasked(reason) { SideState::NotAsked } else { SideState::NotCompared };
    (state, reason.name())
}

fn is_unasked(reason: SkipReason) -> bool {
    matches!(reason, SkipReason::OutOfTime | SkipReason::GivenUp)
}

/// Whether the skipped cases of a set were not asked, or asked and not compared.
fn state_of_skipped(tally: &Tally) -> (SideState, &'static str) {
    if tally.skipped.keys().copied().all(is_unasked) {
        (SideState::NotAsked, NOT_ASKED)
    } else {
        (SideState::NotCompared, "not compared")
    }
}

/// How many cases were not compared for a reason that lies with the engine or the run: a failure, no support,
/// or a count that was left out. Cases that an oracle could not decide do not count.
fn lost(tally: &Tally) -> u64 {
    // A program that counts slowly is asked smaller counts. The larger ones are left out.
    let is_lost = |reason: &SkipReason| {
        use SkipReason::{FailedElsewhere, LeftOut, Unsupported};
        reason.is_failure() || matches!(reason, Unsupported | FailedElsewhere | LeftOut)
    };
    tally.skipped.iter().filter(|(reason, _)| is_lost(reason)).map(|(_, cases)| cases).sum()
}

fn reasons(tally: &Tally) -> String {
    tally.skipped.keys().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
