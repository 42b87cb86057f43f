//! Tables of other programs as text: every row compared with the certified production table, Syzygy, and
//! Gaviota and Prophet if they are part of the build.
//!
//! A row has a position, `fen`, and its value: `wdl`, `dtm` or both. The first line or the caller names the
//! columns. They may be in any order with other columns between them. The separator is a comma, a semicolon
//! or a tab.
//!
//! | columns | values |
//! |---|---|
//! | `wdl` | `win`, `draw` or `loss` in any case, or the first letter; or 2, 1, 0, -1, -2 as Syzygy counts, the fifty-move rule ignored |
//! | `dtm` beside it | distance to mate without a sign or with that of the result, 0 for a side checkmated; empty or 0 for a draw |
//! | `dtm` alone | distance to mate, negative for a loss; empty for a draw; 0 for a draw or a side checkmated |
//!
//! Values are from the view of the side to move and distances in plies, unless the caller says otherwise. If
//! the rows of a whole file fit another [`Reading`] and not the stated one, that is one difference. The rows
//! are then judged under that reading, and only rows that are wrong under it are listed.
//!
//! Rows are read and judged in blocks: memory does not grow with the file. A malformed row is reported with
//! its line number, and the next one is read. An en passant square counts if the capture is legal.

mod columns;
mod counts;
mod coverage;
mod fields;
mod finding;
mod judge;
mod kept;
mod lines;
mod reading;
mod row;
mod sources;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::io::{self, BufRead, Read, Seek, Write};

use shakmaty::{Chess, Position};
use suites::rows::DumpRow;
use suites::{Difference, Evidence, SkipReason, Tally};

use crate::authorities::Authorities;
use crate::parallel;
use crate::positions::MAX_MEN;
use columns::{Layout, excerpt};
use counts::{Counts, ReadingCount};
use coverage::SeenPositions;
use judge::{AnsweredRow, RowOutcome};
use kept::{KeptRowReader, KeptRows};
use lines::{LONGEST_LINE, Line, Lines};

pub use columns::{Columns, ColumnsError, LayoutError};
pub use coverage::Coverage;
pub use reading::{Reading, Unit, View};
pub use sources::Source;

/// Rows that are listed at a time, on all cores.
const BLOCK: usize = 4_096;
/// The name of the subject in tallies and differences.
const SUBJECT: &str = "dump";

/// Receives the findings in the order of the file; the difference about the whole file comes first.
pub trait Sink {
    /// A wrong row, or the wrong reading of the file.
    fn difference(&mut self, difference: Difference) -> io::Result<()>;

    /// A malformed row: its line number, the start of the line, and what is wrong with it.
    fn malformed(&mut self, line: u64, found: &str, fault: &str) -> io::Result<()>;
}

/// How a dump is read.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The columns of a file whose first line does not name them.
    pub columns: Option<Columns>,
    /// The reading of its values.
    pub reading: Reading,
    /// Whether it is allowed to lack positions.
    pub is_partial: bool,
    /// The arguments that check the whole file again, without `--unit`, `--view` and the like.
    pub arguments: String,
}

/// Why the check of a dump fails.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// It cannot be read, or a finding cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The columns cannot be found from the first line.
    #[error("line 1: {0}")]
    Layout(LayoutError),
    /// There is no row.
    #[error("no row after the line of columns")]
    Empty,
    /// There is no line, and the columns are known.
    #[error("it is empty")]
    NoLine,
}

impl From<LayoutError> for DumpError {
    fn from(error: LayoutError) -> Self {
        Self::Layout(error)
    }
}

/// The result of a check of a dump.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DumpSummary {
    /// All rows, including malformed ones.
    pub rows: u64,
    /// The tally of the rows, one case each; of the reading, if it is not the stated one; and of each missing
    /// Syzygy table for rows that other sources decide, one case each.
    pub tallies: Vec<Tally>,
    /// How each source judges the rows. These are not cases: a row is one case for all sources together.
    pub sources: Vec<DumpRow>,
    /// How much of each table the dump has.
    pub coverage: Vec<Coverage>,
    /// Tables of the dump with uncounted positions, which bounds the memory: four tables of five men are
    /// counted.
    pub not_counted: Vec<String>,
    /// Columns that were not read.
    pub not_read: Vec<String>,
}

