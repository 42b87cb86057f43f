//! `--shard` and `merge`: the shards of a run give what the whole run gives, and what is no whole run is
//! refused.

use std::collections::BTreeMap;
use std::process::Stdio;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use reports::{CheckRow, DifferenceRow, RegressionRow, Row, TimingRow};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::runs;
use crate::sandbox::{Ended, Sandbox};

fn run(sandbox: &Sandbox, args: &str) -> Ended {
    sandbox.run(args.split_whitespace())
}

/// More arguments of a shard: the number of threads decides nothing.
fn threads(verb: &str, number: usize) -> String {
    if verb.starts_with("verify") { format!("--jobs {}", 1 + number % 2) } else { String::new() }
}

/// Runs all shards of `args`, which name no folder, into the folders `1`, `2` and so on. Returns their exit
/// codes.
fn shards(sandbox: &Sandbox, args: &str, folder: &str, of: usize) -> Vec<i32> {
    let shard = |number| {
        let threads = threads(args, number);
        run(sandbox, &format!("{args} {threads} --shard {number}/{of} {folder} {number}")).code
    };
    (1..=of).map(shard).collect()
}

fn merge(sandbox: &Sandbox, folders: &str, more: &str) -> Ended {
    run(sandbox, &format!("merge {folders} --out merged {more}"))
}

/// The reports in a folder, without the times of the checks.
fn reports(sandbox: &Sandbox, folder: &str) -> BTreeMap<String, String> {
    let mut files = sandbox.files(folder);
    assert!(files.remove(TimingRow::FILE).is_some(), "{folder} has reports");
    files
}

/// Runs `verify` whole and in shards, whose folders are named in this order, and compares all that they
/// write.
#[track_caller]
fn merged_is_whole(sandbox: &Sandbox, args: &str, folders: &str, code: i32) -> Vec<i32> {
    let args = format!("verify {args}");
    let whole = run(sandbox, &format!("{args} --out whole"));
    assert_eq!(whole.code, code, "{}", whole.stderr);
    let codes = shards(sandbox, &args, "--out", folders.split(' ').count());
    let merged = merge(sandbox, folders, "--format json");
    assert_eq!(merged.code, whole.code, "{args}: {}", merged.stderr);
    assert_eq!(merged.stdout, whole.stdout, "{args}");
    let (whole, merged) = (reports(sandbox, "whole"), reports(sandbox, "merged"));
    assert_eq!(merged.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>(), "{args}");
    for (name, text) in whole {
        assert!(merged[&name] == text, "{args}: {name} differs");
    }
    codes
}

#[test]
fn shards_in_any_order_give_the_reports_of_the_whole_run() {
    for (table, folders) in [("KvK", "1"), ("KvK", "2 1"), ("KBvK", "3 1 2")] {
        merged_is_whole(&Sandbox::new(), &format!("--tables {table} --quick --format json"), folders, 0);
    }
}

/// There are three tables and more shards: what is left to others is absent, and a shard with nothing to do
/// agrees.
#[test]
fn a_shard_reports_its_share_and_nothing_else() {
    let sandbox = Sandbox::new();
    let codes = merged_is_whole(&sandbox, "--tables KBvK,KNvK --quick --format json", "1 2 3 4", 0);
    assert_eq!(codes, [0; 4]);
    let rows = |folder: &str| -> Vec<CheckRow> {
        reports::read(sandbox.text(&format!("{folder}/{}", CheckRow::FILE)).as_bytes()).unwrap()
    };
    assert!(rows("4").is_empty());
    let mut all: Vec<CheckRow> = (1..=4).flat_map(|number| rows(&number.to_string())).collect();
    all.sort();
    assert_eq!(all, rows("whole"), "no check is in two shards, and none is reported where it did not run");
    assert!((1..=3).all(|number| !rows(&number.to_string()).is_empty()));
}

