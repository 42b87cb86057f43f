//! The sources of Syzygy tables, and runs without them.

use reports::CheckRow;

use crate::runs;
use crate::sandbox::{Ended, Sandbox};

/// Runs without any source: no directory, no interpreter in the path, a cache of its own, a proxy that is not there.
fn offline(sandbox: &Sandbox, args: &str) -> Ended {
    std::fs::create_dir_all(sandbox.path("empty")).unwrap();
    let mut program = sandbox.program();
    program.args(args.split_whitespace());
    program.env("PATH", sandbox.path("empty")).env("TOUCHSTONE_CACHE", sandbox.path("cache"));
    for proxy in ["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "https_proxy", "http_proxy"] {
        program.env(proxy, "http://127.0.0.1:9");
    }
    program.env_remove("NO_PROXY").env_remove("no_proxy");
    Ended::of(program.env_remove("SYZYGY_PATH"))
}

/// A cache with the tables of three men, as they should be.
fn fill(sandbox: &Sandbox) {
    let source = runs::syzygy();
    for table in ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK"] {
        for name in ["rtbw", "rtbz"].map(|suffix| format!("{table}.{suffix}")) {
            sandbox.write(&format!("cache/syzygy/{name}"), std::fs::read(source.join(&name)).unwrap());
        }
    }
}

/// Compared and skipped cases of a check of `table`, and why.
fn outcome(sandbox: &Sandbox, check: &str, table: &str) -> (u64, u64, String) {
    let rows: Vec<CheckRow> = sandbox.rows();
    let row = rows.into_iter().find(|row| row.check == check && row.case_set == table).unwrap();
    (row.compared, row.skipped, row.skip_reasons)
}

#[test]
fn without_syzygy_tables_a_run_does_the_rest() {
    let sandbox = Sandbox::new();
    let ended = offline(&sandbox, "verify --out out --tables KQvK");
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
        assert_eq!(
            outcome(&sandbox, check, "KQvK"),
            (0, 46_137, "table missing=46137".to_owned()),
            "{check}"
        );
    }
    for check in ["legality", "certificate", "terminal"] {
        assert_eq!(outcome(&sandbox, check, "KQvK"), (368_452, 0, String::new()), "{check}");
    }
}

/// The rows of a dump are judged by the certified table; that Syzygy was not asked beside it is said once for each table.
#[test]
fn a_dump_is_judged_without_syzygy_tables() {
    let sandbox = Sandbox::new();
    let won = "8/8/8/8/8/1K6/2R5/k7 w - - 0 1,win\n";
    let fourth = "8/8/8/8/8/2K5/2RN4/k7 w - - 0 1,win\n";
    sandbox.write("mine.csv", format!("fen,wdl\n{won}{won}{fourth}"));
    offline(&sandbox, "verify --out out --tables KRvK --dump mine.csv").says(2, &[]);
    assert_eq!(outcome(&sandbox, "dump", "rows"), (2, 1, "table missing=1".to_owned()));
    assert_eq!(outcome(&sandbox, "syzygy-wdl", "KRvK"), (0, 1, "table missing=1".to_owned()));
    sandbox.write("mine.csv", format!("fen,wdl\n{won}{}", won.replace("win", "draw")));
    offline(&sandbox, "verify --out out --tables KRvK --dump mine.csv").says(1, &[]);
    let rows: Vec<CheckRow> = sandbox.rows();
    assert_eq!(rows.iter().filter(|row| row.subject == "dump").map(|row| row.differed).sum::<u64>(), 1);
}

#[test]
fn a_run_without_tables_needs_no_syzygy_tables() {
    offline(&Sandbox::new(), "verify --tables KvK --quick").says(0, &[]);
}

#[test]
fn a_corrupt_file_is_named_and_the_rest_is_used() {
    let sandbox = Sandbox::new();
    fill(&sandbox);
    let mut bytes = std::fs::read(sandbox.path("cache/syzygy/KBvK.rtbw")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    sandbox.write("cache/syzygy/KBvK.rtbw", bytes);
    let ended = offline(&sandbox, "verify --out out --tables KBvK,KNvK");
    ended.says(2, &["not at hand: 1\n", "  KBvK.rtbw: corrupt: expected SHA-256 "]);
    assert_eq!(outcome(&sandbox, "syzygy-wdl", "KBvK"), (0, 52_234, "table missing=52234".to_owned()));
    for check in ["syzygy-wdl", "syzygy-dtz"] {
        assert_eq!(outcome(&sandbox, check, "KNvK"), (53_806, 0, String::new()), "{check}");
    }
}

/// The status of each file that `tables fetch` names.
fn fetched(ended: &Ended) -> Vec<(&str, &str)> {
    ended.stdout.lines().map(|line| line.split_once(": ").unwrap()).collect()
}

#[test]
fn the_cache_needs_no_network() {
    let sandbox = Sandbox::new();
    fill(&sandbox);
    let ended = offline(&sandbox, "tables fetch");
    ended.says(0, &[]);
    let fetched = fetched(&ended);
    assert_eq!(fetched.len(), 10);
    assert!(fetched.iter().all(|(_, status)| status.starts_with("pinned (")), "{fetched:?}");
}

#[test]
fn a_directory_needs_no_network() {
    let sandbox = Sandbox::new();
    let folder = runs::syzygy();
    let ended = offline(&sandbox, &format!("tables fetch --men 4 --syzygy {}", folder.display()));
    ended.says(0, &[]);
    assert_eq!(fetched(&ended).len(), 70);
    assert_eq!(sandbox.files("cache/syzygy").len(), 70);
}

#[test]
fn without_any_source_nothing_is_fetched() {
    let ended = offline(&Sandbox::new(), "tables fetch --syzygy nowhere");
    ended.says(2, &["error: Syzygy table files not at hand: 10\n", "tried: ", "python3 did not start"]);
    assert_eq!(ended.stdout, "");
}

#[test]
fn a_mirror_without_encryption_is_refused() {
    let ended = offline(&Sandbox::new(), "tables fetch --mirror http://example.org");
    ended.says(2, &["http://example.org", "https"]);
}
