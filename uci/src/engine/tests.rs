//! Sessions with engines that are a few lines of shell.

use std::sync::{Arc, Mutex};

use super::*;
use crate::transcript::{Archive, Archived};

const NO_TIME: Duration = Duration::ZERO;
const LONG: Duration = Duration::from_mins(1);

/// An engine that answers `uci` and `isready`, and other lines by these branches of a `case`.
pub(crate) fn shell(branches: &str) -> Program {
    let script = format!(
        "while read -r line; do case $line in
        uci) echo id name Shell; echo id author $$; echo loading
            echo option name OwnBook type check default true
            echo option name Hash type spin default 1 min 1 max 64; echo uciok;;
        {branches}
        isready) echo readyok;;
        quit) exit;;
        esac; done"
    );
    Program { path: "/bin/sh".into(), arguments: vec!["-c".into(), script.into()], ..Program::default() }
}

/// Bounds that a busy machine does not reach.
pub(crate) fn patient() -> Timeouts {
    Timeouts { start: LONG, ready: LONG, think: LONG, stop: LONG, quit: LONG }
}

fn started(branches: &str) -> Engine {
    Engine::start(&shell(branches), patient()).unwrap_or_else(|failure| panic!("{failure}"))
}

fn sent(transcript: &Transcript) -> Vec<&str> {
    transcript
        .entries()
        .filter(|entry| entry.direction == Direction::ToEngine)
        .map(|entry| &*entry.text)
        .collect()
}

#[test]
fn a_session_begins_with_options_and_first_lines() {
    let options = vec![("Hash".to_owned(), "2".to_owned())];
    let program =
        Program { options: options.clone(), first_lines: vec!["ucinewgame".to_owned()], ..shell("") };
    let engine = Engine::start(&program, patient()).unwrap_or_else(|failure| panic!("{failure}"));
    assert_eq!(engine.identity().id["name"], "Shell");
    assert_eq!(engine.identity().others, ["loading"]);
    let books = ("OwnBook".to_owned(), "false".to_owned());
    assert_eq!(engine.options(), [&[books][..], &options].concat());
    assert_eq!(engine.time_to_clear(), Duration::from_millis(20));
    assert_eq!((engine.timeouts(), engine.quirks()), (patient(), LineQuirks::default()));
    let expected = [
        "uci",
        "setoption name OwnBook value false",
        "setoption name Hash value 2",
        "ucinewgame",
        "isready",
        "quit",
    ];
    let (exit, transcript) = engine.quit();
    assert_eq!((exit, sent(&transcript)), (Exit::Status(0), expected.to_vec()));
    assert_eq!(transcript.entries().last().unwrap().text, "it ended: status 0");
}

#[test]
fn quirks_of_lines_are_remembered() {
    let mut engine = started(r"d) printf 'info string a\r\n'; echo info string b;;");
    engine.send("d");
    let texts = engine.ready().unwrap();
    assert_eq!(texts.len(), 2);
    assert_eq!(engine.quirks(), LineQuirks { crlf: true, ..LineQuirks::default() });
}

#[test]
fn each_isready_has_its_answer() {
    let mut engine = started("d) echo info string between;;");
    engine.ask_ready();
    engine.send("d");
    engine.ask_ready();
    assert_eq!(engine.receive_ready().unwrap().len(), 1);
    assert!(engine.receive_arrived().unwrap().is_empty());
    assert!(engine.receive_ready().unwrap().is_empty(), "no answer is due");
}

/// An engine may clear its hash table before it answers `isready`.
#[test]
fn isready_has_time_for_the_hash_table() {
    let options = vec![("Hash".to_owned(), "64".to_owned())];
    let deaf = Program { options, ..shell("d) while read -r line; do :; done;;") };
    let mut engine = Engine::start(&deaf, patient()).unwrap_or_else(|failure| panic!("{failure}"));
    engine.timeouts.ready = Duration::from_millis(1);
    engine.send("d");
    let failure = engine.ready().unwrap_err().to_string();
    assert!(failure.contains("no readyok within 641 ms"), "{failure}");
}

#[test]
fn an_engine_sees_the_end_of_its_input() {
    let mut engine = started("");
    engine.close_input();
    let failure = engine.receive(Instant::now() + LONG).unwrap_err().to_string();
    assert!(failure.contains("it ended with status 0"), "{failure}");
    assert!(engine.transcript().entries().any(|entry| entry.text == "end of its input"));
}

#[test]
fn a_search_has_the_time_that_it_was_given() {
    let mut engine = started("go*) sleep 1; echo info depth 3 score cp 5; echo bestmove e2e4;;");
    let search = engine.go("startpos", "depth 3", LONG).unwrap();
    assert!(!search.stopped && search.took >= Duration::from_millis(900), "{:?}", search.took);
    assert_eq!((search.infos.len(), search.infos[0].1.depth), (1, Some(3)));
    assert_eq!(sent(engine.transcript()).last(), Some(&"go depth 3"));
}

