//! The baseline: the reports of an earlier run to compare with.

use std::path::{Path, PathBuf};

use anyhow::Context;
use reports::{Files, RegressionRow, Run, Scope, regression};
use serde::{Deserialize, Serialize};

use super::job::Job;
use crate::{files, report_folder};

/// The committed baseline, relative to the root of the workspace.
const DEFAULT: &str = "reports/baseline";
/// The largest report that is read, in bytes.
const LARGEST: u64 = 256 << 20;

/// How much of a baseline a run covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum BaselineScope {
    /// Everything in the committed baseline.
    Whole,
    /// Some tables or suites, with all their checks.
    Part,
    /// Some of the checks.
    SomeChecks,
}

/// The folder to compare with: the named one, or the committed one for a run of everything. `None` for a run
/// whose searches have other limits than those of a baseline.
pub(super) fn folder(job: &Job, extent: BaselineScope) -> Option<PathBuf> {
    if job.updates_baseline || !job.has_usual_limit() {
        return None;
    }
    let committed =
        || Some(PathBuf::from(DEFAULT)).filter(|folder| extent == BaselineScope::Whole && folder.is_dir());
    job.baseline.clone().or_else(committed)
}

/// The changes since the run whose reports are in `folder`.
pub(super) fn compare(folder: &Path, run: &Run, scope: &Scope) -> anyhow::Result<Vec<RegressionRow>> {
    let after = run.baseline_files();
    let mut before = Files::new();
    for name in after.keys() {
        let path = folder.join(name);
        let bytes = files::read(&path, LARGEST).with_context(|| {
            format!("{} is not a baseline; make one with: verify --update-baseline", folder.display())
        })?;
        before.insert(name.clone(), bytes);
    }
    regression::compare(&before, &after, scope).with_context(|| folder.display().to_string())
}

/// Makes a run's reports the baseline.
pub(super) fn update(job: &Job, reports: &Files) -> anyhow::Result<()> {
    let folder = job.baseline.clone().unwrap_or_else(|| PathBuf::from(DEFAULT));
    report_folder::replace(&folder, reports, Vec::new(), &[])
}
