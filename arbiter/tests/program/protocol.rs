//! The checks of the protocol on the test engine: without faults, and with faults that concern more than one check.

use std::collections::BTreeSet;
use std::time::Duration;

use arbiter::protocol::{self, Config};
use arbiter::{Effort, NoProgress};
use suites::SkipReason;
use uci::{LimitSupport, Timeouts};

use crate::checks::{HEARD, NAMED, SAID, id, in_many_threads, program, run, run_by_clock};

#[test]
fn an_engine_without_faults_passes() {
    let mut left: BTreeSet<String> = protocol::checks().map(|check| check.id.to_owned()).collect();
    let mut last = Vec::new();
    // A busy machine may make it late more than once.
    for _ in 0..3 {
        last = in_many_threads(|| run(&[], &left));
        for findings in &last {
            let tally = &findings.tally;
            // It prints no currmove, and there are no tables here.
            if tally.check == "protocol/currmove" || tally.check.starts_with("protocol/syzygy") {
                assert_eq!(tally.skipped.keys().collect::<Vec<_>>(), [&SkipReason::Unsupported]);
            } else {
                // It sees no mate in two, and not that it is mated.
                let unseen = if tally.check == "protocol/mate-count" { 2 } else { 0 };
                assert!(tally.compared() > 0 && tally.skipped_total() == unseen, "{tally:?}");
            }
        }
        last.retain(|findings| !findings.differences.is_empty());
        left = last.iter().map(|findings| findings.tally.check.clone()).collect();
    }
    assert!(last.is_empty(), "{last:#?}");
}

#[test]
fn a_program_that_does_not_answer_readyok_is_not_asked_more() {
    let check = |fault: &str, by: &str| {
        let program = program(&[SAID, fault]);
        let short = Duration::from_millis(500);
        let timeouts = Timeouts { start: short, ready: short, ..Timeouts::default() };
        let config = Config {
            program: &program,
            timeouts,
            limits: &LimitSupport::UNKNOWN,
            effort: Effort::Plain,
            syzygy: None,
            until: None,
            progress: &NoProgress,
        };
        let outcome = protocol::run(&config, &|_| true);
        let run = ["uciok", "uciok-unasked", "isready", "quit-first"].map(id);
        for findings in &outcome.findings {
            let tally = &findings.tally;
            assert_eq!(
                tally.differed > 0,
                tally.check == by || tally.check == "protocol/isready",
                "{tally:?}"
            );
            let skipped = tally.skipped.contains_key(&SkipReason::GivenUp);
            assert_eq!(skipped, !run.contains(&tally.check), "{tally:?}");
        }
        let row = outcome.rows.iter().find(|row| row.check == by).unwrap();
        assert!(row.transcript.contains("> uci"), "{}", row.transcript);
    };
    std::thread::scope(|scope| {
        scope.spawn(|| check("uciok=>", "protocol/uciok"));
        scope.spawn(|| check("readyok=>", "protocol/isready"));
    });
}

/// Each case costs seconds, and seldom shows another fault.
#[test]
fn after_three_cases_that_time_out_a_check_is_over() {
    let findings = in_many_threads(|| run(&[HEARD, "position fen=>wait 5000"], &[id("bad-fen")].into()));
    let tally = &findings[0].tally;
    assert_eq!((tally.agreed, tally.differed), (0, 3), "{tally:?}");
    assert!(tally.skipped[&SkipReason::FailedElsewhere] > 10, "{tally:?}");
}

/// It tells nothing of its first depths.
#[test]
fn an_engine_that_prints_only_its_last_line_passes() {
    let all = protocol::checks().filter(|check| !check.timed).map(|check| check.id.to_owned()).collect();
    let found = in_many_threads(|| run(&[NAMED, "one-line"], &all));
    let found: Vec<_> = found.into_iter().flat_map(|findings| findings.differences).collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// `protocol/stop` reports an engine that ignores `stop`. The checks of searches that last until `stop` leave it to
/// that check, and say so.
#[test]
fn a_stop_that_is_not_answered_is_left_to_its_check() {
    let asked = ["stop-late", "infinite", "infinite-forced", "go-bare"].map(id).into();
    for findings in in_many_threads(|| run(&[HEARD, "busy:stop=>ignore"], &asked)) {
        let tally = &findings.tally;
        let skipped: Vec<&SkipReason> = tally.skipped.keys().collect();
        assert_eq!((tally.compared(), skipped), (0, vec![&SkipReason::FailedElsewhere]), "{tally:?}");
    }
}

/// The cause is that of the same move in the family `movegen`.
#[test]
fn an_illegal_answer_has_the_rule_that_it_breaks_as_its_cause() {
    let plays = |position: &str, answer: &str, check: &str| {
        let fault = format!("position {position}|go=>say bestmove {answer}");
        let findings = run(&[HEARD, &fault], &[id(check)].into());
        let [found] = &findings[0].differences[..] else { panic!("{findings:#?}") };
        found.cause_words().to_owned()
    };
    let pinned = "fen 4r1k1/8/8/8/8/4B3/8/4K3";
    assert_eq!(plays(pinned, "e3d4", "bestmove-legal"), "moves that leave the king in check are allowed");
    let capture = "fen 8/8/8/K2pP2r/8/8/8/6k1";
    let illegal_capture = "en passant captures that are not legal are allowed";
    assert_eq!(plays(capture, "e5d6", "bestmove-legal"), illegal_capture);
    let castling = "castling that is not legal is allowed";
    assert_eq!(plays("fen r3k2r/8/8/8/8/8/8/R3K2R b Kq", "e8g8", "position-forms"), castling);
    assert_eq!(plays(pinned, "a1a8", "bestmove-legal"), "");
}

/// A move that is not legal, after a search that was stopped before it told a depth, has the cause of empty
/// clocks and depth 0.
#[test]
fn a_stop_before_the_first_depth_has_a_cause() {
    let causes = |arguments: &[&str]| -> BTreeSet<String> {
        let findings = in_many_threads(|| run(arguments, &[id("stop")].into()));
        findings[0].differences.iter().map(|found| found.cause_words().to_owned()).collect()
    };
    let illegal = [HEARD, "busy:stop=>say bestmove h1h1"];
    let cause = "a search that has to end at once gives no legal move".to_owned();
    assert_eq!(causes(&[&illegal[..], &[SAID, "info depth=>info string"]].concat()), [cause].into());
    assert_eq!(causes(&illegal), [String::new()].into());
}

/// A search by nodes that waits for `stop` at its greatest depth.
#[test]
fn a_search_that_runs_out_of_depths_has_to_end() {
    let waits = "position fen 7k/8/8/8/8/8/1R6|go nodes 50000=>hear go infinite";
    let arguments = [HEARD, waits, SAID, "info depth 8 =>info depth 120 "];
    let findings = in_many_threads(|| run(&arguments, &[id("nodes")].into()));
    let [found] = &findings[0].differences[..] else { panic!("{findings:#?}") };
    assert_eq!(found.stored.to_string(), "no bestmove before stop");
}

/// The moves of a search that ends by the clock.
#[test]
fn a_clock_is_enough_for_currmove() {
    let rule = [SAID, "info depth 1 =>info currmove e1e8 currmovenumber 1\\ninfo depth 1 "];
    let findings = in_many_threads(|| run_by_clock(&rule, &[id("currmove")].into()));
    assert_eq!(findings[0].tally.differed, 2, "{findings:#?}");
}
