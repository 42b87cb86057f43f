//! `verify --engine` with players that know nothing, or lie: what the program says of them.

use reports::CheckRow;

use crate::bench::{Bench, Ended};
use crate::players::hostile;

/// The engine for tests with these faults, asked for these checks.
fn verify(bench: &Bench, faults: &[&str], asked: &str) -> Ended {
    let mut args = vec!["verify", "--out", "out", "--engine", hostile(), "--time-limit", "600"];
    let faults: Vec<String> =
        faults.iter().flat_map(|fault| [format!("--args=--fault"), format!("--args={fault}")]).collect();
    args.extend(faults.iter().map(String::as_str));
    args.extend(asked.split_whitespace());
    bench.run(args)
}

/// It plays any legal move and scores 0 whatever it sees: it agrees in nothing that it does not know.
#[test]
fn who_knows_nothing_agrees_in_nothing() {
    let epd = "8/8/8/8/8/1K6/2R5/1k6 w - - bm #2;\n8/8/8/4k3/4P3/4K3/8/8 w - - 0 1\n";
    for asked in ["--quick --suite stalemates,mates,draws,conversion", "--suite mates --epd their.epd"] {
        let bench = Bench::new();
        bench.write("their.epd", epd);
        let ended = verify(&bench, &["blank"], asked);
        let rows: Vec<CheckRow> = bench.rows();
        let own = rows.iter().filter(|row| row.subject == "hostile");
        let knowing = own.filter(|row| !row.check.starts_with("process/"));
        let (agreed, observed) =
            knowing.fold((0, 0), |(agreed, observed), row| (agreed + row.agreed, observed + row.observed));
        assert_eq!(agreed, 0, "{asked}: {}{rows:#?}", ended.stdout);
        assert!(observed > 0, "{}", ended.stdout);
    }
}
