//! The driver of programs, with engines that fail in different ways and with one that does not.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common::{Pids, patient, program};
use uci::{
    Archive, Archived, Direction, Engine, Entry, Exit, Failure, LineQuirks, Message, Program, Record,
    Timeouts,
};

const START: &str = "startpos";

/// Starts an engine with these faults and sets it up.
fn start(faults: &[&str], pids: &Pids, timeouts: Timeouts) -> Result<Engine, Failure> {
    Engine::start(&program(faults, pids), timeouts)
}

/// The failure of an engine with these faults over a search. None of its processes may be left.
#[track_caller]
fn fails(faults: &[&str], timeouts: Timeouts) -> Failure {
    let pids = Pids::of(faults);
    let began = Instant::now();
    let searched = start(faults, &pids, timeouts)
        .and_then(|mut engine| engine.go(START, "depth 2", timeouts.think).map(|_| engine));
    let failure = searched.err().expect("it fails");
    assert!(began.elapsed() < Duration::from_secs(50), "the failure comes late: {failure}");
    pids.assert_gone();
    failure
}

#[track_caller]
fn assert_silent(failure: &Failure, expected: &str) {
    let Failure::Silent { awaited, .. } = failure else { panic!("{failure}") };
    assert_eq!(awaited, expected);
    assert_eq!(failure.id(), "process/hang");
}

#[test]
fn an_engine_without_faults_is_driven_to_its_end() {
    let pids = Pids::of(&["none"]);
    let mut engine = start(&[], &pids, patient()).unwrap();
    assert!(engine.identity().option("hash").is_some());
    let search = engine.go(START, "depth 3", patient().think).unwrap();
    assert_eq!((search.infos.len(), search.stopped), (3, false));
    assert!(search.infos.iter().all(|(_, info)| info.faults.is_empty()));
    engine.send("ucinewgame");
    assert_eq!(engine.ready(), Ok(Vec::new()));
    let search = engine.go(START, "infinite", Duration::from_millis(50)).unwrap();
    assert!(search.stopped && search.best.text.len() == 4);
    assert_eq!(engine.quirks(), LineQuirks::default());
    let (exit, transcript) = engine.quit();
    assert_eq!(exit, Exit::Status(0));
    let sent: Vec<&Entry> =
        transcript.entries().filter(|entry| entry.direction == Direction::ToEngine).collect();
    assert!(sent.iter().any(|entry| entry.text == "setoption name OwnBook value false"));
    assert_eq!(sent.last().unwrap().text, "quit");
    pids.assert_gone();
}

#[test]
fn an_engine_ends_with_its_input() {
    let pids = Pids::of(&["end"]);
    let mut engine = start(&[], &pids, patient()).unwrap();
    engine.close_input();
    assert_eq!(engine.end_within(patient().quit), Exit::Status(0));
    pids.assert_gone();
}

#[test]
fn silence_is_a_hang() {
    let short = Duration::from_millis(300);
    let check = |fault: &str, timeouts, awaited: &str| assert_silent(&fails(&[fault], timeouts), awaited);
    std::thread::scope(|scope| {
        scope.spawn(|| check("silent", Timeouts { start: short, ..patient() }, "uciok"));
        scope.spawn(|| check("no-readyok", Timeouts { ready: short, ..patient() }, "readyok"));
        let timeouts = Timeouts { think: short, stop: short, ..patient() };
        scope.spawn(move || check("no-bestmove", timeouts, "bestmove"));
    });
}

#[test]
fn a_crash_is_reported_with_the_exit_status() {
    let aborted = |failure: Failure, expected: &str| {
        assert_eq!(failure.id(), "process/crash", "{failure}");
        let Failure::Ended { exit, after, .. } = failure else { panic!("{failure}") };
        assert_eq!(after, expected);
        #[cfg(unix)]
        assert_eq!(exit, Exit::Signal(6));
        let _ = exit;
    };
    aborted(fails(&["crash-at-start"], patient()), "uci");
    aborted(fails(&["crash-at-go"], patient()), "go depth 2");
    let exits = fails(&["exit-at-go"], patient());
    let after = "go depth 2".to_owned();
    assert_eq!(exits, Failure::Ended { exit: Exit::Status(0), after, panic: None, last_error: None });
    assert_eq!(exits.id(), "process/exit");
}

