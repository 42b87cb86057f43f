//! Two programs beside each other, and the page on many.

use std::time::Duration;

use reports::field::{Entry, FieldNote, Outcome, document};
use reports::{Check, CompareRow, Run, compare, text};
use suites::{Evidence, SkipReason, Tally};

use crate::fixture::{self, card, difference, skipping, tally};

/// A program that was put to two checks and is wrong in these cases.
fn run(name: &str, wrong: &[&str], supports: bool) -> Run {
    let mut card = card();
    name.clone_into(&mut card.name);
    let count = wrong.len() as u64;
    let draws = tally("draw", Evidence::Agreement, "fifty-clock", 3 - count, count);
    let ponder = tally("protocol/ponder", Evidence::Specification, "uci", u64::from(supports), 0);
    let ponder = if supports { ponder } else { skipping(ponder, SkipReason::Unsupported, 1) };
    let check = |mut tally: suites::Tally| {
        name.clone_into(&mut tally.subject);
        Check { tally, duration: None, optional: false }
    };
    let judge = tally("certificate", Evidence::Certificate, "KPvK", 100 + count, 0);
    let mut differences: Vec<_> =
        wrong.iter().map(|case| difference("draw/score", &format!("fifty-clock/{case}"))).collect();
    for difference in &mut differences {
        name.clone_into(&mut difference.subject);
    }
    Run {
        checks: vec![check(draws), check(ponder), Check { tally: judge, duration: None, optional: false }],
        differences,
        engine: Some(card),
        ..Run::default()
    }
}

#[test]
fn what_one_does_that_the_other_does_not() {
    let (a, b) = (run("old", &["01", "02"], false), run("new", &["02", "03"], true));
    let rows = compare(&a, &b);
    insta::assert_snapshot!("compare.csv", String::from_utf8(reports::to_bytes(rows.clone())).unwrap());
    insta::assert_snapshot!("compare", text::compare(&card(), &card(), &rows, 2));
    let turned = compare(&b, &a);
    let exchanged = |row: &CompareRow| CompareRow { a: row.b.clone(), b: row.a.clone(), ..row.clone() };
    assert_eq!(turned.iter().map(exchanged).collect::<Vec<_>>(), rows);
}

/// A program with one set of cases, of which some were not compared, and what is wrong with it.
fn partly(tally: Tally, wrong: &[(&str, &str)]) -> Run {
    let differences = wrong.iter().map(|(check, case)| difference(check, case)).collect();
    Run { checks: vec![Check { tally, duration: None, optional: false }], differences, ..Run::default() }
}

/// What each of two does in the one case that tells them apart.
#[track_caller]
fn only(a: &Run, b: &Run) -> (CompareRow, [String; 2]) {
    let rows = compare(a, b);
    let [row] = &rows[..] else { panic!("{rows:?}") };
    (row.clone(), [row.a.clone(), row.b.clone()])
}

/// Liars: they would pass for right in whatever they were not asked.
#[test]
fn who_was_perhaps_not_asked_is_not_said_to_agree() {
    let of =
        |check: &str, set: &str, agreed, differed| tally(check, Evidence::Agreement, set, agreed, differed);
    let late = |tally| skipping(tally, SkipReason::OutOfTime, 4);
    let said = "differs: win 11";
    let wrong = partly(of("stalemate", "corner", 9, 1), &[("stalemate/move", "corner/07 depth 2")]);
    let perhaps = "not asked, for all that is known: 4 of 10 were not, out of time";
    for (liar, expected) in [
        (partly(of("stalemate", "corner", 10, 0), &[]), "agrees"),
        (partly(late(of("stalemate", "corner", 6, 0)), &[]), perhaps),
        (partly(of("stalemate", "edge", 9, 0), &[]), "agrees"),
        (partly(late(of("stalemate", "edge", 6, 0)), &[]), perhaps),
        (partly(of("mate", "corner", 9, 0), &[]), "not asked"),
    ] {
        let rows = compare(&liar, &wrong);
        let row = rows.iter().find(|row| row.b == said).unwrap();
        assert_eq!(row.a, expected);
        assert_eq!((row.is_worse(), row.is_open()), (expected == "agrees", expected != "agrees"));
        let rows = compare(&wrong, &liar);
        let row = rows.iter().find(|row| row.a == said).unwrap();
        assert_eq!((row.is_better(), row.is_worse(), row.is_open()), (expected == "agrees", false, false));
    }
    // A case that does not tell its set may be of any set of its check.
    let game = partly(of("time/forfeit", "games", 19, 1), &[("time/forfeit", "game-07")]);
    let mut liar = partly(of("time/forfeit", "a", 9, 0), &[]);
    liar.checks.extend(partly(late(of("time/forfeit", "games", 6, 0)), &[]).checks);
    let rows = compare(&liar, &game);
    assert!(rows.iter().any(|row| row.case == "game-07" && row.a == perhaps), "{rows:?}");
}

