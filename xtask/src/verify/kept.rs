//! What this build found in tables of four men and more, kept in the cache: another run does not find it out again.
//!
//! A table is kept if nothing was found wrong with it and every check could run. The key has all that decides what
//! is found: the program, the cells of the table and of those that it leads to, the checks, and the Syzygy files that
//! they ask.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context;
use engine::tables::builders;
use engine::tables::{Material, Metric, TableSet};
use oracle::syzygy_files::TableFiles;
use reports::Run;
use suites::syzygy::Sha256;

use super::job::Job;
use crate::outcome::{Event, Exit};
use crate::shard::sum;
use crate::store::{self, Kind, Store};
use crate::{extent, files};

/// The file of an entry: the SHA-256 sum of the rest in a line, then the run as JSON.
const FOUND: &str = "found";
/// The most bytes of this file.
const MOST_BYTES: u64 = 1 << 30;
/// The largest program that is hashed, in bytes.
const LARGEST: u64 = 4 << 30;
/// The most tables that the note names.
const NAMED: usize = 4;

/// The tables that earlier runs of this build checked.
#[derive(Default)]
pub(super) struct Kept {
    /// `None` without a cache.
    store: Option<Store>,
    /// Whether all tables are checked again.
    again: bool,
    /// The program, and what of the job decides what is found.
    asked: String,
    /// The status of each Syzygy file.
    syzygy: Vec<(String, String)>,
    /// The sums of tables, by subject.
    sums: RefCell<BTreeMap<(String, Material, Metric), String>>,
    /// The tables that were not checked again.
    used: RefCell<BTreeSet<Material>>,
}

impl Kept {
    /// The tables that are kept for a job that checks some of this size. Nothing is kept where checks are selected,
    /// since the findings of the others are left out.
    pub(super) fn open(job: &Job, syzygy: Option<&TableFiles>) -> Self {
        // Without a cache, or without the bytes of this program, all tables are checked.
        let Some(program) = program().ok().filter(|_| job.checks().is_empty()) else {
            return Self::default();
        };
        let syzygy = syzygy.into_iter().flat_map(TableFiles::statuses);
        Self {
            store: Store::open(Kind::Checked).ok(),
            again: job.again,
            asked: asked(&program, job),
            syzygy: syzygy.map(|(name, status)| (name.to_owned(), status.to_string())).collect(),
            ..Self::default()
        }
    }

    /// Whether the results of a table are kept.
    pub(super) fn keeps(material: Material) -> bool {
        material.men() > extent::WHOLE
    }

    /// The place of what is asked of a subject's table; `None` if it is not kept.
    pub(super) fn place(&self, asked: &Asked, material: Material) -> Option<Place<'_>> {
        let store = self.store.as_ref().filter(|_| Self::keeps(material))?;
        let key = self.key(asked, material);
        let about = format!("{material}: {} {}", asked.subject, asked.words);
        Some(Place { kept: self, store, key, material, about })
    }

    /// Says how many tables were not checked again.
    pub(super) fn note(&self) -> Option<String> {
        let used = self.used.borrow();
        let tables = match used.len() {
            0 => return None,
            1..=NAMED => used.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
            more => format!("{more} tables"),
        };
        Some(format!(
            "note: the reports have what this build found in {tables} before, in the same checks; --again checks all anew"
        ))
    }

    fn key(&self, asked: &Asked, material: Material) -> String {
        let needed = builders::with_smaller(&[material]);
        let mut words = format!("{} {material} {} {}", self.asked, asked.subject, asked.words);
        for (name, status) in &self.syzygy {
            if name.split_once('.').is_some_and(|(table, _)| needed.iter().any(|of| of.to_string() == table))
            {
                let _ = write!(words, " {name} {status}");
            }
        }
        for (&material, metric) in needed.iter().flat_map(|of| Metric::ALL.map(|metric| (of, metric))) {
            if let Some(table) = asked.tables.get(material, metric) {
                let mut sums = self.sums.borrow_mut();
                let sum = sums.entry((asked.subject.to_owned(), material, metric));
                let _ = write!(words, " {}", sum.or_insert_with(|| Sha256(table.digest()).to_string()));
            }
        }
        store::key([words.as_bytes()])
    }
}

/// What is asked.
pub(super) struct Asked<'a> {
    /// What is judged.
    pub(super) subject: &'a str,
    /// Its tables, in memory.
    pub(super) tables: &'a TableSet,
    /// The checks.
    pub(super) words: String,
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
    /// What an earlier run found. An entry that is damaged, or that is asked again, is removed.
    pub(super) fn get(&self) -> Option<Run> {
        let folder = self.store.get(&self.key)?;
        let run = if self.kept.again { None } else { read(&folder.join(FOUND)) };
        match &run {
            Some(_) => _ = self.kept.used.borrow_mut().insert(self.material),
            // What cannot be removed stays unused.
            None => _ = store::remove(&folder),
        }
        run
    }

    /// Keeps what was found, if nothing is wrong and every check could run. Without a cache the next run checks the
    /// table again.
    pub(super) fn put(&self, run: &Run) {
        if is_right(run) {
            let _ = put(self.store, &self.key, run, &self.about);
        }
    }
}

