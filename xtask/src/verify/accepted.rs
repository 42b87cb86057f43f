//! The findings that the author of an engine accepts, and whether a run still has them.

use std::collections::BTreeMap;

use anyhow::{anyhow, bail};
use chrono::NaiveDate;
use reports::CompareRow;
use suites::{Difference, SkipReason, Tally};
use wildmatch::WildMatchPattern;

use super::selection::{family, known as known_check};
use crate::today;

/// The parts of a finding that are compared with entries.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Finding<'a> {
    check: &'a str,
    case: &'a str,
    cause: &'a str,
}

impl<'a> From<&'a Difference> for Finding<'a> {
    fn from(found: &'a Difference) -> Self {
        Self { check: &found.check, case: &found.case, cause: found.cause_words() }
    }
}

impl<'a> From<&'a CompareRow> for Finding<'a> {
    fn from(row: &'a CompareRow) -> Self {
        Self { check: &row.check, case: &row.case, cause: &row.cause }
    }
}

/// What an entry names. The narrowest comes first.
#[derive(Debug, Clone, PartialEq, PartialOrd)]
enum Named {
    /// A cause, or a check and its case.
    Text(String),
    Check(String),
    Family(String),
    /// Any of these texts, with `*` for any letters.
    Pattern(String),
}

impl Named {
    fn parse(key: &str) -> Result<Self, String> {
        if key.contains('*') {
            return Ok(Self::Pattern(key.to_owned()));
        }
        match key.split_once(' ') {
            // A text that begins with the id of a check names a case. Any other text is a cause.
            Some((check, _)) if check.contains('/') => known_check(check).map(|_| Self::Text(key.to_owned())),
            Some(_) => Ok(Self::Text(key.to_owned())),
            None => known_check(key).map(|id| {
                if id.contains('/') { Self::Check(id) } else { Self::Family(family(&id).to_owned()) }
            }),
        }
    }

    fn names(&self, found: Finding) -> bool {
        let Finding { check, case, cause } = found;
        match self {
            Self::Text(text) => text == cause || *text == format!("{check} {case}"),
            Self::Check(id) => id == check,
            Self::Family(name) => name == family(check),
            Self::Pattern(pattern) => {
                let pattern = WildMatchPattern::<'*', '\0'>::new(pattern);
                [check, cause, &format!("{check} {case}")].into_iter().any(|text| pattern.matches(text))
            }
        }
    }

    /// The check or the family of checks that an entry is about; `None` for all.
    fn about(&self) -> Option<&str> {
        match self {
            Self::Check(id) | Self::Family(id) => Some(id),
            Self::Text(text) => text.split_once(' ').map(|(check, _)| check).filter(|id| id.contains('/')),
            Self::Pattern(_) => None,
        }
    }
}

/// An entry of `[accept]`.
#[derive(Debug, Clone)]
struct Entry {
    /// As the file has it.
    key: String,
    named: Named,
    reason: String,
    /// The last day on which it accepts.
    until: Option<NaiveDate>,
    expired: bool,
    /// How many findings it accepts, or would accept had it not expired.
    found: u64,
    /// Whether it names any finding, also one that a narrower entry accepts.
    matched: bool,
}

/// All entries for one engine.
#[derive(Debug, Clone, Default)]
pub(crate) struct Accepted {
    entries: Vec<Entry>,
}

/// A reason, and the last day on which it holds.
pub(crate) type Reason<'a> = (&'a str, Option<&'a str>);

