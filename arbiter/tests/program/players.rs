//! Programs as players: wrong answers are found, and programs that fail cost little time.

use std::time::{Duration, Instant};

use arbiter::mates::{self, MateRow, MateVerdict};
use arbiter::player::ProgramFactory;
use arbiter::player::{NoAnswer, PlayerFactory, Setup};
use arbiter::{Effort, NoProgress, SuiteContext, SuiteOutcome, at_limits};
use oracle::authorities::Authorities;
use suites::mates::{MateClaim, MateSuite};
use uci::{Limit, LimitSupport, Program, Question, Reply};
use uci::{Support, Timeouts};

use crate::common::{Pids, patient, program};

/// A mate in one, and a position without a mate that the test engine finds.
const MATE: &str = "8/8/8/8/8/1K6/2R5/k7 w - - 0 1";
const NO_MATE: &str = "8/8/8/4k3/8/8/8/R3K3 w - - 0 1";

/// Short deadlines of a search.
fn short_search() -> Timeouts {
    let short = Duration::from_millis(300);
    Timeouts { think: short, stop: short, ..patient() }
}

fn ask(players: &ProgramFactory, fen: &str, limit: Limit) -> Result<Reply, NoAnswer> {
    let mut player = players.start(Setup::ALL)?;
    player.forget()?;
    player.ask(&Question::new(fen, limit))
}

fn run_mates(faults: &[&str]) -> SuiteOutcome<MateRow> {
    let pids = Pids::of(&[&["tried"], faults].concat());
    let players = ProgramFactory::new(program(faults, &pids), patient(), None);
    let mut suite = MateSuite::embedded().expect("it is valid");
    suite.cases.retain(|case| case.id.starts_with("mate-in-1/") || case.id.starts_with("false-mate/0"));
    assert!(suite.cases.len() > 12, "{}", suite.cases.len());
    let authorities = Authorities::default();
    let context = SuiteContext {
        players: &players,
        authorities: &authorities,
        effort: Effort::Plain,
        seed: 0,
        limit: None,
        progress: &NoProgress,
    };
    let outcome = mates::run(&context, &suite, mates::Announcements::default());
    assert_eq!(at_limits(&players), []);
    drop(players);
    pids.assert_gone();
    outcome
}

#[test]
fn wrong_answers_are_found() {
    let count = |outcome: &SuiteOutcome<MateRow>, verdict| {
        outcome.rows.iter().filter(|row| row.verdict == verdict).count()
    };
    let faultless = run_mates(&[]);
    let differences = faultless.findings.iter().flat_map(|findings| &findings.differences);
    assert_eq!(differences.count(), 0);
    assert!(count(&faultless, MateVerdict::Exact) >= 8, "{:?}", faultless.rows);
    assert!(count(&run_mates(&["unsound-mate"]), MateVerdict::Unsound) >= 4);
    assert!(count(&run_mates(&["wrong-sign"]), MateVerdict::WrongSign) >= 8);
    assert!(count(&run_mates(&["illegal-move"]), MateVerdict::BadMove) >= 8);
}

/// A crash that only a process shows that was asked something else before: the command asks that too.
#[test]
fn a_crash_after_another_question_is_shown_with_it() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let incidents = pool.install(|| run_mates(&["crash-after-mate"])).incidents;
    assert!(!incidents.is_empty());
    for incident in incidents {
        assert!(incident.reproduced, "{incident:#?}");
        let searches: Vec<&str> = incident.replay.split("position fen ").skip(1).collect();
        let [earlier, last] = searches[..] else { panic!("{incident:#?}") };
        assert!(earlier.contains("ucinewgame") && last.starts_with(&incident.fen), "{incident:#?}");
    }
}

/// A wrong answer from the second search on: a fresh process gives it after one other question.
#[test]
fn a_wrong_answer_after_another_question_is_shown_with_it() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let outcome = pool.install(|| run_mates(&["unsound-later"]));
    let found: Vec<_> = outcome.findings.iter().flat_map(|findings| &findings.differences).collect();
    assert!(!found.is_empty() && found.iter().all(|found| found.check == "mate/unsound"), "{found:#?}");
    for found in found {
        assert!(found.explanation.contains("only after the question before it"), "{found:#?}");
        assert_eq!(found.replay.matches("position fen ").count(), 2, "{found:#?}");
    }
}