#[test]
fn reports_that_tell_of_each_case_say_who_was_asked() {
    let full = run("new", &["01"], true);
    let late = |verdict: &str| {
        let mut late = partly(
            skipping(tally("draw", Evidence::Agreement, "fifty-clock", 1, 0), SkipReason::OutOfTime, 2),
            &[],
        );
        let row = fixture::run().draws.swap_remove(0);
        let row = |case: &str, verdict: &str| reports::DrawRow {
            subject: "old".to_owned(),
            case: case.to_owned(),
            tables: true,
            verdict: verdict.to_owned(),
            ..row.clone()
        };
        late.draws = vec![row("fifty-clock/01", verdict), row("fifty-clock/02", "not asked")];
        late
    };
    let drawn = |verdict| compare(&late(verdict), &full).into_iter().find(|row| row.check == "draw/score");
    assert_eq!(drawn("agree").unwrap().a, "agrees");
    assert_eq!(drawn("not asked").unwrap().a, "not asked");
    for observed in ["missed", "not told apart"] {
        let row = drawn(observed).unwrap();
        assert_eq!((row.a.as_str(), row.is_worse()), ("observed: nothing is demanded", true));
    }

    let mated = |verdict: &str| {
        let mate = tally("mate", Evidence::Certificate, "their.epd", 1, 0);
        let mut run = partly(skipping(mate, SkipReason::Undecided, 1), &[]);
        run.mates = vec![fixture::run().mates.swap_remove(0)];
        run.mates[0].suite = "their.epd".to_owned();
        run.mates[0].case = "3".to_owned();
        run.mates[0].verdict = verdict.to_owned();
        run
    };
    let wrong =
        partly(tally("mate", Evidence::Certificate, "their.epd", 1, 1), &[("mate/unsound", "their.epd/3")]);
    for (verdict, expected) in [
        ("longer", "agrees"),
        ("not found", "observed: nothing is demanded"),
        ("undecided", "not compared: undecided"),
        ("not asked", "not asked"),
    ] {
        assert_eq!(only(&mated(verdict), &wrong).1, [expected, "differs: win 11"]);
    }
}

#[test]
fn who_is_wrong_in_another_way_is_not_right() {
    let of = |check: &str| {
        partly(tally("mate", Evidence::Certificate, "castling", 9, 1), &[(check, "castling/01")])
    };
    assert_eq!(compare(&of("mate/unsound"), &of("mate/line")), []);
    let right = partly(tally("mate", Evidence::Certificate, "castling", 10, 0), &[]);
    let (row, said) = only(&right, &of("mate/line"));
    assert_eq!((row.check.as_str(), said), ("mate/line", ["agrees", "differs: win 11"].map(str::to_owned)));
}

/// Where both are wrong, it matters who is more so.
#[test]
fn the_graver_of_two_findings_is_told() {
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
fn nothing_tells_a_program_from_itself() {
    let (a, b) = (run("old", &["01"], true), run("new", &["01"], true));
    assert_eq!(compare(&a, &b), []);
    assert!(text::compare(&card(), &card(), &[], 2).ends_with("\nboth do the same\n"));
}

#[test]
fn the_page_on_engines_of_others() {
    let entry =
        |name: &str, outcome| Entry { name: name.to_owned(), command: format!("{name} --uci"), outcome };
    let checked = |run| Outcome::Checked { run: Box::new(run), took: Duration::from_millis(61_400) };
    let entries = [
        entry("absent", Outcome::Absent),
        entry("mute", Outcome::Failed("no uciok within 10000 ms\n  0.1 > uci".to_owned())),
        entry("wrong", checked(run("wrong", &["01", "02", "03", "04"][..3], false))),
        entry("right", checked(run("right", &[], true))),
    ];
    let note = |engine: &str, check: &str| FieldNote {
        engine: engine.to_owned(),
        check: check.to_owned(),
        by_hand: "so it is.".to_owned(),
    };
    let notes = [note("wrong", "draw/score"), note("right", "draw/score"), note("absent", "draw/score")];
    insta::assert_snapshot!("field", document(&entries, &notes));
    assert!(document(&entries, &[]).contains("3 found. By hand: not looked at yet.\n"));
}