#[test]
fn suites_and_files_are_dealt_out() {
    runs::syzygy();
    let sandbox = Sandbox::new();
    sandbox.write(
        "one.epd",
        "7k/8/5KQ1/8/8/8/8/8 w - - bm Qg7; dm 1;\n8/8/8/8/8/4k3/4p3/4K3 w - - ;D1 0 ;D2 0\n",
    );
    sandbox.write("two.epd", "7k/8/5KR1/8/8/8/8/8 w - - ;D1 18\n7k/5Q2/5K2/8/8/8/8/8 w - - dm 1;\n");
    let suites = "--quick --suite perft,chess960,random,stalemates --format json";
    merged_is_whole(&sandbox, suites, "2 3 1", 0);
    let sandbox_of_files = "--quick --epd one.epd --epd two.epd --nodes 1000 --format json";
    let whole = run(&sandbox, &format!("verify {sandbox_of_files} --out whole"));
    merged_is_whole(&sandbox, sandbox_of_files, "1 2 3", whole.code);
    for file in ["one.epd", "two.epd"] {
        assert!(sandbox.text("merged/checks.csv").contains(file), "{file}");
    }
}

/// A specimen is judged by tables that other shards certify.
#[test]
fn differences_of_a_shard_are_those_of_the_whole_run() {
    let sandbox = Sandbox::new();
    let args = "--builder first-pass --tables KPvK --quick --format json";
    let codes = merged_is_whole(&sandbox, args, "2 1", 1);
    let mut sorted = codes.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, [0, 1], "one shard has the table");
    let found: Vec<DifferenceRow> = reports::read(sandbox.text("merged/differences.csv").as_bytes()).unwrap();
    assert!(found.len() > 100, "{}", found.len());
}

#[test]
fn the_merged_run_is_compared_with_the_baseline() {
    let sandbox = Sandbox::new();
    let args = "--tables KNvK --quick --format json";
    run(&sandbox, &format!("verify {args} --baseline base --update-baseline")).says(0, &[]);
    merged_is_whole(&sandbox, &format!("{args} --baseline base"), "1 2", 0);
    // A baseline with a draw more than there is.
    let census = sandbox.text("base/census.csv");
    let changed = census.replacen("0,205496,0", "0,205497,0", 1);
    assert_ne!(census, changed, "{census}");
    sandbox.write("base/census.csv", changed);
    let codes = merged_is_whole(&sandbox, &format!("{args} --baseline base"), "1 2", 0);
    assert_eq!(codes, [0, 0]);
    let rows: Vec<RegressionRow> = reports::read(sandbox.text("merged/regression.csv").as_bytes()).unwrap();
    assert!(!rows.is_empty());
    assert!(!sandbox.path("1/regression.csv").exists(), "a shard is not compared");
}

/// What the whole run demands is demanded of all shards together.
#[test]
fn an_oracle_that_is_required_is_looked_for_in_all_shards() {
    let sandbox = Sandbox::new();
    let args = "--tables KNvK --quick --require gaviota --format json";
    let whole = run(&sandbox, &format!("verify {args} --out whole")).code;
    assert_eq!(whole, if cfg!(feature = "gaviota") { 0 } else { 2 });
    let codes = merged_is_whole(&sandbox, args, "1 2", whole);
    assert_eq!(codes, [0, 0]);
}

#[test]
fn tables_of_shards_are_those_of_one_build() {
    let sandbox = Sandbox::new();
    let whole = run(&sandbox, "tables build KPvK --out whole");
    for of in [1, 2, 3, 7] {
        let sandbox_of = Sandbox::new();
        assert_eq!(shards(&sandbox_of, "tables build KPvK", "--out", of), vec![0; of]);
        let folders: Vec<String> = (1..=of).rev().map(|number| number.to_string()).collect();
        let merged = merge(&sandbox_of, &folders.join(" "), "");
        assert_eq!(merged.code, 0, "{}", merged.stderr);
        assert_eq!(merged.stdout.replace("merged", "whole"), whole.stdout);
        assert_eq!(sandbox_of.files("merged"), sandbox.files("whole"));
    }
}

