//! Dumps whose values have another unit or view than assumed: one finding that names the option.

use std::sync::LazyLock;

use crate::dump::{KPVK, counted, differences, exported, verify};
use crate::runs::Run;

/// All rows of a table that is certified quickly.
static KRVK: LazyLock<String> = LazyLock::new(|| exported("KRvK", "retrograde"));
/// Every so many of them.
const STEP: usize = 16;

/// A row: position, result, distance if there is one.
type Value<'a> = (&'a str, &'a str, Option<u32>);

fn dump<'a>(columns: &str, rows: impl Iterator<Item = &'a str>, write: impl Fn(Value) -> String) -> String {
    let rows = rows.map(|row| {
        let fields: Vec<&str> = row.split(',').collect();
        write((fields[0], fields[1], fields[2].parse().ok())) + "\n"
    });
    [format!("{columns}\n")].into_iter().chain(rows).collect()
}

fn some_rows() -> impl Iterator<Item = &'static str> {
    KRVK.lines().skip(1).step_by(STEP)
}

fn opposite(wdl: &str) -> &str {
    match wdl {
        "win" => "loss",
        "loss" => "win",
        other => other,
    }
}

fn is_black(fen: &str) -> bool {
    fen.contains(" b ")
}

/// In moves where these are wanted, and from another view where results are to be swapped.
fn meant(is_in_moves: bool, is_swapped: fn(&str) -> bool) -> impl Fn(Value) -> String {
    move |(fen, wdl, plies)| {
        let distance = plies.map(|plies| if is_in_moves { plies.div_ceil(2) } else { plies });
        let wdl = if is_swapped(fen) { opposite(wdl) } else { wdl };
        format!("{fen},{wdl},{}", distance.map(|distance| distance.to_string()).unwrap_or_default())
    }
}

/// One finding, which names the option and how many rows there are; with the option there is none.
#[track_caller]
fn check(dump: &str, option: &str) -> Run {
    check_of("KRvK", dump, option)
}

#[track_caller]
fn check_of(table: &str, dump: &str, option: &str) -> Run {
    let tables = format!("--tables {table}");
    let run = verify(dump, &tables);
    assert_eq!(run.ended.code, 1, "{}", run.ended.stderr);
    let found = differences(&run);
    let checks: Vec<&str> = found.iter().map(|found| found.check.as_str()).collect();
    assert_eq!(checks, ["dump/reading"], "{option}");
    let counted = counted(&run);
    assert_eq!((counted.differed, counted.skipped), (0, 0));
    let rows = counted.agreed + counted.observed;
    let hint =
        format!("{} of {rows} rows are wrong as they stand and right with {option};", counted.observed);
    assert!(found[0].explanation.starts_with(&hint), "{}", found[0].explanation);
    assert!(counted.observed > rows / 4);
    assert!(run.ended.stdout.contains("\n  check     dump/reading: all rows\n"), "{}", run.ended.stdout);
    assert!(
        found[0].replay.ends_with(&format!("{tables} --dump mine.csv --partial {option}")),
        "{}",
        found[0].replay
    );
    let told = verify(dump, &format!("{tables} {option}"));
    assert_eq!((told.ended.code, differences(&told).len()), (0, 0), "{option}");
    assert_eq!(crate::dump::counted(&told).agreed, rows);
    run
}

const ALL: &str = "fen,wdl,dtm";

#[test]
fn moves_in_place_of_plies() {
    let run =
        check_of("KPvK", &dump(ALL, KPVK.lines().skip(1).step_by(4), meant(true, |_| false)), "--unit moves");
    assert_eq!(counted(&run).observed, 55_484);
}

#[test]
fn the_view_of_white_of_black_and_of_the_opponent() {
    check(&dump(ALL, some_rows(), meant(false, is_black)), "--view white");
    check(&dump(ALL, some_rows(), meant(false, |fen| !is_black(fen))), "--view black");
    check(&dump(ALL, some_rows(), meant(false, |_| true)), "--view opponent");
}

#[test]
fn moves_and_another_view_at_once() {
    check(&dump(ALL, some_rows(), meant(true, is_black)), "--unit moves --view white");
}

#[test]
fn another_view_of_signed_distances_and_of_results_alone() {
    let signed = |swapped: bool| {
        move |(fen, wdl, plies): Value| {
            let sign = if (wdl == "loss") == swapped { "" } else { "-" };
            format!("{fen},{}", plies.map(|plies| format!("{sign}{plies}")).unwrap_or_default())
        }
    };
    check(&dump("fen,dtm", some_rows(), signed(true)), "--view opponent");
    let results = |(fen, wdl, _): Value| format!("{fen},{}", if is_black(fen) { opposite(wdl) } else { wdl });
    check(&dump("fen,wdl", some_rows(), results), "--view white");
}

