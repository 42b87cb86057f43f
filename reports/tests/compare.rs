//! The comparison of two engines, and the field report.

use std::time::Duration;

use reports::field_report::{FieldEntry, FieldOutcome, ReplayResult, bugs, document};
use reports::{
    CheckRun, CompareRow, CompareVerdict, DrawVerdict, FieldNote, FieldVerdict, MateVerdict, Run, compare,
    text,
};
use suites::{Evidence, SkipReason, Tally, Verdict};

use crate::fixture::{self, card, difference, protocol, skipping, tally};

/// An engine with two checks, wrong in these cases.
fn run(name: &str, wrong: &[&str], supports: bool) -> Run {
    let mut card = card();
    name.clone_into(&mut card.name);
    let count = wrong.len() as u64;
    let draws = tally("draw", Evidence::Agreement, "fifty-clock", 3 - count, count);
    let ponder = tally("protocol/ponder", Evidence::Specification, "uci", u64::from(supports), 0);
    let ponder = if supports { ponder } else { skipping(ponder, SkipReason::Unsupported, 1) };
    let check = |mut tally: suites::Tally| {
        name.clone_into(&mut tally.subject);
        CheckRun { tally, duration: None, optional: false }
    };
    let judge = tally("certificate", Evidence::Certificate, "KPvK", 100 + count, 0);
    let mut differences: Vec<_> =
        wrong.iter().map(|case| difference("draw/score", &format!("fifty-clock/{case}"))).collect();
    for difference in &mut differences {
        name.clone_into(&mut difference.subject);
    }
    Run {
        checks: vec![check(draws), check(ponder), CheckRun { tally: judge, duration: None, optional: false }],
        differences,
        engine: Some(card),
        ..Run::default()
    }
}

#[test]
fn cases_that_one_engine_gets_wrong() {
    let (a, b) = (run("old", &["01", "02"], false), run("new", &["02", "03"], true));
    let rows = compare(&a, &b);
    insta::assert_snapshot!("compare.csv", String::from_utf8(reports::to_bytes(rows.clone())).unwrap());
    insta::assert_snapshot!("compare", text::compare(&card(), &card(), &rows, 2));
    let turned = |verdict| match verdict {
        CompareVerdict::Broken => CompareVerdict::Fixed,
        CompareVerdict::Fixed => CompareVerdict::Broken,
        CompareVerdict::OnlyA => CompareVerdict::OnlyB,
        CompareVerdict::OnlyB => CompareVerdict::OnlyA,
        same => same,
    };
    let exchanged = |row: CompareRow| CompareRow {
        verdict: turned(row.verdict),
        a: row.b.clone(),
        b: row.a.clone(),
        a_state: row.b_state,
        b_state: row.a_state,
        ..row
    };
    assert_eq!(compare(&b, &a).into_iter().map(exchanged).collect::<Vec<_>>(), rows);
}

/// An engine with one case set and these differences.
fn partly(tally: Tally, wrong: &[(&str, &str)]) -> Run {
    let differences = wrong.iter().map(|(check, case)| difference(check, case)).collect();
    let mut card = card();
    card.name.clone_from(&tally.subject);
    let checks = vec![CheckRun { tally, duration: None, optional: false }];
    Run { checks, differences, engine: Some(card), ..Run::default() }
}

/// The suite `protocol` tells which of its cases were not compared.
#[test]
fn a_case_with_a_row_of_its_own_is_known() {
    const CHECK: &str = "protocol/mate-count";
    const UNKNOWN: &str = "not compared, for all that is known: 1 of 3 were not, not supported";
    let counted = |agreed, differed| {
        skipping(tally(CHECK, Evidence::Specification, "uci", agreed, differed), SkipReason::Unsupported, 1)
    };
    let wrong = partly(counted(1, 1), &[(CHECK, "mate-in-1")]);
    let with = |verdict| {
        let mut run = partly(counted(2, 0), &[]);
        run.protocol = vec![protocol("mate-in-1", &verdict)];
        run.protocol[0].subject.clone_from(&run.checks[0].tally.subject);
        run
    };
    let unsupported = "not compared: not supported";
    let once = "not compared: a fault came once, or is accepted";
    for (verdict, expected) in [
        (Verdict::Agree, "agrees"),
        (Verdict::Skip(SkipReason::Unsupported), unsupported),
        (Verdict::Skip(SkipReason::OutOfTime), "not asked: out of time"),
        (Verdict::Observed, once),
        (Verdict::Differ(Box::new(difference("protocol/flaky", "mate-in-1"))), once),
    ] {
        let rows = compare(&with(verdict), &wrong);
        let row = rows.iter().find(|row| row.case == "mate-in-1").unwrap();
        assert_eq!((row.a.as_str(), row.is_worse()), (expected, expected == "agrees"));
    }
    let rows = compare(&partly(counted(2, 0), &[]), &wrong);
    let row = rows.iter().find(|row| row.case == "mate-in-1").unwrap();
    assert_eq!(row.a, UNKNOWN);
}

