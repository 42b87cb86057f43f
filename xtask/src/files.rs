//! Reading and writing files. Reads are bounded, and writes are atomic.

use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, ErrorKind, IntoInnerError, Read, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use reports::{Files, Row, RowWriter};
use tempfile::NamedTempFile;

/// The extension of a lock.
pub(crate) const LOCK: &str = "lock";

/// Opens the lock file of a folder, and creates it if necessary: `NAME.lock` beside the folder `NAME`. Nothing here
/// removes it.
pub(crate) fn lock(folder: &Path) -> anyhow::Result<File> {
    let path = folder.with_extension(LOCK);
    File::create(&path).with_context(|| format!("cannot write {}", path.display()))
}

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

/// Writes a temporary file beside `path` and renames it, so that `path` is always the whole old or the whole
/// new file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut staged = stage(path)?;
    staged.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
    publish(staged, path)
}

/// Writes a file that does not exist yet, whole or not at all.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut staged = stage(path)?;
    staged.write_all(bytes).with_context(|| format!("cannot write {}", path.display()))?;
    staged.persist_noclobber(path).with_context(|| format!("cannot create {}", path.display()))?;
    Ok(())
}

/// Checks that files can be written into a folder. Removes whatever it creates for that.
pub(crate) fn try_folder(folder: &Path) -> anyhow::Result<()> {
    if folder.exists() && !folder.is_dir() {
        bail!("--out {} is not a folder", folder.display());
    }
    let made: Vec<&Path> = folder.ancestors().take_while(|path| !path.exists()).collect();
    let tried = stage(&folder.join(".touchstone")).map(drop);
    // The innermost folder comes first. A folder that another run uses by now is not empty, and stays.
    made.into_iter().take_while(|path| fs::remove_dir(path).is_ok()).for_each(drop);
    tried.with_context(|| format!("--out {}", folder.display()))
}

/// Makes git ignore a folder of reports that does not exist yet, if it will lie within a repository: reports
/// are no change of the repository. A folder that exists is the user's, and may be committed.
pub(crate) fn ignored_by_git(folder: &Path) -> anyhow::Result<()> {
    let is_repository = |path: &&Path| path.join(".git").exists();
    let whole = std::path::absolute(folder)?;
    if folder.exists() || !whole.ancestors().any(|path| is_repository(&path)) {
        return Ok(());
    }
    write(&folder.join(".gitignore"), b"*\n")
}

/// Removes the scripts of an earlier run from a folder within `out`, except those that are among these files.
pub(crate) fn remove_others(out: &Path, folder: &str, kept: &Files) -> anyhow::Result<()> {
    for entry in fs::read_dir(out.join(folder)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_kept = name.to_str().is_some_and(|name| kept.contains_key(&format!("{folder}/{name}")));
        if !is_kept && Path::new(&name).extension().is_some_and(|ending| ending == "sh") {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Removes a file if it is there.
pub(crate) fn remove(path: &Path) -> anyhow::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.with_context(|| format!("cannot remove {}", path.display())),
    }
}

/// Creates a temporary file beside `path`, to be published there. Creates the folder if necessary.
pub(crate) fn stage(path: &Path) -> anyhow::Result<NamedTempFile> {
    if path.exists() && !path.is_file() {
        bail!("{} is not a regular file; nothing is put in its place", path.display());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let mut file = tempfile::Builder::new();
    #[cfg(unix)]
    file.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644));
    file.prefix(".touchstone-")
        .tempfile_in(folder)
        .with_context(|| format!("cannot write into {}", folder.display()))
}

/// A report that is written row by row into a staged file.
pub(crate) type RowFile<R> = RowWriter<BufWriter<NamedTempFile>, R>;

/// Begins the report that belongs at `path`.
pub(crate) fn row_file<R: Row>(path: &Path) -> anyhow::Result<RowFile<R>> {
    Ok(RowWriter::new(BufWriter::new(stage(path)?))?)
}

/// The staged file of a report that has all its rows.
pub(crate) fn staged<R: Row>(rows: RowFile<R>) -> anyhow::Result<NamedTempFile> {
    Ok(rows.finish()?.into_inner().map_err(IntoInnerError::into_error)?)
}

/// Renames a staged file to its final path.
pub(crate) fn publish(staged: NamedTempFile, path: &Path) -> anyhow::Result<()> {
    staged.persist(path).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(())
}

/// Creates a file that `option` names. With `anew` an older one is emptied; otherwise none may be there.
pub(crate) fn begin(path: &Path, anew: bool, option: &str) -> anyhow::Result<File> {
    let mut options = OpenOptions::new();
    let file = options.write(true).create(anew).truncate(anew).create_new(!anew).open(path);
    file.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            anyhow!(
                "{} exists, and is not overwritten; remove it, or name another with {option}",
                path.display()
            )
        }
        _ => anyhow!("cannot create {}: {error}", path.display()),
    })
}
