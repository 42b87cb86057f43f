//! PlayerFactory that are wrong at times: what comes again is a finding, what does not is a note.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use suites::stalemates::StalemateCase;

use super::judge::position;
use super::plain::{Stalemate, answer};
use super::tests::{cases, try_out};
use super::*;
use crate::player::{Player, PlayerFactory};

/// When it takes stalemate for mate, or breaks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In the first search of all, and never again.
    Once,
    /// In a process that was asked something before.
    Later,
    /// The same at less than the depth at which it may be late.
    LaterAndLate,
    /// It breaks over the first question of all.
    BreaksOnce,
    /// It breaks over the second question of each process.
    BreaksLater,
}

struct Unsteady {
    when: When,
    asked: Arc<AtomicU32>,
}

struct Process {
    when: When,
    of_all: Arc<AtomicU32>,
    asked: u32,
}

impl PlayerFactory for Unsteady {
    fn name(&self) -> &'static str {
        "unsteady"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        Ok(Box::new(Process { when: self.when, of_all: Arc::clone(&self.asked), asked: 0 }))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn searches_selectively(&self) -> bool {
        true
    }

    fn replay(&self, _: Setup, question: &Question) -> String {
        question.commands().join("; ")
    }
}

impl Player for Process {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        self.asked += 1;
        let is_first = self.of_all.fetch_add(1, Ordering::Relaxed) == 0;
        let late = question.limit == Limit::Depth(LATE);
        let lies = match self.when {
            When::Once => is_first,
            When::Later => self.asked > 1,
            When::LaterAndLate => self.asked > 1 && !late,
            When::BreaksOnce if is_first => return Err(NoAnswer::Broken("it is dead".to_owned())),
            When::BreaksLater if self.asked == 2 => return Err(NoAnswer::Broken("it is dead".to_owned())),
            When::BreaksOnce | When::BreaksLater => false,
        };
        let stalemate = if lies { Stalemate::Mate } else { Stalemate::Draw };
        Ok(answer(&position(&question.fen).unwrap(), 1, stalemate))
    }
}

/// Of four positions in which the side to move is stalemated, asked at three depths each: how many agree or are observed, what is
/// found, and what is a note.
#[track_caller]
fn check(when: When, right: u64, found: &[(&str, u64)]) {
    let cases: Vec<StalemateCase> = cases().into_iter().take(4).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let outcome = pool.install(|| {
        try_out(&Unsteady { when, asked: Arc::default() }, &[cases, Vec::new()].concat(), Effort::Plain)
    });
    let [findings] = &outcome.findings[..] else { panic!("one class") };
    let count = |id: &str| findings.differences.iter().filter(|told| told.check == id).count() as u64;
    assert_eq!(findings.tally.observed, right, "{findings:#?}");
    assert_eq!(findings.tally.total(), 6 * 4);
    for (id, cases) in found {
        assert_eq!(count(id), *cases, "{id}: {findings:#?}");
    }
    let told: u64 = found.iter().map(|(_, cases)| cases).sum();
    assert_eq!(findings.tally.differed, told, "{findings:#?}");
    let flaky: u64 = outcome.rows.iter().map(|row| row.flaky).sum();
    assert_eq!(flaky, count(FLAKY));
}

#[test]
fn what_comes_again_is_a_finding_and_what_does_not_is_a_note() {
    check(When::Once, 23, &[("stalemate/flaky", 1)]);
    // The very first answer is right.
    check(When::Later, 1, &[("stalemate/score", 23)]);
    check(When::LaterAndLate, 24, &[]);
}

#[test]
fn who_breaks_once_is_asked_again() {
    check(When::BreaksOnce, 24, &[]);
    // Each second question of a process, until another one takes its place.
    check(When::BreaksLater, 12, &[("stalemate/unanswered", 12)]);
}
