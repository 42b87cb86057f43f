//! What further runs say of changes that the first two runs leave in doubt: hangs that the old version may have too,
//! and errors of the new version that the second run did not have.

use std::collections::BTreeSet;

use suites::Difference;
use suites::catalogue::Severity;

use super::changes;
use crate::{CompareRow, CompareVerdict, ProtocolVerdict, Run};

/// How often the old version is asked once more for a hang of the new one.
const FURTHER: usize = 3;
/// How often both are asked once more for an error that did not come again, at most.
const INSISTS: usize = 5;
/// In so many of these runs it has to come again.
const COMES: usize = 2;

/// Makes broken hangs flaky that the old version has by chance too. The runs of the old version leave a hang in doubt
/// if it hung in another case. Then `ask` asks it again for the doubtful rows, up to three times; a hang is
/// excused if the old version hangs in the same case in two of these runs, or twice at once in one. Returns how many
/// are. A race that shows in few cases shows there often.
///
/// # Errors
/// Those of `ask`.
pub fn excuse<E>(
    rows: &mut [CompareRow],
    old: [&Run; 2],
    mut ask: impl FnMut(&[&CompareRow]) -> Result<Run, E>,
) -> Result<usize, E> {
    let mut times = vec![0; rows.len()];
    for _ in 0..FURTHER {
        let is_doubtful = |row: &CompareRow| {
            let mut found = old.iter().flat_map(|run| &run.differences);
            row.verdict == CompareVerdict::Broken && found.any(|found| hangs_alike(row, found) > 0)
        };
        let doubtful: Vec<&CompareRow> = rows.iter().filter(|row| is_doubtful(row)).collect();
        if doubtful.is_empty() {
            break;
        }
        let run = ask(&doubtful)?;
        for (row, times) in rows.iter_mut().zip(&mut times) {
            let of_case = run.differences.iter().filter(|found| found.case == row.case);
            *times += of_case.map(|found| hangs_alike(row, found)).sum::<u32>();
            if row.verdict == CompareVerdict::Broken && *times >= 2 {
                row.verdict = CompareVerdict::Flaky;
            }
        }
    }
    Ok(times.into_iter().filter(|times| *times >= 2).count())
}

/// Makes errors of the protocol broken again that [`confirm`](super::confirm) made flaky, if they come by chance in the new
/// version and not in the old one. `came` has the check and case of those that were broken in the first run, and
/// `old` the runs of the old version until now. `ask` asks both versions again for the doubtful rows, up to five times. An
/// error is broken if the new version has one of its check in two of these runs, and the old version in none, not
/// even one that did not come again. Returns how many are. Other checks cannot be asked alone.
///
/// # Errors
/// Those of `ask`.
pub fn insist<E>(
    rows: &mut [CompareRow],
    came: &BTreeSet<(String, String)>,
    old: [&Run; 2],
    mut ask: impl FnMut(&[&CompareRow]) -> Result<[Run; 2], E>,
) -> Result<usize, E> {
    let is_doubtful = |row: &CompareRow| {
        row.verdict == CompareVerdict::Flaky
            && row.severity == Some(Severity::Error)
            && row.check.starts_with("protocol/")
            && came.contains(&(row.check.clone(), row.case.clone()))
            && !old.iter().any(|run| has_failed(run, &row.check))
    };
    let mut doubtful: Vec<(&mut CompareRow, usize)> =
        rows.iter_mut().filter(|row| is_doubtful(row)).map(|row| (row, 0)).collect();
    for left in (0..INSISTS).rev() {
        if doubtful.iter().all(|(_, times)| *times >= COMES) {
            break;
        }
        let asked: Vec<&CompareRow> = doubtful.iter().map(|(row, _)| &**row).collect();
        let [old, new] = ask(&asked)?;
        let found = changes(&old, &new);
        doubtful.retain_mut(|(row, times)| {
            let mut of_check = found.iter().filter(|found| found.check == row.check);
            *times += usize::from(of_check.any(|found| found.verdict == CompareVerdict::Broken));
            *times + left >= COMES && !has_failed(&old, &row.check)
        });
    }
    Ok(doubtful.into_iter().map(|(row, _)| row.verdict = CompareVerdict::Broken).count())
}

/// Whether a version failed a check of the protocol in a run, once or again at once.
fn has_failed(run: &Run, check: &str) -> bool {
    use ProtocolVerdict::{Differs, Observed};
    let mut rows = run.protocol.iter().filter(|row| row.check == check);
    rows.any(|row| matches!(row.verdict, Differs | Observed))
        || run.differences.iter().any(|found| found.check == check)
}

/// How often the process hung in a finding, if it did so as in this row: twice, or once if it did not come again.
fn hangs_alike(row: &CompareRow, found: &Difference) -> u32 {
    const HANG: &str = "process/hang";
    if row.check != HANG || format!("{}{}", CompareRow::DIFFERS, found.stored) != row.b {
        return 0;
    }
    match &*found.check {
        HANG => 2,
        "process/flaky" => 1,
        _ => 0,
    }
}
