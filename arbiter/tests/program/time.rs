//! The context `time/*` on an engine without faults, and with some. Times are generous: the machine may be busy.

use std::time::Duration;

use arbiter::player::ProgramFactory;
use arbiter::time::{self, Conditions};
use arbiter::{Incident, NoProgress, Outcome};
use suites::{Findings, SkipReason};
use uci::{Program, Timeouts};

fn try_it(faults: &[&str], time: Duration) -> Vec<Findings> {
    tried(faults, time, None).findings
}

fn tried(faults: &[&str], time: Duration, asking: Option<Duration>) -> Outcome<()> {
    let arguments = faults.iter().flat_map(|fault| ["--fault".into(), (*fault).into()]).collect();
    let path = env!("CARGO_BIN_EXE_hostile").into();
    let program = Program { name: "hostile".to_owned(), path, arguments, ..Program::default() };
    let players = ProgramFactory::new(program, Timeouts::default(), None);
    let increment = Duration::from_millis(10);
    let conditions = Conditions { games: 3, time, increment, most_plies: 40, searched: 1, asking };
    time::run(&players, &conditions, &NoProgress)
}

/// All games end with this fault, and nothing is said of the other checks of games.
#[track_caller]
fn check(fault: &str, time: Duration, id: &str, stored: &str) {
    let found = try_it(&[fault], time);
    for findings in found.iter().filter(|findings| findings.tally.check != "time/overrun") {
        let tally = &findings.tally;
        if tally.check == id {
            assert_eq!((tally.differed, tally.total()), (3, 3), "{tally:?}");
            assert!(
                findings.differences.iter().all(|found| found.stored.starts_with(stored)),
                "{findings:#?}"
            );
            assert!(findings.differences[0].replay.contains(" 'go wtime "), "{findings:#?}");
        } else {
            assert_eq!(tally.skipped, [(SkipReason::Undecided, 3)].into(), "{tally:?}");
        }
    }
}

#[test]
fn who_has_no_fault_has_no_finding() {
    let found = try_it(&[], Duration::from_mins(1));
    let games = found.iter().filter(|findings| findings.tally.check != "time/overrun");
    for findings in games {
        assert_eq!((findings.tally.agreed, findings.tally.total()), (3, 3), "{findings:#?}");
    }
    assert_eq!(found.len(), 3);
}

#[test]
fn faults_in_games_are_named() {
    check("slow", Duration::from_millis(200), "time/forfeit", "took ");
    check("illegal-move", Duration::from_mins(1), "time/illegal-move", "bestmove e4e5");
}

/// How it breaks is told once, and not by the checks of games.
#[test]
fn who_breaks_in_games_is_told_by_its_breaks() {
    let outcome = tried(&["crash-at-go"], Duration::from_mins(1), None);
    for Findings { tally, .. } in &outcome.findings {
        assert_eq!(tally.skipped, [(SkipReason::GivenUp, tally.total())].into(), "{tally:?}");
    }
    let games: Vec<&Incident> =
        outcome.incidents.iter().filter(|broken| broken.case.starts_with("game-")).collect();
    assert_eq!(games.len(), 3);
    for broken in games {
        assert!(broken.reproduced && broken.replay.contains(" 'go wtime "), "{broken:#?}");
    }
}

#[test]
fn who_thinks_too_long_is_told() {
    let found = try_it(&["late"], Duration::from_mins(1));
    let overrun = found.iter().find(|findings| findings.tally.check == "time/overrun").unwrap();
    assert_eq!((overrun.tally.differed, overrun.tally.total()), (2, 2), "{overrun:#?}");
    assert!(overrun.differences[0].expected.contains("50 ms more at most"));
}

#[test]
fn nothing_is_begun_when_time_is_over() {
    let outcome = tried(&["crash-at-go"], Duration::from_mins(1), Some(Duration::ZERO));
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

#[test]
fn how_it_broke_is_told_with_transcripts() {
    let outcome = tried(&["crash-at-go"], Duration::from_mins(1), None);
    let cases: Vec<&str> = outcome.incidents.iter().map(|row| row.case.as_str()).collect();
    assert_eq!(cases, ["movetime-50-01", "movetime-200-01", "game-01", "game-02", "game-03"]);
    for row in &outcome.incidents {
        assert_eq!(row.failure.id(), "process/crash");
        assert!(row.transcript.contains("> go ") && row.replay.contains(" 'go "), "{row:#?}");
    }
}
