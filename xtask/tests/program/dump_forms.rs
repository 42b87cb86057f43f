//! The formats of dumps, and files that are not dumps.

use std::io::Write;

use crate::dump::{counted, verify};
use crate::runs::Run;
use crate::sandbox::{Ended, Sandbox};

const WON: &str = "8/8/8/8/8/1K6/2R5/k7 w - - 0 1";
const LOST: &str = "8/8/8/8/8/1K6/2R5/1k6 b - - 0 1";
const MATED: &str = "8/8/8/8/8/1K6/8/k1R5 b - - 0 1";
const DRAWN: &str = "8/8/8/8/8/2K5/1R6/k7 b - - 0 1";

/// Four rows that are right, and one whose result is wrong, as the last.
fn check(dump: impl AsRef<[u8]>, args: &str) -> Run {
    let run = verify(dump, &format!("--tables KRvK --quick {args}"));
    let counted = counted(&run);
    assert_eq!((counted.agreed, counted.differed, counted.skipped), (4, 1, 0), "{}", run.ended.stderr);
    assert_eq!(run.ended.code, 1);
    run
}

/// The rows, each made of its position, its result and its distance.
fn rows(row: impl Fn(&str, &str, &str) -> String) -> String {
    let values = [
        (WON, "win", "1"),
        (LOST, "loss", "2"),
        (MATED, "loss", "0"),
        (DRAWN, "draw", ""),
        (WON, "loss", "2"),
    ];
    values.iter().map(|(fen, wdl, dtm)| row(fen, wdl, dtm) + "\n").collect()
}

#[test]
fn results_in_words_letters_and_numbers() {
    let named = |[win, draw, loss]: [&str; 3]| {
        let dump = rows(|fen, wdl, dtm| {
            let wdl = if wdl == "win" {
                win
            } else if wdl == "draw" {
                draw
            } else {
                loss
            };
            format!("{fen},{wdl},{dtm}")
        });
        let dump = format!("fen,wdl,dtm\n{dump}");
        check(if win == "win" { dump.replace('\n', "\r\n") } else { dump }, "");
    };
    named(["win", "draw", "loss"]);
    named(["WIN", "Draw", "LOSS"]);
    named(["W", "D", "L"]);
    named(["w", "d", "l"]);
    named(["2", "0", "-2"]);
    named(["1", "0", "-1"]);
    named(["+1", "0", "-1"]);
}

#[test]
fn separators_and_columns_in_any_order() {
    check(format!("fen;wdl;dtm\n{}", rows(|fen, wdl, dtm| format!("{fen};{wdl};{dtm}"))), "");
    check(format!("fen\twdl\tdtm\n{}", rows(|fen, wdl, dtm| format!("{fen}\t{wdl}\t{dtm}"))), "");
    check(format!("\u{feff}DTM\tWDL\tFEN\r\n{}", rows(|fen, wdl, dtm| format!("{dtm}\t{wdl}\t{fen}\r"))), "");
    let run = check(
        format!("id;dtm;fen;dtz;wdl;\n{}", rows(|fen, wdl, dtm| format!("\"a;b\";{dtm};{fen};7;{wdl};"))),
        "",
    );
    run.ended.says(1, &["note: ignored columns: id, dtz\n"]);
}

#[test]
fn distances_beside_results_with_signs_and_without() {
    let signed = rows(|fen, wdl, dtm| format!("{fen},{wdl},{}{dtm}", if wdl == "loss" { "-" } else { "" }));
    check(format!("fen,wdl,dtm\n{signed}"), "");
    let zero = rows(|fen, wdl, dtm| format!("{fen},{wdl},{}", if dtm.is_empty() { "0" } else { dtm }));
    check(format!("fen,wdl,dtm\n{zero}"), "");
}

