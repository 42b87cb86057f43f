//! Tables exported as text: exactly the wrong entries are listed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use reports::{CheckRow, DifferenceRow, DumpRow};
use suites::Difference;

use crate::runs::{self, Run};
use crate::sandbox::{Ended, Sandbox};

const HEADER: &str = "fen,wdl,dtm\n";

/// All rows of `KPvK`.
pub(crate) static KPVK: LazyLock<String> = LazyLock::new(|| exported("KPvK", "retrograde"));

pub(crate) fn exported(table: &str, builder: &str) -> String {
    let sandbox = Sandbox::new();
    let args = ["tables", "export", table, "--builder", builder, "--out", "table.csv"];
    assert_eq!(sandbox.run(args).code, 0);
    sandbox.text("table.csv")
}

/// Checks a dump, which may be a part of a table, against the smallest tables that know its positions.
pub(crate) fn verify(dump: impl AsRef<[u8]>, args: &str) -> Run {
    let sandbox = Sandbox::new();
    sandbox.write("mine.csv", dump);
    runs::verify_in(sandbox, &format!("--dump mine.csv --partial {args}"))
}

pub(crate) fn differences(run: &Run) -> Vec<Difference> {
    let rows: Vec<DifferenceRow> = run.sandbox.rows();
    rows.into_iter().map(|row| row.0).collect()
}

/// Rows that were found to differ.
fn differ(run: &Run) -> BTreeSet<String> {
    let found = differences(run).into_iter();
    found.inspect(|found| assert_eq!(found.check, "dump/row")).map(|found| found.case).collect()
}

/// How the rows were counted.
pub(crate) fn counted(run: &Run) -> CheckRow {
    let rows: Vec<CheckRow> = run.sandbox.rows();
    rows.into_iter().find(|row| row.subject == "dump" && row.check == "dump").unwrap()
}

/// What the table and Syzygy had to say: agreed, differed, unknown. Not every build has other sources.
fn sources(run: &Run) -> [[u64; 3]; 2] {
    let rows: Vec<DumpRow> = run.sandbox.rows();
    ["certified production table", "Syzygy tables"].map(|source| {
        let row = rows.iter().find(|row| row.source == source);
        row.map_or([0; 3], |row| [row.agreed, row.differed, row.unknown])
    })
}

/// Half a table is no table, unless it is meant to be a part. One position of each class is the whole.
#[test]
fn a_dump_that_lacks_positions() {
    let sandbox = Sandbox::new();
    let all = exported("KvK", "retrograde");
    let half: String = all.split_inclusive('\n').take(all.lines().count() / 2).collect();
    sandbox.write("half.csv", &half);
    let verify =
        |arguments: &str| sandbox.verify(&format!("--tables KvK --quick --dump half.csv {arguments}"));
    verify("").says(1, &[]);
    let rows: Vec<DifferenceRow> = sandbox.rows();
    let found: Vec<_> = rows.iter().map(|row| (&*row.0.check, &*row.0.case)).collect();
    assert_eq!(found, [("dump/coverage", "KvK")]);
    assert!(rows[0].0.explanation.contains("--partial"), "{}", rows[0].0.explanation);
    verify("--partial").says(0, &[]);
    // Positions in rows that cannot be read are not missing too.
    sandbox.write("half.csv", all.replace(" b - -", " x - -"));
    verify("").says(2, &["half.csv:"]);
    sandbox.write("half.csv", &*all);
    verify("").says(0, &[]);
}

/// A dump without errors, of this many rows: the table and Syzygy agree to each.
fn check_right(dump: &str, rows: u64) {
    let run = verify(dump, "--tables KPvK");
    assert_eq!(run.ended.code, 0, "{}", run.ended.stderr);
    assert_eq!((counted(&run).agreed, counted(&run).compared), (rows, rows));
    assert_eq!(sources(&run), [[rows, 0, 0]; 2]);
    assert_eq!(run.sandbox.text("out/differences.csv").lines().count(), 1);
    assert_eq!(run.sandbox.text("out/malformed.csv"), "line,found,fault\n");
}

#[test]
fn a_sample_of_a_table_that_is_right_has_no_difference() {
    let header = KPVK.lines().take(1);
    let sample: Vec<&str> = header.chain(KPVK.lines().skip(1).step_by(16)).collect();
    check_right(&sample.join("\n"), 331_352_u64.div_ceil(16));
}

#[test]
#[ignore = "nightly: all positions of a table; the test above takes every sixteenth"]
fn a_table_that_is_right_has_no_difference() {
    check_right(&KPVK, 331_352);
}

