//! Searches without a limit: they end after `stop`, and not before.

use std::time::Duration;

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{FORCED, MATE_IN_1, RICH, START};
use super::session::CheckSession;
use suites::{Answer, Late};
use uci::{Failure, Message, Search, Support};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/stop", "A user interface waits for bestmove after stop.", stop)
        .first()
        .timed(),
    ProtocolCheck::new(
        "protocol/stop-late",
        "The user interface and the clock wait for the answer to stop.",
        late,
    )
    .timed()
    .slow(),
    ProtocolCheck::new("protocol/stop-at-once", "stop may come before the search has begun.", at_once)
        .first()
        .timed(),
    ProtocolCheck::new(
        "protocol/stop-idle",
        "A bestmove without a search is taken for the answer to the next go.",
        idle,
    ),
    ProtocolCheck::new("protocol/infinite", "UCI: it must not leave the search before stop.", infinite),
    ProtocolCheck::new("protocol/infinite-forced", "UCI: it must not leave the search before stop.", forced),
    ProtocolCheck::new("protocol/go-bare", "Most programs take go without limits for go infinite.", bare),
    ProtocolCheck::new(
        "protocol/go-twice",
        "A user interface may send go before the answer to the last one.",
        go_twice,
    )
    .slow(),
    ProtocolCheck::new(
        "protocol/one-bestmove",
        "A second bestmove is taken for the answer to the next go.",
        one,
    ),
];

/// The length of a search before `stop` is sent.
const BEGUN: Duration = Duration::from_millis(100);
/// The longest time from `stop` to its answer. A slower program loses games on time.
const LATEST: Duration = Duration::from_secs(1);
/// The number of answers to `stop` that are measured.
const STOPS: usize = 20;
/// The longest time of half of these answers.
const PROMPT: Duration = Duration::from_millis(100);
/// Positions in which a program may move at once.
pub(super) const FORCED_MOVES: [(&str, &str); 2] = [("one-legal-move", FORCED), ("mate-in-one", MATE_IN_1)];

fn stop(check: &mut CheckContext) -> CheckResult {
    check.each([START, RICH], "a legal bestmove soon after stop", |session, position| {
        session.begin_search(position, "infinite")?;
        session.pause(BEGUN)?;
        let search = session.stop()?;
        let is_late = search.took > LATEST;
        Ok(stop_problem(session, position, &search)
            .or_else(|| is_late.then_some(Answer::Late(Late::BestMove))))
    })
}

fn late(check: &mut CheckContext) -> CheckResult {
    let expected = format!("half of {STOPS} answers within {} ms of stop", PROMPT.as_millis());
    check.case("median", &expected, |session| {
        let mut times = Vec::new();
        for _ in 0..STOPS {
            session.begin_search(RICH, "infinite")?;
            session.pause(BEGUN / 4)?;
            session.send("stop")?;
            match session.bestmove(session.timeouts().stop, 2 * PROMPT) {
                Ok(search) if !search.stopped => times.push(search.took),
                // Other checks report that it does not answer.
                Ok(_) | Err(Abort::Failed(Failure::Silent { .. })) => {
                    session.kill_process();
                    return Err(Abort::FailedElsewhere);
                }
                Err(abort) => return Err(abort),
            }
        }
        let is_late = median(times) > PROMPT;
        Ok(is_late.then_some(Answer::Late(Late::Answers)))
    })
}

/// The median of some times. A busy machine delays single answers, but not half of them.
fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn at_once(check: &mut CheckContext) -> CheckResult {
    check.case("startpos", "a legal bestmove soon after stop", |session| {
        // Whether `stop` is lost may depend on which thread comes first.
        for _ in 0..STOPS {
            session.begin_search(START, "infinite")?;
            session.send("stop")?;
            let search = session.bestmove(session.timeouts().stop, PROMPT)?;
            if let Some(problem) = stop_problem(session, START, &search) {
                return Ok(Some(problem));
            }
        }
        Ok(None)
    })
}

