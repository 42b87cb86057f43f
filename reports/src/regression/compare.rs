//! Compares the files of two runs row by row.

use std::collections::{BTreeMap, BTreeSet};

use csv::StringRecord;

use super::Scope;
use super::attribution::Attribution;
use super::explained::ChangedFindings;
use super::rules::{Compared, LostCoverage};
use crate::csv_file::{Line, read_lines};
use crate::order::{order, sorted};
use crate::{
    BestMoveRow, CensusRow, CheckRow, ConversionRow, DifferenceRow, DrawRow, Files, HistogramRow,
    KnowledgeRow, MateRow, PerftRow, ReadError, ReadFault, RegressionRow, SignatureRow, StalemateRow,
    StalemateSubjectRow, WinThrownRow, columns,
};

/// Why two runs cannot be compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CompareError {
    /// A file of the baseline cannot be read.
    #[error("baseline: {0}")]
    Before(#[source] ReadError),
    /// A file of this run cannot be read.
    #[error("this run: {0}")]
    After(#[source] ReadError),
}

/// Compares the reports of the baseline with those of this run, which covers `scope`.
///
/// Both must have all reports of [`Run::baseline_files`](crate::Run::baseline_files); other files are
/// ignored. Returns the changes in the order of `regression.csv`.
pub fn compare(before: &Files, after: &Files, scope: &Scope) -> Result<Vec<RegressionRow>, CompareError> {
    let checks = Pair::<CheckRow>::read(before, after)?;
    let differences = Pair::<DifferenceRow>::read(before, after)?;
    let attributions =
        [&checks.before, &checks.after].map(|report| Attribution::new(report.lines().map(|line| &line.row)));
    let [before_rows, after_rows] = &attributions;
    let reach = Reach { scope, before: before_rows };
    let mut lost = LostCoverage::default();
    for change in checks.changes(reach) {
        let (before, after) = change.typed();
        lost.note(before, after);
    }
    let mut findings = ChangedFindings::new([before_rows, after_rows]);
    for change in differences.changes(reach) {
        let (before, after) = change.typed();
        findings.note(before.map(|row| &row.0), after.map(|row| &row.0));
    }
    let context = Context { reach, lost, findings };
    let mut rows = checks.rows(&context);
    rows.extend(differences.rows(&context));
    rows.extend(Pair::<CensusRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<HistogramRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<PerftRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<SignatureRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<StalemateRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<StalemateSubjectRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<MateRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<BestMoveRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<ConversionRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<WinThrownRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<DrawRow>::read(before, after)?.rows(&context));
    rows.extend(Pair::<KnowledgeRow>::read(before, after)?.rows(&context));
    Ok(sorted(rows))
}

/// What decides about all rows of both runs.
struct Context<'a> {
    reach: Reach<'a>,
    lost: LostCoverage,
    findings: ChangedFindings<'a>,
}

/// Which rows of the baseline this run covers.
#[derive(Clone, Copy)]
struct Reach<'a> {
    scope: &'a Scope,
    /// The checks of the baseline.
    before: &'a Attribution<'a>,
}

/// The key columns, and the number of the row among those with the same key: a check may have two findings
/// for one case.
type Key = (Vec<String>, usize);

/// One report of both runs.
struct Pair<R> {
    before: Keyed<R>,
    after: Keyed<R>,
}

/// The lines of a report, and the place of each by its key.
struct Keyed<R> {
    lines: Vec<Line<R>>,
    places: BTreeMap<Key, usize>,
}

impl<R: Compared> Keyed<R> {
    fn read(files: &Files) -> Result<Self, ReadError> {
        let bytes = files.get(R::FILE).ok_or_else(|| ReadError::new::<R>(None, ReadFault::Missing))?;
        let lines = read_lines::<R>(bytes)?;
        let order = order(lines.len(), &|one, other| lines[one].row.cmp(&lines[other].row));
        let records: Vec<&StringRecord> = order.iter().map(|&place| &lines[place].fields).collect();
        let places = Shape::of::<R>().keys(&records).into_iter().zip(order).collect();
        Ok(Self { lines, places })
    }

    /// The lines in the order of their keys.
    fn lines(&self) -> impl Iterator<Item = &Line<R>> {
        self.places.values().map(|&place| &self.lines[place])
    }

    fn get(&self, key: &Key) -> Option<&Line<R>> {
        self.places.get(key).map(|&place| &self.lines[place])
    }
}

