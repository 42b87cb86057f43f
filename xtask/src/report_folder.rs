//! The reports of a run in a folder: read, and as a page.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use reports::html::{self, Named, Transcripts};
use reports::{CheckRow, Files, Regress, Row, Run, replays};
use tempfile::NamedTempFile;

use crate::{files, program};

/// The most bytes of a report, and of a transcript.
const MOST_BYTES: u64 = 1 << 30;
const MOST_TRANSCRIPT: u64 = 16 << 20;
/// The folder of transcripts in the folder of the reports.
pub(crate) const TRANSCRIPTS: &str = "transcripts";
/// The prefixes of the names of these files.
const TRANSCRIPT_FAMILIES: [&str; 4] = ["process-", "protocol-", "movegen-", "time-"];
/// The prefix before these of a run in which an engine was asked again.
pub(crate) const TRANSCRIPT_AGAIN: &str = "again-";
/// The suffix of their names.
pub(crate) const TRANSCRIPT_SUFFIX: &str = ".txt";
/// The most transcripts.
const MOST_TRANSCRIPTS: usize = 1_000;

/// Puts the reports of a run into a folder, with those that are staged already, and removes reports and scripts of
/// an earlier run.
pub(crate) fn put(folder: &Path, reports: &Files, staged: Vec<(&str, NamedTempFile)>) -> anyhow::Result<()> {
    let usual = Run::default().files();
    let names = usual.keys().map(String::as_str).chain(Run::OCCASIONAL.iter().copied());
    let is_staged = |name: &str| staged.iter().any(|(staged, _)| *staged == name);
    let absent: Vec<&str> = names.filter(|name| !reports.contains_key(*name) && !is_staged(name)).collect();
    replace(folder, reports, staged, &absent)
}

