//! Files of mates, judged by tables if they have the position, and by the prover.

use reports::{CheckRow, DifferenceRow, MateRow};

use crate::sandbox::Sandbox;

/// Mates in eight to fifteen with rook and king, and what is true of each.
const TRUE: &str = "8/8/8/8/8/8/R7/K1k5 w - - 0 1 dm 8;\n8/8/R7/8/8/8/8/K4k2 w - - 0 1 dm 9;\n\
                    8/8/8/3k4/8/8/8/KR6 w - - dm 15;\n";

#[test]
fn a_file_of_rook_endings_is_decided_by_the_certified_table() {
    let sandbox = Sandbox::new();
    sandbox.write("KRvK.epd", format!("{TRUE}8/8/8/3k4/8/8/8/KR6 w - - dm 9;\n"));
    sandbox.verify("--suite mates --epd KRvK.epd").says(1, &[]);
    let checks: Vec<CheckRow> = sandbox.rows();
    let row = |subject: &str, check: &str| {
        let is_one = |row: &&CheckRow| row.subject == subject && row.check == check;
        checks.iter().find(is_one).unwrap_or_else(|| panic!("{subject} {check}: {checks:#?}"))
    };
    // Nothing is left to the prover, and no more tables are certified than the file needs.
    assert_eq!((row("KRvK.epd", "mate").agreed, row("KRvK.epd", "mate").differed), (3, 1));
    assert_eq!((row("engine", "mate").agreed, row("engine", "mate").skipped), (4, 0));
    let tables = checks.iter().filter(|row| row.check == "certificate").map(|row| &*row.case_set);
    assert_eq!(tables.collect::<Vec<_>>(), ["KRvK", "KvK"]);
    let [wrong] = &sandbox.rows::<DifferenceRow>()[..] else { panic!("one line is wrong") };
    assert_eq!((&*wrong.0.case, &*wrong.0.source), ("KRvK.epd/4", "tables"));
    assert!(
        sandbox.rows::<MateRow>().iter().all(|row| row.verdict.name() == "exact"),
        "{:?}",
        sandbox.rows::<MateRow>()
    );
}
