//! The rules of the comparison of two runs, and its scope.

use reports::regression::compare;
use reports::{DifferenceRow, Files, PerftVerdict, RegressionRow, Row, RowWriter, Run, Scope};
use suites::{Difference, Evidence, Replay, SkipReason, Tally};

use crate::fixture::{difference, run, skipping, tally};

/// The changes from one run to the other, a line each.
fn changes(before: &Run, after: &Run) -> Vec<String> {
    changes_in(before, after, &Scope::whole(after.tallies()))
}

fn changes_in(before: &Run, after: &Run, scope: &Scope) -> Vec<String> {
    let line = |row: RegressionRow| {
        let RegressionRow { report, case, before, after, verdict } = row;
        format!("{} {report} | {case} | {before} | {after}", verdict.name())
    };
    compare(&before.baseline_files(), &after.baseline_files(), scope).unwrap().into_iter().map(line).collect()
}

fn with_tallies(tallies: impl IntoIterator<Item = Tally>) -> Run {
    let check = |tally: Tally| {
        let optional = tally.check == "gaviota";
        reports::CheckRun { tally, duration: None, optional }
    };
    Run { checks: tallies.into_iter().map(check).collect(), ..Run::default() }
}

fn with_differences(tally: Tally, differences: impl IntoIterator<Item = Difference>) -> Run {
    Run { differences: differences.into_iter().collect(), ..with_tallies([tally]) }
}

fn certified(agreed: u64, differed: u64) -> Tally {
    tally("certificate", Evidence::Certificate, "KPvK", agreed, differed)
}

#[test]
fn equal_runs_have_no_changes() {
    assert!(changes(&run(), &run()).is_empty());
    assert!(changes(&Run::default(), &Run::default()).is_empty());
}

#[test]
fn checks() {
    let check = |before: Option<Tally>, after: Option<Tally>, expected: &str| {
        let name = "checks.csv | production certificate KPvK";
        let expected = if expected.is_empty() { vec![] } else { vec![expected.replace('#', name)] };
        assert_eq!(changes(&with_tallies(before), &with_tallies(after)), expected);
    };
    let missing = |cases| skipping(certified(10 - cases, 0), SkipReason::TableMissing, cases);
    let sample = |agreed| Tally { evidence: Evidence::Sample { seed: 7 }, ..certified(agreed, 0) };
    check(Some(certified(10, 0)), Some(certified(10, 0)), "");
    check(
        Some(certified(10, 0)),
        Some(certified(9, 1)),
        "broken # | agreed=10 differed=0 | agreed=9 differed=1",
    );
    check(
        Some(certified(9, 1)),
        Some(certified(8, 2)),
        "broken # | agreed=9 differed=1 | agreed=8 differed=2",
    );
    check(
        Some(certified(9, 1)),
        Some(certified(10, 0)),
        "fixed # | agreed=9 differed=1 | agreed=10 differed=0",
    );
    check(
        Some(certified(8, 2)),
        Some(certified(9, 1)),
        "fixed # | agreed=8 differed=2 | agreed=9 differed=1",
    );
    // Fewer cases, and fewer that differ: it is not known that they agree now.
    check(Some(certified(9, 1)), Some(certified(9, 0)), "broken # | differed=1 | differed=0");
    check(Some(certified(10, 0)), Some(certified(12, 0)), "changed # | agreed=10 | agreed=12");
    // A case that no longer agrees and is observed is not lost.
    let observed = Tally { observed: 3, ..certified(7, 0) };
    check(
        Some(certified(10, 0)),
        Some(observed.clone()),
        "changed # | agreed=10 observed=0 | agreed=7 observed=3",
    );
    check(Some(observed), Some(certified(7, 0)), "broken # | observed=3 | observed=0");
    check(
        Some(certified(10, 0)),
        Some(missing(4)),
        "broken # | agreed=10 skipped=0 skip_reasons= | agreed=6 skipped=4 skip_reasons=table missing=4",
    );
    check(
        Some(missing(4)),
        Some(certified(10, 0)),
        "changed # | agreed=6 skipped=4 skip_reasons=table missing=4 | agreed=10 skipped=0 skip_reasons=",
    );
    check(
        Some(certified(10, 0)),
        Some(sample(5)),
        "changed # | evidence=certificate agreed=10 | evidence=sample (seed 7) agreed=5",
    );
    check(
        Some(certified(9, 1)),
        Some(sample(5)),
        "changed # | evidence=certificate agreed=9 differed=1 | evidence=sample (seed 7) agreed=5 differed=0",
    );
    check(Some(sample(5)), Some(sample(4)), "broken # | agreed=5 | agreed=4");
    let all = "evidence=certificate agreed=10 differed=0 observed=0 skipped=0";
    check(Some(certified(10, 0)), None, &format!("broken # | {all} | "));
    check(None, Some(certified(10, 0)), &format!("added #  | {all}").replace("#  ", "# |  "));
    check(
        None,
        Some(certified(9, 1)),
        "broken # |  | evidence=certificate agreed=9 differed=1 observed=0 skipped=0",
    );
    let nothing = missing(10);
    let none = "evidence=certificate agreed=0 differed=0 observed=0 skipped=10 skip_reasons=table missing=10";
    check(Some(nothing), None, &format!("gone # | {none} | "));
}