/// Asks with each limit. The answers come in time, and the support of the limits is as expected.
#[track_caller]
fn limits(faults: &[&str], nodes: Support, depth: Support, move_time: Option<Support>) {
    let pids = Pids::of(faults);
    let timeouts = Timeouts { think: Duration::from_secs(1), ..patient() };
    let players = ProgramFactory::new(program(faults, &pids), timeouts, None);
    let began = Instant::now();
    let time = Duration::from_millis(20);
    for limit in [Limit::Nodes(1000), Limit::Depth(2), Limit::MoveTime(time)] {
        let reply = ask(&players, MATE, limit).expect("it answers");
        assert_eq!(reply.best.as_deref(), Some("c2c1"), "{limit}");
    }
    assert!(began.elapsed() < Duration::from_secs(50));
    let support = players.limits().expect("it was asked");
    assert_eq!([support.nodes, support.depth], [nodes, depth]);
    assert!(move_time.is_none_or(|expected| support.move_time == expected), "{support:?}");
    assert_eq!(at_limits(&players), []);
}

#[test]
fn limits_that_are_kept_are_used() {
    limits(&[], Support::Yes, Support::Yes, None);
    limits(&["nodes-are-nothing"], Support::Early, Support::Yes, None);
}

/// It prints more nodes at its first depth than the first search of the probe has.
#[test]
fn a_search_that_ends_at_the_same_nodes_whatever_it_is_asked_for_is_early() {
    let pids = Pids::of(&["one-depth"]);
    let mut program = program(&["nodes-are-nothing"], &pids);
    program.arguments.extend(["--said", " nodes => nodes 19"].map(Into::into));
    let players = ProgramFactory::new(program, patient(), None);
    ask(&players, MATE, Limit::Nodes(1000)).expect("it answers");
    assert_eq!(players.limits().map(|limits| limits.nodes), Some(Support::Early));
}

/// It ends each search after some milliseconds, at a depth that is chance.
#[test]
fn a_search_that_ends_long_before_its_nodes_is_early() {
    let limits = |rules: &[&str]| {
        let pids = Pids::of(rules);
        let mut program = program(&[], &pids);
        program.arguments.extend(rules.iter().flat_map(|rule| ["--heard".into(), (*rule).into()]));
        let players = ProgramFactory::new(program, patient(), None);
        ask(&players, MATE, Limit::Nodes(1000)).expect("it answers");
        players.limits().map(|limits| limits.nodes)
    };
    let [few, many] = ["go nodes 2000=>hear go depth 3", "go nodes 50000=>hear go depth 4"];
    assert_eq!(limits(&[few, many, "go nodes 1000000=>hear go depth 2"]), Some(Support::Early));
    // The second search tells that it counts its nodes.
    assert_eq!(limits(&[few, "go nodes 1000000=>hear go depth 2"]), Some(Support::Yes));
}

#[test]
fn a_limit_that_is_not_kept_is_replaced() {
    limits(&["nodes-are-forever", "late"], Support::No, Support::Yes, Some(Support::Late));
}

#[test]
fn if_no_limit_is_kept_stop_is_sent() {
    let faults = ["nodes-are-forever", "depth-is-forever", "movetime-is-forever"];
    limits(&faults, Support::No, Support::No, Some(Support::No));
}

#[test]
fn an_engine_that_knows_only_the_clock_plays_by_it() {
    let pids = Pids::of(&["clock-only"]);
    let timeouts = Timeouts { think: Duration::from_secs(1), stop: Duration::from_millis(200), ..patient() };
    let players = ProgramFactory::new(program(&["clock-only"], &pids), timeouts, None);
    for limit in [Limit::Nodes(1000), Limit::Depth(2), Limit::MoveTime(Duration::from_millis(20))] {
        let reply = ask(&players, MATE, limit).expect("it answers");
        assert_eq!(reply.best.as_deref(), Some("c2c1"), "{limit}");
    }
    let LimitSupport { nodes, depth, move_time, clock, .. } = players.limits().expect("it was asked");
    assert_eq!([nodes, depth, move_time, clock], [Support::No, Support::No, Support::No, Support::Yes]);
    let question = Question::new(MATE, Limit::Depth(2));
    assert!(players.replay(Setup::ALL, &question).contains("'go wtime 400 btime 400'"));
}

