//! Table files: built, counted, checked and probed; damaged files are refused.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use reports::{CheckRow, DifferenceRow};
use sha2::{Digest, Sha256};
use suites::Difference;

use crate::runs;
use crate::sandbox::{Ended, Sandbox, half_written, run};

const MATE_IN_FIVE: &str = "8/1P6/7k/8/4K3/8/8/8 w - - 0 1";

static BUILT: LazyLock<Sandbox> = LazyLock::new(|| {
    let sandbox = Sandbox::new();
    let ended = sandbox.run(["tables", "build", "KPvK", "KRvK", "--out", "tables"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    sandbox
});

fn built(args: &[&str]) -> Ended {
    BUILT.run([&["tables"], args].concat())
}

#[test]
fn building_writes_each_table_and_what_it_leads_to() {
    let names: Vec<String> = BUILT.files("tables").into_keys().collect();
    let expected = ["KBvK", "KNvK", "KPvK", "KQvK", "KRvK", "KvK"];
    assert_eq!(
        names,
        expected
            .iter()
            .flat_map(|name| ["dtm", "dtz"].map(|metric| format!("{name}.{metric}")))
            .collect::<Vec<_>>()
    );
}

/// The files of a pawn and of all that it leads to have the sums that are published.
#[test]
fn syzygy_files_are_the_official_ones() {
    let sandbox = Sandbox::new();
    let ended = sandbox.run(["tables", "syzygy", "KPvK", "--out", "s"]);
    ended.says(0, &["built and written in "]);
    assert_eq!(ended.stdout.matches(" bytes, right: ").count(), 10, "{}", ended.stdout);
    let pins = suites::syzygy::embedded().unwrap();
    let names: Vec<String> = sandbox.files("s").into_keys().collect();
    let expected = pins.iter().filter(|pin| pin.men == 3).map(|pin| pin.file.clone());
    assert_eq!(names, expected.collect::<Vec<_>>());
    for pin in pins.iter().filter(|pin| pin.men == 3) {
        let bytes = std::fs::read(sandbox.path(&format!("s/{}", pin.file))).unwrap();
        let sum = suites::syzygy::Sha256(Sha256::digest(&bytes).into());
        assert!(pin.version(sum).is_some(), "{}: {sum}", pin.file);
    }
}

#[test]
fn syzygy_files_of_five_men_need_table_files() {
    let write = |args: &str| run(&[&["tables", "syzygy"], &args.split(' ').collect::<Vec<_>>()[..]].concat());
    write("KRPvKR KQvK --table-files t")
        .says(2, &["KRNvKR.dtz: no such file", "tables build KRPvKR KQvK --out \"t\""]);
    write("--men 5 --table-files t").says(2, &[".dtz: no such file", "tables build --men 5 --out \"t\""]);
}

/// A second run reads what the first has left, and builds what is missing, damaged or another table.
#[test]
fn building_all_tables_resumes() {
    let sandbox = Sandbox::new();
    let build = || sandbox.run(["tables", "build", "--men", "3", "--out", "t"]);
    build().says(0, &["built in "]);
    let first = sandbox.files("t");
    let names: Vec<&String> = first.keys().collect();
    assert_eq!(names, BUILT.files("tables").keys().collect::<Vec<_>>());
    std::fs::remove_file(sandbox.path("t/KQvK.dtm")).unwrap();
    let mut damaged = std::fs::read(sandbox.path("t/KPvK.dtz")).unwrap();
    damaged[200] ^= 1;
    sandbox.write("t/KPvK.dtz", &damaged);
    std::fs::copy(sandbox.path("t/KRvK.dtz"), sandbox.path("t/KRvK.dtm")).unwrap();
    let again = build();
    again.says(
        0,
        &[
            "KPvK.dtz: damaged: the checksum of its header and index is wrong; copy or build it again; the table is built again",
            "KRvK.dtm: holds KRvK dtz, not KRvK dtm; the table is built again",
        ],
    );
    let built: Vec<&str> = again.stdout.lines().filter(|line| line.ends_with(" bytes")).collect();
    assert_eq!((built.len(), again.stdout.matches(": kept").count()), (3, 9), "{}", again.stdout);
    assert!(sandbox.files("t") == first, "other bytes");
}

#[test]
fn counts_of_what_is_in_a_file() {
    let ended = built(&["stats", "tables/KPvK.dtm", "tables/KPvK.dtz", "tables/KRvK.dtm", "tables/KvK.dtm"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    insta::assert_snapshot!(ended.stdout);
}

#[test]
fn a_correct_file_passes_the_check() {
    runs::syzygy();
    let ended = built(&["check", "tables/KRvK.dtm", "tables/KRvK.dtz"]);
    assert_eq!(ended.code, 0, "{}{}", ended.stdout, ended.stderr);
    assert!(ended.stdout.contains("399,112 of 399,112"), "{}", ended.stdout);
    assert!(ended.stdout.contains("50,015 of 50,015"), "{}", ended.stdout);
}

/// A file is read by its name elsewhere: in a folder, another table would stand for this one.
#[test]
fn another_table_under_the_name_is_refused() {
    let sandbox = Sandbox::new();
    let bytes = std::fs::read(BUILT.path("tables/KRvK.dtz")).unwrap();
    sandbox.write("KQvK.dtz", &bytes);
    sandbox.write("KRvK.dtm", &bytes);
    sandbox.write("mine.dtz", &bytes);
    let check = |file: &str| sandbox.run(["tables", "check", file, "--out", "out"]);
    check("KQvK.dtz").says(2, &["KQvK.dtz: holds KRvK dtz, not KQvK dtz"]);
    check("KRvK.dtm").says(2, &["KRvK.dtm: holds KRvK dtz, not KRvK dtm"]);
    check("mine.dtz").says(0, &[]);
}

/// The file is whole, and not what it says is true.
#[test]
fn a_wrong_file_fails_the_check() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(["tables", "build", "KPvK", "--builder", "queen-only", "--out", "."]).code, 0);
    let ended = sandbox.run(["tables", "check", "KPvK.dtm"]);
    assert_eq!(ended.code, 1, "{}", ended.stderr);
    assert!(ended.stdout.contains("certificate"), "{}", ended.stdout);
}

/// A file of a table without pawns with White's longest mates, of so many plies, two plies longer, and with
/// right checksums, as the documentation of the format has them.
fn with_longer_mates(mut bytes: Vec<u8>, men: u32, longest: u16) -> Vec<u8> {
    let number = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let [white, black] = [88, 90].map(number);
    let last_of_white = 92 + 2 * (white - 1);
    assert_eq!(number(last_of_white), 2 + 2 * usize::from(longest));
    let (slots, block_cells) = (462 * 64_usize.pow(men - 2), 1 << 14);
    let end = 92 + 2 * (white + black) + 8 * 2 * slots.div_ceil(block_cells);
    bytes[last_of_white..last_of_white + 2].copy_from_slice(&(2 + 2 * (longest + 2)).to_le_bytes());
    let crc = crc32fast::hash(&bytes[..end]);
    bytes[end..end + 4].copy_from_slice(&crc.to_le_bytes());
    bytes.truncate(bytes.len() - 32);
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

/// What the check of a table finds if its longest mates are two plies longer.
fn found_in_longer_mates(table: &str, longest: u16) -> Vec<Difference> {
    let sandbox = Sandbox::new();
    sandbox.run(["tables", "build", table, "--out", "t"]).says(0, &[]);
    let right = std::fs::read(sandbox.path(&format!("t/{table}.dtm"))).unwrap();
    let file = format!("{table}.dtm");
    sandbox.write(&file, with_longer_mates(right, table.len() as u32 - 1, longest));
    let ended = sandbox.run(["tables", "check", &file, "--out", "out"]);
    assert_eq!(ended.code, 1, "{}{}", ended.stdout, ended.stderr);
    sandbox.rows::<DifferenceRow>().into_iter().map(|DifferenceRow(row)| row).collect()
}

/// The certificate names the positions that are wrong, the counts say that there are some, and nothing else
/// is named.
#[test]
fn longer_mates_in_a_file_fail_the_check() {
    let rows = found_in_longer_mates("KRvK", 31);
    let kinds: BTreeSet<String> =
        rows.iter().map(|row| format!("{}: {} for {}", row.check, row.stored, row.expected)).collect();
    let expected = [
        "census: 33 for 31",
        "certificate: mate in 17 for mate in 16",
        "certificate: mated in 16 for mated in 17",
    ];
    assert_eq!(kinds, expected.map(str::to_owned).into());
    assert_eq!(rows.iter().filter(|row| row.check == "census").count(), 1);
}

#[test]
#[ignore = "nightly: a table of three men is tested by default"]
fn longer_mates_in_a_file_of_four_men_fail_the_check() {
    let found: BTreeSet<String> = found_in_longer_mates("KRvKN", 79)
        .into_iter()
        .map(|row| format!("{} {}: {} for {}", row.check, row.case, row.stored, row.expected))
        .collect();
    let expected = [
        "census KRvKN/white longest plies: 81 for 79",
        "certificate KRvKN/8/2R5/8/8/7k/3K4/2n5/8 b - -: mated in 40 for mated in 41",
        "certificate KRvKN/8/2R5/8/8/7k/3K4/8/4n3 w - -: mate in 41 for mate in 40",
    ];
    assert_eq!(found, expected.map(str::to_owned).into());
}

/// A folder of `tables build` is checked as its files are.
#[test]
fn checking_a_folder() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(["tables", "build", "KRvK", "--out", "tables"]).code, 0);
    let check = |path: &str| {
        sandbox.run(["tables", "check", path, "--out", "out"]).says(0, &[]);
        let rows: Vec<CheckRow> = sandbox.rows();
        rows.into_iter().map(|row| row.subject).collect::<BTreeSet<String>>()
    };
    let files = ["tables/KRvK.dtm", "tables/KRvK.dtz", "tables/KvK.dtm", "tables/KvK.dtz"];
    assert_eq!(check("tables"), files.map(str::to_owned).into());
    assert_eq!(check("tables/KRvK.dtm"), [files[0].to_owned()].into());
    sandbox.write("none/notes", "");
    sandbox.run(["tables", "check", "none"]).says(2, &["there is no table in the folder none"]);
}

#[test]
fn asking_a_file() {
    let ended = built(&["probe", MATE_IN_FIVE, "--file", "tables/KPvK.dtm", "--file", "tables/KPvK.dtz"]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    insta::assert_snapshot!(ended.stdout);
}

/// WDL and DTM know no halfmove clock: what the clock leaves of them is told beside them.
#[test]
fn the_result_under_the_fifty_move_rule() {
    let check = |fen: &str, expected: &str| {
        let ended = run(&["tables", "probe", fen]);
        let told = ended.stdout.lines().find_map(|line| line.strip_prefix("WDL50 ")).unwrap_or_default();
        assert_eq!(told, expected, "{fen}: {}", ended.stdout);
    };
    let rook = |clock| format!("8/8/8/8/8/1KR5/8/1k6 w - - {clock} 80");
    check(&rook(0), "");
    check(&rook(97), "win (halfmove clock 97)");
    check(&rook(98), "draw (halfmove clock 98)");
    check("8/8/8/8/8/1KR5/8/1k6 b - - 98 80", "loss (halfmove clock 98)");
    check("8/8/8/8/8/1KR5/8/1k6 b - - 99 80", "draw (halfmove clock 99)");
    // A pawn move comes in time, and the mate after it.
    check("8/1P6/7k/8/4K3/8/8/8 w - - 99 80", "win (halfmove clock 99)");
    // Mate is mate on the hundredth ply; a draw stays one.
    check("8/8/8/8/8/1K6/8/k1R5 b - - 100 80", "");
    check("8/8/8/8/8/1KQ5/8/1k6 b - - 50 80", "");
    let asks = |clock: u16| {
        let fen = format!("8/1P6/7k/8/4K3/8/8/8 w - - {clock} 80");
        built(&["probe", &fen, "--file", "tables/KPvK.dtm"]).stdout
    };
    assert!(asks(91).contains("WDL50 win (halfmove clock 91)"), "{}", asks(91));
    assert!(asks(92).contains("WDL50 unknown: the DTZ table decides it"), "{}", asks(92));
}

/// It is the file that answers, not a table built in its place.
#[test]
fn a_wrong_file_gives_its_wrong_answer() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(["tables", "build", "KPvK", "--builder", "first-pass", "--out", "."]).code, 0);
    let ended = sandbox.run(["tables", "probe", "--file", "KPvK.dtm", MATE_IN_FIVE]);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    assert!(ended.stdout.contains("mate in 6"), "{}", ended.stdout);
}