#[test]
fn differences() {
    let case = "KPvK/8/1P6/7k/8/4K3/8/8/8 w";
    let old = || difference("certificate", case);
    let check = |before: Vec<Difference>, after: Vec<Difference>, expected: &[&str]| {
        let before = with_differences(certified(10, 0), before);
        let after = with_differences(certified(10, 0), after);
        let name = format!("differences.csv | production certificate {case}");
        let expected: Vec<String> = expected.iter().map(|line| line.replace('#', &name)).collect();
        assert_eq!(changes(&before, &after), expected);
    };
    let figures = "stored=win 11 expected=win 9 source=certificate";
    check(vec![old()], vec![old()], &[]);
    check(vec![], vec![old()], &[&format!("broken # |  | {figures}")]);
    check(vec![old()], vec![], &[&format!("fixed # | {figures} | ")]);
    let worse = Difference { stored: "draw".into(), ..old() };
    check(vec![old()], vec![worse.clone()], &["changed # | stored=win 11 | stored=draw"]);
    // Other words for the same figures are no change.
    let words =
        Difference { explanation: "other words".to_owned(), replay: Replay::shell("elsewhere"), ..old() };
    check(vec![old()], vec![words], &[]);
    // A check may have two findings for one case.
    check(vec![old(), worse.clone()], vec![old(), worse.clone()], &[]);
    check(vec![worse.clone()], vec![worse, old()], &[&format!("broken # |  | {figures}")]);
}

/// What a family counts under its name may be worth knowing, and no error.
#[test]
fn notes_and_warnings_break_no_family() {
    let with = |found: &[&str]| {
        let mut tally = tally("draw", Evidence::Agreement, "repetition-castling", 10 - found.len() as u64, 0);
        for check in found {
            tally.differ(check);
        }
        let cases = (1..).map(|number: u8| format!("repetition-castling/{number:02}"));
        with_differences(tally, found.iter().zip(cases).map(|(check, case)| difference(check, &case)))
    };
    let verdicts = |after: &[&str]| -> Vec<String> {
        let changes = changes(&with(&["draw/score"]), &with(after));
        changes.iter().map(|line| line.split(" |").next().unwrap().to_owned()).collect()
    };
    assert_eq!(verdicts(&["draw/score", "draw/twofold"]), ["added differences.csv"]);
    assert_eq!(verdicts(&["draw/score", "draw/score"]), ["broken differences.csv"]);
}

/// Eighty broken cases are eighty rows, without the rows that count or repeat them.
#[test]
fn a_finding_is_listed_once() {
    const CASES: u64 = 80;
    let stalemates = |agreed| reports::StalemateSubjectRow {
        subject: "production".to_owned(),
        class: "corner".to_owned(),
        depth: 2,
        tables: true,
        positions: 100,
        due: 100,
        agreed,
        wrong_score: 100 - agreed,
        ..run().stalemates_subjects.swap_remove(0)
    };
    let with = |wrong: u64| {
        let mut tally = tally("stalemate", Evidence::Agreement, "corner", 100 - wrong, 0);
        let of = |number| difference("stalemate/score", &format!("corner/{number:02}/depth 2 with tables"));
        (0..wrong).for_each(|_| tally.differ("stalemate/score"));
        let mut run = with_differences(tally, (0..wrong).map(of));
        run.stalemates_subjects = vec![stalemates(100 - wrong)];
        run
    };
    let (right, wrong) = (with(0), with(CASES));
    let rows = changes(&right, &wrong);
    assert_eq!(rows.len() as u64, CASES);
    assert!(rows.iter().all(|row| row.starts_with("broken differences.csv")), "{rows:?}");
    assert_eq!(changes(&wrong, &right).len() as u64, CASES);
    // A count that its cases do not explain is listed.
    let mut unaccounted = with(CASES);
    unaccounted.differences.pop();
    let rows = changes(&right, &unaccounted);
    assert_eq!(rows.iter().filter(|row| row.starts_with("broken checks.csv")).count(), 1, "{rows:?}");
    // So is a row of the suite without a finding of its class and depth.
    let mut without = with(0);
    without.stalemates_subjects = vec![stalemates(99)];
    let rows = changes(&right, &without);
    assert!(rows.iter().any(|row| row.starts_with("changed stalemates_subjects.csv")), "{rows:?}");
    // A check that compares less is listed too.
    let mut fewer = with(CASES);
    fewer.checks[0].tally.agreed -= 1;
    assert!(changes(&right, &fewer).iter().any(|row| row.starts_with("broken checks.csv")));
}

