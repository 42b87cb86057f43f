//! The end of a session.

use std::time::Duration;

use super::abort::Fault;
use super::abort::{Abort, CheckResult};
use super::context::Check;
use super::context::CheckContext;
use super::positions::START;
use super::session::Session;
use uci::Exit;

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/quit", "What does not end is left behind.", quit).timed(),
    Check::new("protocol/quit-searching", "UCI: quit ends the program as soon as possible.", quit_searching)
        .timed(),
    Check::new("protocol/quit-first", "An interface may change its mind before uci.", quit_first).timed(),
    Check::new("protocol/exit-status", "A crash at the end spoils what is written then.", exit_status),
    Check::new("protocol/input-end", "When the interface dies, nobody says quit.", input_end).timed(),
    Check::new(
        "protocol/input-end-searching",
        "When the interface dies, nobody says quit.",
        input_end_searching,
    )
    .timed(),
];

const ENDS: &str = "the end of the process";

/// Whatever its status, it has ended.
fn ended(exit: Exit) -> Fault {
    (exit == Exit::Killed).then(|| "it lives on".to_owned())
}

fn quit(h: &mut CheckContext) -> CheckResult {
    h.case("idle", ENDS, |e| {
        e.start()?;
        Ok(ended(e.quit()?))
    })?;
    h.case("after-search", ENDS, |e| {
        e.start()?;
        e.glance(START)?;
        Ok(ended(e.quit()?))
    })
}

/// A process that thinks.
fn searching(e: &mut Session) -> Result<(), Abort> {
    e.start()?;
    e.say("position startpos")?;
    e.say("go infinite")?;
    e.pause(Duration::from_millis(100))?;
    Ok(())
}

fn quit_searching(h: &mut CheckContext) -> CheckResult {
    h.case("infinite", ENDS, |e| {
        searching(e)?;
        Ok(ended(e.quit()?))
    })
}

fn quit_first(h: &mut CheckContext) -> CheckResult {
    h.case("first-line", ENDS, |e| {
        e.launch()?;
        Ok(ended(e.quit()?))
    })
}

fn exit_status(h: &mut CheckContext) -> CheckResult {
    for (case, thinks) in [("idle", false), ("after-search", true)] {
        h.case(case, "status 0 after quit", |e| {
            e.start()?;
            if thinks {
                e.glance(START)?;
            }
            match e.quit()? {
                Exit::Status(0) => Ok(None),
                // That it lives on is the finding of another check.
                Exit::Killed => Err(Abort::Unsupported),
                exit @ (Exit::Status(_) | Exit::Signal(_)) => Ok(Some(exit.to_string())),
            }
        })?;
    }
    Ok(())
}

fn input_end(h: &mut CheckContext) -> CheckResult {
    h.case("idle", ENDS, |e| {
        e.start()?;
        Ok(ended(e.close_input()?))
    })
}

fn input_end_searching(h: &mut CheckContext) -> CheckResult {
    h.case("infinite", ENDS, |e| {
        searching(e)?;
        Ok(ended(e.close_input()?))
    })
}
