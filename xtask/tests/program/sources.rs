//! The sources of Syzygy tables, and runs without them.

use std::process::{Command, Stdio};

use reports::CheckRow;

use crate::runs;
use crate::sandbox::{Ended, Sandbox};

/// Runs a program in an empty network of its own.
const UNSHARE: &str = "/usr/bin/unshare";

/// The program on a machine with nothing else: no directory, no program in the path, a cache of its own, and
/// no network where that can be had.
fn bare(sandbox: &Sandbox) -> Command {
    let mut tried = Command::new(UNSHARE);
    tried.args(["--net", UNSHARE, "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    let mut program = sandbox.program();
    if tried.status().is_ok_and(|status| status.success()) {
        let alone = program.get_program().to_owned();
        program = Command::new(UNSHARE);
        program.arg("--net").arg(alone).current_dir(sandbox.path(""));
    }
    std::fs::create_dir_all(sandbox.path("empty")).unwrap();
    program.env("PATH", sandbox.path("empty")).env("TOUCHSTONE_CACHE", sandbox.path("cache"));
    program.env_remove("SYZYGY_PATH");
    program
}

fn offline(sandbox: &Sandbox, args: &str) -> Ended {
    Ended::of(bare(sandbox).args(args.split_whitespace()))
}

/// Fills the cache with the official files.
fn fill(sandbox: &Sandbox) {
    for entry in std::fs::read_dir(runs::syzygy()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        sandbox.write(&format!("cache/syzygy/{name}"), std::fs::read(&path).unwrap());
    }
}

/// Compared and skipped cases of a check of `table`, and why.
fn outcome(sandbox: &Sandbox, check: &str, table: &str) -> (u64, u64, String) {
    let rows: Vec<CheckRow> = sandbox.rows();
    let row = rows.into_iter().find(|row| row.check == check && row.case_set == table).unwrap();
    (row.compared, row.skipped, row.skip_reasons)
}

/// Both ways give the same reports: with tables that this program writes in the run, and with those of a
/// cache. Either has the published sums, so that a table of draws shows it.
#[test]
fn a_machine_with_nothing_else_checks_tables_with_syzygy() {
    let verify = "verify --out out --tables KNvK";
    let [written, cached] = [Sandbox::new(), Sandbox::new()];
    fill(&cached);
    let reports = [&written, &cached].map(|sandbox| {
        let ended = offline(sandbox, verify);
        ended.says(0, &[]);
        assert!(!ended.stderr.contains("python3"), "{}", ended.stderr);
        let mut reports = sandbox.files("out");
        assert!(reports.remove("timings.csv").is_some());
        reports
    });
    assert_eq!(reports[0], reports[1]);
    assert_eq!(outcome(&written, "syzygy-dtz", "KNvK"), (53_806, 0, String::new()));
    assert_eq!(written.files("cache/syzygy").len(), 10);
}

/// Rows that no table answers are skipped; Syzygy is asked beside the certified table, and alone for four
/// men.
#[test]
fn a_dump_is_judged_on_a_machine_with_nothing_else() {
    let sandbox = Sandbox::new();
    fill(&sandbox);
    let third = "8/8/8/8/8/1K6/4N3/k7 w - - 0 1,draw\n";
    let fourth = "8/8/8/8/8/1K6/3NN3/k7 w - - 0 1,draw\n";
    let fifth = "8/8/8/8/8/2K5/3NNN2/k7 w - - 0 1,win\n";
    sandbox.write("mine.csv", format!("fen,wdl\n{third}{fourth}{fifth}"));
    offline(&sandbox, "verify --out out --tables KNvK --dump mine.csv --partial").says(2, &[]);
    assert_eq!(outcome(&sandbox, "dump", "rows"), (2, 1, "table missing=1".to_owned()));
    sandbox.write("mine.csv", format!("fen,wdl\n{third}{}", fourth.replace("draw", "win")));
    offline(&sandbox, "verify --out out --tables KNvK --dump mine.csv --partial").says(1, &[]);
    let rows: Vec<CheckRow> = sandbox.rows();
    assert_eq!(rows.iter().filter(|row| row.subject == "dump").map(|row| row.differed).sum::<u64>(), 1);
}

#[test]
fn a_run_without_tables_needs_no_syzygy_tables() {
    offline(&Sandbox::new(), "verify --tables KvK --quick").says(0, &[]);
}

#[test]
fn a_corrupt_file_is_named_and_makes_the_run_incomplete() {
    let sandbox = Sandbox::new();
    fill(&sandbox);
    let names = ["KNNvK.rtbw", "KNvK.rtbw"].map(|name| format!("cache/syzygy/{name}"));
    for path in &names {
        let mut bytes = std::fs::read(sandbox.path(path)).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        sandbox.write(path, bytes);
    }
    let ended = offline(&sandbox, "verify --out out --tables KNvK");
    ended.says(2, &["KNvK.rtbw: corrupt: expected SHA-256 ", "delete a wrong file"]);
    for check in ["syzygy-wdl", "syzygy-dtz"] {
        assert_eq!(
            outcome(&sandbox, check, "KNvK"),
            (0, 53_806, "table missing=53806".to_owned()),
            "{check}"
        );
    }
    // The other checks ran.
    let (compared, skipped, _) = outcome(&sandbox, "certificate", "KNvK");
    assert!(compared > 0 && skipped == 0);
    offline(&sandbox, "tables fetch --men 4").says(2, &["KNNvK.rtbw: corrupt: "]);
    for path in &names {
        std::fs::remove_file(sandbox.path(path)).unwrap();
    }
    let again = offline(&sandbox, "tables fetch --men 4");
    again.says(0, &[]);
    assert_eq!(again.stderr, "", "the cache is whole again");
}

/// The file is wrong, and no check of this run asks it.
#[test]
fn a_corrupt_file_that_no_check_asks_makes_the_run_incomplete() {
    let sandbox = Sandbox::new();
    fill(&sandbox);
    sandbox.write("cache/syzygy/KNvK.rtbz", "damaged");
    offline(&sandbox, "verify --out out --tables KBvK").says(2, &["KNvK.rtbz: corrupt: "]);
    let rows: Vec<CheckRow> = sandbox.rows();
    assert!(
        rows.iter().all(|row| row.differed == 0 && (row.skipped == 0 || row.skip_reasons.contains("build")))
    );
}

/// What a shard could not do, the merged run has not done.
#[test]
fn a_corrupt_file_of_a_shard_makes_the_merged_run_incomplete() {
    let sandbox = Sandbox::new();
    fill(&sandbox);
    sandbox.write("cache/syzygy/KNvK.rtbz", "damaged");
    for number in [1, 2] {
        offline(&sandbox, &format!("verify --tables KBvK --shard {number}/2 --out {number}"))
            .says(2, &["KNvK.rtbz: corrupt: "]);
    }
    std::fs::remove_file(sandbox.path("cache/syzygy/KNvK.rtbz")).unwrap();
    assert_eq!(offline(&sandbox, "merge 1 2 --out merged").code, 2);
    assert!(sandbox.path("merged/checks.csv").exists(), "what was checked is reported");
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
    assert!(fetched.iter().all(|(_, status)| status.starts_with("right: ")), "{fetched:?}");
}

#[test]
fn a_directory_needs_no_network() {
    let sandbox = Sandbox::new();
    let folder = runs::syzygy();
    let ended = offline(&sandbox, &format!("tables fetch --syzygy {}", folder.display()));
    ended.says(0, &[]);
    assert_eq!(fetched(&ended).len(), 10);
    assert_eq!(sandbox.files("cache/syzygy").len(), 10);
}

#[test]
fn a_cache_that_cannot_be_written_is_named() {
    let sandbox = Sandbox::new();
    sandbox.write("cache", "a file in the place of the folder");
    let ended = offline(&sandbox, "tables fetch");
    ended
        .says(2, &["error: Syzygy table files not at hand: 10\n", "  KBvK.rtbw: missing\n", "not written: "]);
    assert_eq!(ended.stdout, "");
}

/// `tables check` asks Syzygy of DTZ tables alone: here a wrong file of another table.
#[test]
fn a_corrupt_file_makes_the_check_of_a_table_file_incomplete() {
    let sandbox = Sandbox::new();
    fill(&sandbox);
    offline(&sandbox, "tables build KQvK --out tables").says(0, &[]);
    offline(&sandbox, "tables check tables/KQvK.dtz").says(0, &[]);
    sandbox.write("cache/syzygy/KNvK.rtbz", "damaged");
    offline(&sandbox, "tables check tables/KQvK.dtz").says(2, &["KNvK.rtbz: corrupt: "]);
}

/// The result of the tables is printed before the suites start, and only where both run.
#[test]
fn the_first_verdict_comes_before_the_suites() {
    let sandbox = Sandbox::new();
    fill(&sandbox);
    let verdict = "tables: production: ";
    let ended = offline(&sandbox, "verify --quick --tables KNvK --suite stalemates");
    ended.says(0, &[verdict, " agree, in ", "the suites follow\n"]);
    for other in ["--tables KNvK", "--suite stalemates --format json --tables KNvK"] {
        let ended = offline(&sandbox, &format!("verify --quick {other}"));
        assert!(!ended.stderr.contains(verdict), "{other}: {}", ended.stderr);
    }
}
