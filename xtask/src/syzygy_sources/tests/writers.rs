//! Our own writer as a source.

use super::*;

/// The published sums of the files of these tables.
pub(super) fn published(tables: &[&str]) -> Vec<Pin> {
    let is_wanted = |pin: &Pin| tables.iter().any(|table| pin.file.split_once('.').unwrap().0 == *table);
    suites::syzygy::embedded().unwrap().into_iter().filter(is_wanted).collect()
}

#[test]
fn files_that_no_other_source_has_are_written_into_the_cache_one_by_one() {
    let mut bench = Bench::new();
    bench.published(published(&["KBBvK", "KNNvK"]));
    bench.sources.writes = true;
    let seen = std::cell::RefCell::new(Vec::new());
    let located = bench.sources.locate(&Probed::up_to(4), &|what| {
        let files = std::fs::read_dir(bench.sources.cache.folder()).map_or(0, Iterator::count);
        seen.borrow_mut().push((what.to_owned(), files));
    });
    assert_eq!(located.shortfall(), None);
    assert_eq!(located.warnings, [""; 0], "nothing is wrong");
    let seen = seen.into_inner();
    let written: Vec<_> = seen.iter().filter(|(what, _)| what.starts_with("writing ")).collect();
    assert_eq!(
        written,
        [&("writing KBBvK: 1 of 2".to_owned(), 0), &("writing KNNvK: 2 of 2".to_owned(), 2)],
        "{seen:#?}"
    );
    for pin in &bench.sources.published.pins {
        assert_eq!(
            located.files.bytes(&pin.file).unwrap(),
            std::fs::read(bench.sources.cache.path(&pin.file)).unwrap()
        );
    }
}

/// A file that this program writes is refused like any other, if its SHA-256 sum is not a published one.
#[test]
fn a_written_file_with_another_sum_than_the_published_one_is_refused_by_name() {
    let mut bench = Bench::new();
    let mut pins = published(&["KNNvK"]);
    pins[0].sums = [Sha256([7; 32]); 2];
    let refused = pins[0].file.clone();
    bench.published(pins);
    bench.sources.writes = true;
    let located = bench.sources.locate(&Probed::up_to(4), &|_| {});
    assert_warned(&located, &["written by this program", &refused, "corrupt: expected SHA-256 0707"]);
    assert!(located.has_refused && !bench.sources.cache.path(&refused).exists());
    let text = located.shortfall().unwrap().to_string();
    for part in ["not at hand: 1\n", &format!("  {refused}: corrupt"), "cause: tables built and written"] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}
