//! The checks of the protocol that concern whole sessions: games, threads, and the end.

use std::collections::BTreeSet;

use suites::Difference;

use crate::checks::{HEARD, NAMED, check, id, in_many_threads, run};

#[test]
fn games() {
    check(
        &[
            "newgame",
            "newgame-searching",
            "go-again",
            "position-twice",
            "long-game",
            "very-long-game",
            "reversible",
        ],
        &[
            (NAMED, "crash-at-newgame", &["newgame"]),
            (HEARD, "busy:ucinewgame=>crash", &["newgame-searching"]),
            (HEARD, "go depth 2|go depth 3=>say bestmove e2e4", &["go-again"]),
            (
                HEARD,
                "position startpos moves e2e4 e7e5|position startpos moves d2d4=>ignore",
                &["position-twice"],
            ),
            (HEARD, "long:position=>crash", &["long-game"]),
            (HEARD, "longest:position=>crash", &["very-long-game"]),
            (NAMED, "history-of-224", &["reversible"]),
            (NAMED, "short-history", &["exit-status"]),
            (HEARD, "position startpos moves g1f3 g8f6 f3g1=>crash", &["reversible"]),
        ],
    );
}

#[test]
fn determinism() {
    const ALL: &[&str] = &["deterministic-depth", "deterministic-nodes", "deterministic-newgame"];
    check(ALL, &[(NAMED, "drift", ALL)]);
}

#[test]
fn endings() {
    let ends = [
        "quit",
        "quit-searching",
        "quit-first",
        "exit-status",
        "input-end",
        "input-end-searching",
        "input-end-answer",
    ];
    check(
        &ends,
        &[
            (NAMED, "ignore-quit", &["quit", "quit-searching", "quit-first"]),
            (HEARD, "busy:quit=>ignore", &["quit-searching"]),
            (HEARD, "^|quit=>ignore", &["quit-first"]),
            (NAMED, "crash-at-quit", &["exit-status"]),
            (NAMED, "ignore-end", &["input-end", "input-end-searching"]),
            (NAMED, "crash-at-end", &["input-end-searching"]),
            (HEARD, "go depth 5=>hear go infinite", &["input-end-answer"]),
        ],
    );
}

/// One cause is one finding, however many sessions end so.
#[test]
fn the_exit_status_of_each_session_is_judged() {
    let wanted: BTreeSet<String> =
        ["exit-status", "long-game", "reversible", "stop-idle", "isready-searching", "bad-fen-go"]
            .map(id)
            .into();
    let found = |fault: &str| -> Vec<Difference> {
        let findings = in_many_threads(|| run(&[NAMED, fault], &wanted));
        findings.into_iter().flat_map(|findings| findings.differences).collect()
    };
    let check = |fault: &str, case: &str, last: &str| {
        let [found] = &found(fault)[..] else { panic!("one finding") };
        assert_eq!((found.check.as_str(), found.case.as_str()), ("protocol/exit-status", case));
        assert!(found.stored.to_string().contains("SIGABRT"), "{}", found.stored);
        assert!(found.explanation.contains(last), "{}", found.explanation);
        assert!(found.replay.contains("quit\\n'; "), "{}", found.replay);
        assert!(found.replay.ends_with("; echo status $?"), "{}", found.replay);
    };
    check("crash-at-quit", "idle", "> isready | > quit");
    check("short-history", "after protocol/long-game", "> go depth 2 | > quit");
}

#[test]
fn threads() {
    check(
        &["threads-sessions", "one-bestmove", "isready"],
        &[
            (NAMED, "loses-stop", &["threads-sessions"]),
            (NAMED, "answers-twice", &["threads-sessions"]),
            (HEARD, "setoption name Threads value 4|isready=>ignore", &["threads-sessions"]),
        ],
    );
}
