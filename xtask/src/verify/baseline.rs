//! The baseline: an earlier run's reports, which this run's are held against.

use std::path::{Path, PathBuf};

use anyhow::Context;
use reports::{Files, RegressionRow, Run, Scope, regression};

use super::VerifyArgs;
use crate::files;

/// The committed baseline, from the root of the workspace.
const DEFAULT: &str = "reports/baseline";
/// The most bytes of one report that is read.
const LARGEST: u64 = 256 << 20;

/// How much a run covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everything, so that the committed baseline speaks of all of it.
    Whole,
    /// Some tables or suites, with all their checks.
    Part,
    /// Some of the checks.
    SomeChecks,
}

/// The folder to compare with: the one named, or the committed one for a run of everything where it is at hand. None for
/// a run that thinks longer or shorter than the run that made it.
pub(super) fn folder(args: &VerifyArgs, extent: Extent) -> Option<PathBuf> {
    if args.update_baseline || !args.has_usual_limit() {
        return None;
    }
    let committed =
        || Some(PathBuf::from(DEFAULT)).filter(|folder| extent == Extent::Whole && folder.is_dir());
    args.baseline.clone().or_else(committed)
}

/// What changed since the run whose reports stand in `folder`.
pub(super) fn compare(folder: &Path, run: &Run, scope: &Scope) -> anyhow::Result<Vec<RegressionRow>> {
    let after = run.baseline_files();
    let mut before = Files::new();
    for name in after.keys() {
        let path = folder.join(name);
        let bytes = files::read(&path, LARGEST).with_context(|| {
            format!("{} is no baseline; make one with: verify --update-baseline", folder.display())
        })?;
        before.insert(name.clone(), bytes);
    }
    regression::compare(&before, &after, scope).with_context(|| folder.display().to_string())
}

/// Makes a run's reports the baseline.
pub(super) fn update(args: &VerifyArgs, reports: &Files) -> anyhow::Result<()> {
    let folder = args.baseline.clone().unwrap_or_else(|| PathBuf::from(DEFAULT));
    for (name, bytes) in reports {
        files::write(&folder.join(name), bytes)?;
    }
    Ok(())
}
