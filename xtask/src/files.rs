//! Reading and writing files: reads are bounded, writes are whole or not at all.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

/// Reads a file of at most `limit` bytes.
pub(crate) fn read(path: &Path, limit: u64) -> anyhow::Result<Vec<u8>> {
    let metadata = fs::metadata(path).with_context(|| format!("cannot open {}", path.display()))?;
    if !metadata.is_file() {
        bail!("{} is not a regular file", path.display());
    }
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut bytes = Vec::new();
    file.take(limit + 1)
        .read_to_end(&mut bytes)
        .with_context(|| format!("cannot read {}", path.display()))?;
    if bytes.len() as u64 > limit {
        bail!("{} is larger than {limit} bytes: it is not the file that is expected here", path.display());
    }
    Ok(bytes)
}

/// Writes a file beside its place and renames it, so that there is the old file or the new one and nothing between.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut staged = stage(path)?;
    staged.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
    publish(staged, path)
}

/// Sees whether files can be written into a folder. Nothing is left of the trial: a folder that was not there is gone again.
pub(crate) fn try_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && !folder.is_dir() {
        bail!("--out {} is not a folder", folder.display());
    }
    let made: Vec<&Path> = folder.ancestors().take_while(|path| !path.exists()).collect();
    let tried = stage(&folder.join(".touchstone")).map(drop);
    // The innermost comes first; one that another run uses by now is not empty, and stays.
    made.into_iter().take_while(|path| fs::remove_dir(path).is_ok()).for_each(drop);
    tried.with_context(|| format!("--out {}", folder.display()))
}

/// Removes a file if it is there.
pub(crate) fn remove(path: &Path) -> anyhow::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| format!("cannot remove {}", path.display())),
    }
}

/// A temporary file beside `path`, to be published there; its folder is made if it is not there.
pub(crate) fn stage(path: &Path) -> anyhow::Result<NamedTempFile> {
    if path.exists() && !path.is_file() {
        bail!("{} is not a regular file; nothing is put in its place", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    tempfile::Builder::new()
        .prefix(".touchstone-")
        .permissions_for_all()
        .tempfile_in(folder)
        .with_context(|| format!("cannot write into {}", folder.display()))
}

/// Puts a staged file in its place.
pub(crate) fn publish(staged: NamedTempFile, path: &Path) -> anyhow::Result<()> {
    staged.persist(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}

/// Files that others may read, as files that are not temporary are.
trait ForAll {
    fn permissions_for_all(&mut self) -> &mut Self;
}

impl ForAll for tempfile::Builder<'_, '_> {
    #[cfg(unix)]
    fn permissions_for_all(&mut self) -> &mut Self {
        use std::os::unix::fs::PermissionsExt;
        self.permissions(fs::Permissions::from_mode(0o644))
    }

    #[cfg(not(unix))]
    fn permissions_for_all(&mut self) -> &mut Self {
        self
    }
}
