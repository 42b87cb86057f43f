//! The end of a session.

use std::time::Duration;

use super::abort::{Abort, CaseProblem, CheckResult};
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

const ENDS: &str = "the end of the process";

/// The process must have ended, with any status.
fn ended(exit: Exit) -> CaseProblem {
    (exit == Exit::Killed).then(|| "it lives on".to_owned())
}

fn quit(check: &mut CheckContext) -> CheckResult {
    check.case("idle", ENDS, |session| {
        session.start()?;
        Ok(ended(session.quit()?))
    })?;
    check.case("after-search", ENDS, |session| {
        session.start()?;
        session.short_search(START)?;
        Ok(ended(session.quit()?))
    })
}

/// Starts a process and an infinite search.
fn searching(session: &mut Session) -> Result<(), Abort> {
    session.start()?;
    session.begin_search(START, "infinite")?;
    session.pause(Duration::from_millis(100))?;
    Ok(())
}

fn quit_searching(check: &mut CheckContext) -> CheckResult {
    check.case("infinite", ENDS, |session| {
        searching(session)?;
        Ok(ended(session.quit()?))
    })
}

fn quit_first(check: &mut CheckContext) -> CheckResult {
    check.case("first-line", ENDS, |session| {
        session.launch()?;
        Ok(ended(session.quit()?))
    })
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
    check.case("idle", ENDS, |session| {
        session.start()?;
        Ok(ended(session.close_input()?))
    })
}

fn input_end_searching(check: &mut CheckContext) -> CheckResult {
    check.case("infinite", ENDS, |session| {
        searching(session)?;
        Ok(ended(session.close_input()?))
    })
}
