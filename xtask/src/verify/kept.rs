//! What this build found in tables of four men and more, kept in the cache: another run does not find it out again.
//!
//! A table is kept if nothing was found wrong with it and every check could run. The key has all that decides what
//! is found: the program, the table and its files, the checks, and the Syzygy files that they ask.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use engine::tables::builders::{self, MAX_QUICK_MEN};
use engine::tables::{Material, Metric, file};
use oracle::syzygy_files::{FileStatus, TableFiles};
use reports::Run;

use super::job::Job;
use crate::shard::sum;
use crate::store::{self, Kind, Store};
use crate::{extent, files, tables};

/// The file of an entry: the SHA-256 sum of the rest in a line, then the run as JSON.
const FOUND: &str = "found";
/// The most bytes of this file.
const MOST_BYTES: u64 = 1 << 30;
/// The largest program that is hashed, in bytes.
const LARGEST: u64 = 4 << 30;

/// The tables that earlier runs of this build checked.
#[derive(Default)]
pub(super) struct Kept {
    /// `None` without a cache, or if the tables are checked again.
    store: Option<Store>,
    /// The program, and what of the job decides about tables.
    asked: String,
    /// The status of each Syzygy file.
    syzygy: Vec<(String, String)>,
    table_files: PathBuf,
    /// The tables that were not checked again.
    used: RefCell<BTreeSet<Material>>,
}

impl Kept {
    /// The tables that are kept for a job that checks some of this size. Checks that are selected leave rows out:
    /// they are not kept.
    pub(super) fn open(job: &Job, syzygy: Option<&TableFiles>) -> anyhow::Result<Self> {
        Ok(Self {
            store: Store::open(Kind::Results).ok().filter(|_| !job.again && job.checks().is_empty()),
            asked: format!("{} {} {}", program()?, job.seed, job.effort),
            syzygy: syzygy.map(statuses).unwrap_or_default(),
            table_files: job.table_files.clone(),
            used: RefCell::default(),
        })
    }

    /// Whether the results of a table are kept.
    pub(super) fn keeps(material: Material) -> bool {
        material.men() > extent::WHOLE
    }

    /// The place of what is asked of a table; `None` if it is not kept.
    pub(super) fn place(&self, material: Material, asked: &str) -> anyhow::Result<Option<Place<'_>>> {
        let Some(store) = self.store.as_ref().filter(|_| Self::keeps(material)) else { return Ok(None) };
        let key = self.key(material, asked)?;
        Ok(Some(Place { kept: self, store, key, material, about: format!("{material}: {asked}") }))
    }

    /// The tables that were not checked again, as a note.
    pub(super) fn note(&self) -> Option<String> {
        let used = self.used.borrow();
        let names: Vec<String> = used.iter().map(ToString::to_string).collect();
        (!names.is_empty()).then(|| {
            format!(
                "note: this build has checked {} before; --again checks {} once more",
                names.join(", "),
                if names.len() == 1 { "it" } else { "them" }
            )
        })
    }

    fn key(&self, material: Material, asked: &str) -> anyhow::Result<String> {
        let needed: BTreeSet<String> =
            builders::with_smaller(&[material]).iter().map(ToString::to_string).collect();
        let mut words = format!("{} {material} {asked}", self.asked);
        for (name, status) in &self.syzygy {
            if name.split_once('.').is_some_and(|(table, _)| needed.contains(table)) {
                write!(words, " {name} {status}")?;
            }
        }
        for path in table_files(&self.table_files, material) {
            write!(words, " {}", sum(&files::read(&path, file::MAX_BYTES)?))?;
        }
        Ok(store::key([words.as_bytes()]))
    }
}

/// The place in the cache of what is asked of a table.
pub(super) struct Place<'a> {
    kept: &'a Kept,
    store: &'a Store,
    key: String,
    material: Material,
    about: String,
}

impl Place<'_> {
    /// What an earlier run found.
    pub(super) fn get(&self) -> Option<Run> {
        let run = read(&self.store.get(&self.key)?.join(FOUND))?;
        self.kept.used.borrow_mut().insert(self.material);
        Some(run)
    }

    /// Keeps what was found, if nothing is wrong and every check could run. Without a cache the next run checks the
    /// table again.
    pub(super) fn put(&self, run: &Run) {
        if is_right(run) {
            let _ = put(self.store, &self.key, run, &self.about);
        }
    }
}

/// The SHA-256 sum of this program.
fn program() -> anyhow::Result<String> {
    let program = std::env::current_exe().context("cannot find this program")?;
    Ok(sum(&files::read(&program, LARGEST)?))
}

/// What is known of each Syzygy file: of one whose sum is not published, the sum.
fn statuses(syzygy: &TableFiles) -> Vec<(String, String)> {
    let status = |name: &str, status: &FileStatus| match (status, syzygy.bytes(name)) {
        (FileStatus::Unpinned, Some(bytes)) => sum(bytes),
        (status, _) => status.to_string(),
    };
    syzygy.statuses().map(|(name, of)| (name.to_owned(), status(name, of))).collect()
}

