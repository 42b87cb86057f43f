//! The checks of `UCI_Chess960`, on the test engine.

use crate::checks::{HEARD, NAMED, SAID, check};

#[test]
fn chess960() {
    const ON: &[&str] = &["chess960-moves", "chess960-form", "chess960-castling", "chess960-fen"];
    check(
        &[ON, &["chess960-off"]].concat(),
        &[
            (
                HEARD,
                "position fen 4k3/8/8/8/8/8/8/6KR w H - 0 1 moves=>hear position startpos",
                &["chess960-moves"],
            ),
            (SAID, "bestmove g1h1=>bestmove g1g1", &["chess960-form"]),
            (SAID, "pv g1h1=>pv g1e1", &["chess960-form"]),
            (NAMED, "castles-through-check", &["chess960-castling"]),
            (HEARD, "position fen 1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w GBgb=>ignore", &["chess960-fen"]),
            // It reads only X-FEN.
            (HEARD, "position fen r3k2r/8/8/8/8/8/8/R3K2R w HAha=>crash", &["chess960-fen"]),
            (HEARD, "setoption name UCI_Chess960 value false=>ignore", &["chess960-off"]),
            (HEARD, "setoption name UCI_Chess960 value true=>ignore", ON),
        ],
    );
}
