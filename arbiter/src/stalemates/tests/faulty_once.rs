//! Players that are wrong at times: a wrong answer that comes again is a finding, one that does not is a note.

use suites::stalemates::StalemateCase;

use super::judge::position;
use super::plain::{Stalemate, answer};
use super::*;
use crate::scripted::ScriptedPlayer;

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

/// Checks four stalemates, asked at six depths each: how many verdicts are observed, and how many differences each check has.
#[track_caller]
fn check(when: When, observed: u64, found: &[(&str, u64)]) {
    let cases: Vec<StalemateCase> = cases().into_iter().take(4).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let outcome = pool.install(|| put_to(&player(when), &cases, Effort::Plain));
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
    // Only the first answer is right.
    check(When::Later, 1, &[("stalemate/score", 23)]);
    check(When::LaterNotDeeper, 24, &[]);
}

#[test]
fn a_player_that_crashes_once_is_asked_again() {
    check(When::CrashesFirst, 24, &[]);
    // A fresh process replaces each one that crashes.
    check(When::CrashesLater, 12, &[("stalemate/unanswered", 12)]);
}