/// A line that is read too late counts if it came in time, and waits if it came later.
#[test]
fn a_line_counts_from_its_arrival() {
    let mut engine = started(r"d) printf 'info string a\ninfo string b\n';;");
    let before = Instant::now();
    engine.send("d");
    let text = |message| match message {
        Ok(Some(Message::Info(info))) => info.string,
        other => panic!("{other:?}"),
    };
    assert_eq!(text(engine.receive(Instant::now() + LONG)).as_deref(), Some("a"));
    assert_eq!(engine.receive(before), Ok(None));
    assert_eq!(text(engine.receive(Instant::now() + LONG)).as_deref(), Some("b"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_with_too_much_memory_is_ended() {
    let takes = shell("go*) a=$(head -c 30000000 /dev/zero | tr '\\0' a); sleep 60;;");
    let program = Program { memory: Some(4), ..takes };
    let mut engine = Engine::start(&program, patient()).unwrap_or_else(|failure| panic!("{failure}"));
    let failure = engine.go("startpos", "depth 1", LONG).unwrap_err();
    // The default of its hash table counts.
    assert_eq!(failure, Failure::Greedy { limit: 5, after: "go depth 1".to_owned() });
}

#[test]
fn a_search_that_does_not_end_is_stopped() {
    let mut engine = started("stop) echo bestmove e2e4;;");
    let search = engine.go("startpos", "infinite", Duration::from_millis(20)).unwrap();
    assert!(search.stopped);
    assert_eq!(sent(engine.transcript()).last(), Some(&"stop"));
}

#[test]
fn a_search_is_stopped_once_it_is_no_longer_wanted() {
    let mut engine = started("stop) echo bestmove e2e4;;");
    let sent_at = engine.send_search(&["position startpos".to_owned(), "go infinite".to_owned()]);
    let mut asked = 0;
    let search = engine.receive_search_unless(sent_at, LONG, &mut || {
        asked += 1;
        asked == 3
    });
    assert_eq!((asked, sent(engine.transcript()).last()), (3, Some(&"stop")));
    // On a busy machine the answer may be late.
    assert!(search.is_ok_and(|search| search.stopped) || engine.is_over());
}

#[test]
fn silence_ends_the_session_and_each_call_says_so() {
    let timeouts = Timeouts { stop: Duration::from_millis(20), ..patient() };
    let mut engine = Engine::start(&shell(""), timeouts).unwrap_or_else(|failure| panic!("{failure}"));
    let failure = engine.go("startpos", "infinite", Duration::from_millis(20)).unwrap_err();
    assert!(failure.is_no_move(), "{failure}");
    assert!(engine.is_over());
    assert_eq!(engine.ready(), Err(failure));
    assert_eq!(engine.end_within(LONG), Exit::Killed);
}

#[test]
fn a_crash_is_told_with_its_status_and_its_last_words() {
    let mut engine = started("go*) echo no room >&2; sleep 1; exit 3;;");
    let failure = engine.go("startpos", "depth 1", LONG).unwrap_err();
    let expected = Failure::Ended {
        exit: Exit::Status(3),
        after: "go depth 1".to_owned(),
        panic: None,
        last_error: Some("no room".to_owned()),
    };
    assert_eq!(failure, expected);
}

#[test]
fn an_engine_that_stays_is_killed() {
    let mut engine = started("quit) ;;");
    let process = engine.identity().id["author"].clone();
    assert!(!engine.is_over());
    engine.send("quit");
    assert_eq!(engine.end_within(NO_TIME), Exit::Killed);
    assert!(engine.is_over());
    if cfg!(target_os = "linux") {
        assert!(!std::path::Path::new("/proc").join(process).exists());
    }
}

#[test]
fn a_session_that_is_dropped_leaves_no_process() {
    let engine = started("");
    let process = engine.identity().id["author"].clone();
    drop(engine);
    if cfg!(target_os = "linux") {
        assert!(!std::path::Path::new("/proc").join(process).exists());
    }
}

#[test]
fn the_work_of_an_engine_is_measured() {
    let mut engine =
        started("go*) n=0; while [ $n -lt 100000 ]; do n=$((n + 1)); done; echo bestmove e2e4;;");
    let before = engine.processor_time();
    engine.go("startpos", "nodes 1", LONG).unwrap();
    let after = engine.processor_time();
    if cfg!(target_os = "linux") {
        assert!(after.unwrap() > before.unwrap() + Duration::from_millis(1), "{before:?} {after:?}");
    }
}

#[test]
fn a_session_is_recorded_line_by_line() {
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<String>>>);
    impl Archive for Kept {
        fn begin(&self, session: &str) -> Option<Box<dyn Record>> {
            self.0.lock().unwrap().push(format!("session {session}"));
            Some(Box::new(self.clone()))
        }
    }
    impl Record for Kept {
        fn write(&mut self, entry: &Entry) {
            self.0.lock().unwrap().push(entry.text.clone());
        }
    }
    let kept = Kept::default();
    let program = Program { archive: Archived::to(Arc::new(kept.clone())), ..shell("") }.for_session("first");
    Engine::start(&program, patient()).unwrap_or_else(|failure| panic!("{failure}")).quit();
    let kept = kept.0.lock().unwrap();
    assert_eq!((&*kept[0], &*kept[1]), ("session first", "uci"));
    assert_eq!(kept.last().unwrap(), "it ended: status 0");
}