/// The one row of a comparison, and its answers.
#[track_caller]
fn only(a: &Run, b: &Run) -> (CompareRow, [String; 2]) {
    let rows = compare(a, b);
    let [row] = &rows[..] else { panic!("{rows:?}") };
    (row.clone(), [row.a.clone(), row.b.clone()])
}

#[test]
fn a_case_that_may_not_have_been_asked_does_not_agree() {
    let of =
        |check: &str, set: &str, agreed, differed| tally(check, Evidence::Agreement, set, agreed, differed);
    let late = |tally| skipping(tally, SkipReason::OutOfTime, 4);
    let wrong_answer = "differs: win 11";
    let wrong = partly(of("stalemate", "corner", 9, 1), &[("stalemate/move", "corner/07 depth 2")]);
    let unknown = "not asked, for all that is known: 4 of 10 were not, out of time";
    for (other, expected) in [
        (partly(of("stalemate", "corner", 10, 0), &[]), "agrees"),
        (partly(late(of("stalemate", "corner", 6, 0)), &[]), unknown),
        (partly(of("stalemate", "edge", 9, 0), &[]), "agrees"),
        (partly(late(of("stalemate", "edge", 6, 0)), &[]), unknown),
        (partly(of("mate", "corner", 9, 0), &[]), "not asked"),
    ] {
        let rows = compare(&other, &wrong);
        let row = rows.iter().find(|row| row.b == wrong_answer).unwrap();
        assert_eq!(row.a, expected);
        assert_eq!((row.is_worse(), row.is_open()), (expected == "agrees", expected != "agrees"));
        let rows = compare(&wrong, &other);
        let row = rows.iter().find(|row| row.a == wrong_answer).unwrap();
        assert_eq!((row.is_better(), row.is_worse(), row.is_open()), (expected == "agrees", false, false));
    }
    // A case that does not begin with its set may belong to any set of its check.
    let game = partly(of("time/forfeit", "games", 19, 1), &[("time/forfeit", "game-07")]);
    let mut other = partly(of("time/forfeit", "a", 9, 0), &[]);
    other.checks.extend(partly(late(of("time/forfeit", "games", 6, 0)), &[]).checks);
    let rows = compare(&other, &game);
    assert!(rows.iter().any(|row| row.case == "game-07" && row.a == unknown), "{rows:?}");
}