#[test]
fn a_damaged_table_of_a_shard_is_refused() {
    let sandbox = Sandbox::new();
    shards(&sandbox, "tables build KQvK", "--out", 1);
    let mut bytes = std::fs::read(sandbox.path("1/KQvK.dtm")).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    sandbox.write("1/KQvK.dtm", bytes);
    merge(&sandbox, "1", "").says(2, &["1/KQvK.dtm is not what its shard wrote"]);
}

/// Three finished shards.
fn finished() -> Sandbox {
    static FINISHED: LazyLock<Sandbox> = LazyLock::new(|| {
        let sandbox = Sandbox::new();
        assert_eq!(shards(&sandbox, "verify --tables KNvK --quick", "--out", 3), [0; 3]);
        sandbox
    });
    FINISHED.with_folders(&["1", "2", "3"])
}

/// Refuses to merge these folders, and writes nothing.
#[track_caller]
fn refused(sandbox: &Sandbox, folders: &str, part: &str) {
    merge(sandbox, folders, "").says(2, &["error: ", part]);
    assert!(!sandbox.path("merged").exists());
}

#[test]
fn what_is_not_a_whole_run_is_refused() {
    let sandbox = finished();
    refused(&sandbox, "1 3", "a shard is missing: 2/3");
    refused(&sandbox, "2", "shards are missing: 1/3, 3/3");
    refused(&sandbox, "1 2 2 3", "shard 2/3 is there twice: in 2 and in 2");
    refused(&sandbox, "1 2 nowhere", "nowhere is not a folder");
    sandbox.write("empty/file", "");
    refused(&sandbox, "1 2 empty", "empty holds no shard");
    run(&sandbox, "merge 1 2 3 --out 2").says(2, &["--out 2 is the folder of a shard"]);
    let other = |args: &str, part: &str| {
        run(&sandbox, &format!("{args} other")).says(0, &[]);
        refused(&sandbox, "1 2 other", part);
    };
    let foreign = "1 and other are shards of different runs: ";
    other("verify --tables KBvK --quick --shard 3/3 --out", &format!("{foreign}tables is"));
    other("verify --tables KNvK --quick --seed 7 --shard 3/3 --out", &format!("{foreign}seed is 1 and 7"));
    other("tables build KQvK --shard 3/3 --out", &format!("{foreign}\"verify\" and \"tables build\""));
    other("verify --tables KNvK --quick --shard 3/4 --out", "1 is of a run of 3 shards, other of a run of 4");
    // The shards themselves are whole.
    merge(&sandbox, "1 2 3", "").says(0, &[]);
}

/// Changes a text in a file of a shard.
fn change(sandbox: &Sandbox, file: &str, from: &str, to: &str) {
    let text = sandbox.text(file);
    assert!(text.contains(from), "{file}: {text}");
    sandbox.write(file, text.replacen(from, to, 1));
}

#[test]
fn a_shard_that_was_changed_or_is_not_finished_is_refused() {
    let check = |file: &str, from: &str, to: &str, part: &str| {
        let sandbox = finished();
        change(&sandbox, file, from, to);
        refused(&sandbox, "1 2 3", part);
    };
    check("2/shard-results.json", "\"agreed\":", "\"agreed\":1", "is not what shard 2/3 wrote");
    check("2/shard.json", "\"shard\": 2", "\"shard\": 5", "2/shard.json belongs to no shard");
    check("2/shard.json", "\"shard\": 2", "\"shard\": ", "2/shard.json cannot be read");
    check("2/shard.json", "\"version\": \"", "\"version\": \"9", "of version 9");
    let sandbox = finished();
    std::fs::remove_file(sandbox.path("2/shard-results.json")).unwrap();
    refused(&sandbox, "1 2 3", "shard 2/3 in 2 is not finished");
}

