//! Anybody's table, exported as text: every row against the certified production table, Syzygy, and Gaviota and Prophet
//! where they are built.
//!
//! The first line names the columns; each further line is one position from the view of the side to move:
//!
//! | columns | values |
//! |---|---|
//! | `fen,wdl,dtm` | `win`, `draw` or `loss`; plies to mate without sign, 0 for a side checkmated, empty for a draw |
//! | `fen,dtm` | plies to mate, negative for a loss; empty for a draw; 0 for a draw or a side checkmated |
//! | `fen,wdl` | `win`, `draw` or `loss` |
//!
//! Rows are read and judged in blocks: memory does not grow with the file. A row that says nothing sound is
//! reported with its line, and the next one is read.

mod coverage;
mod judge;
mod row;

use std::io::{self, BufRead, Read};

use rayon::prelude::*;
use shakmaty::Chess;
use suites::{Difference, SkipReason, Tally, Verdict};

use crate::authorities::Authorities;
use crate::checks::Check;
use coverage::Seen;
use row::Columns;

pub use coverage::Coverage;

/// Rows judged at a time, on all cores.
const BLOCK: usize = 16_384;
/// The longest line that is read, in bytes. A row with a FEN has about 60.
const LONGEST_LINE: usize = 1_024;

/// Where findings go, one by one in the order of the file.
pub trait Sink {
    /// A row that is not true.
    fn difference(&mut self, difference: Difference) -> io::Result<()>;

    /// A row that says nothing: its line, the start of what stands there, and what is wrong with it.
    fn malformed(&mut self, line: u64, found: &str, fault: &str) -> io::Result<()>;
}

/// Why a dump cannot be checked at all.
#[derive(Debug, thiserror::Error)]
pub enum DumpError {
    /// It cannot be read, or a finding cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The first line does not name the columns.
    #[error("line 1: expected the columns \"fen,wdl,dtm\", \"fen,dtm\" or \"fen,wdl\", got \"{0}\"")]
    Columns(String),
    /// There is a first line and no more.
    #[error("no row after the line of columns")]
    Empty,
}

/// How the rows came out, by check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Rows, malformed ones included.
    pub rows: u64,
    /// One for [`Check::Truth`], and one each for Syzygy, Gaviota and Prophet as far as they were asked; a row is a case of
    /// all of them.
    pub tallies: Vec<Tally>,
    /// How much of each table the dump has.
    pub coverage: Vec<Coverage>,
}

/// The checks that a row goes through: the production table, and who else is asked in this run.
fn checks(authorities: &Authorities) -> Vec<Check> {
    let asked = |check: &Check| match check {
        Check::Truth => true,
        Check::SyzygyWdl => authorities.syzygy.is_some(),
        _ => authorities.dtm_source(check.id()).is_some(),
    };
    [Check::Truth, Check::SyzygyWdl, Check::Gaviota, Check::Prophet].into_iter().filter(asked).collect()
}

/// Checks every row of a dump; `progress` is told how many bytes have been read. Who is not asked in this run has no check.
pub fn verify(
    mut input: impl BufRead,
    authorities: &Authorities,
    sink: &mut dyn Sink,
    progress: &dyn Fn(u64),
) -> Result<Summary, DumpError> {
    let mut lines = Lines { input: &mut input, number: 0 };
    let header = lines.next_line()?.map(|line| line.text).unwrap_or_default();
    let columns = Columns::parse(&header).ok_or_else(|| DumpError::Columns(excerpt(&header)))?;
    let checks = checks(authorities);
    let tally = |check: &Check| Tally::new("dump", check.id(), check.evidence(), "rows");
    let tallies = checks.iter().map(tally).collect();
    let mut summary = Summary { rows: 0, tallies, coverage: Vec::new() };
    let mut seen = Seen::default();
    loop {
        let block = lines.block()?;
        if block.is_empty() {
            break;
        }
        progress(block.iter().map(|line| line.text.len() as u64 + 1).sum());
        let judged: Vec<Judged> =
            block.par_iter().map(|line| judge(columns, line, &checks, authorities)).collect();
        for (line, judged) in block.iter().zip(judged) {
            if let Judged::Verdicts(_, position) = &judged {
                seen.tick(position);
            }
            summary.record(line, judged, sink)?;
        }
    }
    if summary.rows == 0 {
        return Err(DumpError::Empty);
    }
    summary.coverage = seen.coverage(authorities.published);
    Ok(summary)
}

impl Summary {
    fn record(&mut self, line: &Line, judged: Judged, sink: &mut dyn Sink) -> io::Result<()> {
        self.rows += 1;
        let verdicts = match judged {
            Judged::Verdicts(verdicts, _) => verdicts,
            Judged::Malformed(fault) => {
                sink.malformed(line.number, &excerpt(&line.text), &fault)?;
                vec![Verdict::Skip(SkipReason::Malformed); self.tallies.len()]
            }
        };
        for (tally, verdict) in self.tallies.iter_mut().zip(verdicts) {
            match verdict {
                Verdict::Agree => tally.agreed += 1,
                Verdict::Observed => tally.observed += 1,
                Verdict::Skip(reason) => tally.skip(reason, 1),
                Verdict::Differ(difference) => {
                    tally.differ(&difference.check);
                    sink.difference(*difference)?;
                }
            }
        }
        Ok(())
    }
}

enum Judged {
    Verdicts(Vec<Verdict>, Chess),
    Malformed(String),
}

fn judge(columns: Columns, line: &Line, checks: &[Check], authorities: &Authorities) -> Judged {
    if line.cut {
        return Judged::Malformed(format!("the line is longer than {LONGEST_LINE} bytes"));
    }
    match row::parse(columns, &line.text) {
        Ok(row) => Judged::Verdicts(judge::row(line.number, &row, checks, authorities), row.position),
        Err(fault) => Judged::Malformed(fault.to_string()),
    }
}

/// What a reader needs to find a line again.
fn excerpt(text: &str) -> String {
    text.chars().take(120).collect()
}

/// One line of the file, without its end.
struct Line {
    /// Counted from 1.
    number: u64,
    text: String,
    /// Whether it was longer than can be read.
    cut: bool,
}

/// The lines of a file, none of which takes more memory than the longest allowed.
struct Lines<'a, R> {
    input: &'a mut R,
    number: u64,
}

impl<R: BufRead> Lines<'_, R> {
    /// Lines for one block, fewer at the end of the file. Empty lines count but say nothing.
    fn block(&mut self) -> io::Result<Vec<Line>> {
        let mut block = Vec::with_capacity(BLOCK);
        while block.len() < BLOCK {
            match self.next_line()? {
                Some(line) if line.text.trim().is_empty() => {}
                Some(line) => block.push(line),
                None => break,
            }
        }
        Ok(block)
    }

    fn next_line(&mut self) -> io::Result<Option<Line>> {
        let mut bytes = Vec::new();
        self.input.take(LONGEST_LINE as u64).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.number += 1;
        let cut = bytes.len() == LONGEST_LINE && bytes.last() != Some(&b'\n');
        if cut {
            self.input.skip_until(b'\n')?;
        }
        let text = String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned();
        let text = if self.number == 1 { text.trim_start_matches('\u{feff}').to_owned() } else { text };
        Ok(Some(Line { number: self.number, text, cut }))
    }
}