#[test]
fn a_dump_without_a_header() {
    let dump = rows(|fen, wdl, dtm| format!("7;{fen};{dtm};{wdl}"));
    check(&dump, "--columns _,fen,dtm,wdl");
    check(format!("\u{feff}{dump}"), "--columns _,FEN,DTM,WDL");
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn zstd(text: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(text, ruzstd::encoding::CompressionLevel::Fastest)
}

/// What it is packed with is seen by its first bytes: here the name says nothing, and standard input has
/// none.
#[test]
fn compressed_files_and_standard_input() {
    let dump = format!("fen,wdl,dtm\n{}", rows(|fen, wdl, dtm| format!("{fen},{wdl},{dtm}")));
    for packed in [dump.clone().into_bytes(), gzip(dump.as_bytes()), zstd(dump.as_bytes())] {
        check(&packed, "");
        let sandbox = Sandbox::new();
        sandbox.write("input", &packed);
        let mut program = sandbox.program();
        program.args(["verify", "--tables", "KRvK", "--quick", "--out", "out", "--dump", "-"]);
        let ended = Ended::of(program.stdin(std::fs::File::open(sandbox.path("input")).unwrap()));
        let counted = counted(&Run { sandbox, ended });
        assert_eq!((counted.agreed, counted.differed), (4, 1));
    }
}

#[track_caller]
fn refused(dump: impl AsRef<[u8]>, args: &str, part: &str) {
    let sandbox = Sandbox::new();
    sandbox.write("mine.csv", dump);
    let ended = sandbox.verify(&format!("--tables KvK --quick --dump mine.csv {args}"));
    ended.says(2, &["error: mine.csv: "]);
    assert_eq!(ended.stderr.matches(part).count(), 1, "{part} in {}", ended.stderr);
    assert!(!sandbox.path("out/differences.csv").exists());
    if sandbox.path("out").exists() {
        assert_eq!(crate::sandbox::half_written(&sandbox.path("out")), [""; 0]);
    }
}

#[test]
fn malformed_dumps_are_refused() {
    let columns = "line 1: expected the names of the columns, fen and wdl or dtm, got ";
    refused("", "", &format!("{columns}\"\""));
    let row = "8/8/8/8/8/8/8/K6k w - - 0 1,draw,";
    refused(
        row,
        "",
        &format!("{columns}\"{row}\"; where no line names them, say which they are: --columns fen,wdl,dtm"),
    );
    refused("x".repeat(1 << 20), "", columns);
    refused("fen,wld,dmt\n", "", "line 1: there is no column wdl and no column dtm, got \"fen,wld,dmt\"");
    refused("wdl;dtm\n", "", "line 1: there is no column fen, got \"wdl;dtm\"");
    refused("fen,wdl,wdl\n", "", "line 1: there are two columns wdl");
    refused("fen,wdl,dtm", "", "no row after the line of columns");
    refused("fen,wdl,dtm\n\n\r\n", "", "no row after the line of columns");
    refused("", "--columns fen,wdl", "it is empty");
    refused(
        "fen,wdl\n",
        "--columns fen,wdl",
        "line 1: it names the columns itself, \"fen,wdl\": leave out --columns",
    );
    refused(row, "--columns fen,wdl", "line 1: --columns names 2 columns, but");
    let missing = Sandbox::new().verify("--dump mine.csv");
    missing.says(2, &["there is no file mine.csv", "tables export"]);
}

#[test]
fn dumps_that_are_not_text_are_refused() {
    let expected = "expected text, or text packed with gzip or zstd, got ";
    refused(b"\x00\x01\x02\xff\xfe\n", "", &format!("line 1: {expected}"));
    refused(b"\x7fELF\x02\x01\x01\0\0", "--columns fen,wdl", &format!("line 1: {expected}"));
    refused(b"PK\x03\x04\x14\0\0\0", "", &format!("{expected}a zip archive"));
    refused(b"\xfd7zXZ\0\0\x04", "", &format!("{expected}packed with xz"));
    refused(b"\xff\xfef\0e\0n\0", "", &format!("{expected}text in UTF-16"));
    let text = format!("fen,wdl\n{}", "8/8/8/8/8/8/8/K6k w - - 0 1,draw\n".repeat(1_000));
    for (packed, form) in [(gzip(text.as_bytes()), "gzip"), (zstd(text.as_bytes()), "zstd")] {
        let half = &packed[..packed.len() / 2];
        refused(half, "", &format!("the {form} stream is cut off after "));
        let mut damaged = packed.clone();
        let middle = damaged.len() / 2;
        damaged[middle..].fill(0x55);
        refused(damaged, "", &format!("the {form} stream is "));
    }
}

/// What unpacks to a great deal more takes no more memory: each line is one row, or a part of one that is
/// passed over.
#[cfg(target_os = "linux")]
#[test]
fn a_large_dump_is_read_in_little_memory() {
    let head = b"fen,wdl\n8/8/8/8/8/8/8/K6k w - - 0 1,draw\n";
    let block = |kind: u32, size: u32, is_last: bool| {
        (size << 3 | kind << 1 | u32::from(is_last)).to_le_bytes()[..3].to_vec()
    };
    // A frame with a window of 128 KiB: a raw block, and 8,192 blocks that repeat one byte 128 Ki times.
    let mut bomb = b"\x28\xb5\x2f\xfd\0\x38".to_vec();
    bomb.extend([block(0, head.len() as u32, false), head.to_vec()].concat());
    for number in 1..=8_192 {
        bomb.extend([block(1, 1 << 17, number == 8_192), b"0".to_vec()].concat());
    }
    assert!(bomb.len() < 1 << 20);
    let sandbox = Sandbox::new();
    sandbox.write("mine.csv", bomb);
    let program = env!("CARGO_BIN_EXE_touchstone");
    let mut shell = std::process::Command::new("sh");
    // An eighth of what is unpacked.
    let command = format!(
        "ulimit -d 131072; exec {program} verify --tables KvK --quick --jobs 1 --out out --dump mine.csv --partial"
    );
    let ended = Ended::of(shell.current_dir(sandbox.path(".")).args(["-c", &command]));
    ended.says(2, &["mine.csv:3: the line is longer than 1024 bytes"]);
}

#[test]
fn a_folder_is_refused() {
    let sandbox = Sandbox::new();
    sandbox.write("tables/KRvK.csv", "fen,wdl\n");
    let ended = sandbox.verify("--dump tables");
    ended.says(
        2,
        &["--dump takes one file, and tables is a folder: name a file in it, such as tables/KRvK.csv"],
    );
    std::fs::create_dir(sandbox.path("empty")).unwrap();
    sandbox.verify("--dump empty").says(2, &["--dump takes one file, and empty is a folder\n"]);
}

#[test]
fn options_without_a_meaning_are_refused() {
    let check = |args: &str, part: &str| Sandbox::new().verify(args).says(2, &[part]);
    check("--dump x.csv --columns wdl,dtm", "there is no column fen");
    check(
        "--dump x.csv --columns fen,foo",
        "expected fen, wdl, dtm, or _ for a column that is not read, got \"foo\"",
    );
    check("--dump x.csv --columns fen,wdl,wdl", "there are two columns wdl");
    check("--dump x.csv --columns fen", "there is no column wdl and no column dtm");
    check("--dump x.csv --unit metres", "[possible values: plies, moves]");
    check("--dump x.csv --view red", "[possible values: side-to-move, white, opponent, black]");
    check("--unit moves", "--dump <FILE>");
    check("--columns fen,wdl", "--dump <FILE>");
}
