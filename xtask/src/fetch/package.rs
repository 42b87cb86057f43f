//! The Python source package `chess`, which carries the Syzygy files of three and four men.
//!
//! pip brings it: which host it comes from, and through which proxy, is pip's to know. pip is told the sum, so
//! that it runs nothing out of an archive that is another; then we hash it ourselves. Only members with the
//! exact names asked for are read, and nothing is ever unpacked to a path that the archive names.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, ensure};
use sha2::Digest;
use suites::syzygy::Sha256;

use super::MAX_FILE_BYTES;
use super::cache::{read_bounded, take_bounded};

const NAME: &str = "chess";
const VERSION: &str = "1.11.2";
const SHA256: &str = "a8b43e5678fdb3000695bdaa573117ad683761e5ca38e591c4826eba6d25bb39";
const FOLDER: &str = "data/syzygy/regular";
const TIMEOUT: Duration = Duration::from_mins(5);
const MAX_ARCHIVE_BYTES: u64 = 64 << 20;
const MAX_UNPACKED_BYTES: u64 = 256 << 20;
const MAX_MESSAGE_BYTES: u64 = 64 << 10;

/// The package, and how to get it.
#[derive(Debug)]
pub(super) struct Package {
    /// The interpreter that has pip.
    pub(super) python: std::path::PathBuf,
    /// What the archive's sum must be.
    pub(super) sha256: Sha256,
    /// How long pip may take.
    pub(super) timeout: Duration,
}

impl fmt::Display for Package {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Python source package {NAME} {VERSION} through pip")
    }
}

impl Package {
    /// The published package, through the `python3` in the path.
    ///
    /// # Panics
    /// Never: the sum above is one.
    pub(super) fn published() -> Self {
        let sha256 = Sha256::from_hex(SHA256).expect("64 hexadecimal digits");
        Self { python: "python3".into(), sha256, timeout: TIMEOUT }
    }

    /// The files asked for, as far as the package has them: names with bytes.
    pub(super) fn files(&self, names: &[String]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        let folder = tempfile::tempdir().map_err(|cause| anyhow!("temporary folder: {cause}"))?;
        self.download(folder.path())?;
        let archive = format!("{NAME}-{VERSION}.tar.gz");
        let unreadable = |cause| anyhow!("{archive}: {cause}");
        let bytes = read_bounded(&folder.path().join(&archive), MAX_ARCHIVE_BYTES).map_err(unreadable)?;
        let (expected, found) = (self.sha256, Sha256(sha2::Sha256::digest(&bytes).into()));
        ensure!(found == expected, "{archive}: expected SHA-256 {expected}, got {found}");
        unpack(&bytes, names).map_err(unreadable)
    }

    /// Lets pip put the archive into a folder.
    fn download(&self, folder: &Path) -> anyhow::Result<()> {
        let io = |cause| anyhow!("temporary folder: {cause}");
        let requirement = folder.join("requirement.txt");
        std::fs::write(&requirement, format!("{NAME}=={VERSION} --hash=sha256:{}\n", self.sha256))
            .map_err(io)?;
        let messages = folder.join("messages.txt");
        let mut child = Command::new(&self.python)
            .args(["-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"])
            .args(["--retries", "1"])
            .args(["--no-deps", "--no-binary", ":all:", "--require-hashes", "--requirement"])
            .arg(&requirement)
            .arg("--dest")
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&messages).map_err(io)?)
            .spawn()
            .map_err(|cause| anyhow!("{} did not start: {cause}", self.python.display()))?;
        let status = wait(&mut child, self.timeout).map_err(io)?;
        let status =
            status.with_context(|| format!("pip did not end within {} s", self.timeout.as_secs()))?;
        ensure!(status.success(), "pip failed with {status}: {}", last_line(&messages));
        Ok(())
    }
}

/// Waits for a child; after the timeout ends it and returns `None`.
fn wait(child: &mut std::process::Child, timeout: Duration) -> io::Result<Option<ExitStatus>> {
    let deadline = Instant::now() + timeout;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn last_line(messages: &Path) -> String {
    let bytes =
        File::open(messages).and_then(|file| take_bounded(file, MAX_MESSAGE_BYTES)).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().rev().find(|line| line.starts_with("ERROR")).or(text.lines().next_back());
    line.unwrap_or("no message").chars().take(300).collect()
}

/// The members of an archive that have the names asked for, and lie where they should.
fn unpack(archive: &[u8], names: &[String]) -> io::Result<Vec<(String, Vec<u8>)>> {
    use std::io::Read;
    let unpacked = flate2::read::GzDecoder::new(archive).take(MAX_UNPACKED_BYTES);
    let mut found = Vec::new();
    for member in tar::Archive::new(unpacked).entries()? {
        let member = member?;
        let path = member.path()?.into_owned();
        let name = names.iter().find(|name| path == Path::new(&format!("{NAME}-{VERSION}/{FOLDER}/{name}")));
        if let Some(name) = name.filter(|_| member.header().entry_type().is_file()) {
            found.push((name.clone(), take_bounded(member, MAX_FILE_BYTES)?));
        }
    }
    Ok(found)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// An archive with members of the given paths and types.
    pub(in super::super) fn archive(members: &[(&str, &[u8], tar::EntryType)]) -> Vec<u8> {
        let encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let mut builder = tar::Builder::new(encoder);
        for (path, bytes, kind) in members {
            let mut header = tar::Header::new_gnu();
            header.as_gnu_mut().unwrap().name[..path.len()].copy_from_slice(path.as_bytes());
            header.set_size(bytes.len() as u64);
            header.set_entry_type(*kind);
            header.set_cksum();
            builder.append(&header, *bytes).unwrap();
        }
        builder.into_inner().unwrap().finish().unwrap()
    }

    #[test]
    fn only_regular_members_in_their_place_are_read() {
        let file = tar::EntryType::Regular;
        let bytes = archive(&[
            ("chess-1.11.2/data/syzygy/regular/KPvK.rtbw", b"right", file),
            ("chess-1.11.2/data/syzygy/regular/../KPvK.rtbw", b"above", file),
            ("/chess-1.11.2/data/syzygy/regular/KPvK.rtbw", b"absolute", file),
            ("chess-1.11.2/KPvK.rtbw", b"elsewhere", file),
            ("chess-1.11.2/data/syzygy/regular/KQvK.rtbw", b"not asked for", file),
            ("chess-1.11.2/data/syzygy/regular/KRvK.rtbw", b"", tar::EntryType::Symlink),
        ]);
        let names = ["KPvK.rtbw", "KRvK.rtbw"].map(str::to_owned);
        assert_eq!(unpack(&bytes, &names).unwrap(), [("KPvK.rtbw".to_owned(), b"right".to_vec())]);
    }

    #[test]
    fn a_cut_archive_is_an_error() {
        let name = "chess-1.11.2/data/syzygy/regular/KPvK.rtbw";
        let bytes = archive(&[(name, &[7; 5000], tar::EntryType::Regular)]);
        assert!(unpack(&bytes[..bytes.len() / 2], &["KPvK.rtbw".to_owned()]).is_err());
        assert!(unpack(b"no archive", &[]).is_err());
    }
}
