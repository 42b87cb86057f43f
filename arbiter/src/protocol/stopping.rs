//! Searches without a limit: they end when they are told to, and not before.

use std::time::Duration;

use super::abort::Fault;
use super::abort::{Abort, CheckResult};
use super::context::Check;
use super::context::CheckContext;
use super::positions::{FORCED, MATE_IN_1, RICH, START};
use super::rules;
use super::session::Session;
use uci::Message;

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/stop", "A user interface waits for bestmove after stop.", stop).timed(),
    Check::new("protocol/stop-at-once", "stop may come before the search has begun.", at_once).timed(),
    Check::new("protocol/stop-idle", "A bestmove that nobody waits for is taken for the next one.", idle),
    Check::new("protocol/infinite", "UCI: it must not leave the search before stop.", infinite),
    Check::new("protocol/infinite-forced", "UCI: it must not leave the search before stop.", forced),
    Check::new("protocol/go-bare", "go without limits is read as go infinite by most programs.", bare),
    Check::new("protocol/go-twice", "A user interface may be ahead of the answer.", go_twice).slow(),
    Check::new("protocol/one-bestmove", "A second bestmove is taken for the answer to the next go.", one),
];

/// How long what has begun lasts until it is told to stop.
const BEGUN: Duration = Duration::from_millis(100);

fn stop(h: &mut CheckContext) -> CheckResult {
    for position in [START, RICH] {
        h.case(position, "a legal bestmove soon after stop", |e| {
            e.say(&format!("position {position}"))?;
            e.say("go infinite")?;
            e.pause(BEGUN)?;
            stopped(e, position)
        })?;
    }
    Ok(())
}

fn at_once(h: &mut CheckContext) -> CheckResult {
    h.case("startpos", "a legal bestmove soon after stop", |e| {
        e.say("position startpos")?;
        e.say("go infinite")?;
        stopped(e, START)
    })
}

/// What is wrong with the answer to `stop`.
fn stopped(e: &mut Session, position: &str) -> Result<Fault, Abort> {
    let search = e.stop()?;
    if search.stopped {
        return Ok(Some("bestmove only after a second stop".to_owned()));
    }
    Ok(rules::fault(position, &search.best))
}

fn idle(h: &mut CheckContext) -> CheckResult {
    h.case("before-any-search", "no bestmove", |e| {
        e.say("stop")?;
        stray(e)
    })?;
    h.case("after-bestmove", "no other bestmove", |e| {
        e.glance(START)?;
        e.say("stop")?;
        stray(e)
    })
}

/// A `bestmove` that nobody asked for.
fn stray(e: &mut Session) -> Result<Fault, Abort> {
    let mut said = e.ready()?;
    said.extend(e.pause(e.awhile() / 3)?);
    let stray = said.into_iter().find_map(|said| match said {
        Message::BestMove(best) => Some(format!("bestmove {}", best.text)),
        _ => None,
    });
    match stray {
        Some(stray) => Ok(Some(stray)),
        None => e.goes_on(),
    }
}

fn infinite(h: &mut CheckContext) -> CheckResult {
    h.case("startpos", "no bestmove before stop", |e| lasts(e, START, "infinite"))
}

fn forced(h: &mut CheckContext) -> CheckResult {
    for (case, position) in [("one-legal-move", FORCED), ("mate-in-one", MATE_IN_1)] {
        h.case(case, "no bestmove before stop", |e| lasts(e, position, "infinite"))?;
    }
    Ok(())
}

fn bare(h: &mut CheckContext) -> CheckResult {
    h.case("startpos", "no bestmove before stop", |e| lasts(e, START, ""))
}

/// What is wrong with a search that must go on until it is told to stop.
pub(super) fn lasts(e: &mut Session, position: &str, limit: &str) -> Result<Fault, Abort> {
    e.say(&format!("position {position}"))?;
    e.say(format!("go {limit}").trim_end())?;
    let said = e.pause(e.awhile())?;
    if said.iter().any(|said| matches!(said, Message::BestMove(_))) {
        return Ok(Some("bestmove by itself".to_owned()));
    }
    stopped(e, position)
}

fn go_twice(h: &mut CheckContext) -> CheckResult {
    h.case("startpos", "a session that goes on after stop", |e| {
        e.say("position startpos")?;
        e.say("go infinite")?;
        e.pause(BEGUN)?;
        e.say("go infinite")?;
        e.pause(BEGUN)?;
        e.stop()?;
        // Some queue the second, and some answer each.
        e.say("stop")?;
        e.ready()?;
        e.pause(BEGUN)?;
        e.goes_on()
    })
}

fn one(h: &mut CheckContext) -> CheckResult {
    for limit in ["depth 2", "nodes 1000", "movetime 50"] {
        h.case(limit, "one bestmove", |e| {
            e.go(START, limit, Duration::from_secs(1))?;
            stray(e)
        })?;
    }
    Ok(())
}
