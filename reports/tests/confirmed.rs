//! What stands of a change once both versions were asked again.

use std::collections::BTreeSet;

use reports::{CheckRun, CompareRow, CompareVerdict, ProtocolRow, Run, changes, confirm, excuse, insist};
use suites::{Answer, Evidence, SkipReason, Verdict};

use crate::fixture::{card, difference, tally};
use crate::regress::version;

/// The runs of a version with one finding of this check, or none.
fn with_finding(check: &str, set: &str, case: Option<&str>) -> Run {
    let mut run = version(&[], 50);
    let mut tally = tally(check, Evidence::Specification, set, 1, 0);
    if let Some(case) = case {
        tally.agreed = 0;
        tally.differ(check);
        run.differences.push(difference(check, case));
    }
    tally.subject.clone_from(&card().name);
    run.differences.iter_mut().for_each(|found| found.subject.clone_from(&tally.subject));
    run.checks.push(CheckRun { tally, duration: None, optional: false });
    run
}

/// A process that crashes in another case of the same set has crashed again; one that was asked another set
/// has not been asked.
#[test]
fn crashes_come_again_in_any_case_of_their_set() {
    use CompareVerdict::{Broken, Flaky};
    let crashes = |set: &str, crash| with_finding("process/crash", set, crash);
    let check = |again: [&Run; 2], verdict, open| {
        let first = [&crashes("movegen", None), &crashes("movegen", Some("movegen/answer-52"))];
        assert_eq!(confirmed(first, again), (vec![verdict], open));
    };
    let [right, wrong] = [crashes("movegen", None), crashes("movegen", Some("movegen/answer-07"))];
    check([&right, &wrong], Broken, 0);
    check([&right, &right], Flaky, 0);
    let elsewhere = crashes("suites", None);
    check([&elsewhere, &elsewhere], Broken, 1);
}

/// A program that hangs now and then hangs in any version, and may be given up before its suites are asked again.
#[test]
fn hangs_that_both_versions_have_by_chance_are_flaky() {
    use CompareVerdict::{Broken, Flaky};
    let hangs = |case: Option<&str>| with_finding("process/hang", "suites", case);
    let given_up = |set: &str, once: &[&str]| {
        let mut run = hangs(None);
        let process = run.checks.last_mut().unwrap();
        process.tally.agreed = 0;
        process.tally.skip(SkipReason::GivenUp, 1);
        for case in once {
            let mut once = difference("process/flaky", &format!("{set}/{case}"));
            once.subject.clone_from(&card().name);
            run.differences.push(once);
        }
        run
    };
    let (right, wrong) = (hangs(None), hangs(Some("suites/one")));
    let check = |again: [&Run; 2], verdict, open| {
        let mut rows = changes(&right, &wrong);
        let left = confirm(&mut rows, [&right, &wrong], again);
        let row = rows.iter().find(|row| row.check == "process/hang").unwrap();
        assert_eq!((row.verdict, left), (verdict, open), "{row:?}");
    };
    let old = given_up("suites", &["a", "b"]);
    check([&old, &given_up("suites", &["c", "d", "e"])], Flaky, 0);
    // It hangs more often than the old version, or the old one does not hang.
    check([&old, &given_up("suites", &["c", "d", "e", "f"])], Broken, 1);
    check([&right, &given_up("suites", &["c"])], Broken, 1);
    check([&given_up("movegen", &["a"]), &given_up("suites", &["c"])], Flaky, 0);
    // A hang that came twice, in any case of the set.
    check([&right, &hangs(Some("suites/two"))], Broken, 0);
    check([&old, &hangs(Some("suites/two"))], Broken, 1);
    let with_chance = |case, once| {
        let mut run = hangs(case);
        run.differences.extend(given_up("suites", &[once]).differences);
        run
    };
    // Another case hung twice: chance has done so in the old version too, or it has not.
    let new = with_chance(Some("suites/two"), "b");
    check([&with_chance(Some("suites/zero"), "a"), &new], Flaky, 0);
    check([&with_chance(None, "a"), &new], Broken, 0);
    let same = with_chance(Some("suites/one"), "b");
    check([&with_chance(Some("suites/zero"), "a"), &same], Broken, 0);
    // It answered a third as many cases and hangs as often: three times as often.
    let mut few = new.clone();
    few.checks[0].tally.agreed = 0;
    check([&with_chance(Some("suites/zero"), "a"), &few], Broken, 0);
    check([&old, &given_up("suites", &[])], Broken, 1);
}

