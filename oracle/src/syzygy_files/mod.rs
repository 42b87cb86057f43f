//! Syzygy table files in memory. Each file is hashed and compared with its known SHA-256 sum before it is
//! used.
//!
//! Files are added one by one, so that one bad file is named and the others are used. This module takes
//! bytes: it opens no files and reads no environment variables.

mod memory;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use sha2::Digest;
use shakmaty::Chess;
use shakmaty_syzygy::Tablebase;
use suites::syzygy::{Pin, Sha256, men_of};

use memory::MemoryFiles;

/// The most men of a table that the probing code supports.
const MAX_MEN: u8 = 7;
const WDL_MAGIC: [u8; 4] = [0x71, 0xe8, 0x23, 0x5d];
const DTZ_MAGIC: [u8; 4] = [0xd7, 0x66, 0x0c, 0xa5];

/// The status of a table file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileStatus {
    /// Its sum is known: it is used.
    Pinned {
        /// The version with this sum.
        version: String,
    },
    /// It looks like a table file, but no sum is known for its name. It is used, and reported.
    Unpinned,
    /// Its sum is not one of those known for its name. It is refused.
    Corrupt {
        /// The known sums, after the kind of sum.
        expected: String,
        /// Its sum.
        found: String,
    },
    /// It was not found.
    Missing,
    /// It could not be read, or is not a table file.
    Unreadable {
        /// The reason.
        reason: String,
    },
}

impl FileStatus {
    /// Whether the file is used.
    pub fn is_usable(&self) -> bool {
        match self {
            Self::Pinned { .. } | Self::Unpinned => true,
            Self::Corrupt { .. } | Self::Missing | Self::Unreadable { .. } => false,
        }
    }

    /// The status of `bytes` under a name, given the known sums.
    pub fn new(pins: &[Pin], name: &str, bytes: &[u8]) -> Self {
        match pins.iter().find(|pin| pin.file == name) {
            Some(pin) => {
                let found = Sha256(sha2::Sha256::digest(bytes).into());
                match pin.version(found) {
                    Some(version) => Self::Pinned { version },
                    None => Self::Corrupt { expected: words(pin), found: found.to_string() },
                }
            }
            None => match unpinned_fault(pins, name, bytes) {
                None => Self::Unpinned,
                Some(reason) => Self::Unreadable { reason: reason.to_owned() },
            },
        }
    }
}

impl fmt::Display for FileStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pinned { version } => write!(f, "right: its SHA-256 sum is known ({version})"),
            Self::Unpinned => f.write_str("unpinned: no SHA-256 sum is known for it"),
            Self::Corrupt { expected, found } => write!(f, "corrupt: expected {expected}, got {found}"),
            Self::Missing => f.write_str("missing"),
            Self::Unreadable { reason } => write!(f, "unreadable: {reason}"),
        }
    }
}

/// The known sums of a file.
fn words(pin: &Pin) -> String {
    match pin.sums {
        [one, other] if one == other => format!("SHA-256 {one}"),
        [one, other] => format!("SHA-256 {one} or {other}"),
    }
}

/// The reason why bytes without a known sum are not a table file.
fn unpinned_fault(pins: &[Pin], name: &str, bytes: &[u8]) -> Option<&'static str> {
    let Some(men) = men_of(name).filter(|men| *men <= MAX_MEN) else {
        return Some("its name is not that of a table file");
    };
    // The probing code takes KvKQ for KQvK. Under that name a file would escape the comparison of sums.
    if pins.iter().any(|pin| pin.men == men) {
        return Some("no table with so few men has this name");
    }
    let is_wdl = name.rsplit_once('.').is_some_and(|(_, suffix)| suffix == "rtbw");
    if !bytes.starts_with(if is_wdl { &WDL_MAGIC } else { &DTZ_MAGIC }) {
        return Some("it does not begin as a table file of its kind does");
    }
    if bytes.len() % 64 == 16 { None } else { Some("its length is not that of a table file") }
}