/// A race of the program swallows one `go nodes` and the `stop` after it.
#[test]
#[cfg(unix)]
fn a_limit_is_probed_again_after_a_hang() {
    let pids = Pids::of(&["probed-again"]);
    let of_engine = program(&[], &pids);
    let mark = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hung-{}", std::process::id()));
    let hangs_once =
        r#"mkdir "$0" 2>/dev/null && exec "$@" --heard "go nodes=>ignore" --heard "stop=>ignore"; exec "$@""#;
    let start =
        ["-c".into(), hangs_once.into(), mark.clone().into_os_string(), of_engine.path.into_os_string()];
    let arguments = start.into_iter().chain(of_engine.arguments).collect();
    let program = Program { path: "/bin/sh".into(), arguments, ..program(&[], &pids) };
    let timeouts = Timeouts { think: Duration::from_secs(1), stop: Duration::from_millis(200), ..patient() };
    let players = ProgramFactory::new(program, timeouts, None);
    let limits = players.detect_limits();
    std::fs::remove_dir(&mark).expect("it hung once");
    assert_eq!([limits.nodes, limits.depth, limits.move_time], [Support::Yes; 3], "{limits:?}");
}

#[test]
fn an_engine_that_neither_a_limit_nor_stop_ends_is_late() {
    let pids = Pids::of(&["thinks-on"]);
    let (think, stop) = (Duration::from_secs(2), Duration::from_millis(200));
    let players =
        ProgramFactory::new(program(&["thinks-on"], &pids), Timeouts { think, stop, ..patient() }, None);
    let late = players.detect_limits().late.expect("it answers");
    assert!(late.took >= Duration::from_secs(6) && !late.has_score, "{late:?}");
}

#[test]
fn a_replay_has_the_limit_that_was_sent() {
    let faults = ["nodes-are-nothing"];
    let pids = Pids::of(&["replay"]);
    let players = ProgramFactory::new(program(&faults, &pids), patient(), None);
    let question = Question::new(MATE, Limit::Nodes(1 << 10));
    assert!(players.replay(Setup::ALL, &question).contains("'go nodes 1024'"));
    ask(&players, MATE, question.limit).unwrap();
    let replay = players.replay(Setup::ALL, &question);
    let lines = format!("'setoption name OwnBook value false' 'position fen {MATE}' 'go depth 5'; sleep 5;");
    assert!(replay.contains(&lines) && replay.contains("--fault nodes-are-nothing"), "{replay}");
}

#[track_caller]
fn goes_on_after_new_games(fault: &str, id: &str) {
    let pids = Pids::of(&[fault]);
    let timeouts = Timeouts { ready: Duration::from_secs(1), ..patient() };
    let players = ProgramFactory::new(program(&[fault], &pids), timeouts, None);
    let mut player = players.start(Setup::ALL).expect("it starts");
    for _ in 0..2 {
        player.forget().expect("it is started again");
        assert!(player.ask(&Question::new(MATE, Limit::Depth(1))).is_ok());
    }
    let failure = players.limits().and_then(|support| support.new_game).expect("it failed");
    assert_eq!(failure.id(), id);
    assert_eq!(at_limits(&players), []);
    drop(player);
    pids.assert_gone();
}

#[test]
fn a_program_that_fails_at_a_new_game_is_started_again() {
    std::thread::scope(|scope| {
        scope.spawn(|| goes_on_after_new_games("hang-at-newgame", "process/hang"));
        scope.spawn(|| goes_on_after_new_games("crash-at-newgame", "process/crash"));
    });
}

#[track_caller]
fn is_given_up_at_once(fault: &str, timeouts: Timeouts) {
    let pids = Pids::of(&["given-up", fault]);
    let players = ProgramFactory::new(program(&[fault], &pids), timeouts, None);
    let first = ask(&players, MATE, Limit::Depth(1)).expect_err("it fails");
    assert!(first.to_string().starts_with("Touchstone stopped asking it"), "{first}");
    let count = pids.count();
    for _ in 0..50 {
        assert_eq!(ask(&players, MATE, Limit::Depth(1)), Err(first.clone()));
    }
    // It failed more than once before it was given up, and was not started again.
    let failures = at_limits(&players).len();
    assert!(pids.count() == count && (2..=3).contains(&failures), "{failures}");
    assert_eq!(players.limits(), None);
    pids.assert_gone();
}

#[test]
fn a_program_that_always_crashes_is_given_up_at_once() {
    is_given_up_at_once("crash-at-start", patient());
    is_given_up_at_once("crash-at-go", patient());
}

#[test]
fn a_program_that_never_answers_is_given_up_at_once() {
    let silent = Timeouts { start: Duration::from_millis(300), ..patient() };
    std::thread::scope(|scope| {
        scope.spawn(|| is_given_up_at_once("silent", silent));
        scope.spawn(|| is_given_up_at_once("no-bestmove", short_search()));
    });
}

