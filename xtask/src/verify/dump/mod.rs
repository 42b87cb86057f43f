//! Checks a table exported as text. Findings are written to their files one by one.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Context;
use engine::tables::{Material, builders};
use oracle::authorities::Authorities;
use oracle::dump::{self, DumpSummary, Sink};
use reports::{DifferenceRow, MalformedRow, Row};
use suites::Difference;

use super::collected::{Collected, Streamed};
use super::dump_request::Dump;
use crate::files::RowFile;
use crate::progress::Progress;
use crate::{files, program, text_input};

/// The most differences that are kept in memory; the reports have all.
const KEPT: usize = 100;
/// The most malformed rows that are shown on standard error.
const NAMED: usize = 10;

/// Writes findings while the file is read.
struct Stream<'a> {
    differences: RowFile<DifferenceRow>,
    malformed: RowFile<MalformedRow>,
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
    dump: &Dump,
    out: &Path,
    authorities: &Authorities,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let Dump { path, request } = dump;
    let input = text_input::open(path, "rows of the dump", progress)?;
    let differences = out.join(DifferenceRow::FILE);
    let aside = files::stage(&differences)?;
    let mut stream = Stream {
        differences: files::row_file(&differences)?,
        malformed: files::row_file(&out.join(MalformedRow::FILE))?,
        kept: Vec::new(),
        named: 0,
        path,
        progress,
    };
    let started = Instant::now();
    let summary = dump::verify(input, request, authorities, aside, &mut stream)
        .with_context(|| path.display().to_string())?;
    if stream.named > NAMED {
        progress.note(&format!(
            "and {} more malformed rows, all in {}",
            stream.named - NAMED,
            MalformedRow::FILE
        ));
    }
    tell(&summary, progress);
    let took = started.elapsed();
    for (place, tally) in summary.tallies.into_iter().enumerate() {
        // The file is read once for all of them.
        found.add_tally(tally, if place == 0 { took } else { Duration::ZERO });
    }
    found.run.dump.extend(summary.sources);
    found.add_differences(stream.kept);
    found.streamed = Some(Streamed {
        differences: files::staged(stream.differences)?,
        malformed: files::staged(stream.malformed)?,
    });
    Ok(())
}

/// Prints what was in the file, and which tables may be missing.
fn tell(summary: &DumpSummary, progress: &Progress) {
    if !summary.not_read.is_empty() {
        progress.note(&format!("note: ignored columns: {}", summary.not_read.join(", ")));
    }
    if !summary.not_counted.is_empty() {
        let tables = summary.not_counted.join(", ");
        progress.note(&format!("note: how many positions the dump has of {tables} was not counted"));
    }
    for coverage in &summary.coverage {
        let table: Option<Material> = coverage.table.parse().ok().filter(|_| coverage.undecided > 0);
        let hint = match table {
            Some(table) if table.men() <= builders::MAX_QUICK_MEN => format!(": --tables {table} builds one"),
            Some(table) => {
                let build = program::command(format_args!("tables build {table}"));
                format!(": {build}, then --tables {table}")
            }
            None => String::new(),
        };
        progress.note(&format!("note: {coverage}{hint}"));
    }
}