/// White king b3, black king b1, a rook or a queen on c3; each side to move.
#[test]
fn the_worked_example() {
    let check = |fen: &str, expected: &str| {
        let ended = run(&["tables", "probe", fen]);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        assert!(ended.stdout.contains(expected), "{fen}: {}", ended.stdout);
    };
    check("8/8/8/8/8/1KR5/8/1k6 w - - 0 1", "DTM   mate in 2 (3 plies)");
    check("8/8/8/8/8/1KR5/8/1k6 b - - 0 1", "DTM   mated in 1 (2 plies)");
    check("8/8/8/8/8/1KQ5/8/1k6 w - - 0 1", "DTM   mate in 1 (1 plies)");
    check("8/8/8/8/8/1KQ5/8/1k6 b - - 0 1", "WDL   draw");
}

#[test]
fn each_kind_of_damaged_file_has_its_error() {
    let whole = std::fs::read(BUILT.path("tables/KRvK.dtm")).unwrap();
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] ^= byte;
        bytes
    };
    let check = |bytes: &[u8], word: &str| {
        let sandbox = Sandbox::new();
        sandbox.write("table.dtm", bytes);
        for verb in ["stats", "check"] {
            let ended = sandbox.run(["tables", verb, "table.dtm"]);
            ended.says(2, &["error: table.dtm: ", word]);
            assert_eq!(ended.stdout, "");
        }
        let fen = "8/8/8/8/8/1KR5/8/1k6 w - - 0 1";
        sandbox.run(["tables", "probe", fen, "--file", "table.dtm"]).says(2, &["error: table.dtm: ", word]);
    };
    check(&with(whole.len() / 2, 1), "damaged: block 2 at offset ");
    check(&with(whole.len() - 1, 0x80), "damaged: its checksum is wrong");
    check(&[&whole[..], b"\n"].concat(), "damaged: 1 bytes follow its end");
    check(&whole[..whole.len() - 1], "truncated: ");
    check(&whole[..20], "truncated: ");
    check(b"fen,wdl,dtm\n", "foreign: not a table of this program");
    check(b"", "foreign: not a table of this program");
    check(&with(8, 7), "future: format version 4");
    check(&with(8, 1), "touchstone tables build KRvK");
}

