//! The message about the reports of an earlier run, if a run fails before it writes its own. Users would
//! mistake the earlier reports for those of this run.

use std::path::Path;

use anyhow::anyhow;
use reports::{CompareRow, Row, Run};

use super::external;

/// The error of a run that wrote no reports. Reports of an earlier run stay. The error names them if the
/// program that was to be asked is no engine.
pub(crate) fn without_reports(error: anyhow::Error, folders: &[&Path]) -> anyhow::Error {
    if !error.is::<external::NoEngine>() {
        return error;
    }
    let earlier: Vec<String> = folders
        .iter()
        .filter(|folder| has_reports(folder))
        .map(|folder| folder.display().to_string())
        .collect();
    match &earlier[..] {
        [] => anyhow!("{error}\nNo report was written."),
        folders => {
            anyhow!("{error}\nNo report was written; those in {} are of an earlier run.", folders.join(", "))
        }
    }
}

/// Whether a folder has the reports of a run, or of a comparison.
fn has_reports(folder: &Path) -> bool {
    let names = Run::default().files().into_keys().chain([CompareRow::FILE.to_owned()]);
    names.into_iter().any(|name| folder.join(name).is_file())
}
