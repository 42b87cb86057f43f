//! The reports of a run in a folder: read, and as a page.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use reports::html::{self, Named, Transcripts};
use reports::{Files, Run};

use crate::{files, program};

/// The most bytes of a report, and of a transcript.
const MOST_BYTES: u64 = 1 << 30;
const MOST_TRANSCRIPT: u64 = 16 << 20;
/// The most transcripts.
const MOST_TRANSCRIPTS: usize = 1_000;

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
        [old, new] => Some(reports::changes(&old.run, &new.run)),
        _ => None,
    };
    Ok(html::document(&runs, changes.as_deref().map(|rows| (rows, reports::headline(rows)))))
}

/// The run whose reports are in a folder.
pub(crate) fn read(folder: &Path) -> anyhow::Result<Run> {
    let run = parsed(folder)?;
    Ok(Run { folder: uci::quoted(&folder.display().to_string()), ..run })
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
fn transcripts(folder: &Path) -> Transcripts {
    let entries = std::fs::read_dir(folder.join("transcripts")).into_iter().flatten().flatten();
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