#[test]
fn rows_of_single_cases_say_whether_they_were_asked() {
    let full = run("new", &["01"], true);
    let late = |verdict: DrawVerdict| {
        let mut late = partly(
            skipping(tally("draw", Evidence::Agreement, "fifty-clock", 1, 0), SkipReason::OutOfTime, 2),
            &[],
        );
        let row = fixture::run().draws.swap_remove(0);
        let row = |case: &str, verdict: DrawVerdict| reports::DrawRow {
            subject: "production".to_owned(),
            case: case.to_owned(),
            tables: true,
            verdict,
            ..row.clone()
        };
        late.draws = vec![row("fifty-clock/01", verdict), row("fifty-clock/02", DrawVerdict::NotAsked)];
        late
    };
    let drawn = |verdict| compare(&late(verdict), &full).into_iter().find(|row| row.check == "draw/score");
    assert_eq!(drawn(DrawVerdict::Agree).unwrap().a, "agrees");
    assert_eq!(drawn(DrawVerdict::NotAsked).unwrap().a, "not asked");
    // A process that failed over a case is reported by `process/*`, and was not right in it.
    let failed = drawn(DrawVerdict::Unanswered).unwrap();
    assert_eq!((failed.a.as_str(), failed.is_worse()), ("not compared: unanswered", false));
    for observed in [DrawVerdict::Missed, DrawVerdict::NotToldApart] {
        let row = drawn(observed).unwrap();
        assert_eq!((row.a.as_str(), row.is_worse()), ("observed: nothing is demanded", true));
    }

    let mated = |verdict: MateVerdict| {
        let mate = tally("mate", Evidence::Certificate, "their.epd", 1, 0);
        let mut run = partly(skipping(mate, SkipReason::Undecided, 1), &[]);
        run.mates = vec![fixture::run().mates.swap_remove(0)];
        run.mates[0].subject = "production".to_owned();
        run.mates[0].suite = "their.epd".to_owned();
        run.mates[0].case = "3".to_owned();
        run.mates[0].verdict = verdict;
        run
    };
    let wrong =
        partly(tally("mate", Evidence::Certificate, "their.epd", 1, 1), &[("mate/unsound", "their.epd/3")]);
    for (verdict, expected) in [
        (MateVerdict::Longer, "agrees"),
        (MateVerdict::NotFound, "observed: nothing is demanded"),
        (MateVerdict::Undecided, "not compared: undecided"),
        (MateVerdict::Unanswered, "not compared: unanswered"),
        (MateVerdict::NotAsked, "not asked"),
    ] {
        assert_eq!(only(&mated(verdict), &wrong).1, [expected, "differs: win 11"]);
    }
}

#[test]
fn the_scores_of_draws_that_were_answered_are_compared() {
    let scored = |score: &str, verdict| {
        let mut run = partly(tally("draw", Evidence::Agreement, "fifty-clock", 1, 0), &[]);
        let row = fixture::run().draws.swap_remove(0);
        run.draws = vec![reports::DrawRow {
            subject: "production".to_owned(),
            case: "fifty-clock/01".to_owned(),
            score: score.to_owned(),
            verdict,
            ..row
        }];
        run
    };
    let (before, after) = (scored("cp 0", DrawVerdict::Agree), scored("cp 3", DrawVerdict::Agree));
    let changes = reports::changes(&before, &after);
    let [row] = &changes[..] else { panic!("{changes:#?}") };
    assert_eq!((row.check.as_str(), row.case.as_str()), ("draw", "fifty-clock/01"));
    assert_eq!((row.a.as_str(), row.b.as_str()), ("cp 0", "cp 3"));
    let unanswered = |score| scored(score, DrawVerdict::Unanswered);
    assert_eq!(reports::changes(&unanswered("cp 0"), &unanswered("cp 3")), []);
}

/// What is known of a case without a row of its own: the counts of its set.
#[test]
fn the_counts_of_a_set_say_what_is_known_of_its_cases() {
    let wrong =
        partly(tally("draw", Evidence::Agreement, "fifty-clock", 1, 1), &[("draw/score", "fifty-clock/01")]);
    let check = |agreed: u64, observed: u64, skipped: u64, expected: &str| {
        let mut set = tally("draw", Evidence::Agreement, "fifty-clock", agreed, 0);
        set.observed = observed;
        if skipped > 0 {
            set.skip(SkipReason::OutOfTime, skipped);
        }
        let row =
            compare(&partly(set, &[]), &wrong).into_iter().find(|row| row.check == "draw/score").unwrap();
        assert_eq!(
            (row.a.as_str(), row.is_worse()),
            (expected, skipped == 0),
            "{agreed} {observed} {skipped}"
        );
    };
    check(5, 0, 0, "agrees");
    check(5, 2, 0, "not wrong: it agrees, or nothing is demanded");
    check(0, 3, 0, "observed: nothing is demanded");
    check(0, 0, 4, "not asked: out of time");
    check(3, 0, 4, "not asked, for all that is known: 4 of 7 were not, out of time");
    check(0, 2, 4, "not asked, for all that is known: 4 of 6 were not, out of time");
    check(3, 2, 4, "not asked, for all that is known: 4 of 9 were not, out of time");
}

