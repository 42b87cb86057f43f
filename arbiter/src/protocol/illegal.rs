//! Positions without a legal move, and illegal positions and moves.

use std::time::Duration;

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{BAD_FEN, CheckContext, ProtocolCheck};
use super::positions::{CHECKMATE, MATE_IN_1, STALEMATE};
use super::rules;
use super::session::CheckSession;
use crate::answer;
use suites::SharedCause;
use uci::{BestMove, Score};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/no-move", "Users analyse positions in which the game is over.", no_move)
        .first(),
    ProtocolCheck::new(
        "protocol/no-move-answer",
        "A move from an earlier search is taken for a move in this position.",
        nothing,
    )
    .with_cause(SharedCause::LeftOver),
    ProtocolCheck::new("protocol/no-move-mate", "A mate is announced although the game is over.", decided),
    ProtocolCheck::new("protocol/illegal-move", "A mistyped move must not end the session.", illegal_move),
    ProtocolCheck::new("protocol/bad-fen", "A mistyped FEN must not end the session.", bad_fen).over(BAD_FEN),
    ProtocolCheck::new("protocol/bad-fen-go", "Users analyse positions that are not legal.", bad_fen_go)
        .over(BAD_FEN)
        .slow(),
];

/// The longest search in a position without a legal move.
const SHORT: Duration = Duration::from_millis(300);
const OVER: [(&str, &str); 2] = [("checkmate", CHECKMATE), ("stalemate", STALEMATE)];

fn no_move(check: &mut CheckContext) -> CheckResult {
    check.each(
        OVER,
        "bestmove, by itself or after stop, and a session that goes on",
        |session, (_, position)| {
            session.search(position, 3, SHORT)?;
            session.check_alive()
        },
    )
}

fn nothing(check: &mut CheckContext) -> CheckResult {
    check.each(OVER, "no move, also to ponder on, such as bestmove (none)", |session, (_, position)| {
        // The move of this search must not come again.
        session.short_search(MATE_IN_1)?;
        let search = session.search(position, 3, SHORT)?;
        // A leftover move counts in any notation.
        let is_move = |text: &String| rules::is_move(text);
        let BestMove { text, ponder, .. } = search.best;
        let ponder = ponder.filter(is_move).map(|ponder| format!("ponder {ponder}").into());
        Ok(is_move(&text).then(|| answer::best_move(&text, "")).or(ponder))
    })
}

fn decided(check: &mut CheckContext) -> CheckResult {
    for ((case, position), expected) in OVER.into_iter().zip(["no mate but mate 0", "no mate"]) {
        check.case(case, expected, |session| {
            // Another check reports how it fails there.
            let search = session.search(position, 3, SHORT).map_err(|_| Abort::NotReady)?;
            let mut mates = search.infos.iter().filter_map(|(_, info)| match info.score {
                Some((Score::Mate(moves), _)) => Some(moves),
                _ => None,
            });
            let is_wrong = |&moves: &i32| moves != 0 || position == STALEMATE;
            Ok(mates.rfind(is_wrong).map(|moves| answer::of_score(Score::Mate(moves))))
        })?;
    }
    Ok(())
}

fn illegal_move(check: &mut CheckContext) -> CheckResult {
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
    check.each(games, "a session that goes on", |session, (_, position)| survives(session, position, false))
}

/// FENs of illegal positions and texts that are not FENs, by what is wrong with them.
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

fn bad_fen(check: &mut CheckContext) -> CheckResult {
    check.each(BAD, "a session that goes on", |session, (_, fen)| {
        survives(session, format!("fen {fen}").trim_end(), false)
    })
}

fn bad_fen_go(check: &mut CheckContext) -> CheckResult {
    check.each(BAD, "a session that goes on", |session, (_, fen)| {
        survives(session, format!("fen {fen}").trim_end(), true)
    })
}

/// What is wrong with the session after an illegal position, and after a search there.
fn survives(session: &mut CheckSession, position: &str, searches: bool) -> Result<CaseProblem, Abort> {
    session.send(&format!("position {position}"))?;
    let accepted = session.ready();
    if searches {
        // Another check reports that it fails over the position itself.
        if accepted.is_err() {
            session.kill_process();
            return Err(Abort::FailedElsewhere);
        }
        let limit = session.of_depth(1, SHORT / 3);
        session.send(&format!("go {limit}"))?;
        // It may send no bestmove. `isready` shows whether it still runs.
        session.pause(SHORT / 3)?;
        session.send("stop")?;
        session.ready()?;
        return session.check_alive();
    }
    accepted?;
    session.short_search("startpos moves e2e4")
}