/// A shard that is killed while it runs, and is run again.
#[test]
fn a_killed_shard_is_not_finished_until_it_is_run_again() {
    let sandbox = finished();
    let mut program = sandbox.program();
    program.args("verify --tables KNvK --quick --shard 2/3 --out 2".split(' '));
    let record = || sandbox.text("2/shard.json");
    let mut child = program.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + Duration::from_mins(1);
    while !record().contains("\"results\": null") {
        assert!(Instant::now() < until && child.try_wait().unwrap().is_none(), "it begins: {}", record());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    refused(&sandbox, "1 2 3", "shard 2/3 in 2 is not finished");
    run(&sandbox, "verify --tables KNvK --quick --shard 2/3 --out 2").says(0, &[]);
    merge(&sandbox, "1 2 3", "").says(0, &[]);
}

/// Verdicts that rest on refuted tables of another shard do not hold.
#[test]
fn refuted_tables_of_another_shard_are_told() {
    let sandbox = finished();
    change(&sandbox, "2/shard-results.json", "\"refuted\":false", "\"refuted\":true");
    let mut record: Value = serde_json::from_str(&sandbox.text("2/shard.json")).unwrap();
    let sum = suites::syzygy::Sha256(Sha256::digest(sandbox.text("2/shard-results.json")).into());
    record["results"] = sum.to_string().into();
    sandbox.write("2/shard.json", record.to_string());
    refused(&sandbox, "1 2 3", "shard 2/3 refuted tables by which other shards judged");
}

#[test]
fn a_folder_holds_one_shard_of_a_run() {
    let sandbox = finished();
    let again = "verify --tables KNvK --quick --shard 1/3 --out 2";
    run(&sandbox, again).says(2, &["2 holds shard 2/3 of this run: give each shard a folder of its own"]);
    merge(&sandbox, "1 2 3", "").says(0, &[]);
}

/// Files of positions are known by what is in them.
#[test]
fn a_shard_of_another_file_of_positions_is_refused() {
    let sandbox = Sandbox::new();
    for (number, mate) in [(1, "Qg7"), (2, "Qe8")] {
        sandbox.write("suite.epd", format!("7k/8/5KQ1/8/8/8/8/8 w - - bm {mate};\n"));
        let args = "--quick --suite bestmove --epd suite.epd --nodes 100 --shard";
        run(&sandbox, &format!("verify {args} {number}/2 --out {number}"));
    }
    refused(&sandbox, "1 2", "1 and 2 are shards of different runs: epd is");
}

#[test]
fn merge_writes_the_page_of_the_whole_run() {
    let sandbox = finished();
    merge(&sandbox, "1 2 3", "--html page.html --format markdown").says(0, &["page: page.html"]);
    let page = sandbox.text("page.html");
    for table in ["KNvK", "KvK"] {
        assert!(page.contains(table), "{table}");
    }
    let sandbox = Sandbox::new();
    shards(&sandbox, "tables build KvK", "--out", 1);
    merge(&sandbox, "1", "--format json").says(2, &["--html and --format are for the shards of verify"]);
}

#[test]
fn what_is_no_shard_is_refused() {
    for verb in ["verify --tables KQvK", "tables build KQvK", "field-test toga2"] {
        for shard in ["0/3", "4/3", "x", "1/0", "99999999999/3", "1/1001", "1", ""] {
            let sandbox = Sandbox::new();
            let args = verb.split(' ').map(str::to_owned).chain([format!("--shard={shard}")]);
            sandbox.run(args).says(2, &["--shard <I/N>"]);
            assert!(!sandbox.path("target").exists(), "{verb} {shard}");
        }
    }
    for other in ["--engine ./mine", "--dump mine.csv", "--update-baseline"] {
        run(&Sandbox::new(), &format!("verify --shard 1/2 {other}"))
            .says(2, &["'--shard <I/N>' cannot be used with", other.split(' ').next().unwrap()]);
    }
}

/// Programs that cannot be started, and one that is not there.
#[cfg(unix)]
#[test]
fn the_page_of_merged_field_tests_is_that_of_one() {
    let sandbox = Sandbox::new();
    for name in ["one", "two", "three"] {
        let path = format!("builds/{name}");
        sandbox.write_program(&path, format!("#!/nowhere/{name}\n"));
    }
    let args = "field-test toga2 --folder builds --quick --games nowhere";
    let run = |args: &str| Ended::of(sandbox.program().args(args.split(' ')).env("PATH", "/nowhere:/bin"));
    run(&format!("{args} --reports whole")).says(0, &["one: ", "two: ", "three: ", "toga2: not installed"]);
    for number in 1..=3 {
        run(&format!("{args} --shard {number}/3 --reports {number}")).says(0, &[]);
        assert!(!sandbox.path(&format!("{number}/report.md")).exists(), "the page is that of all");
    }
    merge(&sandbox, "1 2", "").says(2, &["a shard is missing: 3/3"]);
    merge(&sandbox, "3 2 1", "").says(0, &["written: merged/report.md"]);
    assert_eq!(sandbox.text("merged/report.md"), sandbox.text("whole/report.md"));
    assert!(sandbox.text("merged/report.md").contains("[three](#three)"));
}

/// The jobs of the nightly workflow do each shard of one run, and merge them.
#[test]
fn the_nightly_workflow_merges_what_its_matrix_shards() {
    use saphyr::{LoadableYamlNode, Yaml};
    let text = std::fs::read_to_string("../.github/workflows/nightly.yml").unwrap();
    let workflow = &Yaml::load_from_str(&text).unwrap()[0];
    let jobs = &workflow["jobs"];
    let numbers = jobs["shard"]["strategy"]["matrix"]["shard"].as_vec().unwrap();
    let numbers: Vec<i64> = numbers.iter().map(|number| number.as_integer().unwrap()).collect();
    assert_eq!(numbers, (1..=numbers.len() as i64).collect::<Vec<_>>());
    assert_eq!(jobs["merge"]["needs"].as_str(), Some("shard"));
    let commands = |job: &str| -> String {
        let steps = jobs[job]["steps"].as_vec().unwrap();
        steps.iter().filter_map(|step| step.as_mapping_get("run")?.as_str()).collect::<Vec<_>>().join("\n")
    };
    assert!(commands("shard").contains("--shard \"${{ matrix.shard }}/${{ strategy.job-total }}\""));
    assert!(commands("merge").contains("xtask-full merge target/shards/* "));
    assert!(commands("run").contains(".ci/nightly"));
    let nightly = std::fs::read_to_string("../.ci/nightly").unwrap();
    let is_step = |line: &str| line.starts_with("attempt ") && line.ends_with(" .ci/slurm");
    assert!(nightly.lines().any(is_step), "{nightly}");
}

/// The job file of Slurm, with what Slurm tells a task.
#[cfg(unix)]
#[test]
fn a_task_of_the_job_array_does_its_shard() {
    let sandbox = Sandbox::new();
    let file = std::fs::canonicalize("../scripts/slurm/verify.sbatch").unwrap();
    let task = |number: &str, of: &[(&str, &str)]| {
        let mut bash = std::process::Command::new("bash");
        bash.arg(&file).current_dir(sandbox.path(".")).envs(of.iter().copied());
        bash.env("TOUCHSTONE", sandbox.program().get_program()).env("SELECTION", "--tables KvK --quick");
        Ended::of(bash.env("OUT", "shards").env("SLURM_ARRAY_TASK_ID", number)).says(0, &[]);
    };
    task("1", &[("SLURM_ARRAY_TASK_COUNT", "2")]);
    task("2", &[("SLURM_ARRAY_TASK_COUNT", "1"), ("SHARDS", "2")]);
    merge(&sandbox, "shards/1 shards/2", "").says(0, &[]);
}
