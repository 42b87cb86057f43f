//! Players that are wrong at times: a wrong answer that comes again is a finding, one that does not is a
//! note.

use suites::stalemates::StalemateCase;

use super::judge::position;
use super::plain::{Stalemate, answer};
use super::*;
use crate::scripted::{Before, ScriptedPlayer};

/// When a player scores stalemate as mate, or crashes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In the first search of all.
    First,
    /// In each process, from its second search on.
    Later,
    /// The same, except in deeper searches.
    LaterNotDeeper,
    /// It crashes over the first question of all.
    CrashesFirst,
    /// It crashes over the second question of each process.
    CrashesLater,
}

fn player(when: When) -> ScriptedPlayer {
    let player = ScriptedPlayer::new(move |question, before| {
        let crash = Err(NoAnswer::Broken("it is dead".to_owned()));
        let is_wrong = match when {
            When::First => before.in_all == 0,
            When::Later => before.in_process > 0,
            When::LaterNotDeeper => before.in_process > 0 && question.limit != Limit::Depth(DEEPER),
            When::CrashesFirst if before.in_all == 0 => return crash,
            When::CrashesLater if before.in_process == 1 => return crash,
            When::CrashesFirst | When::CrashesLater => false,
        };
        let stalemate = if is_wrong { Stalemate::Mate } else { Stalemate::Draw };
        Ok(answer(&position(&question.fen).unwrap(), 1, stalemate))
    });
    player.searching_selectively()
}

#[track_caller]
fn check(when: When, observed: u64, found: &[(&str, u64)]) {
    check_player(&player(when), observed, found);
}

/// Checks four stalemates, asked at six depths each: how many verdicts are observed, and how many differences
/// each check has.
#[track_caller]
fn check_player(player: &ScriptedPlayer, observed: u64, found: &[(&str, u64)]) {
    let cases: Vec<StalemateCase> = cases().into_iter().take(4).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let outcome = pool.install(|| put_to(player, &cases, Effort::Plain));
    let [findings] = &outcome.findings[..] else { panic!("one class") };
    let count = |id: &str| findings.differences.iter().filter(|found| found.check == id).count() as u64;
    assert_eq!(findings.tally.observed, observed, "{findings:#?}");
    assert_eq!(findings.tally.total(), 6 * 4);
    for (id, cases) in found {
        assert_eq!(count(id), *cases, "{id}: {findings:#?}");
    }
    let differed: u64 = found.iter().map(|(_, cases)| cases).sum();
    assert_eq!(findings.tally.differed, differed, "{findings:#?}");
    let flaky: u64 = outcome.rows.iter().map(|row| row.flaky).sum();
    assert_eq!(flaky, count(FLAKY));
}

#[test]
fn a_fault_that_comes_again_is_a_finding_and_one_that_does_not_is_a_note() {
    check(When::First, 23, &[("stalemate/flaky", 1)]);
    // Only the first answer of each process is right: at depth 1 a fresh process shows no fault.
    check(When::Later, 1, &[("stalemate/left-over", 3), ("stalemate/score", 20)]);
    check(When::LaterNotDeeper, 24, &[]);
}

#[test]
fn a_mate_in_a_stalemate_that_no_fresh_process_gives_is_left_over() {
    let player = ScriptedPlayer::new(|question, before| {
        let mut right = answer(&position(&question.fen).unwrap(), 1, Stalemate::Draw);
        for line in right.lines.iter_mut().filter(|_| before.in_process > 6) {
            line.score = uci::Score::Mate(-2);
        }
        Ok(right)
    });
    let cases: Vec<StalemateCase> = cases().into_iter().take(4).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let outcome = pool.install(|| put_to(&player.searching_selectively(), &cases, Effort::Plain));
    let found: Vec<&str> =
        outcome.findings.iter().flat_map(|found| &found.differences).map(|found| &*found.check).collect();
    assert!(!found.is_empty() && found.iter().all(|check| *check == "stalemate/left-over"), "{found:?}");
}

#[test]
fn a_player_without_depths_may_have_had_too_little_time() {
    check_player(&player(When::First).keeping_time(), 24, &[]);
    let later = player(When::Later).keeping_time();
    check_player(&later, 1, &[("stalemate/left-over", 3), ("stalemate/score", 20)]);
    let cases: Vec<StalemateCase> = cases().into_iter().take(1).collect();
    let outcome = put_to(&later, &cases, Effort::Plain);
    let found = outcome.findings.iter().flat_map(|found| &found.differences);
    assert!(
        found.clone().next().is_some() && found.clone().all(|found| found.case.contains("/time for depth "))
    );
    check_shallow_of(ScriptedPlayer::keeping_time, |_| true, true, None);
}

#[test]
fn a_player_that_crashes_once_is_asked_again() {
    check(When::CrashesFirst, 24, &[]);
    // A fresh process replaces each one that crashes.
    check(When::CrashesLater, 12, &[("stalemate/unanswered", 12)]);
}

/// Checks how a win that is given away at depth 1, and due at depth 2, is explained; `None` if it is
/// observed.
#[track_caller]
fn check_shallow(is_wrong: fn(Before) -> bool, searches_selectively: bool, explained: Option<&str>) {
    check_shallow_of(|player| player, is_wrong, searches_selectively, explained);
}

#[track_caller]
fn check_shallow_of(
    kind: fn(ScriptedPlayer) -> ScriptedPlayer,
    is_wrong: fn(Before) -> bool,
    searches_selectively: bool,
    explained: Option<&str>,
) {
    let line = "k7/2K5/8/8/8/8/8/1Q6 w - - result win; am Qb6; due 2; id \"bare king/01\";";
    let cases = suites::stalemates::parse("test.epd", &format!("# cases: 1\n{line}")).unwrap();
    let player = ScriptedPlayer::new(move |question, before| {
        let right = answer(&position(&question.fen).unwrap(), 2, Stalemate::Draw);
        let is_wrong = question.limit == Limit::Depth(1) && is_wrong(before);
        Ok(if is_wrong { Reply { best: Some("b1b6".to_owned()), ..right } } else { right })
    });
    let player = if searches_selectively { player.searching_selectively() } else { player };
    let outcome = put_to(&kind(player), &cases, Effort::Plain);
    let [findings] = &outcome.findings[..] else { panic!("one class") };
    let found: Vec<(&str, &str)> =
        findings.differences.iter().map(|found| (&*found.check, &*found.explanation)).collect();
    assert_eq!(found, explained.map(|text| ("stalemate/shallow", text)).into_iter().collect::<Vec<_>>());
    assert_eq!((findings.tally.agreed, findings.tally.observed), (5, u64::from(found.is_empty())));
    assert_eq!(outcome.rows.iter().map(|row| (row.observed, row.flaky)).max(), Some((1, 0)));
}

#[test]
fn a_shallow_stalemate_that_does_not_come_again_is_observed() {
    let told = "observed, and no fault of a search of this depth: it stalemates a won ending at depth 1; a search sees that from depth 2 on";
    check_shallow(|_| true, true, Some(told));
    check_shallow(|_| true, false, None);
    check_shallow(|before| before.in_all == 0, true, None);
    let in_same = format!("{told}; a fresh process does not repeat it, the first process does");
    check_shallow(|before| before.in_all == 0 || before.in_process > 0, true, Some(&in_same));
}
