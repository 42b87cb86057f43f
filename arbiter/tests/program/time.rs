//! The suite `time/*` on the test engine without faults, and with some. Times are long, since the machine may
//! be busy.

use std::time::{Duration, Instant};

use arbiter::player::ProgramFactory;
use arbiter::time::{self, Conditions};
use arbiter::{NoProgress, SuiteOutcome};
use suites::{Findings, SkipReason};
use uci::{Program, Timeouts};

fn findings(faults: &[&str], time: Duration) -> Vec<Findings> {
    run(faults, time, None).findings
}

fn run(faults: &[&str], time: Duration, until: Option<Instant>) -> SuiteOutcome<()> {
    let arguments = faults.iter().flat_map(|fault| ["--fault".into(), (*fault).into()]).collect();
    let path = env!("CARGO_BIN_EXE_hostile").into();
    let program = Program { name: "hostile".to_owned(), path, arguments, ..Program::default() };
    let players = ProgramFactory::new(program, Timeouts::default(), None);
    let increment = Duration::from_millis(10);
    let conditions = Conditions { games: 3, time, increment, most_plies: 40, searched: 1, until };
    time::run(&players, &conditions, &NoProgress)
}

/// All games end with this fault. The other checks of games are undecided.
#[track_caller]
fn check(fault: &str, time: Duration, id: &str, stored: &str) {
    let found = findings(&[fault], time);
    for findings in found.iter().filter(|findings| findings.tally.check != "time/overrun") {
        let tally = &findings.tally;
        if tally.check == id {
            assert_eq!((tally.differed, tally.total()), (3, 3), "{tally:?}");
            assert!(
                findings.differences.iter().all(|found| found.stored.to_string().starts_with(stored)),
                "{findings:#?}"
            );
            assert!(findings.differences[0].replay.contains(" 'go wtime "), "{findings:#?}");
        } else {
            assert_eq!(tally.skipped, [(SkipReason::Undecided, 3)].into(), "{tally:?}");
        }
    }
}

#[test]
fn an_engine_without_faults_has_no_finding() {
    let found = findings(&[], Duration::from_mins(1));
    let games = found.iter().filter(|findings| findings.tally.check != "time/overrun");
    for findings in games {
        assert_eq!((findings.tally.agreed, findings.tally.total()), (3, 3), "{findings:#?}");
    }
    assert_eq!(found.len(), 3);
}

#[test]
fn faults_in_games_are_found() {
    std::thread::scope(|scope| {
        scope.spawn(|| check("slow", Duration::from_millis(100), "time/forfeit", "took "));
        scope.spawn(|| check("illegal-move", Duration::from_mins(1), "time/illegal-move", "bestmove e4e5"));
    });
}

/// A failure is an incident, and not a finding of the checks of games.
#[test]
fn failures_are_incidents_with_transcripts() {
    let outcome = run(&["crash-at-go"], Duration::from_mins(1), None);
    for Findings { tally, .. } in &outcome.findings {
        assert_eq!(tally.skipped, [(SkipReason::GivenUp, tally.total())].into(), "{tally:?}");
    }
    let cases: Vec<&str> = outcome.incidents.iter().map(|incident| incident.case.as_str()).collect();
    assert_eq!(cases, ["movetime-50-01", "movetime-200-01", "game-01", "game-02", "game-03"]);
    for incident in &outcome.incidents {
        assert_eq!(incident.failure.id(), "process/crash");
        assert_eq!(incident.failure.last_error(), Some("no node at #"));
        assert!(incident.transcript.contains("> go ") && incident.replay.contains(" 'go "), "{incident:#?}");
    }
    for game in &outcome.incidents[2..] {
        assert!(game.reproduced && game.replay.contains(" 'go wtime "), "{game:#?}");
    }
}

#[test]
fn searches_longer_than_movetime_are_found() {
    let found = findings(&["late"], Duration::from_mins(1));
    let overrun = found.iter().find(|findings| findings.tally.check == "time/overrun").unwrap();
    assert_eq!((overrun.tally.differed, overrun.tally.total()), (2, 2), "{overrun:#?}");
    assert!(overrun.differences[0].expected.to_string().contains("50 ms more at most"));
}

#[test]
fn nothing_is_begun_after_the_deadline() {
    let outcome = run(&["crash-at-go"], Duration::from_mins(1), Some(Instant::now()));
    for findings in &outcome.findings {
        let tally = &findings.tally;
        assert_eq!(
            (tally.compared(), tally.skipped[&SkipReason::OutOfTime]),
            (0, tally.total()),
            "{tally:?}"
        );
        assert!(tally.total() > 0);
    }
    assert_eq!((outcome.findings.len(), outcome.incidents), (3, Vec::new()));
}