/// Five rows are wrong, and of three of them Syzygy says so too: five findings, in the order of their lines.
#[test]
fn a_row_that_two_sources_find_wrong_is_one_finding() {
    let mut lines: Vec<String> = KPVK.lines().map(str::to_owned).collect();
    for (line, result) in [(9, "draw,"), (10, "draw,"), (100, "draw,"), (101, "draw,"), (1_000, "draw,")] {
        let row = &mut lines[line - 1];
        let (fen, value) = row.split_once(',').unwrap();
        *row = match value.split_once(',').unwrap() {
            ("draw", _) => format!("{fen},loss,2"),
            (wdl, plies) if line > 100 => format!("{fen},{wdl},{}", plies.parse::<u32>().unwrap() + 2),
            _ => format!("{fen},{result}"),
        };
    }
    let run = verify(lines.join("\n"), "--tables KPvK");
    assert_eq!(run.ended.code, 1, "{}", run.ended.stderr);
    let found = differences(&run);
    let said: Vec<&str> = found.iter().map(|found| found.case.as_str()).collect();
    assert_eq!(said, ["line 9", "line 10", "line 100", "line 101", "line 1000"]);
    assert_eq!((counted(&run).differed, counted(&run).agreed), (5, 331_347));
    let by_syzygy = found.iter().filter(|found| found.source.contains("; Syzygy tables")).count() as u64;
    assert!(found.iter().all(|found| found.source.starts_with("certified production table")));
    assert!((3..5).contains(&by_syzygy));
    assert_eq!(sources(&run), [[331_347, 5, 0], [331_352 - by_syzygy, by_syzygy, 0]]);
    assert!(run.ended.stdout.contains("331,347 of 331,352   agree, 5 differ"), "{}", run.ended.stdout);
    let places = ["line 9\n", "line 10\n", "line 101\n", "line 1000\n"];
    let places = places.map(|line| run.ended.stdout.find(&format!("dump/row: {line}")).unwrap());
    assert!(places.is_sorted(), "{}", run.ended.stdout);
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
    let mut state = 2;
    let mut dump = HEADER.to_owned();
    let (mut truth, mut syzygy, mut expected) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (index, row) in KPVK.lines().skip(1).step_by(16).enumerate() {
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
    assert_eq!(differ(&run), truth);
    let found = differences(&run);
    assert_eq!(found.len(), truth.len());
    let by_syzygy = found.iter().filter(|found| found.source.contains("Syzygy tables"));
    assert_eq!(by_syzygy.map(|found| found.case.clone()).collect::<BTreeSet<_>>(), syzygy);
    assert_eq!(
        found.into_iter().map(|row| (row.case, row.expected.to_string())).collect::<BTreeSet<_>>(),
        expected
    );
    assert_eq!(counted(&run).differed, truth.len() as u64);
    assert_eq!(
        sources(&run).map(|[_, differed, _]| differed),
        [truth.len(), syzygy.len()].map(|rows| rows as u64)
    );
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
        assert_eq!(differ(&run), wrong.map(|(_, line)| format!("line {line}")).collect());
        assert_eq!(run.ended.code, 1, "{}", run.ended.stderr);
        assert_eq!(run.sandbox.text("out/malformed.csv").lines().count(), 1);
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
    let rows: Vec<DumpRow> = run.sandbox.rows();
    assert!(rows.iter().any(|row| row.source == "certified production table"));
    assert!(!rows.iter().any(|row| row.source == "Syzygy tables"));
}

/// Of four men Syzygy knows the result, and decides a row that claims no more; of the distance there is a
/// source where the table is asked for.
#[test]
fn rows_of_four_men() {
    let won = "8/8/8/8/8/2K5/2RN4/k7 w - - 0 1";
    let run = verify(format!("fen,wdl\n{won},win\n"), "--tables KvK");
    assert_eq!(run.ended.code, 0, "{}", run.ended.stdout);
    assert_eq!((counted(&run).agreed, sources(&run)), (1, [[0, 0, 1], [1, 0, 0]]));
    let run = verify(format!("fen,wdl\n{won},draw\n"), "--tables KvK");
    assert_eq!(run.ended.code, 1, "{}", run.ended.stdout);
    assert_eq!(differences(&run)[0].source, "Syzygy tables");
    let run = verify(format!("fen,wdl,dtm\n{won},win,1\n"), "--tables KvK");
    run.ended.says(2, &["no source decides 1 of its rows: --tables KRNvK builds one"]);
    assert_eq!((counted(&run).compared, counted(&run).skip_reasons.as_str()), (0, "no source=1"));
    let run = verify(format!("fen,wdl,dtm\n{won},loss,2\n"), "--tables KvK");
    assert_eq!((run.ended.code, counted(&run).differed), (1, 1), "{}", run.ended.stdout);
}

/// A replay of a row that only Syzygy knows puts it to Syzygy again.
#[cfg(unix)]
#[test]
fn a_row_that_only_syzygy_knows_can_be_replayed() {
    let run = verify("fen,wdl\n8/8/8/8/8/2K5/2RN4/k7 w - - 0 1,draw\n", "--tables KvK");
    let replay = differences(&run)[0].replay.clone();
    let again = Sandbox::new();
    let program = env!("CARGO_BIN_EXE_touchstone");
    let mut shell = std::process::Command::new("sh");
    shell.current_dir(again.path(".")).args(["-c", &replay.replace("cargo xtask", program)]);
    let ended = Ended::of(&mut shell);
    assert_eq!(ended.code, 1, "{replay}\n{}", ended.stderr);
    assert!(
        ended.stdout.contains("error: dump: has a wrong row\n  check     dump/row: line 2\n"),
        "{}",
        ended.stdout
    );
}

/// Black took the pawn's two steps for granted: with the capture en passant it is another position, with
/// another value.
#[test]
fn en_passant_belongs_to_the_position() {
    // The first loses without the capture, and wins with it; the second is drawn with it.
    const WINS: &str = "8/8/8/8/Pp6/8/8/4K1k1 b - ";
    const DRAWS: &str = "8/8/8/8/Pp6/8/8/K3k3 b - ";
    let dump = |rows: [&str; 4]| {
        let fens = [(WINS, "a3"), (WINS, "-"), (DRAWS, "a3"), (DRAWS, "-")];
        let rows = fens.iter().zip(rows).map(|((fen, square), value)| format!("{fen}{square} 0 1,{value}\n"));
        ["fen,wdl\n".to_owned()].into_iter().chain(rows).collect::<String>()
    };
    let run = verify(dump(["win", "loss", "draw", "loss"]), "--tables KvK");
    run.ended
        .says(0, &["the dump has 2 positions of KPvKP, and 2 more in which capturing en passant is legal\n"]);
    let run = verify(dump(["loss", "win", "loss", "draw"]), "--tables KvK");
    assert_eq!(run.ended.code, 1, "{}", run.ended.stdout);
    let expected: Vec<String> =
        differences(&run).into_iter().map(|found| found.expected.to_string()).collect();
    assert_eq!(expected, ["win", "loss", "draw", "loss"]);
    let twice = dump(["win", "loss", "draw", "loss"]).repeat(2).replacen("fen,wdl\n", "", 2);
    let run = verify(format!("fen,wdl\n{twice}"), "--tables KvK");
    run.ended.says(0, &["capturing en passant is legal, 4 of its rows repeat a position"]);
    // The distance has no source: this run builds no table of these men.
    let run = verify(format!("fen,wdl,dtm\n{WINS}a3 0 1,win,25\n"), "--tables KvK");
    assert_eq!(
        (run.ended.code, counted(&run).skip_reasons.as_str()),
        (2, "no source=1"),
        "{}",
        run.ended.stdout
    );
}

/// A square on which nothing can be captured is no part of the position; one behind which no pawn stands is
/// none.
#[test]
fn en_passant_without_a_capture_changes_nothing() {
    let run = verify(
        "fen,wdl\n8/8/8/8/P6p/8/8/4K1k1 b - a3 0 1,win\n8/8/8/8/P6p/8/8/4K1k1 b - - 0 1,win\n",
        "--tables KvK",
    );
    run.ended.says(0, &["the dump has 1 positions of KPvKP, 1 of its rows repeat a position"]);
    let run = verify("fen,wdl\n8/8/8/8/1p6/P7/8/4K1k1 b - a3 0 1,loss\n", "--tables KvK");
    run.ended.says(
        2,
        &["mine.csv:2: the position is not legal: no pawn has just stepped over the en passant square"],
    );
}

/// A replay can be typed as it stands: in the workspace, and where the program is installed.
#[test]
fn a_replay_names_the_program_as_it_was_started() {
    let replay = |remove: &str| {
        let sandbox = Sandbox::new();
        sandbox.write("mine.csv", "fen,wdl\n8/8/8/8/8/8/8/K6k w - - 0 1,win\n");
        let mut program = sandbox.program();
        program.args([
            "verify",
            "--tables",
            "KvK",
            "--quick",
            "--out",
            "out",
            "--partial",
            "--dump",
            "mine.csv",
        ]);
        let ended = Ended::of(program.env_remove(remove));
        assert_eq!(ended.code, 1, "{}", ended.stderr);
        let rows: Vec<DifferenceRow> = sandbox.rows();
        assert!(ended.stdout.contains(&*rows[0].0.replay), "{}", ended.stdout);
        rows[0].0.replay.clone()
    };
    assert_eq!(replay("NOTHING"), "cargo xtask tables probe \"8/8/8/8/8/8/8/K6k w - - 0 1\"");
    assert_eq!(replay("CARGO_PKG_NAME"), "touchstone tables probe \"8/8/8/8/8/8/8/K6k w - - 0 1\"");
}
