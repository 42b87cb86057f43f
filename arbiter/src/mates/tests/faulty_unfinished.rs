//! Programs that are asked again before a fault counts: a fault that comes again is a finding, one that does
//! not is a note.

use oracle::board::uci_moves;
use suites::mates::{MateCase, MateSuite};
use suites::{Findings, SkipReason};

use super::faulty::{SUITE, announces, mate, put_to};
use super::{MateVerdict, position};
use crate::Effort;
use crate::runner::Reproduction;
use crate::scripted::{Before, ScriptedPlayer};
use uci::{Bound, Limit, Line, Question, Reply, Score};

/// When a program announces a mate in one that is not forced.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In each search.
    Always,
    /// The same, in the only line of the answer.
    InOneLine,
    /// In each process, from its second search on.
    Later,
    /// In the first search of all.
    First,
    /// At the last depth of each search.
    LastDepth,
    /// The same, with few nodes.
    LastDepthOfFewNodes,
    /// The same, and each search had to be stopped.
    Stopped,
    /// Never, but its move is not legal.
    IllegalMove,
}

fn answer(when: When, question: &Question, before: Before) -> Reply {
    let Limit::Nodes(nodes) = question.limit else { panic!("{}", question.limit) };
    assert!([20_000, 80_000, 320_000].contains(&nodes));
    let at_all_depths = match when {
        When::Always => true,
        When::Later => before.in_process > 0,
        When::First => before.in_all == 0,
        _ => false,
    };
    let at_last_depth = match when {
        When::InOneLine | When::LastDepth | When::Stopped => true,
        When::LastDepthOfFewNodes => nodes == 20_000,
        _ => at_all_depths,
    };
    let best = uci_moves(&position(&question.fen).unwrap()).swap_remove(0);
    let mut reply = announces(1, vec![best]);
    let line = |depth, is_mate| Line {
        depth,
        score: if is_mate { Score::Mate(1) } else { Score::Centipawns(20) },
        bound: Bound::Exact,
        nodes: None,
        pv: Vec::new(),
    };
    reply.lines = vec![line(8, at_all_depths), line(9, at_last_depth)];
    if when == When::InOneLine {
        reply.lines.remove(0);
    }
    reply.cut = when == When::Stopped;
    if when == When::IllegalMove {
        reply.best = Some("a1b9".to_owned());
    }
    reply
}

/// Checks eight positions without a mate: how many differ, by which check, the end of the replay, and the end
/// of the explanation.
#[track_caller]
fn check(when: When, expected: u64, check: &str, replay: &str, explanation: &str) {
    let cases: Vec<MateCase> =
        SUITE.cases.iter().filter(|case| mate(case).is_none()).take(8).cloned().collect();
    let suite = MateSuite { cases, proofs: SUITE.proofs.clone() };
    let player = ScriptedPlayer::new(move |question, before| Ok(answer(when, question, before)));
    let outcome = put_to(&player.searching_selectively(), Effort::Plain, &suite);
    let differences: Vec<_> = outcome.findings.iter().flat_map(|findings| &findings.differences).collect();
    assert_eq!(differences.len() as u64, expected, "{differences:#?}");
    let observed: u64 = outcome.findings.iter().map(|findings| findings.tally.observed).sum();
    // A program that is stopped each time does not finish the depth in doubt.
    let open = |findings: &Findings| findings.tally.skipped.get(&SkipReason::Undecided).copied();
    let undecided: u64 = outcome.findings.iter().filter_map(open).sum();
    assert_eq!([observed, undecided], if when == When::Stopped { [0, 8] } else { [8 - expected, 0] });
    for found in &differences {
        assert_eq!(found.check, check);
        assert!(found.replay.ends_with(replay) && found.explanation.ends_with(explanation), "{found:#?}");
    }
    let flaky = outcome.rows.iter().filter(|row| row.verdict == MateVerdict::Flaky).count();
    assert_eq!(flaky > 0, check == "mate/flaky");
}

#[test]
fn a_fault_that_comes_again_is_a_finding() {
    const CLOCK: &str = "with the halfmove clock and the game as they stand";
    check(When::Always, 8, "mate/unsound", "go nodes 20000", CLOCK);
    check(When::IllegalMove, 8, "mate/move", "go nodes 20000", "a1b9 is not legal");
}

/// The first position is asked in a process that was not asked before.
#[test]
fn a_fault_that_comes_again_in_the_same_process_alone_is_a_finding() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let again = Reproduction::SameProcess.words().unwrap();
    pool.install(|| check(When::Later, 7, "mate/unsound", "go nodes 20000", &again));
}

#[test]
fn a_fault_that_does_not_come_again_is_a_note() {
    let once = Reproduction::Never.words().unwrap();
    check(When::First, 1, "mate/flaky", "go nodes 20000", &once);
}

#[test]
fn a_fault_at_the_last_depth_is_asked_with_more_nodes() {
    check(When::LastDepthOfFewNodes, 0, "", "", "");
    check(When::Stopped, 0, "", "", "");
    check(When::LastDepth, 8, "mate/unsound", "go nodes 320000", "");
    check(When::InOneLine, 8, "mate/unsound", "go nodes 320000", "");
}