impl Accepted {
    /// Checks the entries of a file on this day.
    ///
    /// # Errors
    /// A reason is empty, a day is not a date, or a text that looks like the id of a check is not one.
    pub(crate) fn new<'a>(
        file: impl IntoIterator<Item = (&'a str, Reason<'a>)>,
        today: NaiveDate,
    ) -> anyhow::Result<Self> {
        let mut entries = Vec::new();
        for (key, (reason, until)) in file {
            if reason.trim().is_empty() {
                bail!("[accept]: {key:?} has no reason");
            }
            let named = Named::parse(key).map_err(|error| anyhow!("[accept]: {key:?}: {error}"))?;
            let day = |text: &str| {
                let wrong = || anyhow!("[accept]: {key:?}: until is a day such as 2027-01-31, got {text:?}");
                today::day(text).ok_or_else(wrong)
            };
            let until = until.map(day).transpose()?;
            let expired = until.is_some_and(|until| until < today);
            let [key, reason] = [key, reason].map(str::to_owned);
            entries.push(Entry { key, named, reason, until, expired, found: 0, matched: false });
        }
        entries.sort_by(|one, other| one.named.partial_cmp(&other.named).expect("texts have an order"));
        Ok(Self { entries })
    }

    /// The reason why a finding is accepted. It is counted.
    pub(crate) fn accept<'a>(&mut self, found: impl Into<Finding<'a>>) -> Option<&str> {
        let found = found.into();
        let mut named: Vec<&mut Entry> =
            self.entries.iter_mut().filter(|entry| entry.named.names(found)).collect();
        for entry in &mut named {
            entry.matched = true;
        }
        let valid = named.iter().position(|entry| !entry.expired);
        let entry = named.into_iter().nth(valid.unwrap_or(0))?;
        entry.found += 1;
        (!entry.expired).then_some(entry.reason.as_str())
    }

    /// A line for each entry: how many findings it accepted, or whether it should be removed from the file.
    pub(crate) fn messages(&self, checked: &Checked) -> Vec<String> {
        self.entries.iter().map(|entry| entry.message(checked)).collect()
    }

    /// A line for each entry that has expired.
    pub(crate) fn expired(&self) -> Vec<String> {
        let nothing = Checked::default();
        self.entries.iter().filter(|entry| entry.expired).map(|entry| entry.message(&nothing)).collect()
    }

    /// An error for each entry that has expired. Also an error for each entry that matches no finding
    /// although all that it names was compared.
    pub(crate) fn faults(&self, checked: &Checked) -> Vec<String> {
        let fault = |entry: &Entry| match () {
            () if entry.expired => Some(format!("[accept]: {:?} has expired", entry.key)),
            () if entry.is_over(checked) => {
                Some(format!("[accept]: no finding matches {:?} any more; remove it", entry.key))
            }
            () => None,
        };
        self.entries.iter().filter_map(fault).collect()
    }
}

impl Entry {
    fn message(&self, checked: &Checked) -> String {
        let Self { key, reason, found, .. } = self;
        match self.until {
            Some(until) if self.expired => {
                let counts = if self.matched {
                    format!("findings that count again: {found}")
                } else {
                    "it found none".to_owned()
                };
                format!("expired: {key} was accepted until {until} ({reason}); {counts}")
            }
            _ if *found > 0 => format!("accepted: {found} of {key} ({reason})"),
            _ if self.matched => format!("note: {key} is accepted, and other entries accept all of it"),
            _ if self.is_over(checked) => {
                format!("note: {key} is accepted, and this run found none: remove it from [accept]")
            }
            _ => format!("note: {key} is accepted, and this run found none; not all of it was compared"),
        }
    }

    /// Whether no finding matches the entry although all that it names was compared.
    fn is_over(&self, checked: &Checked) -> bool {
        !self.matched && checked.is_whole(self.named.about())
    }
}

/// What a run compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Checked {
    /// The families of checks, and whether all their cases were compared.
    families: BTreeMap<String, bool>,
    /// The checks that were selected; empty for all.
    asked: Vec<String>,
    /// Whether all suites were run.
    all_suites: bool,
}

impl Checked {
    pub(crate) fn new<'a>(
        tallies: impl IntoIterator<Item = &'a Tally>,
        asked: &[String],
        all_suites: bool,
    ) -> Self {
        let mut families = BTreeMap::new();
        for tally in tallies {
            let whole = families.entry(family(&tally.check).to_owned()).or_insert(true);
            *whole &= tally.skipped.keys().all(|reason| is_decided(*reason));
        }
        Self { families, asked: asked.to_owned(), all_suites }
    }

    /// Whether all cases of a check or a family were compared. Without one, whether all cases of all checks
    /// were.
    fn is_whole(&self, about: Option<&str>) -> bool {
        match about {
            Some(id) if family(id) != "process" => {
                let of_family = |known: &String| !known.contains('/') && family(known) == family(id);
                let is_asked =
                    self.asked.is_empty() || self.asked.iter().any(|known| known == id || of_family(known));
                is_asked && self.families.get(family(id)) == Some(&true)
            }
            // Any search may have a failure of the process.
            _ => self.asked.is_empty() && self.all_suites && self.families.values().all(|whole| *whole),
        }
    }
}

/// Whether cases that were skipped for this reason have no further finding.
fn is_decided(reason: SkipReason) -> bool {
    matches!(reason, SkipReason::Accepted | SkipReason::Unsupported)
}

#[cfg(test)]
mod tests {
    use suites::Evidence;

    use super::*;

    const TODAY: NaiveDate = NaiveDate::from_ymd_opt(2027, 1, 31).expect("a day");