#[test]
fn two_different_wrong_answers_are_no_difference() {
    let of = |check: &str| {
        partly(tally("mate", Evidence::Certificate, "castling", 9, 1), &[(check, "castling/01")])
    };
    assert_eq!(compare(&of("mate/unsound"), &of("mate/thrown")), []);
    let right = partly(tally("mate", Evidence::Certificate, "castling", 10, 0), &[]);
    let (row, answers) = only(&right, &of("mate/thrown"));
    assert_eq!(
        (row.check.as_str(), answers),
        ("mate/thrown", ["agrees", "differs: win 11"].map(str::to_owned))
    );
}

#[test]
fn the_graver_of_two_findings_counts() {
    let of = |name: &str, check: &str| {
        let mut run = run(name, &["01"], true);
        check.clone_into(&mut run.differences[0].check);
        run
    };
    let (light, grave) = (of("old", "draw/twofold"), of("new", "draw/score"));
    let [row] = &compare(&light, &grave)[..] else { panic!("one row") };
    assert!(row.is_worse() && !row.is_better() && !row.is_open());
    assert_eq!((&*row.check, &*row.a), ("draw/score", "differs, less gravely: win 11"));
    let [row] = &compare(&grave, &light)[..] else { panic!("one row") };
    assert!(row.is_better() && !row.is_worse() && row.check == "draw/score");
    assert_eq!(compare(&light, &of("new", "draw/twofold")), []);
}

#[test]
fn an_engine_compared_with_itself_has_no_rows() {
    let (a, b) = (run("old", &["01"], true), run("new", &["01"], true));
    assert_eq!(compare(&a, &b), []);
    assert!(text::compare(&card(), &card(), &[], 2).ends_with("\nboth do the same\n"));
}

#[test]
fn the_field_report() {
    let entry =
        |name: &str, outcome| FieldEntry { name: name.to_owned(), command: format!("{name} --uci"), outcome };
    let checked = |run: Run| {
        let results = [ReplayResult::Shown, ReplayResult::Untold, ReplayResult::NotShown];
        let replays = run.differences.iter().map(|found| found.replay.to_string());
        let replayed = replays.zip(results).collect();
        FieldOutcome::Checked { run: Box::new(run), took: Duration::from_millis(61_400), replayed }
    };
    // Two of three findings have one cause.
    let mut wrong = run("wrong", &["01", "02", "03"], false);
    for found in &mut wrong.differences[..2] {
        found.cause = Some(suites::SharedCause::Clock.into());
    }
    let entries = [
        entry("absent", FieldOutcome::Absent),
        entry("mute", FieldOutcome::Failed("no uciok within 10000 ms\n  0.1 > uci".to_owned())),
        entry("wrong", checked(wrong)),
        entry("right", checked(run("right", &[], true))),
    ];
    let note = |engine: &str, check: &str| FieldNote {
        engine: engine.to_owned(),
        check: check.to_owned(),
        judged: (!check.is_empty()).then_some(FieldVerdict::True),
        by_hand: "so it is.".to_owned(),
    };
    let notes = [
        note("wrong", ""),
        note("wrong", "draw/score"),
        note("right", "draw/score"),
        note("absent", "draw/score"),
    ];
    insta::assert_snapshot!("field", document(&entries, &notes));
    let bugs_of = |notes: &[FieldNote]| -> Vec<String> {
        let page = bugs(&entries, notes, "report.md");
        page.lines().filter(|line| line.starts_with("| [")).map(str::to_owned).collect()
    };
    let line = bugs_of(&notes).try_into().map(|[line]: [String; 1]| line).unwrap();
    assert!(
        line.starts_with("| [wrong](report.md#wrong) | Mine 2.0 | the halfmove clock is not counted; "),
        "{line}"
    );
    assert!(line.ends_with(" | error | `draw/score` | so it is. |"), "{line}");
    for judged in [None, Some(FieldVerdict::Unfair), Some(FieldVerdict::False)] {
        assert!(bugs_of(&[FieldNote { judged, ..note("wrong", "draw/score") }]).is_empty());
    }
    let of_others = [note("right", "draw/score"), note("wrong", "draw/move")];
    assert!(bugs_of(&of_others).is_empty());
    assert!(document(&entries, &notes).contains("| 2 true |"));
    assert!(!document(&entries, &of_others).contains("2 true"));
    assert!(
        document(&entries, &[])
            .contains("2 found. Cause: the halfmove clock is not counted. Its replay shows it again.\n")
    );
}