/// What is wrong with the answer to `stop`.
pub(super) fn stopped(session: &mut CheckSession, position: &str) -> Result<CaseProblem, Abort> {
    let search = session.stop()?;
    Ok(stop_problem(session, position, &search))
}

fn stop_problem(session: &mut CheckSession, position: &str, search: &Search) -> CaseProblem {
    if search.stopped {
        return Some(Answer::SecondStop);
    }
    session.problem(position, search)
}

fn idle(check: &mut CheckContext) -> CheckResult {
    check.case("before-any-search", "no bestmove", |session| {
        session.send("stop")?;
        stray(session)
    })?;
    check.case("after-bestmove", "no other bestmove", |session| {
        session.short_search(START)?;
        session.send("stop")?;
        stray(session)
    })
}

/// A `bestmove` without a search.
pub(super) fn stray(session: &mut CheckSession) -> Result<CaseProblem, Abort> {
    let mut messages = session.ready()?;
    messages.extend(session.pause(session.quiet_time() / 3)?);
    let stray = messages.into_iter().find_map(|message| match message {
        Message::BestMove(best) => Some(Answer::BestMove { text: best.text, more: String::new() }),
        _ => None,
    });
    session.or_check_alive(stray)
}

fn infinite(check: &mut CheckContext) -> CheckResult {
    check.case("startpos", "no bestmove before stop", |session| lasts(session, START, "infinite"))
}

fn forced(check: &mut CheckContext) -> CheckResult {
    let expected = "no bestmove before stop";
    check.each(FORCED_MOVES, expected, |session, (_, position)| lasts(session, position, "infinite"))
}

fn bare(check: &mut CheckContext) -> CheckResult {
    check.case("startpos", "no bestmove before stop", |session| lasts(session, START, ""))
}

/// What is wrong with a search that must last until `stop`.
pub(super) fn lasts(session: &mut CheckSession, position: &str, limit: &str) -> Result<CaseProblem, Abort> {
    session.begin_search(position, limit)?;
    let messages = session.pause(session.quiet_time())?;
    if messages.iter().any(|message| matches!(message, Message::BestMove(_))) {
        let has_searched = messages.iter().any(|message| matches!(message, Message::Info(_)));
        let how = if has_searched { "" } else { ", without a search" };
        return Ok(Some(format!("bestmove by itself{how}").into()));
    }
    // Other checks report how it answers `stop`.
    match stopped(session, position) {
        Ok(None) => Ok(None),
        Err(abort) if !matches!(abort, Abort::Failed(Failure::Silent { .. })) => Err(abort),
        _ => {
            session.kill_process();
            Err(Abort::FailedElsewhere)
        }
    }
}

fn go_twice(check: &mut CheckContext) -> CheckResult {
    check.case("startpos", "a session that goes on after stop", |session| {
        session.begin_search(START, "infinite")?;
        session.pause(BEGUN)?;
        session.send("go infinite")?;
        session.pause(BEGUN)?;
        session.stop()?;
        // Some programs queue the second search, and some answer each.
        session.send("stop")?;
        session.ready()?;
        session.pause(BEGUN)?;
        session.check_alive()
    })
}

fn one(check: &mut CheckContext) -> CheckResult {
    check.each(
        ["depth 2", "nodes 1000", "movetime 50", "wtime 1000 btime 1000"],
        "one bestmove",
        |session, limit| {
            let kept = match limit {
                "depth 2" => session.limits().depth,
                "nodes 1000" => session.limits().nodes,
                "movetime 50" => session.limits().move_time,
                _ => Support::Yes,
            };
            // Other checks report a limit that the program does not keep.
            if kept == Support::No {
                return Err(Abort::Unsupported);
            }
            session.go(START, limit, Duration::from_secs(1))?;
            stray(session)
        },
    )
}
