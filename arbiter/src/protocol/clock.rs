//! Time controls: the program moves before its clock runs out.

use std::time::Duration;

use super::abort::CheckResult;
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{MIDDLE, START};
use super::rules;
use suites::SharedCause;
use suites::{Answer, Late};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/clock", "A program that moves later loses on time.", clock).first().timed(),
    ProtocolCheck::new("protocol/clock-fast", "Games at a few milliseconds a move are lost on time.", fast)
        .timed(),
    ProtocolCheck::new(
        "protocol/clock-empty",
        "A tournament manager with a time margin sends clocks of 0 and less.",
        empty,
    )
    .with_cause(SharedCause::NoTime),
    ProtocolCheck::new(
        "protocol/clock-empty-answer",
        "A program that takes a clock of 0 for no clock loses on time.",
        answer,
    )
    .timed()
    .slow(),
    ProtocolCheck::new("protocol/clock-huge", "Correspondence games have clocks of days.", huge).slow(),
];

/// Tolerance beyond the clock, in milliseconds, for communication and a busy machine.
const GRACE: u64 = 250;

/// A case: its name, the position, the clocks, and the time that the program has, in milliseconds.
type ClockCase = (&'static str, &'static str, &'static str, u64);

fn clock(check: &mut CheckContext) -> CheckResult {
    within(
        check,
        &[
            ("white", START, "wtime 1000 btime 1000", 1000),
            ("black", MIDDLE, "wtime 3600000 btime 500", 500),
            ("increment-not-yet-there", START, "wtime 400 btime 400 winc 5000 binc 5000", 400),
            ("movestogo-1", START, "wtime 500 btime 500 movestogo 1", 500),
            ("movestogo-40", MIDDLE, "wtime 800 btime 800 winc 0 binc 0 movestogo 40", 800),
            // Long enough for an overrun of a tenth to be more than the tolerance.
            ("long", MIDDLE, "wtime 4000 btime 4000", 4000),
        ],
    )
}

fn fast(check: &mut CheckContext) -> CheckResult {
    within(
        check,
        &[
            ("100ms", START, "wtime 100 btime 100", 100),
            ("20ms", START, "wtime 20 btime 20", 20),
            ("100ms-increment", MIDDLE, "wtime 100 btime 100 winc 100 binc 100", 100),
        ],
    )
}

fn within(check: &mut CheckContext, clocks: &[ClockCase]) -> CheckResult {
    for &(case, position, clock, most) in clocks {
        check.case(case, &format!("a legal bestmove within {most} ms and {GRACE} ms"), |session| {
            session.identity()?;
            let search = session.go(position, clock, Duration::from_millis(most + 2 * GRACE))?;
            if search.took > Duration::from_millis(most + GRACE) {
                return Ok(Some(Answer::Late(Late::BestMove)));
            }
            let problem = rules::problem(position, &search.best);
            if problem.is_some() && !session.has_told_depth() {
                session.set_cause(SharedCause::NoTime);
            }
            Ok(problem)
        })?;
    }
    Ok(())
}

const EMPTY: [&str; 3] = ["wtime 0 btime 0", "wtime -50 btime -50", "wtime 1 btime 1 winc 0 binc 0"];

fn empty(check: &mut CheckContext) -> CheckResult {
    check.each(EMPTY, "a legal bestmove, by itself or after stop", |session, clock| {
        let problem = session.judge_search(START, clock, session.quiet_time())?;
        session.or_check_alive(problem)
    })
}

fn answer(check: &mut CheckContext) -> CheckResult {
    check.each(EMPTY, "a bestmove by itself within 500 ms", |session, clock| {
        let search = session.go(START, clock, Duration::from_millis(500))?;
        Ok(search.stopped.then(|| "no bestmove before stop".to_owned()))
    })
}

fn huge(check: &mut CheckContext) -> CheckResult {
    check.each(
        ["wtime 864000000 btime 864000000", "wtime 2147483647 btime 2147483647 winc 0 binc 0"],
        "a legal bestmove, by itself or after stop",
        |session, clock| session.judge_search(START, clock, session.quiet_time()),
    )
}
