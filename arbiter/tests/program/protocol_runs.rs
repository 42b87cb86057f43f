//! How the checks of the protocol run: deadlines, limits that an engine lacks, cases asked again, causes, threads.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use arbiter::protocol::{self, Config};
use arbiter::{Effort, NoProgress};
use rayon::prelude::*;
use suites::SkipReason;
use uci::{LimitSupport, Timeouts};

use crate::checks::{HEARD, NAMED, SAID, id, in_many_threads, program, run, run_by_clock};

/// The first case of each check ends after the deadline, so that no other case is begun.
#[test]
fn cases_after_the_deadline_are_skipped() {
    let run = |rule: &str, name: &str| {
        let (program, wanted) = (program(&[HEARD, rule]), id(name));
        let until = Some(Instant::now() + Duration::from_millis(1500));
        let long = Duration::from_millis(1700);
        let config = Config {
            program: &program,
            timeouts: Timeouts { ready: long, think: long, ..Timeouts::default() },
            limits: &LimitSupport::UNKNOWN,
            effort: Effort::Plain,
            syzygy: None,
            until,
            progress: &NoProgress,
        };
        let [findings] = &protocol::run(&config, &|id| id == wanted).findings[..] else {
            panic!("one check")
        };
        let skipped = findings.tally.skipped.get(&SkipReason::OutOfTime).copied();
        (findings.tally.compared(), findings.tally.differed, skipped)
    };
    let expected = [
        // A finding that a busy machine cannot cause stands.
        ("go depth 1=>hear go infinite", "depth", (1, 1, Some(2))),
        // A finding with a measured time is skipped, since the check cannot be run again. The other case is
        // not begun.
        ("go movetime 200=>hear go movetime 1600", "movetime", (0, 0, Some(5))),
        // So is a missing answer.
        ("busy:stop=>ignore", "stop", (0, 0, Some(2))),
    ];
    in_many_threads(|| {
        expected
            .par_iter()
            .for_each(|&(rule, name, expected)| assert_eq!(run(rule, name), expected, "{name}"));
    });
}

/// A limit that it does not know is found by its own check, and no other check asks with it.
#[test]
fn an_engine_that_knows_only_the_clock_fails_the_checks_of_limits() {
    let own = ["mate"].map(id);
    let asked =
        ["depth-kept", "depth-zero", "nodes-kept", "movetime-used", "option-unknown", "debug", "info-form"];
    let others = ["newgame", "bestmove-legal", "one-bestmove", "go-again", "searchmoves"];
    let asked: Vec<String> = asked.into_iter().chain(others).map(id).collect();
    let findings = in_many_threads(|| run_by_clock(&[], &own.iter().chain(&asked).cloned().collect()));
    let found = findings.iter().filter(|findings| findings.tally.differed > 0);
    let found: BTreeSet<&str> = found.map(|findings| findings.tally.check.as_str()).collect();
    assert_eq!(found, own.iter().map(String::as_str).collect(), "{findings:#?}");
}

/// Neither a fresh process nor the same one shows it again: the whole check does, with the search before.
#[test]
fn an_answer_that_depends_on_the_questions_before_is_a_finding() {
    let findings = in_many_threads(|| run(&[NAMED, "illegal-second"], &[id("bestmove-legal")].into()));
    let checks: BTreeSet<&str> = findings[0].differences.iter().map(|found| &*found.check).collect();
    assert_eq!(checks, ["protocol/bestmove-legal"].into(), "{findings:#?}");
}

#[test]
fn findings_do_not_depend_on_the_number_of_threads() {
    let wanted: BTreeSet<String> =
        ["stop-idle", "bad-fen", "unknown-command", "pv-legal", "multipv"].map(id).into();
    let arguments = [HEARD, "idle:stop=>crash", SAID, "info depth 4 $=> e1e8"];
    let in_threads = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| run(&arguments, &wanted))
    };
    let one = in_threads(1);
    assert_eq!(one, in_threads(5));
    let stop = one.iter().flat_map(|findings| &findings.differences).next().unwrap();
    assert_eq!((stop.check.as_str(), stop.case.as_str()), ("protocol/stop-idle", "before-any-search"));
    assert!(stop.explanation.contains("> stop"), "{}", stop.explanation);
    assert!(stop.replay.starts_with("(printf 'uci\\n"), "{}", stop.replay);
}

#[test]
fn one_process_that_does_not_end_does_not_hide_how_others_end() {
    let arguments = [HEARD, "uci|quit=>ignore", HEARD, "idle:quit=>crash"];
    let findings = in_many_threads(|| run(&arguments, &["uciok", "exit-status", "newgame"].map(id).into()));
    let found = findings.iter().find(|findings| findings.tally.check == id("exit-status")).unwrap();
    assert!(found.tally.differed > 0, "{findings:#?}");
}

#[test]
fn crashes_over_malformed_lines_have_one_cause() {
    let arguments = [HEARD, "xyzzy=>crash", HEARD, "$=>crash", HEARD, "setoption value=>crash"];
    let wanted = ["unknown-command", "empty-lines", "option-no-value"].map(id).into();
    let findings = in_many_threads(|| run(&arguments, &wanted));
    let found: Vec<_> = findings.iter().flat_map(|findings| &findings.differences).collect();
    let cause = "signal 6 (SIGABRT) over an empty, incomplete or garbled line";
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(found.iter().all(|found| found.cause_words() == cause), "{found:#?}");
}
