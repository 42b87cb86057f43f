//! A line for each check, and one for all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::time::Duration;

use suites::catalogue::Severity;
use suites::{Evidence, Tally};

use crate::layout::{Align, grouped, plain, table};
use crate::run::is_not_built;
use crate::{CheckRun, Run};

/// How many case sets a line names, and with how many letters at most, before it counts the rest.
const NAMED_CASE_SETS: usize = 8;
const LETTERS_OF_NAMES: usize = 48;
/// The fewest columns in which lines are broken.
const NARROWEST: usize = 40;

/// A heading for each subject, then a line for each check over all its case sets. Checks of one family in
/// which nothing differs share a line.
pub fn checks(checks: &[CheckRun]) -> String {
    within(checks.iter(), None)
}

/// The same in this many columns. Lines name fewer case sets, and a line that is still too long is broken.
pub(super) fn within<'a>(checks: impl Iterator<Item = &'a CheckRun>, width: Option<usize>) -> String {
    let checks: Vec<&CheckRun> = checks.collect();
    let Some(width) = width else { return lines(&checks, LETTERS_OF_NAMES) };
    let fits = |text: &String| text.lines().all(|line| line.chars().count() <= width);
    let fewer = (0..=LETTERS_OF_NAMES).rev().map(|letters| lines(&checks, letters));
    let text = fewer.into_iter().find(fits).unwrap_or_else(|| lines(&checks, 0));
    let options = textwrap::Options::new(width.max(NARROWEST)).subsequent_indent("      ");
    let lines: Vec<String> = text.lines().map(|line| textwrap::fill(line, &options)).collect();
    if lines.is_empty() { text } else { lines.join("\n") + "\n" }
}

fn lines(checks: &[&CheckRun], letters: usize) -> String {
    let columns =
        [Align::Left, Align::Left, Align::Left, Align::Right, Align::Right, Align::Left, Align::Right];
    let lines = named(checks, letters);
    let rows: Vec<_> = lines.values().flatten().map(|(cells, _)| cells.clone()).collect();
    let mut rows = table(&columns, &rows).into_iter();
    let mut text = String::new();
    for (subject, lines) in lines {
        let _ = writeln!(text, "{subject}");
        for row in rows.by_ref().take(lines.len()) {
            let _ = writeln!(text, "  {row}");
        }
    }
    text
}

/// The lines of the checks of a subject, with their counts.
type Lines = Vec<([String; 7], Tally)>;

/// For each subject the lines of its checks: check or family, evidence, case sets, the number of cases that
/// agree and of those that should, observed, what else, and time.
pub(crate) fn by_subject(checks: &[&CheckRun]) -> BTreeMap<String, Lines> {
    named(checks, LETTERS_OF_NAMES)
}

/// The same with the names of case sets in at most this many letters.
fn named(checks: &[&CheckRun], letters: usize) -> BTreeMap<String, Lines> {
    let mut lines = BTreeMap::<Key, Line>::new();
    for check in checks {
        let Tally { subject, check: id, evidence, .. } = &check.tally;
        lines.entry((subject, id, *evidence)).or_default().add(check);
    }
    let lines = by_family(lines);
    let mut subjects = BTreeMap::<String, Vec<_>>::new();
    for ((subject, id, evidence), line) in lines {
        let cells = line.cells(id, evidence, letters);
        subjects.entry(plain(subject)).or_default().push((cells, line.total));
    }
    subjects
}

/// Subject, check or family, evidence.
type Key<'a> = (&'a str, &'a str, Evidence);

/// Joins the lines of each family in which nothing differs.
fn by_family<'a>(lines: BTreeMap<Key<'a>, Line>) -> BTreeMap<Key<'a>, Line> {
    let family = |&(subject, id, evidence): &Key<'a>, line: &Line| {
        let (family, _) = id.split_once('/').filter(|_| line.is_quiet())?;
        Some((subject, family, evidence))
    };
    let mut members = BTreeMap::<Key, usize>::new();
    for key in lines.iter().filter_map(|(key, line)| family(key, line)) {
        *members.entry(key).or_default() += 1;
    }
    let mut shared = BTreeMap::<Key, Line>::new();
    for (key, line) in lines {
        match family(&key, &line).filter(|family| members[family] > 1) {
            Some(family) => shared.entry(family).or_default().absorb(&line),
            None => {
                shared.insert(key, line);
            }
        }
    }
    shared
}

/// A line for each subject over all its checks, and one for the tables that judged an engine, if they are
/// right. Checks that are not in this build do not count.
pub fn summary(run: &Run) -> String {
    let mut text = by_tallies(run.shown_checks().map(|check| &check.tally));
    if let Some((agreed, checks)) = run.certified() {
        let _ = writeln!(
            text,
            "judged by certified tables: {0} of {0} agree, in {checks} checks",
            grouped(agreed)
        );
    }
    text
}

