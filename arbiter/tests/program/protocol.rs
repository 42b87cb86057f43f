//! The checks of the protocol. Each passes on the test engine without faults, and fails on the engine with a
//! fault.

use std::collections::BTreeSet;
use std::time::Duration;

use arbiter::protocol::{self, Config};
use arbiter::{Effort, NoProgress};
use suites::SkipReason;
use uci::{LimitSupport, Support, Timeouts};

use crate::checks::{HEARD, NAMED, SAID, check, id, in_many_threads, program, run, run_with};

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

const HANDSHAKE: &[&str] =
    &["uciok-unasked", "id-name", "id-author", "uci-twice", "isready-twice", "isready-searching", "debug"];

#[test]
fn handshake() {
    check(
        HANDSHAKE,
        &[
            (NAMED, "uciok-unasked", &["uciok-unasked"]),
            (SAID, "id name Hostile=>", &["id-name"]),
            (SAID, "id author the tests=>id author", &["id-author"]),
            (HEARD, "isready|uci=>ignore", &["uci-twice"]),
            (HEARD, "isready|isready=>ignore", &["isready-twice"]),
            (HEARD, "busy:isready=>ignore", &["isready-searching"]),
            (HEARD, "debug off=>crash", &["debug"]),
            (SAID, "copyprotection ok=>copyprotection good", &["registration"]),
        ],
    );
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

#[test]
fn options() {
    check(
        &[
            "option-form",
            "option-default",
            "option-names",
            "option-bounds",
            "option-unknown",
            "option-no-value",
            "option-searching",
            "analyse-mode",
        ],
        &[
            (SAID, "name Style type combo=>name Style type menu", &["option-form"]),
            (SAID, "Hash type spin default 16 min 1=>Hash type spin default 0 min 1", &["option-default"]),
            (SAID, "default Normal var Solid=>default Odd var Solid", &["option-default"]),
            (
                SAID,
                "option name Style=>option name Ponder type check default false\\noption name Style",
                &["option-names"],
            ),
            (HEARD, "setoption name Style value Wild=>crash", &["option-bounds"]),
            (HEARD, "setoption name Touchstone Unknown Option value 1$=>crash", &["option-unknown"]),
            (
                HEARD,
                "setoption name UCI_AnalyseMode value true|position fen 6k1=>hear position startpos",
                &["analyse-mode"],
            ),
            (HEARD, "setoption value=>crash", &["option-no-value"]),
            (HEARD, "setoption name MultiPV value 0=>crash", &["option-out-of-range"]),
            (HEARD, "setoption name MultiPV value many=>crash", &["option-word"]),
            (HEARD, "setoption name Hash value -5=>crash", &["option-out-of-range"]),
            (NAMED, "threadless", &["option-out-of-range"]),
            (HEARD, "busy:setoption name Hash=>crash", &["option-searching"]),
        ],
    );
}

#[test]
fn stopping() {
    check(
        &["stop-idle", "infinite", "infinite-forced", "go-bare", "go-twice", "one-bestmove"],
        &[
            (HEARD, "position fen r3k2r/p1|go infinite=>hear go depth 3", &["stop"]),
            (HEARD, "busy:stop=>wait 150", &["stop-late"]),
            (HEARD, "soon:go infinite|stop=>ignore", &["stop-at-once"]),
            (HEARD, "idle:stop=>say bestmove e2e4", &["stop-idle"]),
            (HEARD, "go infinite=>hear go depth 3", &["go-twice", "infinite", "infinite-forced", "stop"]),
            (HEARD, "position fen 1r5k/8/8/8/8|go infinite=>hear go depth 3", &["infinite-forced"]),
            (HEARD, "go$=>hear go depth 3", &["go-bare"]),
            (HEARD, "busy:go infinite=>crash", &["go-twice"]),
            (HEARD, "go nodes 1000=>hear go depth 1\\ngo depth 1", &["one-bestmove"]),
        ],
    );
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

#[test]
fn pondering() {
    check(
        &["ponder", "ponder-forced", "ponder-game", "ponder-move"],
        &[
            (HEARD, "position startpos|go ponder=>hear go depth 1", &["ponder"]),
            (HEARD, "position fen 6k1/5ppp|go ponder=>hear go depth 1", &["ponder-forced"]),
            (HEARD, "ponderhit=>ignore", &["ponderhit"]),
            (HEARD, "go ponder wtime 1000 btime 1000|stop=>ignore", &["ponder-stop"]),
            (HEARD, "stop|position startpos moves e2e4 c7c5 d2d4 d8a5=>ignore", &["ponder-game"]),
            (HEARD, "position startpos moves e2e4 c7c5 d2d4 c5d4 a2a3=>ignore", &["ponder-game"]),
            (SAID, "bestmove a2a3=>bestmove a2a3 ponder a2a3", &["ponder-move"]),
            (HEARD, "position fen 1r5k|go depth 1=>say bestmove a1a2 ponder e7e5", &["ponder-move"]),
        ],
    );
}

#[test]
fn limits() {
    check(
        &["depth", "depth-kept", "depth-zero", "depth-huge", "nodes", "nodes-kept", "mate", "mate-found"],
        &[
            (HEARD, "go depth 4=>hear go infinite", &["depth", "depth-kept"]),
            (HEARD, "go depth 2=>hear go depth 3", &["depth-kept"]),
            (HEARD, "go depth 0=>crash", &["depth-zero"]),
            (HEARD, "go depth 200=>crash", &["depth-huge"]),
            (HEARD, "position fen 8/8/4k3/8/8/4K3/8/8|go depth 200=>say bestmove e2e4", &["depth-huge"]),
            (HEARD, "go nodes 1$=>hear go infinite", &["nodes"]),
            (NAMED, "nodes-are-nothing", &["nodes-kept"]),
            // A slow one that is told to stop before it has had its nodes.
            (HEARD, "go nodes 50000=>hear go infinite", &[]),
            (HEARD, "go movetime 200=>hear go movetime 900", &["movetime"]),
            (HEARD, "go movetime 1000=>hear go movetime 1800", &["movetime"]),
            (HEARD, "go movetime 200=>hear go movetime 1", &["movetime-used"]),
            (HEARD, "go movetime 100=>hear go movetime 160", &["movetime-overrun"]),
            (HEARD, "go mate 2=>hear go infinite", &["mate"]),
            (HEARD, "go mate 2=>hear go depth 1", &["mate-found"]),
        ],
    );
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

/// One fault that shows over several kinds of malformed lines has one cause.
#[cfg(unix)]
/// An exit that comes once in a check is a note there, and hides no exit that comes again.
#[cfg(unix)]
#[test]
fn clocks() {
    check(
        &["clock-empty", "clock-huge"],
        &[
            (HEARD, "go wtime 1000 btime 1000=>hear go movetime 1800", &["clock"]),
            (HEARD, "go wtime 20 btime 20=>hear go movetime 900", &["clock-fast"]),
            (HEARD, "go wtime -50=>crash", &["clock-empty", "clock-empty-answer"]),
            (HEARD, "go wtime 0=>hear go infinite", &["clock-empty-answer"]),
            (HEARD, "go wtime 2147483647=>crash", &["clock-huge"]),
        ],
    );
}

#[test]
fn lines() {
    check(
        &[
            "searchmoves",
            "searchmoves-forgotten",
            "searchmoves-multipv",
            "multipv",
            "multipv-distinct",
            "multipv-order",
            "multipv-best",
        ],
        &[
            (HEARD, "go depth 3 searchmoves e1c1=>hear go depth 3", &["searchmoves"]),
            (NAMED, "keeps-searchmoves", &["searchmoves-forgotten"]),
            (SAID, " multipv 3 => multipv 5 ", &["multipv", "searchmoves-multipv"]),
            (SAID, " pv b2b3=> pv a2a3", &["multipv-distinct"]),
            (SAID, "multipv 2 score cp 0=>multipv 2 score cp 50", &["multipv-order"]),
            (SAID, "bestmove a2a3=>bestmove b2b3", &["multipv-best", "searchmoves"]),
        ],
    );
}

#[test]
fn info() {
    check(
        &[
            "info-form",
            "info-score",
            "info-depth",
            "info-nodes",
            "info-nps",
            "info-ranges",
            "pv-legal",
            "pv-bestmove",
            "pv-over",
            "pv-dead",
            "pv-mate",
            "wdl",
            "currmove",
        ],
        &[
            (SAID, " nps => nps -", &["info-form"]),
            (SAID, " nps => nps 12", &["info-nps"]),
            (SAID, "depth 0 score cp 0=>depth 0 score cp 0nullnps 0", &["info-form"]),
            (SAID, "score cp 0=>", &["info-score"]),
            (SAID, "info depth 3 =>info depth 1 ", &["info-depth"]),
            (
                SAID,
                "depth 2 multipv 1 score cp 0 nodes =>depth 2 multipv 1 score cp 0 nodes 99",
                &["info-nodes"],
            ),
            (SAID, " time => time 9999", &["info-time"]),
            (SAID, "hashfull 0=>hashfull 2000", &["info-ranges"]),
            (NAMED, "overfull", &["info-ranges"]),
            (SAID, "info depth 4 $=> e1e8", &["pv-legal", "pv-over"]),
            (SAID, "bestmove a2a3=>bestmove b2b3", &["pv-bestmove"]),
            (SAID, "pv a1a8=>pv a1a8 g8h8", &["pv-over"]),
            (NAMED, "plays-on", &["pv-dead"]),
            (SAID, "score mate 1=>score mate 3", &["pv-mate"]),
            (SAID, "wdl 10 980 10=>wdl 10 98 10", &["wdl"]),
            (SAID, "wdl 1000 0 0=>wdl 0 0 1000", &["wdl"]),
            (SAID, "info depth 1 =>info currmove e1e8 currmovenumber 1\\ninfo depth 1 ", &["currmove"]),
        ],
    );
}

#[test]
fn moves() {
    check(
        &["bestmove-legal", "bestmove-form", "position-moves", "position-forms"],
        &[
            (NAMED, "illegal-move", &["bestmove-legal", "bestmove-form", "position-moves", "position-forms"]),
            (HEARD, "position fen 4r1k1/8/8/8|go=>say bestmove e3d4", &["bestmove-legal"]),
            (HEARD, "position fen 8/P7|go depth 4=>say bestmove a7a8Q", &["bestmove-form"]),
            (
                HEARD,
                "position fen 8/8/8/8/8/4B3/4RR2/k3K2R|go depth 4=>say bestmove e1h1",
                &["bestmove-form"],
            ),
            (HEARD, "position fen 7k/8/8/8/1p6=>hear position startpos", &["position-moves"]),
            (HEARD, "position startpos moves e2e4 c7c5=>hear position startpos", &["position-forms"]),
        ],
    );
}

/// The moves of a search that ends by the clock.
#[test]
fn a_clock_is_enough_for_currmove() {
    let no = Support::No;
    let limits =
        LimitSupport { nodes: no, depth: no, move_time: no, clock: Support::Yes, ..LimitSupport::UNKNOWN };
    let arguments =
        [NAMED, "clock-only", SAID, "info depth 1 =>info currmove e1e8 currmovenumber 1\\ninfo depth 1 "];
    let findings = in_many_threads(|| run_with(&arguments, &limits, &[id("currmove")].into()));
    assert_eq!(findings[0].tally.differed, 2, "{findings:#?}");
}

#[test]
fn illegal_positions() {
    check(
        &["no-move", "no-move-answer", "no-move-mate", "illegal-move", "bad-fen", "bad-fen-go"],
        &[
            (HEARD, "position fen R5k1/5ppp|go depth 3=>crash", &["no-move", "no-move-answer"]),
            (SAID, "depth 0 score cp 0=>depth 0 score mate 0", &["no-move-mate"]),
            (SAID, "depth 0 score mate 0=>depth 0 score mate -1", &["no-move-mate"]),
            (SAID, "bestmove (none)=>bestmove h1g1", &["no-move-answer"]),
            (SAID, "bestmove (none)=>bestmove (none) ponder h1g1", &["no-move-answer"]),
            (SAID, "bestmove (none)=>bestmove nomove", &[]),
            (SAID, "bestmove (none)=>bestmove NULL", &[]),
            (HEARD, "position startpos moves zzzz=>crash", &["illegal-move"]),
            (HEARD, "position fen this is=>crash", &["bad-fen"]),
            (HEARD, "isready|go depth 1=>crash", &["bad-fen-go"]),
        ],
    );
}

#[test]
fn unusual_lines() {
    check(
        &[
            "unknown-command",
            "empty-lines",
            "blanks",
            "crlf",
            "garbage",
            "long-line",
            "output-text",
            "output-crlf",
        ],
        &[
            (HEARD, "xyzzy=>crash", &["unknown-command"]),
            (HEARD, "$=>crash", &["empty-lines"]),
            (HEARD, "  isready=>ignore", &["blanks"]),
            (HEARD, "isready\r=>ignore", &["crlf"]),
            (HEARD, "%s%s=>crash", &["garbage"]),
            (HEARD, "xxxxxxxx=>crash", &["long-line"]),
            (NAMED, "binary", &["output-text"]),
            (NAMED, "crlf", &["output-crlf"]),
        ],
    );
}
