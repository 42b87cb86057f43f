//! Pondering: searches in the time of the opponent.

use std::time::Duration;

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{FORCED, MATE_IN_1, MIDDLE, RICH, START};
use super::rules;
use super::session::CheckSession;
use super::stopping::{FORCED_MOVES, lasts, stopped};
use crate::answer;
use uci::{Message, Search};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new(
        "protocol/ponder",
        "A program that sends bestmove while it ponders moves before it is its turn.",
        waits,
    ),
    ProtocolCheck::new(
        "protocol/ponder-forced",
        "A program that sends bestmove while it ponders moves before it is its turn.",
        forced,
    ),
    ProtocolCheck::new("protocol/ponderhit", "The clock of the program runs from ponderhit on.", hit).timed(),
    ProtocolCheck::new(
        "protocol/ponder-stop",
        "After stop the user interface waits for the bestmove of the ponder search.",
        stop,
    )
    .timed(),
    ProtocolCheck::new("protocol/ponder-game", "After a hit and after a miss the game goes on.", game),
    ProtocolCheck::new(
        "protocol/ponder-move",
        "The user interface plays this move for the opponent and lets the program ponder.",
        mv,
    ),
];

/// A ponder search with a second on both clocks.
const CLOCK: &str = "ponder wtime 1000 btime 1000";
/// The longest time after `ponderhit`: the second on the clock and a tolerance of half a second.
const HIT: Duration = Duration::from_millis(1500);

/// Turns pondering on.
fn pondering(session: &mut CheckSession) -> Result<(), Abort> {
    session.option("Ponder")?;
    session.set_option("Ponder", "true")
}

/// Begins a ponder search. Another check reports a bestmove that comes too early.
fn begin(session: &mut CheckSession, position: &str) -> Result<(), Abort> {
    session.begin_search(position, CLOCK)?;
    let messages = session.pause(Duration::from_millis(100))?;
    let has_ended = messages.iter().any(|message| matches!(message, Message::BestMove(_)));
    if has_ended {
        session.kill_process();
        return Err(Abort::FailedElsewhere);
    }
    Ok(())
}

fn waits(check: &mut CheckContext) -> CheckResult {
    lasts_pondering(check, &[("startpos", START), ("out-of-book", RICH)])
}

fn forced(check: &mut CheckContext) -> CheckResult {
    lasts_pondering(check, &FORCED_MOVES)
}

/// A ponder search in each position lasts until `stop`.
fn lasts_pondering(check: &mut CheckContext, positions: &[(&str, &str)]) -> CheckResult {
    let positions = positions.iter().copied();
    check.each(positions, "no bestmove before ponderhit or stop", |session, (_, position)| {
        pondering(session)?;
        lasts(session, position, CLOCK)
    })
}

fn hit(check: &mut CheckContext) -> CheckResult {
    let expected = "a legal bestmove within the clock and half a second";
    check.each([("startpos", START), ("one-legal-move", FORCED)], expected, |session, (_, position)| {
        pondering(session)?;
        begin(session, position)?;
        session.send("ponderhit")?;
        let search = session.wait_for_bestmove(HIT)?;
        Ok(rules::problem_without_stop(position, &search))
    })
}

fn stop(check: &mut CheckContext) -> CheckResult {
    check.case("startpos", "a legal bestmove soon after stop", |session| {
        pondering(session)?;
        begin(session, START)?;
        stopped(session, START)
    })
}

/// The position that is pondered on, and the one after another reply, which gives check.
const PONDERED: &str = "startpos moves e2e4 c7c5 d2d4 c5d4";
const OTHER_REPLY: &str = "startpos moves e2e4 c7c5 d2d4 d8a5";

fn game(check: &mut CheckContext) -> CheckResult {
    let ponders = |session: &mut CheckSession| {
        pondering(session)?;
        begin(session, PONDERED)
    };
    check.case("miss", "a legal move after another reply", |session| {
        ponders(session)?;
        session.stop()?;
        session.short_search(OTHER_REPLY)
    })?;
    check.case("hit", "a legal move, and another one after the reply to it", |session| {
        ponders(session)?;
        session.send("ponderhit")?;
        let best = session.wait_for_bestmove(HIT)?.best;
        let after = rules::after(&rules::board(PONDERED), &best.text);
        match after.and_then(|after| oracle::board::uci_moves(&after).into_iter().next()) {
            Some(reply) => session.short_search(&format!("{PONDERED} {} {reply}", best.text)),
            None => Ok(rules::problem(PONDERED, &best)),
        }
    })
}

/// The longest time of a search whose ponder move is judged.
const SEARCH: Duration = Duration::from_millis(500);

fn mv(check: &mut CheckContext) -> CheckResult {
    let expected = "no move to ponder on, or a legal one";
    check.each([START, RICH, MIDDLE, MATE_IN_1], expected, |session, position| {
        let search = session.search(position, 5, SEARCH)?;
        Ok(illegal_ponder_move(position, search))
    })?;
    // Such a search finds no reply: what it prints then may be left over from the search before.
    let short = [("one-ply", RICH), ("one-legal-move", FORCED), ("mate-in-1", MATE_IN_1), ("at-once", RICH)];
    check.each(short, expected, |session, (case, position)| {
        session.search(START, 5, SEARCH)?;
        let search = if case == "at-once" {
            session.begin_search(position, "infinite")?;
            // Another check reports that it does not stop.
            session.stop().map_err(|_| {
                session.kill_process();
                Abort::FailedElsewhere
            })?
        } else {
            session.search(position, 1, SEARCH)?
        };
        Ok(illegal_ponder_move(position, search))
    })
}

/// The answer, if its ponder move is not legal after its best move. Other checks report an illegal best move.
fn illegal_ponder_move(position: &str, search: Search) -> CaseProblem {
    let ponder = search.best.ponder.filter(|mv| !rules::is_no_move(mv))?;
    let after = rules::after(&rules::board(position), &search.best.text)?;
    let is_legal = rules::after(&after, &ponder).is_some();
    (!is_legal).then(|| answer::best_move(&search.best.text, format!(" ponder {ponder}, which is not legal")))
}