#[test]
fn a_crash_at_quit_is_seen() {
    let pids = Pids::of(&["crash-at-quit"]);
    let (exit, _) = start(&["crash-at-quit"], &pids, patient()).unwrap().quit();
    assert!(!matches!(exit, Exit::Status(0) | Exit::Killed), "{exit}");
    pids.assert_gone();
}

#[test]
fn a_missing_program_does_not_start() {
    let program = Program { path: "./no such engine".into(), ..Default::default() };
    let failure = Engine::start(&program, patient()).err().unwrap();
    assert_eq!(failure.id(), "process/start");
    assert!(failure.to_string().contains("no such engine"), "{failure}");
}

#[test]
fn floods_are_cut_off() {
    std::thread::scope(|scope| {
        for fault in ["flood-output", "flood-steadily", "flood-error", "flood-line"] {
            scope.spawn(move || {
                let failure = fails(&[fault], patient());
                assert_eq!(failure.id(), "process/flood", "{fault}: {failure}");
            });
        }
    });
}

/// Where the system tells how much memory a process has.
#[cfg(target_os = "linux")]
#[test]
fn memory_without_end_is_cut_off() {
    let failure = |memory, hash: Option<&str>| {
        let pids = Pids::of(&["greedy"]);
        let greedy = Program { memory: Some(memory), ..program(&["greedy"], &pids) };
        let mut engine = Engine::start(&greedy, patient()).unwrap();
        if let Some(size) = hash {
            engine.set_option("Hash", size);
        }
        let failure = engine.go("startpos", "depth 2", patient().think).unwrap_err();
        pids.assert_gone();
        (failure.id(), failure.to_string())
    };
    let told = |limit| format!("it has more than {limit} MiB of memory after \"go depth 2\"");
    // It declares a hash table of 16 MiB.
    assert_eq!(failure(300, None), ("process/memory", told(316)));
    assert_eq!(failure(300, Some("64")), ("process/memory", told(364)));
}

/// Lines that come between two questions are read up to a limit, and the failure comes with the next
/// question.
#[test]
fn a_flood_between_questions_is_cut_off() {
    let pids = Pids::of(&["flood-unasked"]);
    let mut engine = Engine::launch(&program(&["flood-unasked"], &pids), patient()).unwrap();
    engine.handshake().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    let end = loop {
        match engine.receive(Instant::now() + patient().ready) {
            Ok(Some(_)) => {}
            end => break end,
        }
    };
    assert_eq!(end.unwrap_err().id(), "process/flood");
    // Later questions fail in the same way.
    assert_eq!(engine.ready().unwrap_err().id(), "process/flood");
    pids.assert_gone();
}

#[test]
fn badly_formed_lines_are_read() {
    let faults = ["halves", "binary", "crlf", "shuffled"];
    let pids = Pids::of(&faults);
    let mut engine = start(&faults, &pids, patient()).unwrap();
    assert!(engine.identity().others.iter().any(|line| line.contains('\u{fffd}')));
    let search = engine.go(START, "depth 2", patient().think).unwrap();
    let info = &search.infos[0].1;
    let faults: Vec<&str> = info.faults.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(faults, ["hashfull", "nps"]);
    assert!(info.score.is_some() && info.depth == Some(1) && info.pv.is_some(), "{info:?}");
    assert_eq!(search.best.text.len(), 4);
    let quirks = engine.quirks();
    assert!(quirks.crlf && quirks.not_text && !quirks.unfinished, "{quirks:?}");
    assert_eq!(engine.quit().0, Exit::Status(0));
    pids.assert_gone();
}

#[test]
fn an_unfinished_line_is_read_at_the_end_of_the_process() {
    let pids = Pids::of(&["unfinished"]);
    let mut engine = start(&["unfinished"], &pids, patient()).unwrap();
    let search = engine.go(START, "depth 2", patient().think).unwrap();
    assert_eq!(search.best.text, "e2");
    assert!(engine.quirks().unfinished);
    assert_eq!(engine.ready().unwrap_err().id(), "process/exit");
    pids.assert_gone();
}

