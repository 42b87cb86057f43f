//! The end of a session.

use std::time::Duration;

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::exit_status::{EXIT_STATUS, EXPECTED};
use super::positions::START;
use super::session::CheckSession;
use suites::{Answer, SharedCause};
use uci::{Exit, Support};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/quit", "A process that does not end is left behind.", quit).first().timed(),
    ProtocolCheck::new(
        "protocol/quit-searching",
        "UCI: quit ends the program as soon as possible.",
        quit_searching,
    )
    .timed(),
    ProtocolCheck::new("protocol/quit-first", "A user interface may quit before it sends uci.", quit_first)
        .timed(),
    ProtocolCheck::new(
        EXIT_STATUS,
        "A crash at the end may damage files that are written then.",
        exit_status,
    ),
    ProtocolCheck::new("protocol/input-end", "When the user interface crashes, it sends no quit.", input_end)
        .first(),
    ProtocolCheck::new(
        "protocol/input-end-searching",
        "When the user interface crashes, it sends no quit.",
        input_end_searching,
    )
    .first(),
    ProtocolCheck::new(
        "protocol/input-end-answer",
        "A script that pipes its lines into the program waits for the answer.",
        input_end_answer,
    )
    .first(),
];

/// The length of a search before `quit` is sent, or before its input ends.
const BEGUN: Duration = Duration::from_millis(100);
/// The longest time of a limited search that begins as the input ends.
const SEARCH: Duration = Duration::from_secs(2);
/// The signal that ends a process which writes into a pipe after its reader has closed it.
const SIGPIPE: i32 = 13;
const ENDS_WITH_INPUT: &str = "the end of the process, and no signal";

/// A case: the process ends in this way after this session, with any status.
fn ends<'a>(
    check: &mut CheckContext<'a>,
    case: &str,
    session: impl Fn(&mut CheckSession<'a>) -> CheckResult,
    end: impl Fn(&mut CheckSession<'a>) -> Result<Exit, Abort>,
) -> CheckResult {
    check.case(case, "the end of the process", |process| {
        session(process)?;
        Ok((end(process)? == Exit::Killed).then_some(Answer::LivesOn))
    })
}

/// A session with a search that has ended.
fn searched(session: &mut CheckSession) -> CheckResult {
    session.start()?;
    session.short_search(START)?;
    Ok(())
}

/// A session with an infinite search.
fn searching(session: &mut CheckSession) -> CheckResult {
    session.start()?;
    session.begin_search(START, "infinite")?;
    session.pause(BEGUN)?;
    Ok(())
}

fn quit(check: &mut CheckContext) -> CheckResult {
    ends(check, "idle", CheckSession::start, CheckSession::quit)?;
    ends(check, "after-search", searched, CheckSession::quit)
}

fn quit_searching(check: &mut CheckContext) -> CheckResult {
    ends(check, "infinite", searching, CheckSession::quit)
}

fn quit_first(check: &mut CheckContext) -> CheckResult {
    ends(check, "first-line", CheckSession::launch, CheckSession::quit)
}

fn exit_status(check: &mut CheckContext) -> CheckResult {
    for (case, searches) in [("idle", false), ("after-search", true)] {
        check.case(case, EXPECTED, |session| {
            session.start()?;
            if searches {
                session.short_search(START)?;
            }
            match session.quit()? {
                Exit::Status(0) => Ok(None),
                // Another check reports that it does not end.
                Exit::Killed => Err(Abort::FailedElsewhere),
                exit @ (Exit::Status(_) | Exit::Signal(_)) => {
                    session.set_cause(session.cause_of(exit, "quit"));
                    Ok(Some(Answer::Ended { end: crate::answer::end(exit), after: None }))
                }
            }
        })?;
        if check.has_finding() {
            break;
        }
    }
    Ok(())
}

fn input_end(check: &mut CheckContext) -> CheckResult {
    check.case("idle", ENDS_WITH_INPUT, |session| {
        session.start()?;
        input_ends(session, Duration::ZERO)
    })
}

/// The end of the input of a process that has this much more time. Its exit status is free.
fn input_ends(session: &mut CheckSession, more: Duration) -> Result<CaseProblem, Abort> {
    match session.close_input(more)? {
        Exit::Status(_) => Ok(None),
        Exit::Killed => {
            session.set_cause(SharedCause::LivesOn);
            Ok(Some(Answer::LivesOn))
        }
        // After so much output nothing is read any more.
        Exit::Signal(SIGPIPE) => {
            session.set_cause(SharedCause::LivesOn);
            Ok(Some("it prints without end".into()))
        }
        exit @ Exit::Signal(_) => {
            session.set_cause(session.cause_of(exit, "the end of its input"));
            Ok(Some(Answer::Ended { end: crate::answer::end(exit), after: None }))
        }
    }
}

fn input_end_searching(check: &mut CheckContext) -> CheckResult {
    check.each(["infinite", "depth 5", "movetime 300"], ENDS_WITH_INPUT, |session, limit| {
        let kept = match limit {
            "depth 5" => session.limits().depth,
            "movetime 300" => session.limits().move_time,
            _ => Support::Yes,
        };
        // Other checks report a limit that the program does not keep.
        if kept == Support::No {
            return Err(Abort::Unsupported);
        }
        session.start()?;
        session.begin_search(START, limit)?;
        if limit == "infinite" {
            session.pause(BEGUN)?;
            return input_ends(session, Duration::ZERO);
        }
        // It may finish the search.
        input_ends(session, SEARCH)
    })
}

fn input_end_answer(check: &mut CheckContext) -> CheckResult {
    check.case("depth 5", "a bestmove before the end of the process", |session| {
        if session.limits().depth == Support::No {
            return Err(Abort::Unsupported);
        }
        session.start()?;
        session.begin_search(START, "depth 5")?;
        let answers = session.answers_without_input(SEARCH)?;
        let exit = session.close_input(SEARCH)?;
        match answers {
            Some(true) => Ok(None),
            Some(false) if matches!(exit, Exit::Status(_)) => {
                Ok(Some(Answer::from("its output ends without bestmove")))
            }
            // Another check reports that it crashes.
            Some(false) => Err(Abort::FailedElsewhere),
            None => Err(Abort::OutOfTime),
        }
    })
}
