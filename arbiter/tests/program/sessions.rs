//! The checks of the protocol that concern whole sessions: games, threads, and the end.

use std::collections::BTreeSet;

use suites::Difference;

use crate::checks::{NAMED, id, in_many_threads, run};

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