#[test]
fn the_order_of_rows_is_no_change() {
    let one = difference("certificate", "KPvK/8 w");
    let other = Difference { stored: "draw".into(), ..one.clone() };
    let sorted = with_differences(certified(8, 2), [one.clone(), other.clone()]).baseline_files();
    let streamed = |differences: [Difference; 2]| {
        let mut writer = RowWriter::new(Vec::new()).unwrap();
        for difference in differences {
            writer.write(&DifferenceRow(difference)).unwrap();
        }
        let mut files = sorted.clone();
        files.insert(DifferenceRow::FILE.to_owned(), writer.finish().unwrap());
        files
    };
    for files in [streamed([one.clone(), other.clone()]), streamed([other, one])] {
        assert_eq!(compare(&files, &sorted, &Scope::whole([])), Ok(Vec::new()));
    }
}

#[test]
fn a_difference_outside_of_the_scope_is_not_fixed() {
    let missing = skipping(certified(0, 0), SkipReason::TableMissing, 10);
    let before = with_differences(certified(9, 1), [difference("certificate", "KPvK/8 w")]);
    let after = with_tallies([missing]);
    let verdicts: Vec<String> =
        changes(&before, &after).iter().map(|line| line.split(" |").next().unwrap().to_owned()).collect();
    assert_eq!(verdicts, ["broken checks.csv", "gone differences.csv"]);
}

#[test]
fn figures_of_the_other_reports() {
    let check = |change: fn(&mut Run), expected: &[&str]| {
        let mut after = run();
        change(&mut after);
        assert_eq!(changes(&run(), &after), expected);
    };
    check(|run| run.census[1].draws = 13, &["changed census.csv | KQvK black | draws=12 | draws=13"]);
    check(
        |run| run.census[0].longest_plies = Some(1),
        &["changed census.csv | KvK white | longest_plies= | longest_plies=1"],
    );
    check(
        |run| run.histogram[0].dtm = Some(12),
        &[
            "gone histogram.csv | KQvK black loss 10 | positions=80 positions_unique=10 | ",
            "added histogram.csv | KQvK black loss 12 |  | positions=80 positions_unique=10",
        ],
    );
    check(
        |run| run.histogram[1].positions = 17,
        &["changed histogram.csv | KQvK black draw  | positions=16 | positions=17"],
    );
    check(
        |run| {
            run.perft[0].nodes = Some(21);
            run.perft[0].verdict = PerftVerdict::Differ;
            run.perft[1].nodes = Some(18);
        },
        &[
            "changed perft.csv | standard start 9 | nodes=19 | nodes=18",
            "changed perft.csv | standard start 10 | nodes=20 verdict=agree | nodes=21 verdict=differ",
        ],
    );
    // A note: neither is broken, whichever number is the greater.
    check(
        |run| run.signatures[0].signature += 323,
        &["changed signature.csv | engine 12 | signature=1234567 | signature=1234890"],
    );
    check(
        |run| run.signatures[0].depth = 13,
        &[
            "gone signature.csv | engine 12 | positions=1040 signature=1234567 | ",
            "added signature.csv | engine 13 |  | positions=1040 signature=1234567",
        ],
    );
    check(
        |run| drop(run.stalemates.pop()),
        &["gone stalemates.csv | KPvK 4k3/4P3/4K3/8/8/8/8/8 b - - 0 1 | kind=pawn in front of its king | "],
    );
}