/// A set of table files: the wanted ones with their status, and the bytes of those that are used.
#[derive(Debug, Clone)]
pub struct TableFiles {
    pins: Arc<[Pin]>,
    statuses: BTreeMap<String, FileStatus>,
    bytes: BTreeMap<String, Arc<[u8]>>,
}

impl TableFiles {
    /// All files with known sums of at most `men` men are wanted, and missing at first.
    pub fn wanted(pins: impl Into<Arc<[Pin]>>, men: u8) -> Self {
        Self::wanted_of(pins, |pin| pin.men <= men)
    }

    /// The files with known sums for which `is_wanted` holds are wanted, and missing at first.
    pub fn wanted_of(pins: impl Into<Arc<[Pin]>>, is_wanted: impl Fn(&Pin) -> bool) -> Self {
        let pins = pins.into();
        let wanted = pins.iter().filter(|pin| is_wanted(pin));
        let statuses = wanted.map(|pin| (pin.file.clone(), FileStatus::Missing)).collect();
        Self { pins, statuses, bytes: BTreeMap::new() }
    }

    /// The known sums.
    pub fn pins(&self) -> &[Pin] {
        &self.pins
    }

    /// Adds a file if it can be trusted, and returns its status. It does not replace a file that is used.
    pub fn add(&mut self, name: &str, bytes: Vec<u8>) -> FileStatus {
        let status = FileStatus::new(&self.pins, name, &bytes);
        self.add_as(name, bytes, status)
    }

    /// Adds a file with a status that the caller knows.
    pub fn add_as(&mut self, name: &str, bytes: Vec<u8>, status: FileStatus) -> FileStatus {
        if status.is_usable() && !self.bytes.contains_key(name) {
            self.bytes.insert(name.to_owned(), bytes.into());
            self.statuses.insert(name.to_owned(), status.clone());
        } else {
            self.refuse(name, status.clone());
        }
        status
    }

    /// Stores why a file is not used, unless a copy of it from another place is used.
    pub fn refuse(&mut self, name: &str, status: FileStatus) {
        if !self.bytes.contains_key(name) {
            self.statuses.insert(name.to_owned(), status);
        }
    }

    /// Whether a file is used.
    pub fn has(&self, name: &str) -> bool {
        self.bytes.contains_key(name)
    }

    /// The bytes of a file that is used.
    pub fn bytes(&self, name: &str) -> Option<&[u8]> {
        self.bytes.get(name).map(AsRef::as_ref)
    }

    /// The status of a file, if it was wanted or added.
    pub fn status(&self, name: &str) -> Option<&FileStatus> {
        self.statuses.get(name)
    }

    /// Every file that was wanted or added with its status, sorted by name.
    pub fn statuses(&self) -> impl Iterator<Item = (&str, &FileStatus)> {
        self.statuses.iter().map(|(name, status)| (name.as_str(), status))
    }

    /// The files that are not used, sorted by name.
    pub fn unusable(&self) -> impl Iterator<Item = (&str, &FileStatus)> {
        self.statuses().filter(|(_, status)| !status.is_usable())
    }