/// The program, and what of a job decides what is found in a table.
fn asked(program: &str, job: &Job) -> String {
    format!("{program} {} {}", job.seed, job.effort)
}

/// The SHA-256 sum of this program.
fn program() -> anyhow::Result<String> {
    // The file of this name may be another one by now; there it is the one that runs.
    let running = cfg!(target_os = "linux").then(|| PathBuf::from("/proc/self/exe"));
    let program = running.map_or_else(std::env::current_exe, Ok).context("cannot find this program")?;
    Ok(sum(&files::read(&program, LARGEST)?))
}

/// Whether nothing is wrong, and every check could run.
fn is_right(run: &Run) -> bool {
    !run.checks.is_empty() && Exit::from_events(run.tallies().flat_map(Event::of_tally)) == Exit::Agree
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
    use arbiter::Effort;
    use suites::{Evidence, SkipReason, Tally};

    use super::super::job::Judged;
    use super::*;

    fn kept(folder: &Path) -> Kept {
        Kept { store: Some(Store::in_folder(Kind::Checked, folder)), ..Kept::default() }
    }

    fn run(tally: impl FnOnce(&mut Tally)) -> Run {
        let mut checked = Tally::new("production", "certificate", Evidence::Certificate, "KQvKR");
        tally(&mut checked);
        let checks = vec![reports::CheckRun { tally: checked, duration: None, optional: false }];
        Run { checks, ..Run::default() }
    }

    fn table(name: &str) -> Material {
        name.parse().unwrap()
    }

    #[test]
    fn what_is_right_is_kept_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let (first, tables) = (kept(folder.path()), TableSet::new());
        let asked = |words: &str| Asked { subject: "production", tables: &tables, words: words.to_owned() };
        let place = || first.place(&asked("certificate"), table("KQvKR")).unwrap();
        let wrong = run(|tally| (tally.agreed, tally.differed) = (6, 1));
        let not_run = run(|tally| tally.skip(SkipReason::TableMissing, 7));
        let left_out = run(|tally| tally.skip(SkipReason::LeftOut, 7));
        for run in [&wrong, &not_run, &left_out, &Run::default()] {
            place().put(run);
            assert_eq!(place().get(), None);
        }
        assert_eq!(first.note(), None);
        let right = run(|tally| tally.agreed = 7);
        place().put(&right);
        assert_eq!(place().get(), Some(right.clone()));
        assert!(first.note().unwrap().contains("found in KQvKR before"));
        assert!(first.place(&asked("certificate"), table("KQvK")).is_none(), "three men are always checked");
        // One figure of the counts is another one: the entry is removed and made again.
        let path = place().store.path(&place().key).join(FOUND);
        let mut bytes = std::fs::read(&path).unwrap();
        let agreed = bytes.iter().rposition(|&byte| byte == b'7').unwrap();
        bytes[agreed] = b'8';
        std::fs::write(&path, bytes).unwrap();
        assert_eq!(place().get(), None);
        place().put(&right);
        assert_eq!(place().get(), Some(right.clone()));
        // Asked again, it is not right any more.
        let again = Kept { again: true, ..kept(folder.path()) };
        let repeated = again.place(&asked("certificate"), table("KQvKR")).unwrap();
        assert_eq!(repeated.get(), None);
        repeated.put(&wrong);
        assert_eq!(place().get(), None);
    }

    #[test]
    fn a_key_has_all_that_decides_what_is_found() {
        let material = table("KPvK");
        let of_builder = |name| builders::dtm_set(builders::builder(name).unwrap(), &[material]).unwrap();
        let (tables, others) = (of_builder("setwise"), of_builder("first-pass"));
        let job = Job::new(Judged::Workspace);
        let right = [("KPvK.rtbw", "right"), ("KRvK.rtbw", "right"), ("KRvKB.rtbw", "right")];
        let key = |program: &str, job: &Job, files: [(&str, &str); 3], subject: &str, set, words: &str| {
            let syzygy = files.iter().map(|(name, status)| ((*name).to_owned(), (*status).to_owned()));
            let kept = Kept { asked: asked(program, job), syzygy: syzygy.collect(), ..Kept::default() };
            kept.key(&Asked { subject, tables: set, words: words.to_owned() }, material)
        };
        let usual = || key("a", &job, right, "production", &tables, "certificate");
        let [own, smaller, other] = right;
        let missing = |(name, _)| (name, "missing");
        assert_eq!(
            usual(),
            key("a", &job, [own, smaller, missing(other)], "production", &tables, "certificate")
        );
        let quick = Job { effort: Effort::Quick, ..job.clone() };
        let seeded = Job { seed: job.seed + 1, ..job.clone() };
        for changed in [
            key("b", &job, right, "production", &tables, "certificate"),
            key("a", &quick, right, "production", &tables, "certificate"),
            key("a", &seeded, right, "production", &tables, "certificate"),
            key("a", &job, [missing(own), smaller, other], "production", &tables, "certificate"),
            key("a", &job, [own, missing(smaller), other], "production", &tables, "certificate"),
            key("a", &job, right, "first-pass", &tables, "certificate"),
            key("a", &job, right, "production", &others, "certificate"),
            key("a", &job, right, "production", &tables, "to certify certificate"),
        ] {
            assert_ne!(usual(), changed);
        }
    }
}
