//! The checks of `SyzygyPath`, on the test engine. It has no tables: a rule gives each of its moves.

use std::path::Path;

use uci::LimitSupport;

use crate::checks::{HEARD, SAID, id, in_many_threads, program, run_by};

#[test]
fn endgame_tables() {
    let right = [
        "8/1K6/8/8/8/1P6|go=>say bestmove b3b4",
        "8/6k1/8/8/8/8/4P2K|go=>say bestmove h2g3",
        "5k2/8/6K1|go=>say bestmove g6f6",
        "8/8/3k4/8/4K3|go=>say bestmove d6e6",
        "8/8/K7|go=>say bestmove e3d4",
        "8/8/5k2|go=>say bestmove d4c3",
        "8/8/P6K|go=>say bestmove e3d2",
        "8/K7|go=>say bestmove g5g1",
        "8/1Q6|go=>say bestmove b7b4",
    ];
    let right = right.map(|rule| format!("position fen {rule}"));
    let heard = |rules: &[String]| rules.iter().flat_map(|rule| [HEARD.to_owned(), rule.clone()]).collect();
    let with = |rule: &str| heard(&[&[format!("position fen {rule}")], &right[..]].concat());
    let check = |arguments: Vec<String>, by: &[&str]| {
        let program = program(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        let wanted = ["syzygy-move", "syzygy-score", "syzygy-used"].map(id).into();
        let findings = run_by(&program, &LimitSupport::UNKNOWN, Some(Path::new("/tables")), &wanted);
        let found = findings.iter().filter(|findings| findings.tally.differed > 0);
        let found: Vec<&str> = found.map(|findings| findings.tally.check.as_str()).collect();
        assert_eq!(found, by, "{arguments:?}");
        findings
    };
    in_many_threads(|| {
        let sound = check(heard(&right), &[]);
        assert_eq!(sound[0].tally.agreed, 9);
        // It needs ucinewgame between two cases, and takes the option once.
        for rule in ["setoption name SyzygyPath|isready=>crash", "go depth|setoption name SyzygyPath=>crash"]
        {
            check(heard(&[&[rule.to_owned()], &right[..]].concat()), &[]);
        }
        check(with("8/8/3k4/8/4K3|go=>say bestmove d6c6"), &["protocol/syzygy-move"]);
        check(with("8/K7|go=>say bestmove g5f5"), &["protocol/syzygy-move"]);
        // It scores all positions 0.
        check(Vec::new(), &["protocol/syzygy-move", "protocol/syzygy-score"]);
        let no_hits = [SAID, "hashfull 0=>hashfull 0 tbhits 0"].map(str::to_owned);
        check(no_hits.into(), &["protocol/syzygy-used"]);
        let crash = "setoption name SyzygyPath=>crash".to_owned();
        check(heard(&[crash]), &["protocol/syzygy-move"]);
    });
}