/// A line for each subject over all its checks.
pub fn by_tallies<'a>(tallies: impl IntoIterator<Item = &'a Tally>) -> String {
    let mut subjects = BTreeMap::<&str, (BTreeSet<&str>, Tally)>::new();
    for tally in tallies.into_iter().filter(|tally| !is_not_built(tally)) {
        let (checks, total) = subjects.entry(&tally.subject).or_insert_with(|| (BTreeSet::new(), empty()));
        checks.insert(&tally.check);
        total.absorb(tally);
    }
    let line = |(subject, (checks, total)): (&str, (BTreeSet<&str>, Tally))| {
        let [figures, words, observed] = outcome(&total);
        let counted = if figures.is_empty() { words } else { format!("{figures} {words}") };
        let checks = match checks.len() {
            1 => "in 1 check".to_owned(),
            several => format!("in {} checks", grouped(several as u64)),
        };
        let parts = [counted, observed, checks].into_iter().filter(|part| !part.is_empty());
        format!("{}: {}\n", plain(subject), parts.collect::<Vec<_>>().join(", "))
    };
    subjects.into_iter().map(line).collect()
}

/// One check over all its case sets.
struct Line {
    /// How many checks share the line; 0 if it is a single check.
    checks: usize,
    case_sets: BTreeSet<String>,
    total: Tally,
    duration: Option<Duration>,
}

impl Default for Line {
    fn default() -> Self {
        Self { checks: 0, case_sets: BTreeSet::new(), total: empty(), duration: None }
    }
}

impl Line {
    fn add(&mut self, check: &CheckRun) {
        self.case_sets.insert(plain(&check.tally.case_set));
        self.total.absorb(&check.tally);
        if let Some(duration) = check.duration {
            *self.duration.get_or_insert_default() += duration;
        }
    }

    /// Adds a check of the same family.
    fn absorb(&mut self, other: &Self) {
        self.checks += 1;
        self.total.absorb(&other.total);
        if let Some(duration) = other.duration {
            *self.duration.get_or_insert_default() += duration;
        }
    }

    /// Whether nothing differs and nothing failed to run.
    fn is_quiet(&self) -> bool {
        let could_not_run = self.total.skipped.keys().any(|reason| reason.is_failure());
        self.total.total() > 0 && self.total.differed == 0 && !could_not_run
    }

    fn cells(&self, check: &str, evidence: Evidence, letters: usize) -> [String; 7] {
        let [figures, words, observed] = outcome(&self.total);
        let time = self.duration.map(|duration| format!("{:.2} s", duration.as_secs_f64()));
        [
            plain(check),
            evidence.to_string(),
            self.named(letters),
            figures,
            observed,
            words,
            time.unwrap_or_default(),
        ]
    }

    fn named(&self, most: usize) -> String {
        if self.checks > 0 {
            return format!("{} checks", grouped(self.checks as u64));
        }
        let mut letters = 0;
        let fits = |name: &&String| {
            letters += name.chars().count() + 1;
            letters <= most
        };
        let mut names: Vec<String> =
            self.case_sets.iter().take(NAMED_CASE_SETS).take_while(fits).cloned().collect();
        let more = self.case_sets.len() - names.len();
        match (names.len(), more) {
            (_, 0) => {}
            (0, 1) => names.push("1 set".to_owned()),
            (0, _) => names.push(format!("{more} sets")),
            _ => names.push(format!("and {more} more")),
        }
        names.join(" ")
    }
}

fn empty() -> Tally {
    Tally::new("", "", Evidence::Agreement, "")
}

/// The severities of the differences in brackets, the gravest first; empty if all are errors.
fn severities(tally: &Tally) -> String {
    let counted = Severity::ALL.into_iter().rev().map(|severity| (severity, tally.differed_with(severity)));
    let named: Vec<(String, u64)> = counted
        .filter(|(_, count)| *count > 0)
        .map(|(severity, count)| (format!("{severity}{}", if count == 1 { "" } else { "s" }), count))
        .collect();
    match named.as_slice() {
        _ if tally.lesser.is_empty() => String::new(),
        [(name, _)] => format!(" ({name})"),
        several => {
            let several = several.iter().map(|(name, count)| format!("{} {name}", grouped(*count)));
            format!(" ({})", several.collect::<Vec<_>>().join(", "))
        }
    }
}

/// How many of how many agree, what happened to the others, and how many were observed.
fn outcome(tally: &Tally) -> [String; 3] {
    if is_not_built(tally) {
        return [String::new(), "not in this build".to_owned(), String::new()];
    }
    if tally.total() == 0 {
        return [String::new(), "nothing compared".to_owned(), String::new()];
    }
    let mut words = Vec::new();
    if tally.compared() > 0 {
        words.push("agree".to_owned());
    }
    if tally.differed > 0 {
        words.push(format!("{} differ{}", grouped(tally.differed), severities(tally)));
    }
    if tally.skipped_total() > 0 {
        let reasons = tally.skipped.iter().filter(|(_, cases)| **cases > 0);
        let reasons = reasons.map(|(reason, &cases)| format!("{} {reason}", grouped(cases)));
        words.push(format!("not compared: {}", reasons.collect::<Vec<_>>().join(", ")));
    }
    let demanded = tally.total() - tally.observed;
    let figures = if demanded > 0 {
        format!("{} of {}", grouped(tally.agreed), grouped(demanded))
    } else {
        String::new()
    };
    let observed =
        if tally.observed > 0 { format!("{} observed", grouped(tally.observed)) } else { String::new() };
    [figures, words.join(", "), observed]
}
