//! Finds the rows of `checks.csv` that count a finding, which `differences.csv` does not name.

use suites::Difference;

use super::scope::is_of;
use crate::CheckRow;

/// End of the case set for those positions of a file whose claims no source can decide.
const ON_ITS_WORD: &str = " (on its word)";
/// The check that counts the findings of [`UNDER_SOLVED`] too. Those checks have no row of their own.
const SOLVED: &str = "bestmove/solved";
/// The checks counted by [`SOLVED`].
const UNDER_SOLVED: [&str; 3] = ["bestmove/move", "bestmove/unanswered", "bestmove/flaky"];

/// The rows of `checks.csv` of one run.
#[derive(Debug, Default)]
pub(crate) struct Attribution<'a>(Vec<&'a CheckRow>);

impl<'a> Attribution<'a> {
    pub(crate) fn new(rows: impl IntoIterator<Item = &'a CheckRow>) -> Self {
        Self(rows.into_iter().collect())
    }

    /// The rows that may count a finding of this run. If the case begins with a case set, they are the rows
    /// of that set; otherwise they are all rows of its check. There are several rows if the finding does not
    /// say which one counts it, such as a note on a flaky answer.
    pub(crate) fn of(&self, found: &Difference) -> Vec<&'a CheckRow> {
        let rows = self.0.iter().copied();
        let of_check = rows.filter(|row| row.subject == found.subject && counts(&row.check, &found.check));
        let (of_set, others): (Vec<_>, Vec<_>) = of_check.partition(|row| is_in(&found.case, &row.case_set));
        if of_set.is_empty() { others } else { of_set }
    }
}

/// Whether the rows of `check` may count findings of the check `found`.
pub(crate) fn counts(check: &str, found: &str) -> bool {
    if UNDER_SOLVED.contains(&found) {
        return check == SOLVED;
    }
    is_of(found, check) || is_flaky(found) && family(found) == family(check)
}

/// Whether this is the check for flaky answers of its family.
fn is_flaky(check: &str) -> bool {
    check.ends_with("/flaky")
}

/// The part of an id before the slash.
fn family(check: &str) -> &str {
    check.split('/').next().unwrap_or(check)
}

/// Whether a case belongs to this table, suite or file: it begins with its name.
pub(crate) fn is_in(case: &str, case_set: &str) -> bool {
    is_of(case, case_set.strip_suffix(ON_ITS_WORD).unwrap_or(case_set))
}

#[cfg(test)]
mod tests {
    use suites::{Evidence, Tally};

    use super::*;

    #[test]
    fn findings_are_attributed_to_rows() {
        let names = [
            ("protocol/quit", "uci"),
            ("protocol/stop", "uci"),
            ("movegen/castling", "moves"),
            ("movegen/perft", "standard"),
            ("bestmove/solved", "one.epd"),
            ("bestmove/thrown", "one.epd"),
            ("bestmove/solved", "two.epd"),
            ("mate", "one.epd"),
            ("mate", "one.epd (on its word)"),
            ("mate", "two.epd"),
            ("draw", "fifty-clock"),
            ("draw", "mate-at-100"),
            ("process/crash", "suites"),
            ("process/hang", "suites"),
            ("process/hang", "movegen"),
            ("dump", "rows"),
            ("dump/reading", "all rows"),
        ];
        let row = |(check, set)| CheckRow::from(&Tally::new("mine", check, Evidence::Agreement, set));
        let rows = names.map(row);
        let counting = Attribution::new(&rows);
        let check = |check: &str, case: &str, expected: &[usize]| {
            let [subject, named, case] = ["mine", check, case].map(str::to_owned);
            let found = Difference { subject, check: named, case, ..Difference::default() };
            let expected: Vec<&CheckRow> = expected.iter().map(|place| &rows[*place]).collect();
            assert_eq!(counting.of(&found), expected, "{check} {}", found.case);
            let other = Difference { subject: "other".to_owned(), ..found };
            assert!(counting.of(&other).is_empty());
        };
        check("protocol/quit", "idle", &[0]);
        check("protocol/flaky", "idle", &[0, 1]);
        check("movegen/castling", "castling-01", &[2]);
        check("movegen/flaky", "castling-01", &[2, 3]);
        check("movegen/flaky", "standard/start", &[3]);
        check("bestmove/move", "one.epd/3", &[4]);
        check("bestmove/unanswered", "two.epd/3", &[6]);
        check("bestmove/flaky", "one.epd/3", &[4]);
        check("bestmove/thrown", "one.epd/3", &[5]);
        check("mate/unsound", "one.epd/3", &[7, 8]);
        check("mate/flaky", "two.epd/3", &[9]);
        check("draw/score", "mate-at-100/01", &[11]);
        check("process/flaky", "suites/start", &[12, 13]);
        check("process/hang", "movegen/castling-01", &[14]);
        check("dump/row", "line 3", &[15]);
        check("dump/reading", "all rows", &[16]);
        check("protocol/wait", "idle", &[]);
        check("certificate", "KPvK/8 w", &[]);
    }
}
