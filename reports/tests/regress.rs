//! What changed between two versions of an engine, in every format.

use reports::{CheckRun, CompareVerdict, Regress, Run, Side, SpeedRow, SpeedVerdict, changes};
use suites::catalogue::Severity;
use suites::{Cause, Decimal3, Evidence, Replay, SkipReason};

use crate::fixture::{card, difference, run as fixture_run, skipping, tally};

const CAUSE: &str = "the halfmove clock is not counted";

/// A version that is wrong in these cases, and announces its mates after this many nodes.
pub(crate) fn version(wrong: &[(&str, &str, &str)], nodes: u64) -> Run {
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