/// A race that shows in few cases shows there often: further runs of the old version have the same case.
#[test]
fn a_hang_that_further_runs_of_the_old_version_have_is_flaky() {
    use CompareVerdict::{Broken, Flaky};
    let hangs = |check: &str, case: Option<&str>| with_finding(check, "suites", case);
    let right = hangs("process/hang", None);
    let elsewhere = hangs("process/flaky", Some("suites/two"));
    // How often the old version is asked, and what becomes of a hang in the case `one`.
    let check = |old: [&Run; 2], further: [&Run; 3], asked: usize, verdict| {
        let mut rows = changes(&right, &hangs("process/hang", Some("suites/one")));
        let mut runs = further.into_iter();
        let ask = |doubtful: &[&CompareRow]| {
            assert_eq!(doubtful.iter().map(|row| &*row.case).collect::<Vec<_>>(), ["suites/one"]);
            runs.next().cloned().ok_or("no more than three runs")
        };
        let excused = excuse(&mut rows, old, ask).unwrap();
        assert_eq!((3 - runs.len(), excused), (asked, usize::from(verdict == Flaky)));
        assert_eq!(rows.iter().map(|row| row.verdict).collect::<Vec<_>>(), [verdict]);
    };
    let once = hangs("process/flaky", Some("suites/one"));
    let twice = hangs("process/hang", Some("suites/one"));
    check([&right, &right], [&twice; 3], 0, Broken);
    check([&hangs("draw/score", Some("suites/one")), &right], [&twice; 3], 0, Broken);
    for old in [[&elsewhere, &right], [&right, &elsewhere]] {
        check(old, [&twice; 3], 1, Flaky);
        check(old, [&once; 3], 2, Flaky);
        check(old, [&once, &right, &once], 3, Flaky);
        check(old, [&right, &once, &right], 3, Broken);
        check(old, [&elsewhere; 3], 3, Broken);
    }
    let mut late = once.clone();
    late.differences[0].stored = Answer::Words("another answer".to_owned());
    check([&elsewhere, &right], [&late; 3], 3, Broken);
    check([&late, &right], [&twice; 3], 0, Broken);
    // A crash may stand for many questions.
    let mut crash = changes(&right, &hangs("process/crash", Some("suites/one")));
    let ask = |_: &[&CompareRow]| Err("a crash is not asked again");
    assert_eq!(excuse(&mut crash, [&hangs("process/crash", Some("suites/two")), &right], ask), Ok(0));
}

/// An engine that is late now and then is late in some of the further runs, and the old version in none.
#[test]
fn an_error_that_comes_by_chance_in_the_new_version_alone_is_broken() {
    use CompareVerdict::{Broken, Flaky};
    let [right, late] = [None, Some("movestogo-1")].map(|case| with_finding("protocol/clock", "uci", case));
    let other = with_finding("protocol/clock", "uci", Some("white"));
    let unasked = version(&[], 50);
    // Late once, and not again at once.
    let mut observed = right.clone();
    let once = Verdict::Observed;
    observed.protocol = vec![ProtocolRow::new(&card().name, "protocol/clock", "white", &once)];
    // What becomes of it, after further runs of [old, new], if the old version ran like these before.
    let check = |old: [&Run; 2], further: &[[&Run; 2]], verdict| {
        let mut rows = changes(&right, &late);
        let came: BTreeSet<_> = rows.iter().map(|row| (row.check.clone(), row.case.clone())).collect();
        confirm(&mut rows, [&right, &late], [&right, &right]);
        assert_eq!(rows.iter().map(|row| row.verdict).collect::<Vec<_>>(), [Flaky]);
        let mut runs = further.iter();
        let ask = |_: &[&CompareRow]| runs.next().map(|runs| runs.map(Run::clone)).ok_or("no further run");
        let insisted = insist(&mut rows, &came, old, ask).unwrap();
        assert_eq!((runs.len(), insisted), (0, usize::from(verdict == Broken)));
        assert_eq!(rows.iter().map(|row| row.verdict).collect::<Vec<_>>(), [verdict]);
    };
    let (comes, stays_away) = ([&right, &late], [&right, &right]);
    let quiet = [&right, &right];
    check(quiet, &[comes, stays_away, stays_away, [&right, &other]], Broken);
    check(quiet, &[stays_away, stays_away, stays_away, comes, comes], Broken);
    // Two can no longer come.
    check(quiet, &[stays_away, comes, stays_away, stays_away, stays_away], Flaky);
    check(quiet, &[stays_away; 4], Flaky);
    // The old version is late too, or has no answer.
    check(quiet, &[comes, [&other, &late]], Flaky);
    check(quiet, &[comes, [&late, &right]], Flaky);
    check(quiet, &[comes, [&observed, &late]], Flaky);
    check(quiet, &[[&unasked, &late]; 4], Flaky);
    for old in [&late, &other, &observed] {
        check([old, &right], &[], Flaky);
        check([&right, old], &[], Flaky);
    }
    // Nothing that was flaky from the start, that cannot be asked alone, or that is no error.
    let never = |_: &[&CompareRow]| Err("it is not asked again");
    for (check, is_listed) in
        [("protocol/clock", false), ("draw/score", true), ("protocol/movetime-used", true)]
    {
        let [right, wrong] = [None, Some("one")].map(|case| with_finding(check, "uci", case));
        let mut rows = changes(&right, &wrong);
        let all = rows.iter().map(|row| (row.check.clone(), row.case.clone())).collect();
        let came = if is_listed { all } else { BTreeSet::new() };
        confirm(&mut rows, [&right, &wrong], [&right, &right]);
        assert_eq!(insist(&mut rows, &came, [&right, &right], never), Ok(0), "{check}");
        assert_eq!(rows.iter().map(|row| row.verdict).collect::<Vec<_>>(), [Flaky], "{check}");
    }
}