#[test]
fn engines_that_do_not_end_are_killed_with_their_children() {
    let faults = ["ignore-stop", "ignore-quit", "ignore-end", "child"];
    let short = Duration::from_millis(300);
    let timeouts = Timeouts { stop: short, quit: short, ..patient() };
    let pids = Pids::of(&["zombie"]);
    let mut engine = start(&faults, &pids, timeouts).unwrap();
    assert_silent(&engine.go(START, "infinite", short).unwrap_err(), "bestmove");
    pids.assert_gone();
    let engine = start(&faults, &pids, timeouts).unwrap();
    assert_eq!(engine.quit().0, Exit::Killed);
    pids.assert_gone();
    let mut engine = start(&faults, &pids, timeouts).unwrap();
    engine.close_input();
    assert_eq!(engine.end_within(timeouts.quit), Exit::Killed);
    pids.assert_gone();
    drop(start(&faults, &pids, timeouts).unwrap());
    pids.assert_gone();
    assert_eq!(pids.count(), 8);
}

/// The end of an engine is seen although its child keeps the pipes open.
#[test]
fn a_child_that_holds_the_pipes_is_not_waited_for() {
    std::thread::scope(|scope| {
        for child in ["child", "escaped-child"] {
            scope.spawn(move || {
                let failure = fails(&[child, "crash-at-go"], patient());
                assert_eq!(failure.id(), "process/crash", "{failure}");
            });
        }
    });
}

#[test]
fn an_engine_that_does_not_read_is_given_up() {
    let pids = Pids::of(&["deaf"]);
    let mut engine = start(&["deaf"], &pids, patient()).unwrap();
    let position = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(20_000));
    for _ in 0..20 {
        engine.send(&position);
    }
    let failure = engine.ready().unwrap_err();
    assert!(matches!(failure, Failure::Deaf { bytes, .. } if bytes < 8 << 20), "{failure}");
    pids.assert_gone();
}

#[cfg(unix)]
#[test]
fn an_engine_that_closes_its_output_is_mute() {
    let failure = fails(&["orphan"], patient());
    assert_eq!(failure.id(), "process/mute", "{failure}");
}

#[test]
fn lines_before_the_deadline_are_returned_if_read_later() {
    let pids = Pids::of(&["late-ear"]);
    let mut engine = start(&[], &pids, patient()).unwrap();
    let asked = Instant::now();
    engine.send("isready");
    std::thread::sleep(Duration::from_millis(200));
    assert_eq!(engine.receive(asked), Ok(None));
    let long = Instant::now() + patient().ready;
    assert_eq!(engine.receive(long), Ok(Some(Message::ReadyOk)));
}

/// The lines of sessions, by name.
#[derive(Default)]
struct KeptSessions(Mutex<Vec<(String, Shared)>>);

/// The lines of one session.
type Shared = Arc<Mutex<Vec<String>>>;

struct Lines(Shared);

impl Archive for KeptSessions {
    fn begin(&self, session: &str) -> Option<Box<dyn Record>> {
        let lines = Shared::default();
        self.0.lock().expect("no thread panics").push((session.to_owned(), Arc::clone(&lines)));
        Some(Box::new(Lines(lines)))
    }
}

impl Record for Lines {
    fn write(&mut self, entry: &Entry) {
        self.0.lock().expect("no thread panics").push(entry.text.clone());
    }
}

#[test]
fn sessions_are_archived_in_full() {
    let archive = Arc::new(KeptSessions::default());
    let pids = Pids::of(&["archive"]);
    let program = Program { archive: Archived::to(archive.clone()), ..program(&[], &pids) }
        .for_session("protocol/long-lines");
    let mut engine = Engine::start(&program, patient()).unwrap();
    let long = format!("position startpos moves{}", " g1f3 g8f6 f3g1 f6g8".repeat(1_000));
    engine.send(&long);
    engine.ready().unwrap();
    engine.quit();
    let sessions = archive.0.lock().unwrap();
    let [(name, lines)] = &sessions[..] else { panic!("{} sessions", sessions.len()) };
    let lines = lines.lock().unwrap();
    assert_eq!(name, "protocol/long-lines");
    assert_eq!((lines[0].as_str(), lines.last().unwrap().as_str()), ("uci", "it ended: status 0"));
    assert!(lines.contains(&long));
}
