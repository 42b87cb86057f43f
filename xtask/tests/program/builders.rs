//! Other builders: exactly the wrong entries of a specimen are listed, and none of a correct builder.

use std::collections::BTreeMap;

use reports::{CheckRow, DifferenceRow};
use suites::Difference;

use crate::runs::{self, FIRST_PASS, Run};
use crate::sandbox::Sandbox;

/// What `truth` lists: not every build has the other sources of distances.
fn truth(run: &Run) -> Vec<Difference> {
    let rows: Vec<DifferenceRow> = run.sandbox.rows();
    rows.into_iter().map(|row| row.0).filter(|row| row.check == "truth").collect()
}

/// The positions, with what is stored and what is expected.
fn listed(run: &Run) -> BTreeMap<String, (String, String)> {
    truth(run).into_iter().map(|row| (row.fen, (row.stored.to_string(), row.expected.to_string()))).collect()
}

/// The same by a comparison of two exports, line by line, in which no check takes part.
fn misscored(builder: &str) -> BTreeMap<String, (String, String)> {
    let (stored, right) = (runs::export(builder), runs::export("retrograde"));
    assert_eq!(right.len(), 163_328 + 168_024);
    assert!(stored.keys().eq(right.keys()), "the same positions");
    let pairs = stored.into_iter().zip(right.into_values());
    let wrong = pairs.filter(|((_, stored), right)| stored != right);
    wrong.map(|((fen, stored), right)| (fen, (runs::words(&stored), runs::words(&right)))).collect()
}

/// What a run says of each check: subject, check, table, compared, differed.
fn counts(run: &Run) -> String {
    let rows: Vec<CheckRow> = run.sandbox.rows();
    let line = |row: CheckRow| {
        format!("{} {} {} {} {}", row.subject, row.check, row.case_set, row.compared, row.differed)
    };
    rows.into_iter().map(line).collect::<Vec<_>>().join("\n")
}

fn judged(builder: &str) -> Run {
    runs::verify(&format!("--builder {builder}"))
}

#[test]
fn first_pass_every_wrong_entry_is_listed_and_no_other() {
    assert_eq!(FIRST_PASS.ended.code, 1, "{}", FIRST_PASS.ended.stderr);
    assert_eq!(listed(&FIRST_PASS), misscored("first-pass"));
    insta::assert_snapshot!(counts(&FIRST_PASS));
}

#[test]
fn first_pass_misscores_the_mate_in_six_that_is_a_mate_in_five() {
    let rows = truth(&FIRST_PASS);
    let of = |fen: &str| rows.iter().find(|row| row.fen == fen);
    let row = of("8/1P6/7k/8/4K3/8/8/8 w - - 0 1").expect("the position of the seed");
    assert_eq!(
        (row.stored.to_string().as_str(), row.expected.to_string().as_str()),
        ("mate in 6", "mate in 5")
    );
    assert_eq!(row.explanation, "Kf5 (e4f5): mate in 5");
    for king in ["4K3", "5K2", "6K1"] {
        for (seventh, sixth) in [("1P6", "7k"), ("1P4k1", "8"), ("1P5k", "8")] {
            let fen = format!("8/{seventh}/{sixth}/8/{king}/8/8/8 w - - 0 1");
            let row = of(&fen).unwrap_or_else(|| panic!("{fen} is not listed"));
            assert_eq!(
                (row.stored.to_string().as_str(), row.expected.to_string().as_str()),
                ("mate in 6", "mate in 5"),
                "{fen}"
            );
        }
    }
}

/// A difference hands over a command that shows it, and what it shows.
#[test]
fn the_replay_of_a_difference_shows_it() {
    let rows = truth(&FIRST_PASS);
    let row = rows.iter().find(|row| row.fen.starts_with("8/1P6/7k/8/4K3/")).unwrap();
    let (verbs, fen) = row.replay.strip_prefix("cargo xtask ").unwrap().split_once('"').unwrap();
    let replay = |builder: &str| {
        let args = verbs.replace("first-pass", builder);
        let args = args.split_whitespace().chain([fen.trim_end_matches('"')]);
        let ended = Sandbox::new().run(args);
        assert_eq!(ended.code, 0, "{}", ended.stderr);
        ended.stdout
    };
    assert!(replay("first-pass").contains("mate in 6"));
    assert!(replay("retrograde").contains("mate in 5"));
}

#[test]
fn queen_only_loses_the_wins_that_only_a_rook_wins() {
    let run = judged("queen-only");
    assert_eq!(run.ended.code, 1, "{}", run.ended.stderr);
    let listed = listed(&run);
    assert_eq!(listed, misscored("queen-only"));
    insta::assert_snapshot!(counts(&run));
    let drawn: Vec<&str> =
        listed.iter().filter(|(_, (stored, _))| stored == "draw").map(|(fen, _)| fen.as_str()).collect();
    // Three positions and their left-right mirrors.
    assert_eq!(
        drawn,
        [
            "8/1P6/k7/8/1K6/8/8/8 w - - 0 1",
            "8/1P6/k7/8/K7/8/8/8 w - - 0 1",
            "8/5P1k/8/7K/8/8/8/8 w - - 0 1",
            "8/6P1/7k/8/6K1/8/8/8 w - - 0 1",
            "8/6P1/7k/8/7K/8/8/8 w - - 0 1",
            "8/k1P5/8/K7/8/8/8/8 w - - 0 1",
        ]
    );
}

/// A run of a builder without errors: all its entries agree.
fn check_right(builder: &str, args: &str, expected: &[(&str, u64)]) {
    let run = runs::verify(&format!("--builder {builder} {args}"));
    assert_eq!(run.ended.code, 0, "{builder}: {}", run.ended.stderr);
    let rows: Vec<CheckRow> = run.sandbox.rows();
    let truth = rows.iter().filter(|row| row.subject == builder && row.check == "truth");
    let agreed: Vec<_> = truth.map(|row| (row.case_set.as_str(), row.agreed)).collect();
    assert_eq!(agreed, expected);
    assert!(run.sandbox.rows::<DifferenceRow>().is_empty());
}

#[test]
fn a_builder_that_is_right_has_no_difference() {
    check_right("alternating", "--tables KQvK", &[("KQvK", 368_452)]);
}

#[test]
#[ignore = "nightly: builds and certifies all tables twice"]
fn builders_that_are_right_have_no_difference() {
    check_right("second-pass", "", &[("KPvK", 331_352)]);
    check_right("alternating", "", &[("KQvK", 368_452), ("KRvK", 399_112)]);
}
