//! What changed between two versions of an engine, in every format.

use reports::{
    CheckRun, CompareRow, CompareVerdict, ProtocolRow, Regress, Run, Side, SpeedRow, SpeedVerdict, changes,
    confirm, excuse,
};
use suites::catalogue::Severity;
use suites::{Answer, Cause, Decimal3, Evidence, Replay, SkipReason, Verdict};

use crate::fixture::{card, difference, run as fixture_run, skipping, tally};

const CAUSE: &str = "the halfmove clock is not counted";

/// A version that is wrong in these cases, and announces its mates after this many nodes.
fn version(wrong: &[(&str, &str, &str)], nodes: u64) -> Run {
    let mut run = fixture_run();
    run.engine = Some(card());
    let name = card().name;
    let differed = wrong.len() as u64;
    let mut draws = tally("draw", Evidence::Agreement, "fifty-clock", 300 - differed, differed);
    draws.subject.clone_from(&name);
    run.checks = vec![CheckRun { tally: draws, duration: None, optional: false }];
    run.draws.clear();
    run.signatures.clear();
    run.conversion.clear();
    run.knowledge.clear();
    run.best_moves.clear();
    for row in &mut run.mates {
        row.subject.clone_from(&name);
        row.nodes = row.nodes.map(|_| nodes);
    }
    run.differences = wrong
        .iter()
        .map(|(check, case, stored)| {
            let mut found = difference(check, case);
            found.subject.clone_from(&name);
            found.stored = (*stored).into();
            found.cause = Cause::read(CAUSE.to_owned(), &found.check);
            found.replay = Replay::shell("(printf 'position startpos\\n'; sleep 1) | old/mine");
            found
        })
        .collect();
    run
}

fn regress(old: &Run, new: &Run) -> Regress {
    Regress {
        old: Side::new("1a2b3c4 Add null move", [old]),
        new: Side::new("working tree", [new]),
        rows: changes(old, new),
        fails_from: Severity::Error,
        ..Regress::default()
    }
}

fn changed() -> Regress {
    let old =
        version(&[("draw/score", "fifty-clock/01", "cp 30"), ("draw/score", "fifty-clock/02", "cp 31")], 50);
    let new = version(
        &[
            ("draw/score", "fifty-clock/02", "cp 40"),
            ("draw/score", "fifty-clock/03", "cp 31"),
            ("draw/score", "fifty-clock/04", "<b>|`cp` 31"),
            ("draw/twofold", "fifty-clock/05", "cp 0"),
        ],
        60,
    );
    let mut regress = regress(&old, &new);
    let number = |number: f64| Decimal3::rounded(number).unwrap();
    regress.speed = vec![SpeedRow {
        builds: 2,
        measure: "nodes per second".to_owned(),
        rounds: 10,
        a: number(812_000.0),
        b: number(655_000.0),
        ratio: number(0.807),
        low: number(0.79),
        high: number(0.83),
        p: number(0.002),
        verdict: SpeedVerdict::Slower,
    }];
    regress.notes = vec!["the tables of the old version could not be read".to_owned()];
    regress
}

#[test]
fn every_format() {
    let regress = changed();
    insta::assert_snapshot!(
        "compare.csv",
        String::from_utf8(reports::to_bytes(regress.rows.iter().cloned())).unwrap()
    );
    insta::assert_snapshot!("text", regress.text(3));
    insta::assert_snapshot!("markdown", regress.markdown());
    insta::assert_snapshot!("json", String::from_utf8(regress.json()).unwrap());
    insta::assert_snapshot!("junit", String::from_utf8(regress.junit()).unwrap());
}

#[test]
fn a_version_against_itself() {
    let same = version(&[("draw/score", "fifty-clock/01", "cp 30")], 50);
    let regress = regress(&same, &same);
    assert_eq!(
        (regress.rows.len(), regress.verdict(), regress.is_broken()),
        (0, "nothing changed".to_owned(), false)
    );
    assert!(regress.text(10).ends_with("\n\nnothing changed\n"));
    assert_eq!(regress.neutral(), None);
}

/// The name of a change in which nothing is wrong: the check, and why a version was not asked.
#[test]
fn a_set_that_only_one_version_was_asked_is_named_by_its_check() {
    let mut fewer = version(&[], 50);
    fewer.checks[0].tally.agreed = 0;
    let named = |run: &Run, name: &str| {
        let text = regress(&version(&[], 50), run).text(10);
        assert!(text.lines().any(|line| line == format!("compared only before: {name}")), "{text}");
    };
    named(&fewer, "draw");
    fewer.checks[0].tally.skip(SkipReason::GivenUp, 300);
    named(&fewer, "draw: given up");
}

