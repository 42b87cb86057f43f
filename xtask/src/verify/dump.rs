//! The part of a run that checks a table exported as text: findings go to their files one by one.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, IntoInnerError};
use std::path::Path;
use std::time::Instant;

use anyhow::Context;
use oracle::authorities::Authorities;
use oracle::dump::{self, Sink};
use reports::{DifferenceRow, MalformedRow, Row, RowWriter};
use suites::Difference;
use tempfile::NamedTempFile;

use super::Collected;
use crate::progress::Progress;
use crate::{files, program};

/// Differences and malformed rows that are kept for people to read; all stand in the reports.
const KEPT: usize = 100;
/// Malformed rows that are named on standard error.
const NAMED: usize = 10;

/// The reports of a dump, staged until the run is over.
pub(crate) struct Streamed {
    pub(crate) differences: NamedTempFile,
    pub(crate) malformed: NamedTempFile,
}

type Writer<R> = RowWriter<BufWriter<NamedTempFile>, R>;

/// Where findings go while the file is read.
struct Stream<'a> {
    differences: Writer<DifferenceRow>,
    malformed: Writer<MalformedRow>,
    kept: Vec<Difference>,
    named: usize,
    path: &'a Path,
    progress: &'a Progress,
}

impl Sink for Stream<'_> {
    fn difference(&mut self, difference: Difference) -> io::Result<()> {
        let difference = program::with_command(difference);
        if self.kept.len() < KEPT {
            self.kept.push(difference.clone());
        }
        self.differences.write(&DifferenceRow(difference))
    }

    fn malformed(&mut self, line: u64, found: &str, fault: &str) -> io::Result<()> {
        self.named += 1;
        if self.named <= NAMED {
            self.progress.note(&format!("{}:{line}: {fault}", self.path.display()));
        }
        self.malformed.write(&MalformedRow { line, found: found.to_owned(), fault: fault.to_owned() })
    }
}

/// Checks a dump against the authorities.
pub(super) fn run(
    path: &Path,
    out: &Path,
    authorities: &Authorities,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let (input, length) = open(path)?;
    progress.restart(length, "rows of the dump");
    let mut stream = Stream {
        differences: writer(&out.join(DifferenceRow::FILE))?,
        malformed: writer(&out.join(MalformedRow::FILE))?,
        kept: Vec::new(),
        named: 0,
        path,
        progress,
    };
    let started = Instant::now();
    let advance = |bytes| progress.advance(bytes);
    let summary = dump::verify(input, authorities, &mut stream, &advance)
        .with_context(|| path.display().to_string())?;
    if stream.named > NAMED {
        progress.note(&format!(
            "and {} more malformed rows, all in {}",
            stream.named - NAMED,
            MalformedRow::FILE
        ));
    }
    for coverage in &summary.coverage {
        progress.note(&format!("note: {coverage}"));
    }
    for tally in summary.tallies {
        found.add_tally(tally, started.elapsed());
    }
    found.run.differences.append(&mut stream.kept);
    found.streamed =
        Some(Streamed { differences: staged(stream.differences)?, malformed: staged(stream.malformed)? });
    Ok(())
}

/// The rows, and how many bytes they are if that is known beforehand.
fn open(path: &Path) -> anyhow::Result<(Box<dyn BufRead>, u64)> {
    if path.as_os_str() == "-" {
        return Ok((Box::new(BufReader::new(io::stdin())), 0));
    }
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let length = file.metadata().map_or(0, |metadata| metadata.len());
    Ok((Box::new(BufReader::new(file)), length))
}

fn writer<R: Row>(path: &Path) -> anyhow::Result<Writer<R>> {
    Ok(RowWriter::new(BufWriter::new(files::stage(path)?))?)
}

fn staged<R: Row>(writer: Writer<R>) -> anyhow::Result<NamedTempFile> {
    Ok(writer.finish()?.into_inner().map_err(IntoInnerError::into_error)?)
}
