//! Removes the reports of an earlier run if a run fails before it writes its own: they would be mistaken for those of this run.

use std::path::Path;

use anyhow::anyhow;
use reports::{CompareRow, EngineCard, MalformedRow, RegressionRow, Row, Run};

use super::external;
use crate::files;

/// The error of a run that wrote no reports. If the named program is not an engine, the reports in these folders are removed; after
/// other errors they stay.
pub(crate) fn without_reports(error: anyhow::Error, folders: &[&Path]) -> anyhow::Error {
    if !error.is::<external::NoEngine>() {
        return error;
    }
    let mut removed = Vec::new();
    for folder in folders {
        match remove(folder) {
            Ok(true) => removed.push(folder.display().to_string()),
            Ok(false) => {}
            Err(failed) => return anyhow!("{error}\nNo report was written: {failed:#}"),
        }
    }
    match &removed[..] {
        [] => anyhow!("{error}\nNo report was written."),
        folders => {
            anyhow!(
                "{error}\nNo report was written; those of an earlier run were removed from {}.",
                folders.join(", ")
            )
        }
    }
}

/// Removes the reports in a folder. Returns whether there were any.
fn remove(folder: &Path) -> anyhow::Result<bool> {
    let occasional = [EngineCard::FILE, RegressionRow::FILE, MalformedRow::FILE, CompareRow::FILE];
    let names = Run::default().files().into_keys().chain(occasional.map(str::to_owned));
    let mut any = false;
    for path in names.map(|name| folder.join(name)).filter(|path| path.is_file()) {
        files::remove(&path)?;
        any = true;
    }
    external::clear_transcripts(folder)?;
    Ok(any)
}
