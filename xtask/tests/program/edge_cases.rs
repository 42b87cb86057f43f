//! `verify --edge-cases` and `tables explore`.

use reports::{CensusRow, EdgeCase, EdgeCaseRow, StalemateRow};

use crate::sandbox::{Ended, Sandbox};

fn explore(sandbox: &Sandbox, args: &str) -> Ended {
    sandbox.run(["tables", "explore"].into_iter().chain(args.split_whitespace()))
}

/// The lines of a list of positions.
#[track_caller]
fn list(sandbox: &Sandbox, args: &str) -> Vec<String> {
    let ended = explore(sandbox, args);
    assert_eq!(ended.code, 0, "{}", ended.stderr);
    ended.stdout.lines().map(str::to_owned).collect()
}

/// The counts agree with the other reports, and a later run without the option removes the report.
#[test]
fn edge_cases_are_counted_where_asked() {
    let sandbox = Sandbox::new();
    sandbox.verify("--tables KRvK,KNvK --quick --edge-cases --jobs 2").says(0, &[]);
    let rows: Vec<EdgeCaseRow> = sandbox.rows();
    let two = sandbox.text("out/edge_cases.csv");
    let census: Vec<CensusRow> = sandbox.rows();
    assert_eq!(rows.len(), census.len() * EdgeCase::ALL.len());
    let stalemates: Vec<StalemateRow> = sandbox.rows();
    for of_side in &census {
        let row = |kind| {
            let is_it = |row: &&EdgeCaseRow| {
                (&row.table, row.side_to_move, row.edge_case) == (&of_side.table, of_side.side_to_move, kind)
            };
            rows.iter().find(is_it).unwrap()
        };
        assert_eq!(row(EdgeCase::Checkmate).positions, of_side.checkmates);
        assert_eq!(row(EdgeCase::Stalemate).positions, of_side.stalemates);
        let longest = row(EdgeCase::LongestWin);
        if of_side.wins > 0 {
            assert_eq!((longest.plies, longest.positions), (of_side.longest_plies, of_side.longest_count));
        } else {
            assert_eq!((longest.plies, longest.positions), (None, 0));
        }
    }
    let classes = rows.iter().filter(|row| row.edge_case == EdgeCase::Stalemate);
    assert_eq!(classes.map(|row| row.positions_unique).sum::<u64>(), stalemates.len() as u64);
    sandbox.verify("--tables KNvK --quick --edge-cases --jobs 1").says(0, &[]);
    let of_knight = |text: &str| text.lines().filter(|line| line.starts_with("KNvK")).collect::<String>();
    let one = of_knight(&sandbox.text("out/edge_cases.csv"));
    assert!(!one.is_empty() && of_knight(&two) == one, "other bytes");
    sandbox.verify("--tables KvK --quick").says(0, &[]);
    assert!(!sandbox.path("out/edge_cases.csv").exists());
    let none = "--edge-cases counts tables, and this run has none: name them with --tables or --men";
    sandbox.verify("--suite perft --edge-cases").says(2, &[none]);
    sandbox.verify("--builder first-pass --edge-cases").says(2, &["cannot be used with"]);
}

#[test]
fn positions_are_listed() {
    let sandbox = Sandbox::new();
    let listed = list(&sandbox, "KPvK --only underpromotion");
    assert_eq!(
        listed,
        ["8/1P6/k7/8/K7/8/8/8 w - - 0 1", "8/1P6/k7/8/1K6/8/8/8 w - - 0 1", "8/k1P5/8/K7/8/8/8/8 w - - 0 1"]
    );
    let seven = list(&sandbox, "KPvK --only mutual-zugzwang --limit 7 --seed 4");
    assert_eq!(seven.len(), 7);
    assert_eq!(seven, list(&sandbox, "KPvK --only mutual-zugzwang-half --limit 7 --seed 4 --side black"));
    assert_ne!(seven, list(&sandbox, "KPvK --only mutual-zugzwang --limit 7 --seed 5"));
    let none = explore(&sandbox, "KPvK --only mutual-zugzwang --side white");
    none.says(0, &["note: KPvK has no position of the kind mutual-zugzwang with White to move"]);
    assert_eq!(none.stdout, "");
}

/// The files of `--tables` answer, right or wrong.
#[test]
fn tables_are_read_from_files() {
    let sandbox = Sandbox::new();
    for (builder, folder) in [("setwise", "right"), ("queen-only", "wrong")] {
        sandbox.run(["tables", "build", "KPvK", "--builder", builder, "--out", folder]).says(0, &[]);
    }
    let built = list(&sandbox, "KPvK --only underpromotion-rook --format epd");
    assert_eq!(built, list(&sandbox, "KPvK --only underpromotion-rook --format epd --tables right"));
    assert!(
        built[0].contains(" bm b8=R; ") && built[0].contains("; dm 7; id \"KPvK/underpromotion-rook/1\";")
    );
    assert_ne!(built, list(&sandbox, "KPvK --only underpromotion-rook --format epd --tables wrong"));
    explore(&sandbox, "KNNvK --only stalemate --tables wrong")
        .says(2, &["the DTM table of KNNvK is needed, and none of the files is that"]);
    explore(&sandbox, "KPvK --only stalemate --tables nowhere").says(2, &["nowhere"]);
}

/// `verify --epd` reads the list, and our engine solves it with its tables.
#[test]
fn a_list_is_a_suite() {
    let sandbox = Sandbox::new();
    let lines = list(&sandbox, "KPvK --only underpromotion --format epd");
    sandbox.write("mine.epd", lines.join("\n") + "\n");
    let ended = sandbox.verify("--epd mine.epd --quick --suite bestmove");
    ended.says(0, &[]);
    assert!(ended.stdout.contains("mine.epd: engine solved 3 of 3"), "{}", ended.stdout);
}

#[test]
fn wrong_arguments_are_explained() {
    let sandbox = Sandbox::new();
    let check = |args: &str, parts: &[&str]| {
        let ended = explore(&sandbox, args);
        ended.says(2, parts);
        assert_eq!(ended.stdout, "", "{args}");
    };
    check("KRKP --only stalemate", &["got \"KRKP\"; did you mean KRvKP?"]);
    check(
        "KPvK --only longest",
        &["no such kind of edge case (did you mean longest-win?)", "en-passant-only"],
    );
    check("KPvK --only promotion", &["there are: checkmate, en-passant-only"]);
    check("KPvK", &["--only <KIND>"]);
    check("KPvK --only stalemate --limit 0", &["0 is not in 1..=100000"]);
    check("KPvK --only stalemate --limit 100001", &["100001 is not in 1..=100000"]);
    check("KPvK --only stalemate --side red", &["'red'", "white, black"]);
    check("KPvK --only stalemate --format pgn", &["'pgn'", "fen, epd"]);
    check("KQPvKR --only stalemate", &["KQPvKR has 5 men; tables with up to 4 are explored"]);
}