#[test]
fn only_grave_changes_fail() {
    let right = version(&[], 50);
    let check = |check: &str, least, fails| {
        let wrong = version(&[(check, "fifty-clock/01", "cp 30")], 50);
        let broken = Regress { fails_from: least, ..regress(&right, &wrong) };
        assert_eq!(broken.is_broken(), fails, "{check}");
        let fixed = Regress { fails_from: least, ..regress(&wrong, &right) };
        assert!(!fixed.is_broken());
        let is_note = check == "draw/twofold" && least > Severity::Note;
        let [more, less] = if is_note { ["1 new note", "1 note gone"] } else { ["1 broken", "1 fixed"] };
        let more = if is_note { format!("nothing broke, {more}") } else { more.to_owned() };
        assert_eq!((broken.verdict(), fixed.verdict()), (more, format!("nothing broke, {less}")));
    };
    check("draw/score", Severity::Error, true);
    check("draw/twofold", Severity::Error, false);
    check("draw/twofold", Severity::Note, true);
}

#[test]
fn a_case_that_was_not_asked_before_is_not_broken() {
    let wrong = version(&[("draw/score", "fifty-clock/01", "cp 30")], 50);
    let mut late = version(&[], 50);
    let tally = &mut late.checks[0].tally;
    tally.agreed = 0;
    *tally = skipping(tally.clone(), SkipReason::OutOfTime, 300);
    let regress = regress(&late, &wrong);
    assert!(regress.rows.iter().all(|row| row.verdict == CompareVerdict::OnlyB), "{:#?}", regress.rows);
    assert!(!regress.is_broken() && regress.is_incomplete());
    assert_eq!(regress.verdict(), "incomplete, 2 compared only now");
}

#[test]
fn the_tables_that_judge_an_engine_are_no_cases_of_it() {
    let mut run = version(&[], 50);
    let alone = Side::new("main", [&run]).compared;
    let tally = tally("certificate", Evidence::Certificate, "KPvK", 331_352, 0);
    run.checks.push(CheckRun { tally, duration: None, optional: false });
    assert_eq!((alone, Side::new("main", [&run]).compared), (300, 300));
    run.engine = None;
    assert_eq!(Side::new("tables", [&run]).compared, 331_652);
}

#[test]
fn what_the_new_version_does_not_answer_is_no_success() {
    let before = version(&[], 50);
    let check = |agreed, skipped, reason, verdict: &str| {
        let mut now = version(&[], 50);
        let tally = &mut now.checks[0].tally;
        tally.agreed = agreed;
        *tally = skipping(tally.clone(), reason, skipped);
        let regress = regress(&before, &now);
        // Two engines that are not versions of one may support other parts of a set; a whole set is a
        // difference of theirs too.
        let of_engines = usize::from(agreed == 0 && verdict != "nothing changed");
        assert_eq!(reports::compare(&before, &now).len(), of_engines, "{agreed} {skipped} {reason}");
        assert_eq!(
            (regress.verdict(), regress.is_incomplete()),
            (verdict.to_owned(), verdict != "nothing changed")
        );
        let junit = String::from_utf8(regress.junit()).unwrap();
        assert_eq!(junit.contains("errors=\"1\""), regress.is_incomplete(), "{junit}");
    };
    for reason in
        [SkipReason::OutOfTime, SkipReason::GivenUp, SkipReason::Unsupported, SkipReason::FailedElsewhere]
    {
        check(0, 300, reason, "incomplete, 1 compared only before");
        check(299, 1, reason, "incomplete, 1 compared only before");
    }
    check(299, 1, SkipReason::Undecided, "nothing changed");
    let mut cut = regress(&before, &before);
    cut.cut_off = true;
    assert_eq!(cut.verdict(), "incomplete: the time limit was reached");
    assert!(cut.is_incomplete() && String::from_utf8(cut.junit()).unwrap().contains("errors=\"1\""));
}

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

#[test]
fn the_comment_is_never_too_long() {
    let ids: Vec<String> = (0..200).map(|number| format!("set{number}/{}", "x".repeat(5_000))).collect();
    let wrong: Vec<(&str, &str, &str)> = ids.iter().map(|id| ("draw/score", id.as_str(), "cp 30")).collect();
    let mut new = version(&wrong, 50);
    for (number, found) in new.differences.iter_mut().enumerate() {
        found.cause = Some(Cause::Message(format!("cause {number}")));
        found.replay = Replay::shell("y".repeat(20_000));
    }
    let regress = regress(&version(&[], 50), &new);
    let markdown = regress.markdown();
    assert!(markdown.len() <= reports::markdown::MOST, "{}", markdown.len());
    assert!(markdown.contains("180 more groups are in `compare.csv`"), "{markdown}");
    assert!(markdown.contains("are too long for this page"), "{markdown}");
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
