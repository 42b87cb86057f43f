//! The checks of what the other suites need of a program, on the test engine.

use crate::checks::{HEARD, NAMED, id, in_many_threads, program, run, run_by};
use uci::LimitSupport;

/// Longer than any other check waits for an answer.
#[test]
fn a_slow_first_search_is_waited_for() {
    let asked = ["first-go", "info-exact", "mate-form", "bestmove-legal", "go-again"].map(id).into();
    for findings in in_many_threads(|| run(&[HEARD, "go depth 2=>wait 1200"], &asked)) {
        assert!(findings.tally.compared() > 0 && findings.differences.is_empty(), "{findings:#?}");
    }
}

/// Options of the user may hide what the program needs before its first search.
#[test]
fn a_first_search_has_no_options_of_the_user() {
    let mut program = program(&[HEARD, "setoption name Hash=>hear ucinewgame", NAMED, "needs-newgame"]);
    program.options = vec![("Hash".to_owned(), "16".to_owned())];
    let findings =
        in_many_threads(|| run_by(&program, &LimitSupport::UNKNOWN, None, &[id("first-go")].into()));
    let [found] = &findings[0].differences[..] else { panic!("{findings:#?}") };
    assert_eq!(found.stored.to_string(), "no bestmove, but \"send ucinewgame first\"");
}
