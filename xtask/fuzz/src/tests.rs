//! Each target on its corpus, and on inputs that are drawn from it.

use std::fs;
use std::path::Path;

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

/// How many changed inputs a target gets.
const CHANGED: usize = 2_000;

/// Prints the input over which a target panics, as a text that a Rust program reads.
struct Shown<'d>(&'d [u8]);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::io::Write::write_all(
                &mut std::io::stderr(),
                format!("input: b\"{}\"\n", self.0.escape_ascii()).as_bytes(),
            )
            .unwrap_or_default();
        }
    }
}

fn below(random: &mut ChaCha8Rng, bound: usize) -> usize {
    random.next_u32() as usize % bound.max(1)
}

/// An input with some bytes changed, removed, doubled, or taken from another input.
fn changed(random: &mut ChaCha8Rng, corpus: &[Vec<u8>]) -> Vec<u8> {
    let mut input = corpus[below(random, corpus.len())].clone();
    for _ in 0..=below(random, 4) {
        let from = below(random, input.len());
        let to = input.len().min(from + 1 + below(random, 8));
        match below(random, 5) {
            0 if from < to => input[from] = random.next_u32().to_le_bytes()[0],
            1 if from < to => input[from] ^= 1 << below(random, 8),
            2 => drop(input.drain(from..to)),
            3 => {
                let doubled = input[from..to].to_vec();
                input.splice(from..from, doubled);
            }
            _ => {
                let other = &corpus[below(random, corpus.len())];
                let start = below(random, other.len());
                let end = other.len().min(start + 1 + below(random, 16));
                input.splice(from..to, other[start..end].iter().copied());
            }
        }
    }
    input
}

/// Gives the corpus of a target to it, and inputs changed by this seed.
#[track_caller]
fn check(name: &str, target: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let corpus: Vec<Vec<u8>> = files.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(corpus.len() >= 3, "{name} has {} inputs", corpus.len());
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let drawn = std::iter::repeat_with(|| changed(&mut random, &corpus)).take(CHANGED);
    for input in corpus.iter().cloned().chain(drawn) {
        let _shown = Shown(&input);
        target(&input);
    }
}

/// A test for each target.
macro_rules! targets {
    ($($name:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($name)),*];
        $(#[test] fn $name() { check(stringify!($name), crate::$name); })*
    };
}

targets!(certificate dump epd fen game pgn report session syzygy_file table_file uci_output);

#[test]
fn each_target_has_a_program_and_a_corpus() {
    let names = |folder: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    assert_eq!(names("fuzz_targets"), NAMES);
    assert_eq!(names("corpus"), NAMES);
}

/// Each input of `report` is one that the program has written: what it lacks is not read.
#[test]
fn the_reports_of_the_corpus_are_read_and_written_as_they_are() {
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/report")).unwrap() {
        let files = crate::texts::files_of(&fs::read(entry.unwrap().path()).unwrap());
        let written = reports::Run::from_files(&files).unwrap().files();
        for (name, content) in files {
            let written = written.get(&name).map(|bytes| String::from_utf8_lossy(bytes));
            assert_eq!(written, Some(String::from_utf8_lossy(&content)), "{name}");
        }
    }
}
