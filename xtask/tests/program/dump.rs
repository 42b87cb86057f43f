//! A table exported as text: every error in it is found, and none invented.

use std::collections::BTreeSet;

use reports::{CheckRow, DifferenceRow};

use crate::bench::{Bench, Ended};
use crate::runs::{self, Run};

const HEADER: &str = "fen,wdl,dtm\n";

fn exported(table: &str) -> String {
    let bench = Bench::new();
    assert_eq!(bench.run(["tables", "export", table, "--out", "table.csv"]).code, 0);
    bench.text("table.csv")
}

/// Checks a dump against the smallest tables that know its positions.
fn verify(dump: impl AsRef<[u8]>, args: &str) -> Run {
    let bench = Bench::new();
    bench.write("mine.csv", dump);
    runs::verify_in(bench, &format!("--dump mine.csv {args}"))
}

/// Cases that a check found to differ.
fn differ(run: &Run, check: &str) -> BTreeSet<String> {
    let rows: Vec<DifferenceRow> = run.bench.rows();
    rows.into_iter().map(|row| row.0).filter(|row| row.check == check).map(|row| row.case).collect()
}

fn agreed(run: &Run, check: &str) -> u64 {
    let rows: Vec<CheckRow> = run.bench.rows();
    rows.iter().find(|row| row.subject == "dump" && row.check == check).unwrap().agreed
}

#[test]
fn a_table_that_is_right_has_no_difference() {
    let run = verify(exported("KPvK"), "--tables KPvK");
    assert_eq!(run.ended.code, 0, "{}", run.ended.stderr);
    assert_eq!([agreed(&run, "truth"), agreed(&run, "syzygy-wdl")], [331_352; 2]);
    assert_eq!(run.bench.text("out/differences.csv").lines().count(), 1);
    assert_eq!(run.bench.text("out/malformed.csv"), "line,found,fault\n");
}

