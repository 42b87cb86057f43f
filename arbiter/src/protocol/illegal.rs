//! Positions in which no game goes on: without a legal move, or not legal at all.

use std::time::Duration;

use super::abort::{Abort, CheckResult};
use super::context::Check;
use super::context::CheckContext;
use super::positions::{CHECKMATE, MATE_IN_1, STALEMATE};
use super::rules;
use super::session::Session;
use uci::Score;

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/no-move", "Users analyse positions in which the game is over.", no_move),
    Check::new("protocol/no-move-answer", "A move from an earlier search looks like one of this.", nothing),
    Check::new("protocol/no-move-mate", "A mate is announced where the game is over already.", decided),
    Check::new("protocol/illegal-move", "A move that is mistyped must not end the session.", illegal_move),
    Check::new("protocol/bad-fen", "A FEN that is mistyped must not end the session.", bad_fen),
    Check::new("protocol/bad-fen-go", "Users set up what they like, and let it be analysed.", bad_fen_go)
        .slow(),
];

/// How long a search lasts at most where there is nothing to search.
const SHORT: Duration = Duration::from_millis(300);
const OVER: [(&str, &str); 2] = [("checkmate", CHECKMATE), ("stalemate", STALEMATE)];

fn no_move(h: &mut CheckContext) -> CheckResult {
    for (case, position) in OVER {
        h.case(case, "bestmove, by itself or after stop, and a session that goes on", |e| {
            e.go(position, "depth 3", SHORT)?;
            e.goes_on()
        })?;
    }
    Ok(())
}

fn nothing(h: &mut CheckContext) -> CheckResult {
    for (case, position) in OVER {
        h.case(case, "bestmove (none), 0000, or a move from a square to itself", |e| {
            // A move that could be left over.
            e.glance(MATE_IN_1)?;
            let search = e.go(position, "depth 3", SHORT)?;
            let best = search.best.text;
            Ok((!rules::is_nothing(&best)).then(|| format!("bestmove {best}")))
        })?;
    }
    Ok(())
}

fn decided(h: &mut CheckContext) -> CheckResult {
    for ((case, position), expected) in OVER.into_iter().zip(["no mate but mate 0", "no mate"]) {
        h.case(case, expected, |e| {
            // How it breaks there is the finding of another check.
            let search = e.go(position, "depth 3", SHORT).map_err(|_| Abort::NotReady)?;
            let mut mates = search.infos.iter().filter_map(|(_, info)| match info.score {
                Some((Score::Mate(moves), _)) => Some(moves),
                _ => None,
            });
            let is_wrong = |&moves: &i32| moves != 0 || position == STALEMATE;
            Ok(mates.rfind(is_wrong).map(|moves| format!("mate {moves}")))
        })?;
    }
    Ok(())
}

fn illegal_move(h: &mut CheckContext) -> CheckResult {
    let games = [
        ("not-legal", "startpos moves e2e5"),
        ("wrong-side", "startpos moves e7e5"),
        ("nothing-there", "startpos moves e4e5"),
        ("same-square", "startpos moves e2e2"),
        ("null", "startpos moves 0000"),
        ("no-move", "startpos moves zzzz"),
        ("too-short", "startpos moves e2"),
        ("takes-king", "fen 4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1 moves e7e8"),
        ("after-legal-ones", "startpos moves e2e4 e7e5 e1e3 d7d5"),
    ];
    for (case, position) in games {
        h.case(case, "a session that goes on", |e| survives(e, position, false))?;
    }
    Ok(())
}

/// FENs that are no positions, by what is wrong with them.
const BAD: [(&str, &str); 16] = [
    ("no-white-king", "4k3/8/8/8/8/8/8/8 w - - 0 1"),
    ("no-kings", "8/8/8/8/8/8/8/8 w - - 0 1"),
    ("two-white-kings", "4k3/8/8/8/8/8/8/K3K3 w - - 0 1"),
    ("waiting-king-in-check", "4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1"),
    ("kings-touch", "8/8/8/8/8/8/4k3/4K3 w - - 0 1"),
    ("nine-pawns", "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"),
    ("pawns-on-last-ranks", "P3k3/8/8/8/8/8/8/p3K3 w - - 0 1"),
    ("thirty-queens", "QQQQQQQQ/QQQQQQQQ/QQQQQQQ1/QQQQQQ2/8/8/8/k6K w - - 0 1"),
    ("castling-without-rook", "4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1"),
    ("en-passant-without-pawn", "4k3/8/8/8/8/8/8/4K3 w - e6 0 1"),
    ("no-side-to-move", "4k3/8/8/8/8/8/4P3/4K3"),
    ("four-fields", "4k3/8/8/8/8/8/4P3/4K3 w - -"),
    ("too-few-ranks", "4k3/8/8 w - - 0 1"),
    ("nine-files", "4k4/8/8/8/8/8/4P3/4K3 w - - 0 1"),
    ("words", "this is not a position at all"),
    ("empty", ""),
];

fn bad_fen(h: &mut CheckContext) -> CheckResult {
    for (case, fen) in BAD {
        h.case(case, "a session that goes on", |e| survives(e, format!("fen {fen}").trim_end(), false))?;
    }
    Ok(())
}

fn bad_fen_go(h: &mut CheckContext) -> CheckResult {
    for (case, fen) in BAD {
        h.case(case, "a session that goes on", |e| survives(e, format!("fen {fen}").trim_end(), true))?;
    }
    Ok(())
}

/// Whether a session goes on after a position that is none, and after a search there.
fn survives(e: &mut Session, position: &str, searches: bool) -> Result<Option<String>, Abort> {
    e.say(&format!("position {position}"))?;
    let taken = e.ready();
    if searches {
        // That the position itself breaks it is the finding of another check.
        if taken.is_err() {
            e.retire();
            return Err(Abort::Unsupported);
        }
        e.say("go depth 1")?;
        // It may refuse to answer at all: `isready` tells whether it lives.
        e.pause(SHORT / 3)?;
        e.say("stop")?;
        e.ready()?;
        return e.goes_on();
    }
    taken?;
    e.glance("startpos moves e2e4")
}