    /// The tables of all files that are used. A file that the probing code rejects becomes unreadable.
    pub fn tablebase(&mut self) -> Tablebase<Chess> {
        let mut tablebase = Tablebase::with_filesystem(Arc::new(MemoryFiles::new(self.bytes.clone())));
        for name in self.bytes.keys() {
            if let Err(error) = tablebase.add_file(name) {
                let reason = error.to_string();
                self.statuses.insert(name.clone(), FileStatus::Unreadable { reason });
            }
        }
        self.bytes.retain(|name, _| self.statuses.get(name).is_some_and(FileStatus::is_usable));
        tablebase
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(bytes: &[u8]) -> Sha256 {
        Sha256(sha2::Sha256::digest(bytes).into())
    }

    fn pins() -> Vec<Pin> {
        let pin = |file: &str, first: &[u8], second: &[u8]| Pin {
            file: file.into(),
            men: men_of(file).unwrap(),
            sums: [sum(first), sum(second)],
        };
        vec![
            pin("KQvK.rtbw", b"one", b"two"),
            pin("KRvK.rtbw", b"same", b"same"),
            pin("KQvKR.rtbw", b"4", b"4"),
        ]
    }

    fn table(magic: [u8; 4]) -> Vec<u8> {
        let mut bytes = magic.to_vec();
        bytes.resize(80, 0);
        bytes
    }

    #[track_caller]
    fn check(name: &str, bytes: &[u8], expected: &str) {
        assert_eq!(FileStatus::new(&pins(), name, bytes).to_string(), expected);
    }

    #[test]
    fn each_file_is_compared_with_its_sum_or_checked_for_its_format() {
        check("KQvK.rtbw", b"one", "right: its SHA-256 sum is known (pypi)");
        check("KQvK.rtbw", b"two", "right: its SHA-256 sum is known (generator)");
        check("KRvK.rtbw", b"same", "right: its SHA-256 sum is known (pypi and generator)");
        let [one, two, same, other] = [b"one".as_slice(), b"two", b"same", b"other"].map(sum);
        check("KQvK.rtbw", b"other", &format!("corrupt: expected SHA-256 {one} or {two}, got {other}"));
        check("KRvK.rtbw", b"other", &format!("corrupt: expected SHA-256 {same}, got {other}"));
        check("KQQvKQ.rtbw", &table(WDL_MAGIC), "unpinned: no SHA-256 sum is known for it");
        check("KQQvKQ.rtbz", &table(DTZ_MAGIC), "unpinned: no SHA-256 sum is known for it");
        let wrong = "unreadable: it does not begin as a table file of its kind does";
        check("KQQvKQ.rtbz", &table(WDL_MAGIC), wrong);
        check("KQQvKQ.rtbw", b"", wrong);
        check("KQQvKQ.rtbw", &WDL_MAGIC, "unreadable: its length is not that of a table file");
        let name = "unreadable: its name is not that of a table file";
        check("KQQQQvKQQ.rtbw", &table(WDL_MAGIC), name);
        check("notes.rtbw", &table(WDL_MAGIC), name);
        check("KvKQ.rtbw", &table(WDL_MAGIC), "unreadable: no table with so few men has this name");
        check("KvKQ.rtbw", b"one", "unreadable: no table with so few men has this name");
    }

    #[test]
    fn one_bad_file_is_named_and_the_others_are_used() {
        let mut files = TableFiles::wanted(pins(), 3);
        files.add("KQvK.rtbw", b"bad".to_vec());
        files.add("KRvK.rtbw", b"same".to_vec());
        assert_eq!(files.unusable().map(|(name, _)| name).collect::<Vec<_>>(), ["KQvK.rtbw"]);
        assert!(files.has("KRvK.rtbw") && !files.has("KQvK.rtbw"));
    }

    #[test]
    fn a_file_that_serves_is_not_displaced_by_a_bad_one() {
        let mut files = TableFiles::wanted(pins(), 3);
        files.add("KQvK.rtbw", b"one".to_vec());
        assert!(!files.add("KQvK.rtbw", b"bad".to_vec()).is_usable());
        files.refuse("KQvK.rtbw", FileStatus::Missing);
        let status = files.statuses().find(|(name, _)| *name == "KQvK.rtbw").unwrap().1;
        assert_eq!(*status, FileStatus::Pinned { version: "pypi".into() });
    }

    #[test]
    fn only_tables_of_the_men_asked_for_are_wanted() {
        let wanted = |men| TableFiles::wanted(pins(), men).unusable().count();
        assert_eq!([wanted(2), wanted(3), wanted(4)], [0, 2, 3]);
    }

    #[test]
    fn what_the_probing_code_will_not_add_becomes_unreadable() {
        let mut files = TableFiles::wanted(pins(), 3);
        files.add("KQvK.rtbw", b"one".to_vec());
        assert_eq!(files.tablebase().max_pieces(), 0);
        let status = files.statuses().find(|(name, _)| *name == "KQvK.rtbw").unwrap().1;
        assert_eq!(status.to_string(), "unreadable: unexpected file size");
        assert!(!files.has("KQvK.rtbw"));
    }
}
