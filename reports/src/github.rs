//! GitHub workflow annotations: messages that GitHub shows beside a workflow run.
//!
//! Format and escaping:
//! <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.

use std::fmt::Write as _;

use suites::catalogue::Severity;
use suites::{SkipReason, Tally};

use crate::RegressionVerdict::{Broken, Changed, Fixed};
use crate::replays::Replays;
use crate::run::stops;
use crate::text::MORE_TIME;
use crate::{
    CauseGroup, CheckRow, DifferenceRow, RegressionRow, RegressionVerdict, Row, Run, SignatureRow, causes,
    finding,
};

/// Errors, warnings and notices for differences, by severity; errors for regressions, warnings for checks
/// that could not run, notices for fixes and changed signatures. Each list has at most `shown` entries and
/// one more that counts the rest. All checks without a compared case because of the time limit share one
/// warning.
pub fn annotations(run: &Run, shown: usize) -> String {
    let replays = run.replays();
    let [notes, warnings, errors] = Severity::ALL.map(|severity| {
        let groups: Vec<CauseGroup> =
            causes(run.differences_with(severity)).into_iter().take(shown).collect();
        let listed: u64 = groups.iter().map(CauseGroup::count).sum();
        let hidden = run.differed_with(severity).saturating_sub(listed);
        with_rest(
            level(severity),
            groups.iter().map(|group| {
                of_group(group, run.answer_word(&group.first.check, &group.first.subject), &replays)
            }),
            hidden,
            DifferenceRow::FILE,
        )
    });
    // A broken row of the list of differences is a difference, and the differences are listed already.
    let broken = regression(run, Broken).filter(|row| row.report != DifferenceRow::FILE).map(of_change);
    let signatures = regression(run, Changed).filter(|row| row.report == SignatureRow::FILE);
    let notices = regression(run, Fixed).chain(signatures).map(of_change);
    let (late, others): (Vec<_>, Vec<_>) = run.tallies().partition(|tally| is_only_late(tally));
    let late = of_time(late, shown);
    let mut not_run: Vec<Note> = others.into_iter().filter_map(of_tally).collect();
    not_run.sort();
    [
        errors,
        bounded("error", broken, shown, RegressionRow::FILE),
        warnings,
        late.map(|note| line("warning", &note)).unwrap_or_default(),
        bounded("warning", not_run.iter().cloned(), shown, CheckRow::FILE),
        notes,
        bounded("notice", notices, shown, RegressionRow::FILE),
    ]
    .concat()
}

/// GitHub's name for a severity.
fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    }
}

/// Title and message.
type Note = (String, String);

/// The first difference of a cause, and how many others there are.
fn of_group(group: &CauseGroup, answer: &'static str, replays: &Replays) -> Note {
    let found = group.first;
    let title = finding::title_of(found);
    let lines = finding::lines(group, answer, replays).into_iter().map(|(name, text)| match name {
        "replay" => text,
        _ => format!("{name} {text}"),
    });
    (format!("{}: {title}", found.subject), lines.collect::<Vec<_>>().join("\n"))
}

fn of_change(row: &RegressionRow) -> Note {
    let RegressionRow { report, case, before, after, verdict } = row;
    (format!("{} {case}", verdict.name()), format!("{report}\nbefore {before}\nafter {after}"))
}

/// The reasons for which a check could not run, if any.
fn of_tally(tally: &Tally) -> Option<Note> {
    let stopped = tally.skipped.iter().filter(|(reason, _)| stops(tally, **reason));
    let mut reasons: Vec<String> = stopped.map(|(reason, cases)| format!("{cases} {reason}")).collect();
    if tally.total() == 0 {
        reasons.push("no cases".to_owned());
    }
    (!reasons.is_empty()).then(|| (title(tally), format!("not compared: {}", reasons.join(", "))))
}

/// Whether only the time limit kept cases from being compared.
fn is_only_late(tally: &Tally) -> bool {
    let mut stopped = tally.skipped.keys().filter(|reason| stops(tally, **reason));
    stopped.next() == Some(&SkipReason::OutOfTime) && stopped.next().is_none()
}

/// One warning for all checks with cases that were not asked because of the time limit.
fn of_time(tallies: Vec<&Tally>, shown: usize) -> Option<Note> {
    let mut titles: Vec<String> = tallies.into_iter().map(title).collect();
    titles.sort();
    let hidden = titles.len().saturating_sub(shown);
    let more = if hidden > 0 { format!("\nand {hidden} more") } else { String::new() };
    let message = format!(
        "not compared, time limit reached; {MORE_TIME}:\n{}{more}",
        titles[..titles.len() - hidden].join("\n")
    );
    (!titles.is_empty()).then(|| ("out of time".to_owned(), message))
}

fn title(tally: &Tally) -> String {
    format!("{} {} {}", tally.subject, tally.check, tally.case_set)
}

fn regression(run: &Run, verdict: RegressionVerdict) -> impl Iterator<Item = &RegressionRow> + Clone {
    let mut rows: Vec<_> = run.regression.iter().flatten().filter(|row| row.verdict == verdict).collect();
    rows.sort();
    rows.into_iter()
}

/// The first notes, and how many more there are.
fn bounded(level: &str, notes: impl Iterator<Item = Note> + Clone, shown: usize, file: &str) -> String {
    let hidden = notes.clone().count().saturating_sub(shown) as u64;
    with_rest(level, notes.take(shown), hidden, file)
}

fn with_rest(level: &str, notes: impl Iterator<Item = Note>, hidden: u64, file: &str) -> String {
    let mut text: String = notes.map(|note| line(level, &note)).collect();
    if hidden > 0 {
        let _ = writeln!(text, "::{level} title=touchstone::and {hidden} more: all are in {file}");
    }
    text
}

fn line(level: &str, (title, message): &Note) -> String {
    format!("::{level} title={}::{}\n", property(title), data(message))
}

/// Escapes the text after the second `::`.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes the value of a property. A comma or a colon would end the value, so both are escaped too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_that_end_a_field_are_escaped() {
        let check = |text, in_data, in_property| {
            assert_eq!(data(text), in_data);
            assert_eq!(property(text), in_property);
        };
        check("mate in 5", "mate in 5", "mate in 5");
        check("100%", "100%25", "100%25");
        check("%0A", "%250A", "%250A");
        check("a\r\nb", "a%0D%0Ab", "a%0D%0Ab");
        check("a: b, c", "a: b, c", "a%3A b%2C c");
        check("::error::", "::error::", "%3A%3Aerror%3A%3A");
    }
}