/// Puts reports into a folder, and removes those that are `absent`. All are on the disk before the first takes its
/// place, so that a full disk takes nothing away. Without `checks.csv` a folder holds no reports: it goes first and
/// comes last, so that a program which is killed leaves no mixture of two runs.
pub(crate) fn replace(
    folder: &Path,
    reports: &Files,
    staged: Vec<(&str, NamedTempFile)>,
    absent: &[&str],
) -> anyhow::Result<()> {
    let mut ready = Vec::new();
    for (name, bytes) in reports {
        let path = folder.join(name);
        let mut file = files::stage(&path)?;
        file.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
        // Thousands of scripts would be too many open files.
        ready.push((path, file.into_temp_path()));
    }
    ready.extend(staged.into_iter().map(|(name, file)| (folder.join(name), file.into_temp_path())));
    let checks = folder.join(CheckRow::FILE);
    ready.sort_by_key(|(path, _)| *path == checks);
    files::remove(&checks)?;
    for name in absent {
        files::remove(&folder.join(name))?;
    }
    files::remove_others(folder, replays::FOLDER, reports)?;
    for (path, file) in ready {
        file.persist(&path).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Writes the page of the reports in a folder.
pub(crate) fn write(folder: &PathBuf, file: &Path) -> anyhow::Result<()> {
    files::write(file, &page(std::slice::from_ref(folder))?)
}

/// The page of the reports in these folders, the oldest first.
pub(crate) fn page(folders: &[PathBuf]) -> anyhow::Result<Vec<u8>> {
    let names = names(folders);
    let last = folders.len() - 1;
    let mut runs = Vec::new();
    for (number, (folder, name)) in folders.iter().zip(names).enumerate() {
        let transcripts = if number == last { transcripts(folder) } else { Transcripts::new() };
        runs.push(Named { name, run: read(folder)?, transcripts });
    }
    let changes = match &runs[..] {
        [old, new] => Some(Regress { rows: reports::changes(&old.run, &new.run), ..Regress::default() }),
        _ => None,
    };
    Ok(html::document(&runs, changes.as_ref()))
}

/// The run whose reports are in a folder.
pub(crate) fn read(folder: &Path) -> anyhow::Result<Run> {
    let run = parsed(folder)?;
    Ok(Run { folder: uci::quoted(&folder.display().to_string()), ..run })
}

/// The same with the transcripts of the run.
pub(crate) fn whole(folder: &Path) -> anyhow::Result<(Run, Transcripts)> {
    Ok((read(folder)?, transcripts(folder)))
}

/// Removes the transcripts of an earlier run, which would be mistaken for those of this run.
pub(crate) fn clear_transcripts(reports: &Path) -> anyhow::Result<()> {
    for entry in std::fs::read_dir(reports.join(TRANSCRIPTS)).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if is_transcript(&name) {
            files::remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Whether a file has the name of a transcript of a failure or finding.
fn is_transcript(name: &str) -> bool {
    let of_run = name.strip_prefix(TRANSCRIPT_AGAIN).unwrap_or(name);
    TRANSCRIPT_FAMILIES.iter().any(|family| of_run.starts_with(family)) && name.ends_with(TRANSCRIPT_SUFFIX)
}

/// Writes the transcripts of a run beside its reports, in place of those of an earlier run.
pub(crate) fn put_transcripts(folder: &Path, transcripts: &Transcripts) -> anyhow::Result<()> {
    clear_transcripts(folder)?;
    let beside = folder.join(TRANSCRIPTS);
    let mut ours = transcripts.iter().filter(|(name, _)| is_transcript(name));
    ours.try_for_each(|(name, text)| files::write(&beside.join(name), text.as_bytes()))
}

fn parsed(folder: &Path) -> anyhow::Result<Run> {
    if !folder.is_dir() {
        bail!("{} is not a folder", folder.display());
    }
    let mut found = Files::new();
    for name in Run::default().files().into_keys().chain(Run::OCCASIONAL.iter().map(|&name| name.to_owned()))
    {
        let path = folder.join(&name);
        if path.exists() {
            found.insert(name, files::read(&path, MOST_BYTES)?);
        }
    }
    let command = program::command("verify --out DIR");
    Run::from_files(&found)
        .with_context(|| format!("{}: not the reports of a run; `{command}` writes them", folder.display()))
}

/// The transcripts beside the reports. Those that cannot be read are left out.
pub(crate) fn transcripts(folder: &Path) -> Transcripts {
    let entries = std::fs::read_dir(folder.join(TRANSCRIPTS)).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let text = |path: PathBuf| {
        let name = path.file_name()?.to_str()?.to_owned();
        let bytes = files::read(&path, MOST_TRANSCRIPT).ok()?;
        Some((name, String::from_utf8_lossy(&bytes).into_owned()))
    };
    paths.into_iter().filter_map(text).take(MOST_TRANSCRIPTS).collect()
}

/// The names of the runs: their folders without what is before the last part, unless that makes two of them
/// equal.
fn names(folders: &[PathBuf]) -> Vec<String> {
    let short = |folder: &PathBuf| {
        let whole = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        whole
            .file_name()
            .map_or_else(|| folder.display().to_string(), |name| name.to_string_lossy().into_owned())
    };
    let mut counts = BTreeMap::<String, usize>::new();
    for folder in folders {
        *counts.entry(short(folder)).or_default() += 1;
    }
    let name = |folder: &PathBuf| {
        let short = short(folder);
        if counts[&short] > 1 { folder.display().to_string() } else { short }
    };
    folders.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use suites::{Evidence, Tally};

    use super::*;

    /// Reports of a run of one check, of a subject that shows whose they are.
    fn reports(subject: &str) -> Files {
        let tally = Tally { agreed: 1, ..Tally::new(subject, "perft", Evidence::Agreement, "start") };
        let check = reports::CheckRun { tally, duration: None, optional: false };
        Run { checks: vec![check], ..Run::default() }.files()
    }

    fn subject(folder: &Path) -> Option<String> {
        Some(read(folder).ok()?.checks[0].tally.subject.clone())
    }

    #[test]
    fn what_an_earlier_run_has_left_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        for name in Run::OCCASIONAL {
            files::write(&folder.path().join(name), b"of an earlier run").unwrap();
        }
        let script = folder.path().join(replays::FOLDER).join("old.sh");
        files::write(&script, b"of an earlier run").unwrap();
        put(folder.path(), &reports("engine"), Vec::new()).unwrap();
        assert_eq!(subject(folder.path()).unwrap(), "engine");
        assert!(!script.exists());
        assert!(Run::OCCASIONAL.iter().all(|name| !folder.path().join(name).exists()));
    }

    /// A file that cannot take its place stands for the moment at which the program is killed: a folder with something
    /// in it is in its place, once all are staged.
    #[test]
    fn a_folder_never_holds_reports_of_two_runs() {
        let folder = tempfile::tempdir().unwrap();
        let blocked = folder.path().join("blocked");
        put(folder.path(), &reports("old"), Vec::new()).unwrap();
        std::fs::create_dir(&blocked).unwrap();
        std::fs::write(blocked.join("file"), "").unwrap();
        let staged = vec![("blocked", NamedTempFile::new_in(folder.path()).unwrap())];
        put(folder.path(), &reports("new"), staged).unwrap_err();
        assert!(!folder.path().join(CheckRow::FILE).exists());
        assert_eq!(subject(folder.path()), None);
        put(folder.path(), &reports("new"), Vec::new()).unwrap();
        assert_eq!(subject(folder.path()).unwrap(), "new");
    }

    #[test]
    fn what_cannot_be_staged_takes_no_earlier_report_away() {
        let folder = tempfile::tempdir().unwrap();
        put(folder.path(), &reports("old"), Vec::new()).unwrap();
        let mut new = reports("new");
        new.insert("timings.csv/x".to_owned(), Vec::new());
        put(folder.path(), &new, Vec::new()).unwrap_err();
        assert_eq!(subject(folder.path()).unwrap(), "old");
        let left = std::fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, reports("old").len(), "no staged file stays");
    }
}
