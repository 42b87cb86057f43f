//! Where Syzygy tables come from, and a run without them.

use reports::CheckRow;

use crate::bench::{Bench, Ended};
use crate::runs;

/// Runs without any source: no directory, no interpreter in the path, a cache of its own, a proxy that is not there.
fn offline(bench: &Bench, args: &str) -> Ended {
    std::fs::create_dir_all(bench.path("empty")).unwrap();
    let mut program = bench.program();
    program.args(args.split_whitespace());
    program.env("PATH", bench.path("empty")).env("TOUCHSTONE_CACHE", bench.path("cache"));
    for proxy in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "https_proxy", "http_proxy"] {
        program.env(proxy, "http://127.0.0.1:9");
    }
    program.env_remove("NO_PROXY").env_remove("no_proxy");
    Ended::of(program.env_remove("SYZYGY_PATH"))
}

/// A cache with the tables of three men, as they should be.
fn fill(bench: &Bench) {
    let source = runs::syzygy();
    for table in ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"] {
        for name in ["rtbw", "rtbz"].map(|suffix| format!("{table}.{suffix}")) {
            bench.write(&format!("cache/syzygy/{name}"), std::fs::read(source.join(&name)).unwrap());
        }
    }
}

/// Compared and skipped cases of a check of `table`, and why.
fn outcome(bench: &Bench, check: &str, table: &str) -> (u64, u64, String) {
    let rows: Vec<CheckRow> = bench.rows();
    let row = rows.into_iter().find(|row| row.check == check && row.case_set == table).unwrap();
    (row.compared, row.skipped, row.skip_reasons)
}

#[test]
fn without_tables_a_run_says_what_is_missing_and_does_the_rest() {
    let bench = Bench::new();
    let ended = offline(&bench, "verify --out out --tables KQvK");
    ended.says(
        2,
        &[
            "Syzygy table files not at hand: 10\n",
            "  KBvK.rtbw: missing\n",
            "python3 did not start",
            // The public mirror is tried for files of both kinds.
            "tried: https://tablebase.lichess.ovh/tables/standard/3-4-5-wdl",
            "tried: https://tablebase.lichess.ovh/tables/standard/3-4-5-dtz",
            "tables fetch  ",
            "--mirror URL",
            "--syzygy DIR",
        ],
    );
    assert!(ended.stdout.contains("table missing"), "{}", ended.stdout);
    for check in ["syzygy-wdl", "syzygy-dtz", "syzygy-dtm"] {
        assert_eq!(outcome(&bench, check, "KQvK"), (0, 46_137, "table missing=46137".to_owned()), "{check}");
    }
    for check in ["legality", "certificate", "terminal"] {
        assert_eq!(outcome(&bench, check, "KQvK"), (368_452, 0, String::new()), "{check}");
    }
}

/// The rows of a dump are judged by the certified table; that Syzygy was not asked beside it is said once for each table.
#[test]
fn a_dump_without_the_tables_of_syzygy_is_judged_and_the_run_is_not_whole() {
    let bench = Bench::new();
    let won = "8/8/8/8/8/1K6/2R5/k7 w - - 0 1,win\n";
    let fourth = "8/8/8/8/8/2K5/2RN4/k7 w - - 0 1,win\n";
    bench.write("mine.csv", format!("fen,wdl\n{won}{won}{fourth}"));
    offline(&bench, "verify --out out --tables KRvK --dump mine.csv").says(2, &[]);
    assert_eq!(outcome(&bench, "dump", "rows"), (2, 1, "table missing=1".to_owned()));
    assert_eq!(outcome(&bench, "syzygy-wdl", "KRvK"), (0, 1, "table missing=1".to_owned()));
    bench.write("mine.csv", format!("fen,wdl\n{won}{}", won.replace("win", "draw")));
    offline(&bench, "verify --out out --tables KRvK --dump mine.csv").says(1, &[]);
    let rows: Vec<CheckRow> = bench.rows();
    assert_eq!(rows.iter().filter(|row| row.subject == "dump").map(|row| row.differed).sum::<u64>(), 1);
}

#[test]
fn a_run_that_asks_no_table_misses_none() {
    offline(&Bench::new(), "verify --tables KvK --quick").says(0, &[]);
}

#[test]
fn a_corrupt_file_is_named_and_the_rest_serves() {
    let bench = Bench::new();
    fill(&bench);
    let mut bytes = std::fs::read(bench.path("cache/syzygy/KBvK.rtbw")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    bench.write("cache/syzygy/KBvK.rtbw", bytes);
    let ended = offline(&bench, "verify --out out --tables KBvK,KQvK");
    ended.says(2, &["not at hand: 1\n", "  KBvK.rtbw: corrupt: expected SHA-256 "]);
    assert_eq!(outcome(&bench, "syzygy-wdl", "KBvK"), (0, 52_234, "table missing=52234".to_owned()));
    for check in ["syzygy-wdl", "syzygy-dtz", "syzygy-dtm"] {
        assert_eq!(outcome(&bench, check, "KQvK"), (46_137, 0, String::new()), "{check}");
    }
}

/// The status of each file that `tables fetch` names.
fn fetched(ended: &Ended) -> Vec<(&str, &str)> {
    ended.stdout.lines().map(|line| line.split_once(": ").unwrap()).collect()
}

#[test]
fn the_cache_serves_without_a_network() {
    let bench = Bench::new();
    fill(&bench);
    let ended = offline(&bench, "tables fetch");
    ended.says(0, &[]);
    let fetched = fetched(&ended);
    assert_eq!(fetched.len(), 10);
    assert!(fetched.iter().all(|(_, status)| status.starts_with("pinned (")), "{fetched:?}");
}

#[test]
fn a_directory_serves_where_there_is_no_network() {
    let bench = Bench::new();
    let folder = runs::syzygy();
    let ended = offline(&bench, &format!("tables fetch --men 4 --syzygy {}", folder.display()));
    ended.says(0, &[]);
    assert_eq!(fetched(&ended).len(), 70);
    assert_eq!(bench.files("cache/syzygy").len(), 70);
}

#[test]
fn without_any_source_nothing_is_fetched() {
    let ended = offline(&Bench::new(), "tables fetch --syzygy nowhere");
    ended.says(2, &["error: Syzygy table files not at hand: 10\n", "tried: ", "python3 did not start"]);
    assert_eq!(ended.stdout, "");
}

#[test]
fn a_mirror_without_encryption_is_refused() {
    let ended = offline(&Bench::new(), "tables fetch --mirror http://example.org");
    ended.says(2, &["http://example.org", "https"]);
}
