//! The checks of what the other suites need of a program, on the test engine.

use crate::protocol::{NAMED, SAID, check};

#[test]
fn capabilities() {
    check(
        &["first-go", "info-exact", "mate-form", "bestmove-legal", "go-again"],
        &[
            (NAMED, "needs-newgame", &["first-go"]),
            (SAID, "score cp 0=>score cp 0 lowerbound", &["info-exact"]),
            (SAID, "score mate 1=>score cp 31999", &["mate-form"]),
            (SAID, "score mate 1=>score mate 0", &["mate-count"]),
        ],
    );
}