/// What is wrong even so is listed, after what is said of the file.
#[test]
fn single_errors_beside_the_cause_are_listed() {
    let right = dump(ALL, some_rows(), meant(true, |_| false));
    let mut lines: Vec<String> = right.lines().map(str::to_owned).collect();
    let mut planted = Vec::new();
    for line in (100..lines.len()).step_by(4_000) {
        let fen = lines[line - 1].split(',').next().unwrap().to_owned();
        let wrong = if lines[line - 1].ends_with("draw,") { "win,1" } else { "draw," };
        lines[line - 1] = format!("{fen},{wrong}");
        planted.push(format!("line {line}"));
    }
    assert!(planted.len() > 4);
    let run = verify(lines.join("\n"), "--tables KRvK");
    let found = differences(&run);
    assert_eq!((run.ended.code, found[0].check.as_str()), (1, "dump/reading"));
    assert!(found[0].explanation.contains(" right with --unit moves;"), "{}", found[0].explanation);
    let rest: Vec<&str> = found[1..].iter().map(|found| found.case.as_str()).collect();
    assert_eq!(rest, planted);
    assert_eq!(counted(&run).differed, planted.len() as u64);
    let told = verify(lines.join("\n"), "--tables KRvK --unit moves");
    assert_eq!(differences(&told), found[1..]);
    let one_thread = verify(lines.join("\n"), "--tables KRvK --jobs 1");
    let reports = |run: &Run| {
        let mut files = run.sandbox.files("out");
        files.remove("timings.csv");
        files
    };
    assert_eq!(reports(&one_thread), reports(&run));
}

/// The other way round: an option that the file does not want.
#[test]
fn a_wrong_option_is_reported() {
    let run =
        verify(dump(ALL, some_rows(), meant(false, |_| false)), "--tables KRvK --unit moves --view white");
    let found = differences(&run);
    assert_eq!((run.ended.code, found.len()), (1, 1));
    assert!(
        found[0].explanation.contains(" right with --unit plies --view side-to-move;"),
        "{}",
        found[0].explanation
    );
    assert!(found[0].replay.ends_with("--dump mine.csv --partial"), "{}", found[0].replay);
}

/// A table with errors is read as it is said to be: all its errors are listed, as many as there are.
fn check_errors_of(builder: &str) {
    let own = exported("KPvK", builder);
    let wrong = own.lines().zip(KPVK.lines()).filter(|(own, right)| own != right).count();
    assert!(wrong > 10, "{builder}");
    let run = verify(&own, "--tables KPvK");
    let found = differences(&run);
    assert_eq!((found.len(), run.ended.code), (wrong, 1), "{builder}");
    assert!(found.iter().all(|found| found.check == "dump/row"));
}

#[test]
fn a_table_with_many_errors_is_not_taken_for_another_reading() {
    check_errors_of("first-pass");
}

#[test]
#[ignore = "nightly: another whole table, like the test above"]
fn a_table_without_underpromotions_is_not_taken_for_another_reading() {
    check_errors_of("queen-only");
}

/// Errors that all look like another reading, and stand first: most rows say that they are errors.
#[test]
fn errors_at_the_start_are_not_taken_for_the_whole() {
    let rows: Vec<&str> = some_rows().filter(|row| !row.contains(",draw,")).collect();
    let swapped = meant(false, |_| true);
    let right = meant(false, |_| false);
    let text = dump(ALL, rows.iter().copied(), right);
    let start = dump(ALL, rows[..900].iter().copied(), swapped);
    let mixed = [start.lines().collect::<Vec<_>>(), text.lines().skip(901).collect()].concat().join("\n");
    let run = verify(mixed, "--tables KRvK");
    let found = differences(&run);
    assert_eq!((run.ended.code, found.len()), (1, 900));
    assert!(found.iter().all(|found| found.check == "dump/row"));
}

/// Sorted by the side to move, half of the file tells nothing of the view: it is decided by the whole.
#[test]
fn a_file_sorted_by_the_side_to_move_is_read_to_its_end() {
    let mut rows: Vec<&str> = some_rows().collect();
    rows.sort_by_key(|row| is_black(row));
    let run = check(&dump(ALL, rows.iter().copied(), meant(false, is_black)), "--view white");
    assert_eq!(counted(&run).compared + counted(&run).observed, rows.len() as u64);
    let right = verify(dump(ALL, rows.into_iter(), meant(false, |_| false)), "--tables KRvK");
    assert_eq!((right.ended.code, differences(&right).len()), (0, 0));
}