/// Checks every row of a dump. `aside` is an empty temporary store, such as a file, for rows that may have to
/// be listed.
pub fn verify<S: Read + Write + Seek + Send>(
    input: impl BufRead,
    request: &Request,
    authorities: &Authorities,
    aside: S,
    sink: &mut (dyn Sink + Send),
) -> Result<DumpSummary, DumpError> {
    let mut lines = Lines::new(input);
    let layout = layout(&mut lines, request)?;
    let mut file = FileCount::new(request.reading, authorities);
    let mut keeper = KeptRows::new(aside);
    loop {
        let block = lines.block()?;
        if block.is_empty() {
            break;
        }
        let judged = parallel::map_each(&block, |line| judge(&layout, line, authorities));
        for (line, judged) in block.iter().zip(judged) {
            file.rows += 1;
            match judged {
                Ok(row) if file.add(&row) => keeper.keep(&row.judged)?,
                Ok(_) => {}
                Err(fault) => {
                    file.malformed += 1;
                    sink.malformed(line.number, &excerpt(&line.text), &fault)?;
                }
            }
        }
    }
    if file.rows == 0 {
        return Err(DumpError::Empty);
    }
    let recognised = file.counts.recognised().unwrap_or(request.reading);
    if let Some(finding) = file.finding(recognised, request) {
        sink.difference(finding)?;
    }
    for coverage in file.lacking(request, authorities) {
        sink.difference(finding::of_coverage(request, &coverage))?;
    }
    list(keeper.rows()?, recognised, authorities, sink)?;
    Ok(file.summary(recognised, request, authorities, layout.columns.others))
}

/// Lists the rows that are wrong under the reading of the file. It writes one block while it judges the next.
fn list<S: Read + Send>(
    mut kept: KeptRowReader<S>,
    recognised: Reading,
    authorities: &Authorities,
    sink: &mut (dyn Sink + Send),
) -> io::Result<()> {
    let of_row = |row: &AnsweredRow| finding::of_row(row, recognised, authorities.truth);
    let mut found: Vec<Difference> = Vec::new();
    loop {
        let ready = std::mem::take(&mut found);
        let (written, next) = rayon::join(
            || ready.into_iter().try_for_each(|difference| sink.difference(difference)),
            || {
                let block = kept.block(BLOCK)?;
                let found = parallel::map_each(&block, of_row);
                Ok::<_, io::Error>((block.is_empty(), found.into_iter().flatten().collect()))
            },
        );
        written?;
        let (is_end, next): (bool, Vec<Difference>) = next?;
        if is_end {
            return Ok(());
        }
        found = next;
    }
}

/// The layout of a file, from its first line. If the caller names the columns, that line is a row.
fn layout(lines: &mut Lines<impl BufRead>, request: &Request) -> Result<Layout, DumpError> {
    let first = lines.next_line()?;
    match (&request.columns, first) {
        (None, first) => Ok(Layout::of_header(&first.map(|line| line.text).unwrap_or_default())?),
        (Some(_), None) => Err(DumpError::NoLine),
        (Some(columns), Some(first)) => {
            let layout = Layout::of_row(columns, &first.text)?;
            lines.put_back(first);
            Ok(layout)
        }
    }
}

/// A row that was judged.
struct JudgedRow {
    position: Chess,
    judged: AnsweredRow,
    outcome: RowOutcome,
}

fn judge(layout: &Layout, line: &Line, authorities: &Authorities) -> Result<JudgedRow, String> {
    if line.cut {
        return Err(format!("the line is longer than {LONGEST_LINE} bytes"));
    }
    let row = row::parse(layout, &line.text).map_err(|fault| fault.to_string())?;
    let (judged, outcome, position) = judge::row(line.number, row, authorities);
    Ok(JudgedRow { position, judged, outcome })
}

/// The counts while a file is read.
struct FileCount {
    rows: u64,
    malformed: u64,
    counts: Counts,
    seen: SeenPositions,
    /// The sources, each with the number of rows that it knows.
    known: Vec<(Source, u64)>,
    /// Syzygy tables that are missing for rows that other sources decide.
    missing: BTreeSet<String>,
}