/// A row of either run, or of both.
struct Changed<'a, R> {
    key: &'a Key,
    before: Option<&'a Line<R>>,
    after: Option<&'a Line<R>>,
}

impl<R: Compared> Pair<R> {
    fn read(before: &Files, after: &Files) -> Result<Self, CompareError> {
        Ok(Self {
            before: Keyed::read(before).map_err(CompareError::Before)?,
            after: Keyed::read(after).map_err(CompareError::After)?,
        })
    }

    fn changes<'a>(&'a self, reach: Reach<'a>) -> impl Iterator<Item = Changed<'a, R>> {
        let keys: BTreeSet<&Key> = self.before.places.keys().chain(self.after.places.keys()).collect();
        keys.into_iter()
            .map(|key| Changed { key, before: self.before.get(key), after: self.after.get(key) })
            .filter(move |change| change.is_one(reach))
    }

    /// The changes, without those that listed findings explain.
    fn rows(&self, context: &Context) -> Vec<RegressionRow> {
        let open = self.changes(context.reach).filter(|change| !change.is_explained(&context.findings));
        open.map(|change| change.row(&context.lost)).collect()
    }
}

impl<'a, R: Compared> Changed<'a, R> {
    /// Whether anything changed within the scope of this run.
    fn is_one(&self, reach: Reach) -> bool {
        match (self.before, self.after) {
            (Some(before), Some(after)) => Shape::of::<R>().differ(&before.fields, &after.fields),
            (Some(before), None) => before.row.is_covered(reach.scope, reach.before),
            (None, _) => true,
        }
    }

    fn typed(&self) -> (Option<&'a R>, Option<&'a R>) {
        (self.before.map(|line| &line.row), self.after.map(|line| &line.row))
    }

    fn is_explained(&self, findings: &ChangedFindings) -> bool {
        let (before, after) = self.typed();
        before.zip(after).is_some_and(|(before, after)| R::is_explained(before, after, findings))
    }

    fn row(&self, lost: &LostCoverage) -> RegressionRow {
        let (before, after) = self.typed();
        let fields = [self.before, self.after].map(|line| line.map(|line| &line.fields));
        let show = |line: usize| Shape::of::<R>().show(fields[line], fields[1 - line]);
        RegressionRow {
            report: R::FILE.to_owned(),
            case: self.key.0.join(" "),
            before: show(0),
            after: show(1),
            verdict: R::verdict(before, after, lost),
        }
    }
}

/// The columns of a report: it is all that decides how a row is shown.
#[derive(Clone, Copy)]
struct Shape {
    columns: &'static [&'static str],
    key: &'static [&'static str],
    left_out: &'static [&'static str],
}

impl Shape {
    fn of<R: Compared>() -> Self {
        Self { columns: columns::<R>(), key: R::KEY, left_out: R::LEFT_OUT }
    }

    /// The columns of a row, with their names.
    fn fields(self, row: &StringRecord) -> impl Iterator<Item = (&'static str, &str)> {
        self.columns.iter().copied().zip(row)
    }

    fn figures(self, row: &StringRecord) -> impl Iterator<Item = (&'static str, &str)> {
        self.fields(row).filter(move |(name, _)| !self.key.contains(name) && !self.left_out.contains(name))
    }

    fn differ(self, one: &StringRecord, other: &StringRecord) -> bool {
        !self.figures(one).eq(self.figures(other))
    }

    /// The key of each of these rows.
    fn keys(self, rows: &[&StringRecord]) -> Vec<Key> {
        let mut seen = BTreeMap::<Vec<String>, usize>::new();
        let key = |row: &&StringRecord| {
            let key = self.fields(row).filter(|(name, _)| self.key.contains(name));
            let parts: Vec<String> = key.map(|(_, text)| text.to_owned()).collect();
            let nth = seen.entry(parts.clone()).and_modify(|nth| *nth += 1).or_insert(1);
            (parts, *nth)
        };
        rows.iter().map(key).collect()
    }

    /// The figures of a row that differ from the other row's; without another row, those that are not empty.
    fn show(self, row: Option<&StringRecord>, other: Option<&StringRecord>) -> String {
        let Some(row) = row else { return String::new() };
        let others: Vec<_> = other.map(|other| self.figures(other).collect()).unwrap_or_default();
        let own = self
            .figures(row)
            .filter(|figure| if other.is_some() { !others.contains(figure) } else { !figure.1.is_empty() });
        own.map(|(name, text)| format!("{name}={text}")).collect::<Vec<_>>().join(" ")
    }
}
