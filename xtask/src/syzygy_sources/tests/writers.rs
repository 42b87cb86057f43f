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

/// Two programs with one cache: the second takes what the first has written.
#[test]
fn each_file_is_written_once() {
    let mut bench = Bench::new();
    bench.published(published(&["KNNvK"]));
    bench.sources.writes = true;
    let lock = bench.sources.cache.lock().unwrap();
    lock.lock().unwrap();
    let waits = std::sync::atomic::AtomicUsize::new(0);
    let names: Vec<String> = bench.sources.published.pins.iter().map(|pin| pin.file.clone()).collect();
    let located = bench.sources.locate(&Probed::up_to(4), &|what| {
        assert_eq!(what, "another program writes Syzygy tables");
        // The other program is done while this one waits, and holds the lock still.
        if waits.fetch_add(1, std::sync::atomic::Ordering::Relaxed) == 0 {
            let mut emit = |name: &str, bytes: Vec<u8>| bench.sources.cache.write(name, &bytes).unwrap();
            writer::write(&names, &|_| {}, &mut emit).unwrap();
        }
    });
    assert_eq!((located.shortfall(), waits.into_inner()), (None, 1));
}

/// The other program was killed: this one writes.
#[test]
fn a_lock_ends_with_the_program_that_holds_it() {
    let mut bench = Bench::new();
    bench.published(published(&["KNNvK"]));
    bench.sources.writes = true;
    let lock = std::cell::RefCell::new(Some(bench.sources.cache.lock().unwrap()));
    lock.borrow().as_ref().unwrap().lock().unwrap();
    let seen = std::cell::RefCell::new(Vec::new());
    let located = bench.sources.locate(&Probed::up_to(4), &|what| {
        drop(lock.take());
        seen.borrow_mut().push(what.to_owned());
    });
    let seen = seen.into_inner();
    assert!(seen[0].starts_with("another program"), "{seen:?}");
    assert!(seen.last().unwrap().starts_with("writing"), "{seen:?}");
    assert_eq!(located.shortfall(), None);
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
