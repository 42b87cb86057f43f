//! Programs that are heard again before they are blamed: what comes again is a finding, what does not is a note.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use suites::mates::{MateCase, MateSuite};
use suites::{Findings, Replay, SkipReason};

use super::faulty::{SUITE, mate, moves_of, says, tried};
use super::{MateVerdict, position};
use crate::Effort;
use crate::player::{Aid, NoAnswer, Player, PlayerFactory, Setup};
use uci::{Bound, Limit, Line, Question, Reply, Score};

/// When it announces a mate in one that is not there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// Whenever it is asked with nodes.
    InNodes,
    /// The same, in the one line that it says at all.
    InOneLine,
    /// In a process that was asked something before.
    Later,
    /// In one search, and never again.
    Once,
    /// Each time in the depth that it does not come to the end of.
    Last,
    /// The same, with few nodes.
    Unfinished,
    /// The same, and it had to be told to stop each time.
    Stopped,
    /// Never; but its move is not legal.
    Illegal,
}

#[derive(Clone)]
struct Hasty {
    when: When,
    /// Whether it has not lied yet.
    new: Arc<AtomicBool>,
}

struct Process {
    of: Hasty,
    asked: u32,
}

impl PlayerFactory for Hasty {
    fn name(&self) -> &'static str {
        "hasty"
    }

    fn start(&self, _: Setup) -> Result<Box<dyn Player>, NoAnswer> {
        Ok(Box::new(Process { of: self.clone(), asked: 0 }))
    }

    fn has(&self, _: Aid) -> bool {
        false
    }

    fn searches_selectively(&self) -> bool {
        true
    }

    fn replay(&self, _: Setup, question: &Question) -> Replay {
        Replay::shell(question.commands().join("; "))
    }
}

impl Player for Process {
    fn forget(&mut self) -> Result<(), NoAnswer> {
        Ok(())
    }

    fn ask(&mut self, question: &Question) -> Result<Reply, NoAnswer> {
        self.asked += 1;
        let Limit::Nodes(nodes) = question.limit else { panic!("{}", question.limit) };
        assert!([20_000, 80_000, 320_000].contains(&nodes));
        let when = self.of.when;
        let finished = match when {
            When::InNodes => true,
            When::Later => self.asked > 1,
            When::Once => self.of.new.swap(false, Ordering::Relaxed),
            _ => false,
        };
        let last = finished || [When::InOneLine, When::Last, When::Stopped].contains(&when);
        let last = last || when == When::Unfinished && nodes == 20_000;
        let best = moves_of(&position(&question.fen).unwrap()).swap_remove(0);
        let mut reply = says(1, vec![best]);
        let line = |depth, lies| Line {
            depth,
            score: if lies { Score::Mate(1) } else { Score::Centipawns(20) },
            bound: Bound::Exact,
            nodes: None,
            pv: Vec::new(),
        };
        reply.lines = vec![line(8, finished), line(9, last)];
        if when == When::InOneLine {
            reply.lines.remove(0);
        }
        reply.cut = when == When::Stopped;
        if when == When::Illegal {
            reply.best = Some("a1b9".to_owned());
        }
        Ok(reply)
    }
}

/// How many of eight positions without a mate come to this check, and a question and the words of the first of these.
#[track_caller]
fn check(when: When, expected: u64, check: &str, asked: &str, words: &str) {
    let cases: Vec<MateCase> =
        SUITE.cases.iter().filter(|case| mate(case).is_none()).take(8).cloned().collect();
    let suite = MateSuite { cases, proofs: SUITE.proofs.clone() };
    let outcome = tried(&Hasty { when, new: Arc::new(true.into()) }, Effort::Plain, &suite);
    let differences: Vec<_> = outcome.findings.iter().flat_map(|findings| &findings.differences).collect();
    assert_eq!(differences.len() as u64, expected, "{differences:#?}");
    let observed: u64 = outcome.findings.iter().map(|findings| findings.tally.observed).sum();
    // A program that had to be stopped each time has not finished the depth in doubt.
    let open = |findings: &Findings| findings.tally.skipped.get(&SkipReason::Undecided).copied();
    let undecided: u64 = outcome.findings.iter().filter_map(open).sum();
    assert_eq!([observed, undecided], if when == When::Stopped { [0, 8] } else { [8 - expected, 0] });
    for found in &differences {
        assert_eq!(found.check, check);
        assert!(found.replay.ends_with(asked) && found.explanation.ends_with(words), "{found:#?}");
    }
    let flaky = outcome.rows.iter().filter(|row| row.verdict == MateVerdict::Flaky).count();
    assert_eq!(flaky > 0, check == "mate/flaky");
}

#[test]
fn what_comes_again_is_a_finding() {
    const CLOCK: &str = "with the halfmove clock and the game as they stand";
    check(When::InNodes, 8, "mate/unsound", "go nodes 20000", CLOCK);
    check(When::Illegal, 8, "mate/move", "go nodes 20000", "a1b9 is not legal");
}

/// The first of them it is asked in a process that was asked nothing before.
#[test]
fn what_comes_again_in_the_same_process_alone_is_one_too() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let again = "a fresh process does not repeat it, the first process does";
    pool.install(|| check(When::Later, 7, "mate/unsound", "go nodes 20000", again));
}

#[test]
fn what_does_not_come_again_is_a_note() {
    let once = "it came once: neither a fresh process nor the first one repeats it";
    check(When::Once, 1, "mate/flaky", "go nodes 20000", once);
}

#[test]
fn what_stands_in_the_last_depth_is_asked_with_more_nodes() {
    check(When::Unfinished, 0, "", "", "");
    check(When::Stopped, 0, "", "", "");
    check(When::Last, 8, "mate/unsound", "go nodes 320000", "");
    check(When::InOneLine, 8, "mate/unsound", "go nodes 320000", "");
}
