//! What went over the pipes, as files.

use std::path::PathBuf;

use super::super::VerifyArgs;
use crate::files;

/// The folder of transcripts within that of the reports.
const FOLDER: &str = "transcripts";
/// How the names of the files begin.
const FAMILIES: [&str; 4] = ["process-", "protocol-", "movegen-", "time-"];
/// How they end.
const SUFFIX: &str = ".txt";

/// Where transcripts go.
pub(super) struct Transcripts {
    folder: PathBuf,
    /// Whether those of checks go there that found nothing.
    pub(super) all: bool,
}

impl Transcripts {
    /// Where this run's go. Those of an earlier run would pass for this one's: they are removed.
    pub(super) fn new(args: &VerifyArgs) -> anyhow::Result<Self> {
        let folder = args.program.transcripts.clone().unwrap_or_else(|| args.out.join(FOLDER));
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if FAMILIES.iter().any(|family| name.starts_with(family)) && name.ends_with(SUFFIX) {
                files::remove(&entry.path())?;
            }
        }
        Ok(Self { folder, all: args.program.transcripts.is_some() })
    }

    /// Writes one, and gives the name of its file.
    pub(super) fn write(&self, what: &str, transcript: &str) -> anyhow::Result<String> {
        let name = format!("{}{SUFFIX}", what.replace('/', "-"));
        files::write(&self.folder.join(&name), transcript.as_bytes())?;
        Ok(name)
    }
}