/// A run of all tables, and the same run when only KPvK is asked for.
/// A heuristic is held to what it was: more wrong answers, or a worse rank, are broken.
#[test]
fn heuristics_that_are_wrong_more_often_are_broken() {
    let verdict = |change: fn(&mut reports::KnowledgeRow)| {
        let mut after = run();
        let row = after.knowledge.iter_mut().find(|row| row.false_positive.is_some()).unwrap();
        change(row);
        changes(&run(), &after)
            .iter()
            .map(|line| line.split(' ').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(verdict(|row| *row.false_positive.as_mut().unwrap() += 1), ["broken"]);
    assert_eq!(verdict(|row| row.false_negative = row.false_negative.map(|wrong| wrong + 1)), ["broken"]);
    assert_eq!(verdict(|row| row.true_positive = row.true_positive.map(|right| right + 1)), ["changed"]);
}

fn whole_and_part() -> (Run, Run) {
    let mut whole = run();
    whole.differences.push(difference("certificate", "KRvK/8 w"));
    let mut part = whole.clone();
    part.checks.retain(|check| check.tally.subject == "production" && check.tally.case_set == "KPvK");
    part.differences.retain(|difference| difference.case.starts_with("KPvK"));
    part.census.clear();
    part.histogram.clear();
    part.perft.clear();
    part.signatures.clear();
    part.stalemates.clear();
    (whole, part)
}

#[test]
fn rows_outside_of_the_scope_are_not_gone() {
    let (whole, part) = whole_and_part();
    assert!(changes_in(&whole, &part, &Scope::part(part.tallies())).is_empty());
    assert!(changes(&whole, &part).len() > 15, "a whole run would have lost all this");
}

#[test]
fn rows_missing_within_the_scope_are_gone() {
    let (mut whole, mut part) = whole_and_part();
    whole.checks[3].tally = tally("census", Evidence::Census, "KPvK", 11, 0);
    part.differences.remove(0);
    let lines = changes_in(&whole, &part, &Scope::part(part.tallies()));
    let starts: Vec<&str> = lines.iter().map(|line| line.rsplit_once(" |").unwrap().0).collect();
    assert_eq!(
        starts,
        [
            "broken checks.csv | production census KPvK | evidence=census agreed=11 differed=0 observed=0 skipped=0",
            "fixed differences.csv | production certificate KPvK/8/1P6/7k/8/4K3/8/8/8 w \
             | stored=win 11 expected=win 9 source=certificate",
        ]
    );
}

#[test]
fn checks_that_are_not_in_this_build_are_not_gone() {
    let gaviota = |agreed| tally("gaviota", Evidence::Agreement, "KPvK", agreed, 0);
    let full = with_differences(gaviota(10), [difference("gaviota", "KPvK/8 w")]);
    let plain = with_tallies([skipping(gaviota(0), SkipReason::NotInThisBuild, 10)]);
    assert!(changes(&full, &plain).is_empty());
    assert!(changes_in(&full, &plain, &Scope::part(plain.tallies())).is_empty());
    // It is missing without a reason.
    assert_eq!(changes(&full, &with_tallies([])).len(), 1);
}

#[test]
fn an_unreadable_baseline_is_named() {
    let check = |change: fn(&mut Files), expected: &str| {
        let (mut before, after) = (run().baseline_files(), run());
        change(&mut before);
        let error = compare(&before, &after.baseline_files(), &Scope::whole(after.tallies())).unwrap_err();
        assert_eq!(error.to_string(), expected);
    };
    check(|files| drop(files.remove("perft.csv")), "baseline: perft.csv: missing");
    check(
        |files| files.get_mut("census.csv").unwrap().extend(b"KRvK,white\n"),
        "baseline: census.csv:5: expected 11 fields, got 2",
    );
    check(
        |files| files.get_mut("stalemates.csv").unwrap().extend(b"KRvK,\"8,corner\n"),
        "baseline: stalemates.csv:4: expected quotes in pairs, got an odd number of them",
    );
    let (before, mut after) = (run().baseline_files(), run().baseline_files());
    after.remove("checks.csv");
    let error = compare(&before, &after, &Scope::whole([])).unwrap_err();
    assert_eq!(error.to_string(), "this run: checks.csv: missing");
}

#[test]
fn timings_are_not_compared() {
    let (mut before, after) = (run().files(), run());
    before.insert("timings.csv".to_owned(), b"anything".to_vec());
    assert_eq!(compare(&before, &after.files(), &Scope::whole(after.tallies())), Ok(Vec::new()));
}