#[test]
fn a_file_is_exported_as_the_table_that_is_built() {
    let file = built(&["export", "KRvK", "--file", "tables/KRvK.dtm"]);
    file.says(0, &[]);
    assert!(file.stdout == run(&["tables", "export", "KRvK"]).stdout, "other rows");
    built(&["export", "KQvK", "--file", "tables/KRvK.dtm"])
        .says(2, &["tables/KRvK.dtm: holds KRvK dtm, not KQvK dtm"]);
}

#[test]
fn a_missing_file() {
    run(&["tables", "stats", "none.dtm"]).says(2, &["cannot open none.dtm"]);
    run(&["tables", "check", "none.dtm"]).says(2, &["cannot open none.dtm"]);
    run(&["tables", "probe", MATE_IN_FIVE, "--file", "none.dtm"]).says(2, &["cannot open none.dtm"]);
}

#[test]
fn a_failed_write_leaves_no_partial_file() {
    let sandbox = Sandbox::new();
    sandbox.write("file", "");
    sandbox.run(["tables", "build", "KvK", "--out", "file/tables"]).says(2, &["error: ", "file/tables"]);
    sandbox.run(["tables", "export", "KvK", "--out", "file/KvK.csv"]).says(2, &["error: ", "file"]);
    std::fs::create_dir(sandbox.path("KvK.csv")).unwrap();
    sandbox.run(["tables", "export", "KvK", "--out", "KvK.csv"]).says(2, &["KvK.csv is not a regular file"]);
    std::fs::create_dir_all(sandbox.path("tables/KvK.dtm")).unwrap();
    sandbox
        .run(["tables", "build", "KvK", "--out", "tables"])
        .says(2, &["tables/KvK.dtm is not a regular file"]);
    sandbox.verify("--tables KvK --quick").says(0, &[]);
    sandbox.run(["verify", "--tables", "KvK", "--quick", "--out", "file"]).says(2, &["error: ", "file"]);
    assert_eq!(sandbox.text("file"), "");
    for folder in [".", "tables", "out"] {
        assert_eq!(half_written(&sandbox.path(folder)), [""; 0], "{folder}");
    }
}