impl FileCount {
    fn new(stated: Reading, authorities: &Authorities) -> Self {
        let asked = Source::ALL.into_iter().filter(|source| source.is_asked(authorities));
        Self {
            rows: 0,
            malformed: 0,
            counts: Counts::new(stated),
            seen: SeenPositions::default(),
            known: asked.map(|source| (source, 0)).collect(),
            missing: BTreeSet::new(),
        }
    }

    /// Counts a row. Returns whether it may have to be listed.
    fn add(&mut self, JudgedRow { position, judged, outcome }: &JudgedRow) -> bool {
        self.seen.tick(position, outcome.undecided.is_some());
        for (source, rows) in &mut self.known {
            *rows += u64::from(judged.answers.of(*source).is_some());
        }
        // Users need no files of five men if another source knows the row.
        let is_small = position.board().occupied().count() < MAX_MEN;
        if outcome.lacks_syzygy && is_small && judged.answers.known().next().is_some() {
            self.missing.insert(coverage::table(position));
        }
        self.counts.add(outcome)
    }

    fn read(&self) -> u64 {
        self.rows - self.malformed
    }

    /// The difference about the whole file, if its reading is not the stated one.
    fn finding(&self, recognised: Reading, request: &Request) -> Option<Difference> {
        let rows = (self.counts.under(recognised).only_so, self.read());
        let known = self.known.iter().filter(|(_, rows)| *rows > 0);
        let sources: Vec<Source> = known.map(|(source, _)| *source).collect();
        (recognised != request.reading).then(|| finding::of_reading(request, recognised, rows, &sources))
    }

    /// The tables that lack positions, unless the request allows that or unreadable rows may have them.
    fn lacking(&self, request: &Request, authorities: &Authorities) -> Vec<Coverage> {
        let mut tables = self.seen.coverage(authorities);
        tables.retain(|table| !request.is_partial && table.missing() > self.malformed);
        tables
    }

    fn summary(
        self,
        recognised: Reading,
        request: &Request,
        authorities: &Authorities,
        not_read: Vec<String>,
    ) -> DumpSummary {
        let count = self.counts.under(recognised);
        let mut tallies = vec![self.tally(count)];
        if recognised != request.reading {
            let mut tally = Tally::new(SUBJECT, finding::READING, Evidence::Agreement, "all rows");
            tally.differ(finding::READING);
            tallies.push(tally);
        }
        let lacking: BTreeSet<String> =
            self.lacking(request, authorities).into_iter().map(|coverage| coverage.table).collect();
        let coverage = self.seen.coverage(authorities);
        let known = coverage.iter().filter(|table| table.published.is_some() && !request.is_partial);
        tallies.extend(known.map(|Coverage { table, .. }| {
            let mut tally = Tally::new(SUBJECT, finding::COVERAGE, Evidence::Census, table);
            if lacking.contains(table) {
                tally.differ(finding::COVERAGE);
            } else {
                tally.agreed = 1;
            }
            tally
        }));
        tallies.extend(self.missing.iter().map(|table| {
            let check = Source::Syzygy.check();
            let mut tally = Tally::new(SUBJECT, check.name(), check.evidence(), table);
            tally.skip(SkipReason::TableMissing, 1);
            tally
        }));
        let sources = self.known.iter().map(|&(source, known)| DumpRow {
            source: source.to_string(),
            agreed: known - count.against[source as usize],
            differed: count.against[source as usize],
            unknown: self.read() - known,
        });
        DumpSummary {
            rows: self.rows,
            sources: sources.collect(),
            coverage,
            not_counted: self.seen.not_counted(),
            tallies,
            not_read,
        }
    }

    /// A case for each row. Rows that the difference about the whole file covers count as observed.
    fn tally(&self, count: &ReadingCount) -> Tally {
        let mut tally = Tally::new(SUBJECT, SUBJECT, Evidence::Agreement, "rows");
        (tally.agreed, tally.differed, tally.observed) = (count.agreed, count.differed, count.only_so);
        for (&reason, &rows) in &count.skipped {
            tally.skip(reason, rows);
        }
        if self.malformed > 0 {
            tally.skip(SkipReason::Malformed, self.malformed);
        }
        tally
    }
}
