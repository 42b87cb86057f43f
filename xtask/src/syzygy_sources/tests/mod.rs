//! The sources together: directories and caches that lie, and our writer.

mod five_men;
mod writers;

use std::sync::Arc;

use suites::syzygy::{Checksum, Pin, Sha256};

use super::*;

const ONE: &str = "KPvK.rtbw";
const TWO: &str = "KQvK.rtbw";

fn content(name: &str) -> Vec<u8> {
    format!("the bytes of {name}").into_bytes()
}

fn sum(bytes: &[u8]) -> Sha256 {
    use sha2::Digest;
    Sha256(sha2::Sha256::digest(bytes).into())
}

fn pins() -> Vec<Pin> {
    [ONE, TWO].map(|file| Pin { file: file.into(), men: 3, sums: [sum(&content(file)); 2] }).into()
}

/// A place of its own for each test, and sources that have nothing: no directory, no writer.
struct Bench {
    folder: tempfile::TempDir,
    sources: Sources,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(&folder.path().join("cache"));
        let published = Arc::new(Published { pins: pins(), five_men: Vec::new() });
        Self { sources: Sources { published, directories: Vec::new(), cache, writes: false }, folder }
    }

    /// Only the sums of these files are published.
    fn published(&mut self, pins: Vec<Pin>) {
        self.sources.published = Arc::new(Published { pins, five_men: Vec::new() });
    }

    fn directory(&mut self, name: &str, files: &[(&str, &[u8])]) -> PathBuf {
        let directory = self.folder.path().join(name);
        std::fs::create_dir(&directory).unwrap();
        for (name, bytes) in files {
            std::fs::write(directory.join(name), bytes).unwrap();
        }
        self.sources.directories.push(directory.clone());
        directory
    }

    fn locate(&self) -> Located {
        self.sources.locate(&Probed::up_to(3), &|_| {})
    }
}

#[track_caller]
fn assert_warned(located: &Located, parts: &[&str]) {
    let warnings = &located.warnings;
    assert!(
        warnings.iter().any(|warning| parts.iter().all(|part| warning.contains(part))),
        "{parts:?} in none of {warnings:#?}"
    );
}

#[test]
fn without_any_source_the_shortfall_says_what_is_missing() {
    let located = Bench::new().locate();
    assert!(!located.has_refused, "a file that is missing is not a wrong one");
    let text = located.shortfall().unwrap().to_string();
    for part in ["Syzygy table files not at hand: 2", "KPvK.rtbw: missing"] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

#[test]
fn a_directory_of_the_users_comes_first_and_stays_as_it_is() {
    let mut bench = Bench::new();
    let directory = bench.directory("mine", &[(ONE, &content(ONE)), (TWO, &content(TWO))]);
    bench.sources.cache.write(ONE, b"damaged").unwrap();
    let located = bench.locate();
    assert_eq!((located.shortfall(), located.has_refused), (None, false));
    assert_eq!(located.warnings, [""; 0]);
    assert_eq!(std::fs::read(directory.join(TWO)).unwrap(), content(TWO));
    assert!(!bench.sources.cache.path(TWO).exists(), "what a directory has is not copied");
}

/// No other source replaces a wrong file. A wrong file of our own writer was once replaced in silence.
#[test]
fn a_wrong_file_is_named_and_refused_wherever_it_is_and_nothing_stands_in_for_it() {
    let wrong = sum(b"damaged").to_string();
    for place in ["mine", "cache"] {
        let mut bench = Bench::new();
        bench.published(writers::published(&["KBvK", "KNvK"]));
        bench.sources.writes = true;
        let path = if place == "mine" {
            bench.directory("second", &[]);
            bench.directory("mine", &[("KBvK.rtbw", b"damaged")]).join("KBvK.rtbw")
        } else {
            bench.sources.cache.write("KBvK.rtbw", b"damaged").unwrap();
            bench.sources.cache.path("KBvK.rtbw")
        };
        let located = bench.locate();
        assert!(located.has_refused, "{place}");
        assert_warned(&located, &[place, "KBvK.rtbw: corrupt: expected SHA-256", &wrong]);
        let shortfall = located.shortfall().unwrap();
        assert_eq!(shortfall.missing.len(), 1, "{shortfall}");
        assert!(located.files.has("KBvK.rtbz") && located.files.has("KNvK.rtbw"), "the others are written");
        assert_eq!(std::fs::read(path).unwrap(), b"damaged");
    }
}

#[test]
fn the_cache_is_filled_from_a_directory_too() {
    let mut bench = Bench::new();
    bench.directory("mine", &[(ONE, &content(ONE)), (TWO, &content(TWO))]);
    bench.sources.fill_cache(&Probed::up_to(3), &|_| {}).unwrap();
    assert_eq!(std::fs::read(bench.sources.cache.path(TWO)).unwrap(), content(TWO));
}

#[test]
fn a_file_that_cannot_be_read_is_named_and_one_that_is_not_there_is_not() {
    let mut bench = Bench::new();
    let directory = bench.directory("mine", &[]);
    std::fs::create_dir(directory.join(ONE)).unwrap();
    assert!(bench.locate().has_refused);
    for warnings in
        [bench.locate().warnings, bench.sources.fill_cache(&Probed::up_to(3), &|_| {}).unwrap_err().causes]
    {
        let about = |name| warnings.iter().filter(|warning| warning.contains(name)).count();
        assert_eq!((about(ONE), about(TWO)), (1, 0), "{warnings:#?}");
    }
}

#[test]
fn filling_the_cache_fails_if_the_cache_cannot_be_written() {
    let mut bench = Bench::new();
    bench.directory("mine", &[(ONE, &content(ONE)), (TWO, &content(TWO))]);
    std::fs::write(bench.folder.path().join("cache"), b"a file in the place of the folder").unwrap();
    let located = bench.locate();
    assert_eq!(located.shortfall(), None, "the bytes serve without a cache");
    let shortfall = bench.sources.fill_cache(&Probed::up_to(3), &|_| {}).unwrap_err();
    assert!(shortfall.to_string().contains("not written"), "{shortfall}");
}