/// A step of a linear congruence: the same numbers in every run.
fn chance(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// A value made wrong in one of several ways, and whether its result is another.
fn wrong(value: &str, way: u64) -> (String, bool) {
    let (wdl, plies) = value.split_once(',').unwrap();
    let number = plies.parse::<u32>().unwrap_or_default();
    match (wdl, way % 4) {
        ("draw", 0 | 1) => ("win,1".to_owned(), true),
        ("draw", _) => ("loss,0".to_owned(), true),
        (_, 0) => (format!("{wdl},{}", number + 2), false),
        ("win", 1) => (format!("loss,{}", number + 1), true),
        (_, 1) => (format!("win,{}", number + 1), true),
        (_, 2) => ("draw,".to_owned(), true),
        // Of the wrong parity, which no other check of the result would see.
        (_, _) => (format!("{wdl},{}", number + 1), false),
    }
}

#[test]
fn every_entry_made_wrong_is_listed_and_no_other() {
    let table = exported("KPvK");
    let mut state = 2;
    let mut dump = HEADER.to_owned();
    let (mut truth, mut syzygy, mut expected) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (index, row) in table.lines().skip(1).step_by(16).enumerate() {
        let (fen, value) = row.split_once(',').unwrap();
        if !chance(&mut state).is_multiple_of(50) {
            dump.extend([row, "\n"]);
            continue;
        }
        let (wrong, other_result) = wrong(value, chance(&mut state));
        dump.extend([fen, ",", &wrong, "\n"]);
        let case = format!("line {}", index + 2);
        expected.insert((case.clone(), runs::words(value)));
        if other_result {
            syzygy.insert(case.clone());
        }
        truth.insert(case);
    }
    assert!(truth.len() > 300 && syzygy.len() > 150 && syzygy.len() < truth.len());
    let run = verify(&dump, "--tables KPvK");
    assert_eq!(run.ended.code, 1, "{}", run.ended.stderr);
    assert_eq!(differ(&run, "truth"), truth);
    assert_eq!(differ(&run, "syzygy-wdl"), syzygy);
    let rows: Vec<DifferenceRow> = run.bench.rows();
    let of_truth = rows.into_iter().map(|row| row.0).filter(|row| row.check == "truth");
    assert_eq!(of_truth.map(|row| (row.case, row.expected)).collect::<BTreeSet<_>>(), expected);
}

/// Rows of `KRvK` in the two shorter formats: right ones, and one of each kind that is wrong.
#[test]
fn signed_plies_and_results_alone() {
    const WON: &str = "8/8/8/8/8/1K6/2R5/k7 w - - 0 1";
    const MATED: &str = "8/8/8/8/8/1K6/8/k1R5 b - - 0 1";
    const LOST: &str = "8/8/8/8/8/1K6/2R5/1k6 b - - 0 1";
    const DRAWN: &str = "8/8/8/8/8/2K5/1R6/k7 b - - 0 1";
    let check = |columns: &str, rows: &[(&str, &str, bool)]| {
        let lines: Vec<String> = rows.iter().map(|(fen, value, _)| format!("{fen},{value}\n")).collect();
        let run = verify(format!("{columns}\n{}", lines.concat()), "--tables KRvK --quick");
        let wrong = rows.iter().zip(2..).filter(|((.., right), _)| !right);
        assert_eq!(differ(&run, "truth"), wrong.map(|(_, line)| format!("line {line}")).collect());
        assert_eq!(run.ended.code, 1, "{}", run.ended.stderr);
        assert_eq!(run.bench.text("out/malformed.csv").lines().count(), 1);
    };
    check(
        "fen,dtm",
        &[
            (WON, "1", true),
            (WON, "-1", false),
            (WON, "3", false),
            (WON, "0", false),
            (MATED, "0", true),
            (MATED, "-2", false),
            (MATED, "", false),
            (LOST, "-2", true),
            (LOST, "2", false),
            (DRAWN, "", true),
            (DRAWN, "0", true),
            (DRAWN, "1", false),
        ],
    );
    check(
        "fen,wdl",
        &[
            (WON, "win", true),
            (WON, "draw", false),
            (WON, "loss", false),
            (MATED, "loss", true),
            (LOST, "win", false),
            (DRAWN, "draw", true),
            (DRAWN, "loss", false),
        ],
    );
}

/// A quick run does not ask Syzygy, and does not miss it.
#[test]
fn a_quick_run_is_whole_without_syzygy() {
    let run = verify("fen,wdl\n8/8/8/8/8/8/8/K6k w - - 0 1,draw\n", "--tables KvK --quick");
    assert_eq!(run.ended.code, 0, "{}", run.ended.stdout);
    let rows: Vec<CheckRow> = run.bench.rows();
    let dump: Vec<&str> =
        rows.iter().filter(|row| row.subject == "dump").map(|row| row.check.as_str()).collect();
    assert_eq!(dump, ["truth"]);
}

/// Of four men Syzygy knows the result; the distance has a source where the table is asked for.
#[test]
fn rows_of_four_men() {
    let right = "fen,wdl\n8/8/8/8/8/2K5/2RN4/k7 w - - 0 1,win\n";
    let run = verify(right, "--tables KvK");
    assert_eq!(run.ended.code, 2, "{}", run.ended.stdout);
    assert_eq!([agreed(&run, "truth"), agreed(&run, "syzygy-wdl")], [0, 1]);
    let run = verify(right.replace("win", "draw"), "--tables KvK");
    assert_eq!(run.ended.code, 1, "{}", run.ended.stdout);
    assert_eq!(differ(&run, "syzygy-wdl").len(), 1);
}

#[test]
fn what_is_no_dump_is_refused() {
    let check = |dump: &str, part: &str| {
        let bench = Bench::new();
        bench.write("mine.csv", dump);
        bench.verify("--tables KvK --quick --dump mine.csv").says(2, &["error: mine.csv: ", part]);
        assert!(!bench.path("out/differences.csv").exists());
        assert_eq!(crate::bench::half_written(&bench.path("out")), [""; 0]);
    };
    let columns = "line 1: expected the columns \"fen,wdl,dtm\", \"fen,dtm\" or \"fen,wdl\", got ";
    check("", &format!("{columns}\"\""));
    check("8/8/8/8/8/8/8/K6k w - - 0 1,draw,\n", &format!("{columns}\"8/8/8/8/8/8/8/K6k w - - 0 1,draw,\""));
    check("fen;wdl;dtm\n", columns);
    check("fen,wdl,dtm", "no row after the line of columns");
    check("fen,wdl,dtm\n\n\r\n", "no row after the line of columns");
    check(&"x".repeat(1 << 20), columns);
    let missing = Bench::new().verify("--dump mine.csv");
    missing.says(2, &["there is no file mine.csv", "tables export"]);
}

/// A replay can be typed as it stands: in the workspace, and where the program is installed.
#[test]
fn a_replay_names_the_program_as_it_was_started() {
    let replay = |remove: &str| {
        let bench = Bench::new();
        bench.write("mine.csv", "fen,wdl\n8/8/8/8/8/8/8/K6k w - - 0 1,win\n");
        let mut program = bench.program();
        program.args(["verify", "--tables", "KvK", "--quick", "--out", "out", "--dump", "mine.csv"]);
        let ended = Ended::of(program.env_remove(remove));
        assert_eq!(ended.code, 1, "{}", ended.stderr);
        let rows: Vec<DifferenceRow> = bench.rows();
        assert!(ended.stdout.contains(&rows[0].0.replay), "{}", ended.stdout);
        rows[0].0.replay.clone()
    };
    assert_eq!(replay("NOTHING"), "cargo xtask tables probe \"8/8/8/8/8/8/8/K6k w - - 0 1\"");
    assert_eq!(replay("CARGO_PKG_NAME"), "touchstone tables probe \"8/8/8/8/8/8/8/K6k w - - 0 1\"");
}
