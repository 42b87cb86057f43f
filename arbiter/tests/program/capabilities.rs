//! The checks of what the other suites need of a program, on the test engine.

use crate::checks::{HEARD, NAMED, SAID, check, id, in_many_threads, program, run_by};
use uci::LimitSupport;

#[test]
fn capabilities() {
    check(
        &["first-go", "info-exact", "mate-form", "bestmove-legal", "go-again"],
        &[
            (NAMED, "needs-newgame", &["first-go"]),
            (SAID, "score cp 0=>score cp 0 lowerbound", &["info-exact"]),
            (SAID, "score mate 1=>score cp 31999", &["mate-form"]),
            (SAID, "score mate 1=>score mate 0", &["mate-count"]),
            (SAID, "score mate 1=>score mate 2", &["mate-count"]),
            (HEARD, "go depth 2=>wait 1200", &[]),
        ],
    );
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