/// The files of a table of five men, and of those of five men that its moves lead to.
fn table_files(folder: &Path, material: Material) -> Vec<PathBuf> {
    if material.men() <= MAX_QUICK_MEN {
        return Vec::new();
    }
    let with_smaller = builders::with_smaller(&[material]);
    let large = with_smaller.into_iter().filter(|material| material.men() > MAX_QUICK_MEN);
    let both = large.flat_map(|material| Metric::ALL.map(|metric| tables::path(folder, material, metric)));
    both.collect()
}

/// Whether nothing is wrong, and every check could run.
fn is_right(run: &Run) -> bool {
    run.tallies().all(|tally| {
        tally.differed == 0 && tally.total() > 0 && !tally.skipped.keys().any(|reason| reason.is_failure())
    })
}

/// Reads an entry; `None` if it is damaged.
fn read(path: &Path) -> Option<Run> {
    let bytes = files::read(path, MOST_BYTES).ok()?;
    let end = bytes.iter().position(|&byte| byte == b'\n')?;
    let (first, rest) = (&bytes[..end], &bytes[end + 1..]);
    if first != sum(rest).as_bytes() {
        return None;
    }
    serde_json::from_slice(rest).ok()
}

fn put(store: &Store, key: &str, run: &Run, about: &str) -> anyhow::Result<()> {
    let json = serde_json::to_vec(run)?;
    let staged = store.stage()?;
    files::write(&staged.path().join(FOUND), &[sum(&json).as_bytes(), b"\n", &json].concat())?;
    store.put(key, staged, about)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use suites::{Evidence, SkipReason, Tally};

    use super::*;

    fn kept(folder: &Path) -> Kept {
        Kept { store: Some(Store::in_folder(Kind::Results, folder)), ..Kept::default() }
    }

    fn run(tally: impl FnOnce(&mut Tally)) -> Run {
        let mut checked = Tally::new("production", "certificate", Evidence::Certificate, "KQvKR");
        tally(&mut checked);
        let checks = vec![reports::CheckRun { tally: checked, duration: None, optional: false }];
        Run { checks, ..Run::default() }
    }

    #[test]
    fn what_is_right_is_kept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let kept = kept(folder.path());
        let table = |name: &str| name.parse::<Material>().unwrap();
        let place = |name: &str, asked: &str| kept.place(table(name), asked).unwrap();
        let asked = || place("KQvKR", "certificate").unwrap();
        let right = run(|tally| tally.agreed = 7);
        let wrong = run(|tally| (tally.agreed, tally.differed) = (6, 1));
        let not_run = run(|tally| tally.skip(SkipReason::TableMissing, 7));
        for run in [&wrong, &not_run, &run(|_| ())] {
            asked().put(run);
            assert_eq!(asked().get(), None);
        }
        assert_eq!(kept.note(), None);
        asked().put(&right);
        assert_eq!(asked().get(), Some(right.clone()));
        assert_eq!(
            kept.note().unwrap(),
            "note: this build has checked KQvKR before; --again checks it once more"
        );
        assert_eq!(place("KQvKR", "terminal").unwrap().get(), None);
        assert_eq!(place("KQvKB", "certificate").unwrap().get(), None);
        assert!(place("KQvK", "certificate").is_none(), "tables of three men are always checked");
        // One letter of the counts is another one.
        let path = asked().store.path(&asked().key).join(FOUND);
        let mut bytes = std::fs::read(&path).unwrap();
        let agreed = bytes.iter().rposition(|&byte| byte == b'7').unwrap();
        bytes[agreed] = b'8';
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(asked().get(), None);
    }

    #[test]
    fn a_key_has_the_files_of_the_table_and_of_those_it_leads_to() {
        let folder = tempfile::tempdir().unwrap();
        let key = |syzygy: &[(&str, &str)]| {
            let syzygy =
                syzygy.iter().map(|(name, status)| ((*name).to_owned(), (*status).to_owned())).collect();
            Kept { syzygy, ..kept(folder.path()) }.key("KQvKR".parse().unwrap(), "certificate").unwrap()
        };
        let [own, smaller, other] = ["KQvKR.rtbw", "KRvK.rtbw", "KBvK.rtbw"];
        let right = key(&[(own, "right"), (smaller, "right"), (other, "right")]);
        assert_eq!(right, key(&[(own, "right"), (smaller, "right"), (other, "missing")]));
        assert_ne!(right, key(&[(own, "right"), (smaller, "missing"), (other, "right")]));
        assert_ne!(right, key(&[(own, "other"), (smaller, "right"), (other, "right")]));
        // Of five men the bytes of the table files count.
        let files = tempfile::tempdir().unwrap();
        let five_men: Material = "KBNvKN".parse().unwrap();
        let kept = Kept { table_files: files.path().to_owned(), ..kept(folder.path()) };
        assert!(kept.key(five_men, "certificate").is_err());
        for path in table_files(files.path(), five_men) {
            std::fs::write(path, "one").unwrap();
        }
        let one = kept.key(five_men, "certificate").unwrap();
        std::fs::write(tables::path(files.path(), five_men, Metric::Dtz), "other").unwrap();
        assert_ne!(one, kept.key(five_men, "certificate").unwrap());
    }
}
