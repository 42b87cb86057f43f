//! The end of a session.

use std::time::Duration;

use super::abort::{Abort, CheckResult};
use super::context::{Check, CheckContext};
use super::positions::START;
use super::session::Session;
use uci::Exit;

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/quit", "A process that does not end is left behind.", quit).timed(),
    Check::new("protocol/quit-searching", "UCI: quit ends the program as soon as possible.", quit_searching)
        .timed(),
    Check::new("protocol/quit-first", "A user interface may quit before it sends uci.", quit_first).timed(),
    Check::new(
        "protocol/exit-status",
        "A crash at the end may damage files that are written then.",
        exit_status,
    ),
    Check::new("protocol/input-end", "When the user interface crashes, it sends no quit.", input_end).timed(),
    Check::new(
        "protocol/input-end-searching",
        "When the user interface crashes, it sends no quit.",
        input_end_searching,
    )
    .timed(),
];

/// A case: the process ends, with any status, in this way after this session.
fn ends<'a>(
    check: &mut CheckContext<'a>,
    case: &str,
    session: impl Fn(&mut Session<'a>) -> CheckResult,
    end: impl Fn(&mut Session<'a>) -> Result<Exit, Abort>,
) -> CheckResult {
    check.case(case, "the end of the process", |process| {
        session(process)?;
        Ok((end(process)? == Exit::Killed).then(|| "it lives on".to_owned()))
    })
}

/// A session with a search that has ended.
fn searched(session: &mut Session) -> CheckResult {
    session.start()?;
    session.short_search(START)?;
    Ok(())
}

/// A session with an infinite search.
fn searching(session: &mut Session) -> CheckResult {
    session.start()?;
    session.begin_search(START, "infinite")?;
    session.pause(Duration::from_millis(100))?;
    Ok(())
}

fn quit(check: &mut CheckContext) -> CheckResult {
    ends(check, "idle", Session::start, Session::quit)?;
    ends(check, "after-search", searched, Session::quit)
}

fn quit_searching(check: &mut CheckContext) -> CheckResult {
    ends(check, "infinite", searching, Session::quit)
}

fn quit_first(check: &mut CheckContext) -> CheckResult {
    ends(check, "first-line", Session::launch, Session::quit)
}

fn exit_status(check: &mut CheckContext) -> CheckResult {
    check.each([("idle", false), ("after-search", true)], "status 0 after quit", |session, (_, searches)| {
        session.start()?;
        if searches {
            session.short_search(START)?;
        }
        match session.quit()? {
            Exit::Status(0) => Ok(None),
            // Another check reports that it does not end.
            Exit::Killed => Err(Abort::Unsupported),
            exit @ (Exit::Status(_) | Exit::Signal(_)) => Ok(Some(exit.to_string())),
        }
    })
}

fn input_end(check: &mut CheckContext) -> CheckResult {
    ends(check, "idle", Session::start, Session::close_input)
}

fn input_end_searching(check: &mut CheckContext) -> CheckResult {
    ends(check, "infinite", searching, Session::close_input)
}
