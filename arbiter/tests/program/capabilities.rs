//! The checks of what the other suites need of a program, on the test engine.

use crate::checks::{HEARD, NAMED, id, in_many_threads, program, run_by};
use uci::LimitSupport;

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
