//! Transcripts as files: those of failures and findings, and with `--transcripts` every whole session.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::super::engine_args::EngineArgs;
use uci::{Archive, Archived, Entry, Record};

use crate::files;
use crate::report_folder::{TRANSCRIPT_AGAIN, TRANSCRIPT_SUFFIX, TRANSCRIPTS};

/// Where transcripts go.
pub(super) struct Transcripts {
    folder: PathBuf,
    sessions: Option<PathBuf>,
    /// What the names of the files begin with.
    prefix: &'static str,
}

impl Transcripts {
    /// The folders of this run.
    pub(super) fn new(engine: &EngineArgs, out: &Path) -> anyhow::Result<Self> {
        if let Some(sessions) = &engine.transcripts {
            std::fs::create_dir_all(sessions)
                .map_err(|error| anyhow::anyhow!("cannot make the folder {}: {error}", sessions.display()))?;
        }
        let prefix = if engine.is_asked_again { TRANSCRIPT_AGAIN } else { "" };
        Ok(Self { folder: out.join(TRANSCRIPTS), sessions: engine.transcripts.clone(), prefix })
    }

    /// Writes a transcript and returns the name of its file.
    pub(super) fn write(&self, what: &str, transcript: &str) -> anyhow::Result<String> {
        let name = file_name(&format!("{}{what}", self.prefix));
        files::write(&self.folder.join(&name), transcript.as_bytes())?;
        Ok(name)
    }

    /// The archive of whole sessions.
    pub(super) fn archive(&self) -> Archived {
        let folder = |folder: &PathBuf| Folder { folder: folder.clone(), begun: Mutex::default() };
        self.sessions
            .as_ref()
            .map_or_else(Archived::default, |sessions| Archived::to(Arc::new(folder(sessions))))
    }
}

fn file_name(what: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    format!("{}{TRANSCRIPT_SUFFIX}", what.chars().map(plain).collect::<String>())
}

/// A folder with a file for each session.
struct Folder {
    folder: PathBuf,
    /// How many sessions of each name have begun.
    begun: Mutex<BTreeMap<String, u32>>,
}

impl Archive for Folder {
    fn begin(&self, session: &str) -> Option<Box<dyn Record>> {
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let number = begun.entry(session.to_owned()).and_modify(|number| *number += 1).or_insert(1);
        let path = self.folder.join(file_name(&format!("{session}-{number:04}")));
        match File::create(&path) {
            Ok(file) => Some(Box::new(Lines(BufWriter::new(file)))),
            Err(error) => {
                crate::console::message(&format!("note: cannot write {}: {error}", path.display()));
                None
            }
        }
    }
}

/// The file of a session. Write errors are ignored.
struct Lines(BufWriter<File>);

impl Record for Lines {
    fn write(&mut self, entry: &Entry) {
        let _ = writeln!(self.0, "{entry}");
    }
}