    fn accepted(keys: &[(&str, Option<&str>)]) -> anyhow::Result<Accepted> {
        Accepted::new(keys.iter().map(|(key, until)| (*key, ("planned", *until))), TODAY)
    }

    fn found(check: &str, case: &str, cause: &str) -> Difference {
        let cause = suites::Cause::read(cause.to_owned(), check);
        let [check, case] = [check, case].map(str::to_owned);
        Difference { check, case, cause, ..Difference::default() }
    }

    #[test]
    fn findings_are_named_in_five_ways() {
        let twofold = found("draw/twofold", "repetition/03", "a second occurrence counts");
        let check = |key: &str, expected: bool| {
            let mut accepted = accepted(&[(key, None)]).unwrap();
            assert_eq!(accepted.accept(&twofold).is_some(), expected, "{key}");
        };
        for key in [
            "draw",
            "draws",
            "draw/twofold",
            "draw/twofold repetition/03",
            "a second occurrence counts",
            "draw/*",
            "*repetition/0*",
            "a second * counts",
            "*",
        ] {
            check(key, true);
        }
        for key in ["mate", "draw/score", "draw/twofold repetition/04", "a second", "draw*score", "mate/*"] {
            check(key, false);
        }
    }

    #[test]
    fn wrong_entries_are_errors() {
        let check = |key: &str, until: Option<&str>, part: &str| {
            let error = accepted(&[(key, until)]).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        };
        check("draw/towfold", None, "\"draw/towfold\": there is no such check (did you mean draw/twofold");
        check("draw/towfold repetition/03", None, "did you mean draw/twofold");
        check("draw", Some("2027-02-31"), "a day such as 2027-01-31, got \"2027-02-31\"");
        check("draw", Some("soon"), "got \"soon\"");
        let error = Accepted::new([("draw", (" ", None))], TODAY).unwrap_err().to_string();
        assert_eq!(error, "[accept]: \"draw\" has no reason");
    }

    #[test]
    fn the_last_day_counts() {
        let finding = found("draw/twofold", "", "");
        let mut last = accepted(&[("draw", Some("2027-01-31"))]).unwrap();
        assert_eq!(last.accept(&finding), Some("planned"));
        let mut over = accepted(&[("draw", Some("2027-01-30"))]).unwrap();
        assert_eq!(over.accept(&finding), None);
        let checked = Checked::default();
        assert_eq!(
            over.messages(&checked),
            ["expired: draw was accepted until 2027-01-30 (planned); findings that count again: 1"]
        );
        assert_eq!(over.faults(&checked), ["[accept]: \"draw\" has expired"]);
        // Another entry may accept it still.
        let mut both = accepted(&[("draw", Some("2027-01-30")), ("draw/*", None)]).unwrap();
        assert_eq!(both.accept(&finding), Some("planned"));
    }

    #[test]
    fn an_entry_is_over_only_if_all_that_it_names_was_compared() {
        let check = |key: &str, reason: Option<SkipReason>, asked: &[&str], expected: bool| {
            let mut tally = Tally::new("mine", "draw", Evidence::Agreement, "repetition");
            tally.agreed = 3;
            if let Some(reason) = reason {
                tally.skip(reason, 1);
            }
            let asked: Vec<String> = asked.iter().map(|&id| id.to_owned()).collect();
            let checked = Checked::new([&tally], &asked, true);
            let faults = accepted(&[(key, None)]).unwrap().faults(&checked);
            assert_eq!(!faults.is_empty(), expected, "{key} {reason:?} {asked:?}");
        };
        check("draw/twofold", None, &["draws"], true);
        check("draw/twofold", None, &["draw/twofold"], true);
        check("draw/twofold", None, &["draw/score"], false);
        check("draw/twofold repetition/03", None, &["draw"], true);
        check("draw", None, &["draw/twofold"], false);
        check("draw", Some(SkipReason::Accepted), &[], true);
        check("draw", Some(SkipReason::OutOfTime), &[], false);
        check("mate", None, &[], false);
        check("a cause", None, &[], true);
        check("a cause", None, &["draw"], false);
        check("draw/t*", Some(SkipReason::LeftOut), &[], false);
        check("process", None, &["process"], false);
    }

    #[test]
    fn the_narrowest_entry_counts() {
        let mut both = accepted(&[("draw", None), ("draw/twofold", None)]).unwrap();
        both.accept(&found("draw/twofold", "", ""));
        let messages = both.messages(&Checked::default());
        assert_eq!(messages[0], "accepted: 1 of draw/twofold (planned)");
        assert_eq!(messages[1], "note: draw is accepted, and other entries accept all of it");
        assert!(both.faults(&Checked::default()).is_empty());
    }
}