/// Which clock a slow engine overruns is chance.
#[test]
fn findings_of_the_protocol_come_again_in_any_case_of_their_check() {
    use CompareVerdict::{Broken, Flaky};
    let of = |case: Option<&str>| with_finding("protocol/clock", "uci", case);
    let check = |again: Option<&str>, verdict| {
        let [right, wrong] = [of(None), of(Some("movestogo-1"))];
        assert_eq!(confirmed([&right, &wrong], [&right, &of(again)]), (vec![verdict], 0));
    };
    check(Some("movestogo-1"), Broken);
    check(Some("black"), Broken);
    check(None, Flaky);
}

/// What stands after both were asked again.
fn confirmed(first: [&Run; 2], again: [&Run; 2]) -> (Vec<CompareVerdict>, usize) {
    let mut rows = changes(first[0], first[1]);
    let open = confirm(&mut rows, first, again);
    (rows.iter().map(|row| row.verdict).collect(), open)
}

#[test]
fn changes_are_confirmed() {
    use CompareVerdict::{Broken, Changed, Flaky, OnlyB};
    let right = version(&[], 50);
    let wrong = version(&[("draw/score", "fifty-clock/01", "cp 30")], 50);
    let mut late = version(&[], 50);
    late.checks[0].tally.agreed = 0;
    late.checks[0].tally.skip(SkipReason::OutOfTime, 300);
    let check = |first, again, verdicts: &[CompareVerdict], open| {
        assert_eq!(confirmed(first, again), (verdicts.to_vec(), open));
    };
    check([&right, &wrong], [&right, &wrong], &[Broken], 0);
    check([&right, &wrong], [&right, &right], &[Flaky], 0);
    check([&right, &wrong], [&wrong, &wrong], &[Flaky], 0);
    check([&right, &wrong], [&wrong, &right], &[Flaky], 0);
    check([&right, &wrong], [&late, &wrong], &[Broken], 1);
    let slower = version(&[], 60);
    check([&right, &slower], [&right, &slower], &[Changed; 2], 0);
    check([&right, &slower], [&right, &right], &[Flaky; 2], 0);
    // A finding where the other was not asked.
    let only = |first, again| {
        let mut rows = changes(first, &wrong);
        rows.retain(|row| !row.tells_nothing());
        assert_eq!(rows.len(), 2, "the finding, and the set: {rows:#?}");
        let open = confirm(&mut rows, [first, &wrong], [again, &wrong]);
        (rows.iter().map(|row| row.verdict).collect::<Vec<_>>(), open)
    };
    assert_eq!(only(&late, &right), (vec![Broken], 0));
    assert_eq!(only(&late, &wrong), (vec![], 0));
    assert_eq!(only(&late, &late), (vec![OnlyB; 2], 0));
}