#[test]
fn a_program_that_always_floods_is_given_up_at_once() {
    is_given_up_at_once("flood-output", patient());
}

/// The result of the mates in one and the positions without a mate on some threads, and the failures.
fn mates_by(threads: usize, players: &ProgramFactory) -> (SuiteOutcome<MateRow>, Vec<(String, String)>) {
    let mut suite = MateSuite::embedded().expect("it is valid");
    suite.cases.retain(|case| matches!(case.claim, MateClaim::Mate(1) | MateClaim::NoMate(_)));
    suite.cases.sort_by(|one, other| one.fen.cmp(&other.fen));
    let authorities = Authorities::default();
    let (effort, progress) = (Effort::Plain, &NoProgress);
    let context = SuiteContext { players, authorities: &authorities, effort, seed: 0, limit: None, progress };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let mut outcome = pool.install(|| mates::run(&context, &suite, mates::Announcements::default()));
    let failures = std::mem::take(&mut outcome.incidents).into_iter();
    let mut failures: Vec<_> =
        failures.map(|incident| (incident.failure.to_string(), incident.case)).collect();
    failures.sort_unstable();
    (outcome, failures)
}

/// The order of the cases decides where a program is given up. Results after that are not reported. In the
/// next session it is asked again.
#[test]
fn a_program_that_fails_later_is_given_up_at_the_same_case_by_any_number_of_threads() {
    let short = Timeouts { think: Duration::from_millis(200), stop: Duration::from_millis(600), ..patient() };
    let check = |fault: &str, times: usize, timeouts: Timeouts| {
        let pids = Pids::of(&["later", fault]);
        let players = ProgramFactory::new(program(&[fault], &pids), timeouts, None);
        let [alone, two, four] = std::thread::scope(|scope| {
            let run = |threads| {
                let players = players.for_session("another", None);
                scope.spawn(move || mates_by(threads, &players))
            };
            [1, 2, 4].map(run).map(|running| running.join().unwrap())
        });
        let (outcome, failures) = &alone;
        let count = |verdict| outcome.rows.iter().filter(|row| row.verdict == verdict).count();
        // Each question was asked twice.
        assert_eq!((count(MateVerdict::Unanswered), failures.len()), (times, 2 * times), "{fault}");
        let silent = count(MateVerdict::NotToldApart);
        assert!(silent > 0 && count(MateVerdict::NotAsked) > 9, "{fault}");
        assert!(count(MateVerdict::NotAsked) + silent + times <= outcome.rows.len());
        assert_eq!((&two, &four), (&alone, &alone), "{fault}");
        assert_eq!(at_limits(&players), []);
        drop(players);
        pids.assert_gone();
    };
    std::thread::scope(|scope| {
        scope.spawn(|| check("crash-at-mate", 24, patient()));
        scope.spawn(|| check("silent-at-mate", 4, short));
    });
}

#[test]
fn the_end_of_the_run_is_not_a_failure() {
    let pids = Pids::of(&["time"]);
    let all = ProgramFactory::new(program(&[], &pids), patient(), None);
    assert!(ask(&all, MATE, Limit::Depth(1)).is_ok());
    let players = all.for_session("some", Some(Instant::now() + Duration::from_millis(500)));
    let began = Instant::now();
    for _ in 0..2 {
        let over = ask(&players, MATE, Limit::MoveTime(Duration::from_secs(50))).unwrap_err();
        assert_eq!(over.to_string(), "the time for the run is over");
    }
    assert!(began.elapsed() < Duration::from_secs(40));
    assert_eq!(at_limits(&players), []);
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let pids = Pids::of(&["threads"]);
    let players = ProgramFactory::new(program(&[], &pids), patient(), None);
    let replies: Vec<_> = std::thread::scope(|scope| {
        let ask = || ask(&players, NO_MATE, Limit::Nodes(500)).unwrap();
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        asking.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    assert!(replies.iter().all(|reply| *reply == replies[0]), "{replies:?}");
    drop(players);
    pids.assert_gone();
}

#[test]
fn the_drift_fault_changes_the_best_move() {
    let pids = Pids::of(&["drift"]);
    let players = ProgramFactory::new(program(&["drift"], &pids), patient(), None);
    let mut player = players.start(Setup::ALL).unwrap();
    let mut best = std::collections::BTreeSet::new();
    for _ in 0..20 {
        let reply = player.ask(&Question::new(NO_MATE, Limit::Depth(1))).unwrap();
        best.insert(reply.best);
    }
    assert!(best.len() > 1, "{best:?}");
}
