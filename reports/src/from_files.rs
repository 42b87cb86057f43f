//! A run from its reports, the inverse of [`Run::files`].
//!
//! The reports do not hold everything. The reader takes [`Severity::Error`] as the severity from which the
//! run fails. Checks that were not in the build are missing, and times are whole milliseconds.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::time::Duration;

use suites::catalogue::{self, Severity};
use suites::{Difference, SkipReason, Tally, UnknownWord};

use crate::csv_file::rows_of;
use crate::csv_file::{Line, read_lines};
use crate::regression::Attribution;
use crate::{
    CheckRow, CheckRun, DifferenceRow, EngineCard, FEATURES, Files, ReadError, ReadFault, Row, Run,
    TimingRow, read,
};

impl Run {
    /// The run that wrote these reports. Reports that are missing have no rows; other files are ignored.
    ///
    /// # Errors
    /// `checks.csv` or `differences.csv` is missing, so that these are not the reports of a run; or a report
    /// is malformed.
    pub fn from_files(files: &Files) -> Result<Self, ReadError> {
        let checks = required::<CheckRow>(files)?;
        let differences: Vec<Difference> =
            read::<DifferenceRow>(required::<DifferenceRow>(files)?)?.into_iter().map(|row| row.0).collect();
        Ok(Self {
            checks: read_checks(files, checks, &differences)?,
            differences,
            fails_from: Severity::Error,
            engine: files.get(EngineCard::FILE).map(|bytes| EngineCard::read(bytes)).transpose()?,
            regression: files.contains_key(crate::RegressionRow::FILE).then(|| rows_of(files)).transpose()?,
            ..Self::rows_of(files)?
        })
    }
}

fn required<R: Row>(files: &Files) -> Result<&[u8], ReadError> {
    files.get(R::FILE).map(Vec::as_slice).ok_or_else(|| ReadError::new::<R>(None, ReadFault::NoReports))
}

/// Subject, check, case set.
type Key = [String; 3];

/// The rows of `checks.csv` and of [`FEATURES`], with their times.
fn read_checks(files: &Files, checks: &[u8], differences: &[Difference]) -> Result<Vec<CheckRun>, ReadError> {
    let mut times = BTreeMap::<Key, Vec<u64>>::new();
    for TimingRow { subject, check, case_set, milliseconds, .. } in rows_of(files)? {
        times.entry([subject, check, case_set]).or_default().push(milliseconds);
    }
    let required = read_lines::<CheckRow>(checks)?;
    let features = files.get(FEATURES).map_or(Ok(Vec::new()), |bytes| read_lines::<CheckRow>(bytes));
    let of_features = |error: ReadError| ReadError { file: FEATURES, ..error };
    let mut read = Vec::new();
    for line in &required {
        read.push((&line.row, tally(line)?, false));
    }
    let features = features.map_err(of_features)?;
    for line in &features {
        read.push((&line.row, tally(line).map_err(of_features)?, true));
    }
    let mut lesser = lesser(read.iter().map(|(row, ..)| *row), differences);
    Ok(read
        .into_iter()
        .map(|(row, mut tally, optional)| {
            tally.lesser = lesser.remove(row).unwrap_or_default();
            let key = [&tally.subject, &tally.check, &tally.case_set].map(Clone::clone);
            let time = times.get_mut(&key).filter(|times| !times.is_empty()).map(|times| times.remove(0));
            CheckRun { tally, duration: time.map(Duration::from_millis), optional }
        })
        .collect())
}

/// The most cases of a row: sums over all rows stay far from overflow.
const MOST: u64 = 1 << 40;

/// The counts of a row, which must add up. The row does not say which of its differences are notes or
/// warnings.
fn tally(line: &Line<CheckRow>) -> Result<Tally, ReadError> {
    let row = &line.row;
    let fault = |column, fault: String, found: &dyn Display| {
        let number = line.fields.position().map(csv::Position::line);
        ReadError::new::<CheckRow>(number, ReadFault::Field { column, fault, found: found.to_string() })
    };
    let counts = [
        ("agreed", row.agreed, MOST, "at most 2^40 cases"),
        ("differed", row.differed, MOST, "at most 2^40 cases"),
        ("observed", row.observed, MOST, "at most 2^40 cases"),
        ("skipped", row.skipped, MOST, "at most 2^40 cases"),
        ("errors", row.errors, row.differed, "no more than differed"),
    ];
    if let Some((column, count, _, expected)) = counts.into_iter().find(|(_, count, most, _)| count > most) {
        return Err(fault(column, format!("expected {expected}"), &count));
    }
    if row.compared != row.agreed + row.differed {
        return Err(fault("compared", "expected agreed + differed".to_owned(), &row.compared));
    }
    let mut tally = Tally {
        agreed: row.agreed,
        differed: row.differed,
        observed: row.observed,
        ..Tally::new(&row.subject, &row.check, row.evidence, &row.case_set)
    };
    let reasons = &row.skip_reasons;
    let mut open = row.skipped;
    for part in reasons.split(';').filter(|part| !part.is_empty()) {
        let counted = part.rsplit_once('=').and_then(|(reason, cases)| Some((reason, cases.parse().ok()?)));
        let Some((reason, cases)) = counted else {
            return Err(fault("skip_reasons", "expected reasons such as malformed=3".to_owned(), reasons));
        };
        let reason: SkipReason =
            reason.parse().map_err(|error: UnknownWord| fault("skip_reasons", error.to_string(), reasons))?;
        open = open.checked_sub(cases).ok_or_else(|| fault("skip_reasons", SUM.to_owned(), reasons))?;
        tally.skip(reason, cases);
    }
    if open == 0 { Ok(tally) } else { Err(fault("skip_reasons", SUM.to_owned(), reasons)) }
}

const SUM: &str = "expected reasons whose cases add up to skipped";

/// How many differences of each row are notes, and how many are warnings. The row counts the differences that
/// are not errors, and the list of differences gives their severities.
fn lesser<'a>(
    rows: impl Iterator<Item = &'a CheckRow>,
    differences: &[Difference],
) -> BTreeMap<&'a CheckRow, BTreeMap<Severity, u64>> {
    let mut open: BTreeMap<&CheckRow, u64> =
        rows.map(|row| (row, row.differed - row.errors)).filter(|(_, lesser)| *lesser > 0).collect();
    let mut counted = BTreeMap::<&CheckRow, BTreeMap<Severity, u64>>::new();
    let counting = Attribution::new(open.keys().copied());
    for found in differences {
        let severity = catalogue::severity(&found.check);
        if severity == Severity::Error {
            continue;
        }
        let row = counting.of(found).into_iter().find(|row| open[row] > 0);
        if let Some(row) = row {
            open.entry(row).and_modify(|lesser| *lesser -= 1);
            *counted.entry(row).or_default().entry(severity).or_default() += 1;
        }
    }
    for (row, rest) in open.into_iter().filter(|(_, rest)| *rest > 0) {
        let severity = catalogue::severity(&row.check).min(Severity::Warning);
        *counted.entry(row).or_default().entry(severity).or_default() += rest;
    }
    counted
}