/// A crash by chance: in the first run the old version has it twice and the new one once, in the second run it
/// is the other way round.
#[test]
fn a_finding_that_the_old_version_had_by_chance_is_not_broken() {
    use CompareVerdict::{Broken, Fixed, Flaky, OnlyA};
    let of = |case| with_finding("protocol/reversible", "uci", case);
    let [right, twice, mut once] = [of(None), of(Some("400-plies")), of(Some("400-plies"))];
    "protocol/flaky".clone_into(&mut once.differences[0].check);
    // The row of the case in `protocol.csv` says that it was not right: without it the old version agrees.
    let found = Verdict::Differ(Box::new(once.differences[0].clone()));
    once.protocol = vec![ProtocolRow::new(&card().name, "protocol/reversible", "400-plies", &found)];
    assert_eq!(changes(&twice, &once).iter().map(|row| row.verdict).collect::<Vec<_>>(), [Flaky, OnlyA]);
    assert_eq!(confirmed([&twice, &once], [&right, &twice]).0, [Flaky; 2]);
    assert_eq!(confirmed([&once, &twice], [&twice, &right]).0, [Flaky; 2]);
    // The new version fails in each try, or not as the old one did.
    assert_eq!(confirmed([&once, &twice], [&right, &twice]).0, [Flaky, Broken]);
    assert_eq!(confirmed([&twice, &once], [&twice, &right]).0, [Flaky, Fixed]);
    let mut different = twice.clone();
    different.differences[0].stored = "no answer".into();
    assert_eq!(confirmed([&different, &once], [&right, &twice]).0, [Flaky, Broken]);
}

/// Rows of which the first run asked only one version.
#[test]
fn what_only_one_version_was_asked_is_settled_by_the_second_run() {
    use CompareVerdict::{Broken, Flaky, OnlyB};
    let asked = |case: Option<&str>, once: &str| {
        let mut run = with_finding("process/hang", "suites", case);
        let mut chance = difference("process/flaky", once);
        chance.subject.clone_from(&card().name);
        run.differences.push(chance);
        run
    };
    let given_up = |once| {
        let mut run = asked(None, once);
        let process = run.checks.last_mut().unwrap();
        process.tally.agreed = 0;
        process.tally.skip(SkipReason::GivenUp, 1);
        run
    };
    let check = |again: [&Run; 2], verdict, open| {
        let first = [given_up("suites/a"), asked(Some("suites/one"), "suites/b")];
        let mut rows = changes(&first[0], &first[1]);
        let row = |rows: &[CompareRow]| {
            rows.iter()
                .find(|row| row.check == "process/hang" && row.severity.is_some())
                .unwrap_or_else(|| panic!("{rows:#?}"))
                .verdict
        };
        assert_eq!(row(&rows), OnlyB);
        let left = confirm(&mut rows, [&first[0], &first[1]], again);
        assert_eq!((row(&rows), left), (verdict, open));
    };
    let [old, right] = [given_up("suites/a"), asked(None, "suites/a")];
    // Both hang by chance, and another case hung: the old version too has hung twice at once, or it has not.
    check([&asked(Some("suites/zero"), "suites/a"), &asked(Some("suites/two"), "suites/b")], Flaky, 0);
    check([&old, &asked(Some("suites/two"), "suites/b")], OnlyB, 0);
    check([&old, &asked(Some("suites/one"), "suites/b")], OnlyB, 0);
    check([&right, &asked(Some("suites/one"), "suites/b")], Broken, 0);
    // No version was asked: the case and its set stay as they are.
    check([&old, &given_up("suites/b")], OnlyB, 2);

    // A set of which the new version was asked fewer cases: then both were asked as many, and not all.
    let of = |skipped| {
        let mut run = version(&[], 50);
        run.checks[0].tally.agreed -= skipped;
        run.checks[0].tally.skip(SkipReason::OutOfTime, skipped);
        run
    };
    let sets = |again: [&Run; 2]| {
        let mut rows = changes(&of(1), &of(2));
        assert_eq!(rows.len(), 1, "{rows:#?}");
        let left = confirm(&mut rows, [&of(1), &of(2)], again);
        (rows.len(), left)
    };
    assert_eq!(sets([&of(1), &of(1)]), (0, 0));
    assert_eq!(sets([&of(1), &of(300)]), (1, 0));
    assert_eq!(sets([&of(300), &of(300)]), (1, 1));
}

/// Each finding of a check that only one version was asked about stays what it is.
#[test]
fn findings_of_one_version_are_confirmed_one_by_one() {
    let wrong = version(
        &[("protocol/chess960-fen", "black", "g8f6"), ("protocol/chess960-fen", "inner-rook", "b1c3")],
        50,
    );
    let mut late = version(&[], 50);
    late.checks[0].tally.agreed = 0;
    late.checks[0].tally.skip(SkipReason::Unsupported, 300);
    let mut rows = changes(&late, &wrong);
    let before = rows.clone();
    confirm(&mut rows, [&late, &wrong], [&late, &wrong]);
    assert_eq!(rows, before);
    assert_eq!(rows.iter().filter(|row| row.check == "protocol/chess960-fen").count(), 2, "{rows:#?}");
}
