//! The package that pip brings.

use super::*;
use crate::fetch::package::tests::archive;

fn member(name: &str) -> String {
    format!("chess-1.11.2/data/syzygy/regular/{name}")
}

fn honest_archive() -> Vec<u8> {
    let file = tar::EntryType::Regular;
    archive(&[(&member(ONE), &content(ONE), file), (&member(TWO), &content(TWO), file)])
}

#[test]
fn the_package_fills_the_cache() {
    let mut bench = Bench::new();
    bench.pip(&honest_archive());
    assert_eq!(bench.locate().shortfall(), None);
    assert_eq!(std::fs::read(bench.sources.cache.path(ONE)).unwrap(), content(ONE));
}

#[test]
fn a_bad_member_is_refused_and_the_rest_serves() {
    let mut bench = Bench::new();
    let file = tar::EntryType::Regular;
    bench.pip(&archive(&[(&member(ONE), b"bad", file), (&member(TWO), &content(TWO), file)]));
    let located = bench.locate();
    assert_warned(&located, &["pip", ONE, "corrupt"]);
    assert!(located.files.has(TWO) && !located.files.has(ONE));
}

#[test]
fn another_archive_is_refused() {
    let mut bench = Bench::new();
    bench.pip(&honest_archive());
    bench.sources.package.sha256 = Sha256([7; 32]);
    let located = bench.locate();
    assert_warned(
        &located,
        &["chess-1.11.2.tar.gz: expected SHA-256 0707", &sum(&honest_archive()).to_string()],
    );
    assert!(!bench.sources.cache.path(ONE).exists());
}

#[test]
fn a_pip_that_fails_is_quoted() {
    let bench = Bench::new();
    bench.program("echo first >&2; echo 'ERROR: no such version' >&2; echo last >&2; exit 3");
    assert_warned(&bench.locate(), &["pip failed with exit status: 3: ERROR: no such version"]);
}

#[test]
fn a_pip_that_does_not_end_is_ended() {
    let mut bench = Bench::new();
    bench.program("exec sleep 60");
    bench.sources.package.timeout = Duration::from_millis(200);
    let started = std::time::Instant::now();
    assert_warned(&bench.locate(), &["pip did not end"]);
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_pip_that_brings_nothing_is_told() {
    let bench = Bench::new();
    bench.program("exit 0");
    assert_warned(&bench.locate(), &["chess-1.11.2.tar.gz", "No such file"]);
}
