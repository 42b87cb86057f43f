//! `verify --suite perft --epd`: the counts in files, and engines that count.

use reports::{CheckRow, DifferenceRow, PerftRow, PerftVerdict};

use crate::engine::named;
use crate::epd::of_check;
use crate::sandbox::{Ended, Sandbox};

const COUNTS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902 ;D4 197281 ;D6 119060324\n\
                      id kiwipete\nepd r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -\nperft 1 48\nperft 2 2039\nperft 3 97862\n";

fn perft(text: &str, args: &str) -> (Sandbox, Ended) {
    let sandbox = named();
    sandbox.write("counts.epd", text);
    let ended = sandbox.verify(&format!("--suite perft --epd counts.epd --quick {args}"));
    (sandbox, ended)
}

#[test]
fn perft_files_are_counted_and_large_counts_are_skipped() {
    for (who, subject, check) in
        [("", "engine", "perft"), ("--engine ours --time-limit 300", "ours", "movegen/perft")]
    {
        let (sandbox, ended) = perft(COUNTS, who);
        ended.says(0, &["note: counts above 500000 nodes that are skipped: 1; --thorough counts them"]);
        let rows: Vec<CheckRow> = sandbox.rows();
        for row in [of_check(&rows, subject, check), of_check(&rows, "counts.epd", "perft/claim")] {
            assert_eq!((row.agreed, row.differed, &*row.skip_reasons), (7, 0, "left out=1"), "{row:?}");
        }
        assert!(ended.stdout.contains("7 of 8   agree, not compared: 1 left out"), "{}", ended.stdout);
    }
    let (sandbox, _) = perft(COUNTS, "");
    let rows: Vec<PerftRow> = sandbox.rows();
    let left: Vec<_> = rows.iter().filter(|row| row.verdict != PerftVerdict::Agree).collect();
    let [left] = &left[..] else { panic!("{rows:?}") };
    assert_eq!((&*left.suite, &*left.case, left.depth, left.nodes), ("counts.epd", "1", 6, None));
    // Where nothing is small enough, nothing was checked.
    let large = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D6 119060324\n";
    perft(large, "").1.says(2, &["nodes that are skipped: 1"]);
}

#[test]
fn a_wrong_count_is_an_error_of_the_file() {
    let text = COUNTS
        .replace("D3 8902", "D3 8903")
        .replace("perft 1 48", "perft 1 47")
        .replace("perft 2 2039", "perft 2 2038");
    for (who, subject, check) in
        [("", "engine", "perft"), ("--engine ours --time-limit 300", "ours", "movegen/perft")]
    {
        let (sandbox, ended) = perft(&text, who);
        ended.says(1, &[]);
        let rows: Vec<CheckRow> = sandbox.rows();
        assert_eq!(
            (of_check(&rows, subject, check).agreed, of_check(&rows, subject, check).differed),
            (7, 0)
        );
        let rows: Vec<DifferenceRow> = sandbox.rows();
        let told: Vec<String> = rows.iter().map(|row| row.0.stored.to_string()).collect();
        let found: Vec<_> = rows
            .iter()
            .zip(&told)
            .map(|(row, told)| (&*row.0.subject, &*row.0.check, &*row.0.case, &**told))
            .collect();
        let wrong = |case, stored| ("counts.epd", "perft/claim", case, stored);
        let expected =
            [wrong("counts.epd/1", "8903 nodes at depth 3"), wrong("counts.epd/3", "47 nodes at depth 1")];
        assert_eq!(found, expected);
        assert_eq!(rows[1].0.explanation, "the count in the file is wrong; so are those at depth 2");
    }
    // What is far too low is found out at once.
    let low = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D9 5\n";
    perft(low, "--jobs 1").1.says(1, &[]);
}

/// It counts the start right, and a castling too few elsewhere; and one that does not count at all.
#[cfg(unix)]
#[test]
fn engines_with_wrong_counts_or_none() {
    let counter = |perft: &str| {
        let sandbox = Sandbox::new();
        sandbox.write("counts.epd", COUNTS);
        let text = format!(
            "#!/bin/sh\nk=0\nwhile read line; do case \"$line\" in\nuci) echo uciok;;\nisready) echo readyok;;\n\
             quit) exit 0;;\n*r3k2r*) k=1;;\nposition*) k=0;;\n{perft}\
             go*) echo info depth 6 score cp 0 nodes 3000; echo bestmove e2e4;;\nesac; done\n"
        );
        sandbox.write_program("script", text);
        let ended =
            sandbox.verify("--engine ./script --suite perft --epd counts.epd --quick --time-limit 120");
        (sandbox, ended)
    };
    let sums = "go\\ perft\\ 1) [ $k = 1 ] && echo Nodes searched: 46 || echo Nodes searched: 20;;\n\
                go\\ perft\\ 2) echo Nodes searched: 400;;\ngo\\ perft\\ 3) echo Nodes searched: 8902;;\n\
                go\\ perft\\ 4) echo Nodes searched: 197281;;\ngo\\ perft*) echo Nodes searched: 1;;\n";
    let (sandbox, ended) = counter(sums);
    ended.says(1, &[]);
    let rows: Vec<CheckRow> = sandbox.rows();
    let row = of_check(&rows, "script", "movegen/perft");
    assert_eq!((row.agreed, row.differed), (4, 1), "{row:?}");
    assert_eq!(row.skip_reasons, "left out=1;not certified=2");
    assert_eq!(of_check(&rows, "counts.epd", "perft/claim").differed, 0);
    let rows: Vec<DifferenceRow> = sandbox.rows();
    let [DifferenceRow(found)] = &rows[..] else { panic!("{rows:?}") };
    assert_eq!((&*found.check, &*found.case), ("movegen/perft", "counts.epd/3"));
    let (sandbox, ended) = counter("");
    ended.says(0, &[]);
    assert!(ended.stdout.contains("not compared: 8 not supported"), "{}", ended.stdout);
    assert_eq!(sandbox.rows::<DifferenceRow>(), []);
}