/// A folder into which nobody may write.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_folder_is_named() {
    run(&["tables", "build", "KvK", "--out", "/proc"]).says(2, &["error: ", "/proc"]);
    run(&["tables", "export", "KvK", "--out", "/proc/KvK.csv"]).says(2, &["error: ", "/proc"]);
}

/// A folder that is not there is made.
#[test]
fn a_missing_folder_is_made() {
    let sandbox = Sandbox::new();
    assert_eq!(sandbox.run(["tables", "export", "KvK", "--out", "new/folder/KvK.csv"]).code, 0);
    assert_eq!(sandbox.text("new/folder/KvK.csv").lines().count(), 1 + 2 * 3_612);
}

/// The rows of drawn placements are rows of the table, with both sides to move.
#[test]
fn a_share_of_a_table_is_exported() {
    let export = |args: &[&str]| {
        let ended = run(&[&["tables", "export", "KRvK"], args].concat());
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        ended.stdout
    };
    let whole = export(&[]);
    let all: BTreeSet<&str> = whole.lines().collect();
    let [first, second] = ["1", "2"].map(|seed| export(&["--one-of", "100", "--seed", seed]));
    assert_ne!(first, second);
    assert_eq!(first, export(&["--one-of", "100"]));
    let lines = first.lines().count();
    assert!(all.len() / 120 < lines && lines < all.len() / 80, "{lines} of {}", all.len());
    assert!(first.lines().all(|line| all.contains(line)));
    let placements = |side: &str| -> BTreeSet<&str> {
        let rows = first.lines().filter(|line| line.contains(side));
        rows.map(|row| row.split(' ').next().unwrap_or_default()).collect()
    };
    assert!(placements(" w ").intersection(&placements(" b ")).count() > lines / 3);
    run(&["tables", "export", "KRvK", "--one-of", "0"]).says(2, &["--one-of"]);
}
