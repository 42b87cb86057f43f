//! What further runs say of changes that the first two runs leave in doubt: hangs that the old version may have too,
//! and errors of the new version that came in one of the two.

use std::collections::BTreeSet;

use suites::Difference;
use suites::catalogue::Severity;

use super::changes;
use crate::{CompareRow, CompareVerdict, Run};

/// How often the old version is asked once more for a hang of the new one.
const FURTHER: usize = 3;
/// How often both are asked once more for an error that came in one of two runs.
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

/// Makes errors broken again that [`confirm`](super::confirm) made flaky, if they come by chance in the new version and not in
/// the old one: `came` has the check and case of those that were broken at first. `ask` asks both versions again for
/// the doubtful rows, up to five times. An error is broken if it comes in two of these runs and the old version has
/// none of its check. Returns how many are. Only checks of the protocol are asked, since each can be asked alone.
///
/// # Errors
/// Those of `ask`.
pub fn insist<E>(
    rows: &mut [CompareRow],
    came: &BTreeSet<(String, String)>,
    mut ask: impl FnMut(&[&CompareRow]) -> Result<[Run; 2], E>,
) -> Result<usize, E> {
    let is_doubtful = |row: &CompareRow| {
        row.verdict == CompareVerdict::Flaky
            && row.severity == Some(Severity::Error)
            && row.check.starts_with("protocol/")
            && came.contains(&(row.check.clone(), row.case.clone()))
    };
    let mut doubtful: Vec<(&mut CompareRow, usize)> =
        rows.iter_mut().filter(|row| is_doubtful(row)).map(|row| (row, 0)).collect();
    for _ in 0..INSISTS {
        if doubtful.is_empty() {
            break;
        }
        let asked: Vec<&CompareRow> = doubtful.iter().map(|(row, _)| &**row).collect();
        let [old, new] = ask(&asked)?;
        let found = changes(&old, &new);
        doubtful.retain_mut(|(row, times)| {
            let comes =
                |found: &&CompareRow| found.check == row.check && found.verdict == CompareVerdict::Broken;
            *times += usize::from(found.iter().any(|found| comes(&found)));
            !old.differences.iter().any(|found| found.check == row.check)
        });
    }
    let broken = doubtful.into_iter().filter(|(_, times)| *times >= COMES);
    Ok(broken.map(|(row, _)| row.verdict = CompareVerdict::Broken).count())
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
