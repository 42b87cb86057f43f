//! What was found in the games of a match, for its page.

use std::path::Path;

use anyhow::Context;
use reports::DifferenceRow;
use reports::match_data::MatchFindings;

use super::truth::FINDINGS;

/// The findings in the folder of a match; `None` if its games were not judged yet. No more is kept of the file than the
/// page shows.
pub(super) fn of_folder(folder: &Path) -> anyhow::Result<Option<MatchFindings>> {
    let path = folder.join(FINDINGS);
    if !path.exists() {
        return Ok(None);
    }
    let shown = || format!("{} cannot be read; match --resume writes it anew", path.display());
    let mut findings = MatchFindings::default();
    for row in csv::Reader::from_path(&path).with_context(shown)?.into_deserialize() {
        let DifferenceRow(found) = row.with_context(shown)?;
        findings.add(found);
    }
    Ok(Some(findings))
}
