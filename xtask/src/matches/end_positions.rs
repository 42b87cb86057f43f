//! The file of `--epdout`: the last position of each game that counts.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use arbiter::game::GameRecord;

use crate::files;

/// The file that is being written.
pub(super) struct EndPositions {
    file: File,
    path: PathBuf,
}

impl EndPositions {
    /// A file without positions. With `anew` it is that of this match, and is written again; otherwise none
    /// may be there.
    pub(super) fn new(path: &Path, anew: bool) -> anyhow::Result<Self> {
        Ok(Self { file: files::begin(path, anew, "--epdout")?, path: path.to_owned() })
    }

    /// Adds the last position of a game.
    pub(super) fn add(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        let line = format!("{}\n", record.end_position()?);
        self.file.write_all(line.as_bytes()).with_context(|| self.failed())
    }

    /// Writes what is not on the disk yet.
    pub(super) fn finish(&self) -> anyhow::Result<()> {
        self.file.sync_data().with_context(|| self.failed())
    }

    fn failed(&self) -> String {
        format!("cannot write {}", self.path.display())
    }
}
