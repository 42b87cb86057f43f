//! Thinking in the time of the opponent.

use std::time::Duration;

use super::abort::{Abort, CheckResult};
use super::context::Check;
use super::context::CheckContext;
use super::positions::{FORCED, MATE_IN_1, MIDDLE, RICH, START};
use super::rules;
use super::session::Session;
use super::stopping::lasts;

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/ponder", "Whoever answers during ponder moves before it is its turn.", waits),
    Check::new(
        "protocol/ponder-forced",
        "Whoever answers during ponder moves before it is its turn.",
        forced,
    ),
    Check::new("protocol/ponderhit", "From ponderhit on its clock runs.", hit).timed(),
    Check::new("protocol/ponder-stop", "After stop the interface waits for the bestmove of ponder.", stop)
        .timed(),
    Check::new(
        "protocol/ponder-move",
        "The interface plays this move for the opponent, to ponder on it.",
        mv,
    ),
];

/// A clock of a second each.
const CLOCK: &str = "ponder wtime 1000 btime 1000";
/// After `ponderhit`, a second of the clock and half a second for the machine.
const HIT: Duration = Duration::from_millis(1500);

/// Pondering is on.
fn pondering(e: &mut Session) -> Result<(), Abort> {
    e.option("Ponder")?;
    e.set_option("Ponder", "true")
}

fn waits(h: &mut CheckContext) -> CheckResult {
    h.case("startpos", "no bestmove before ponderhit or stop", |e| {
        pondering(e)?;
        lasts(e, START, CLOCK)
    })
}

fn forced(h: &mut CheckContext) -> CheckResult {
    for (case, position) in [("one-legal-move", FORCED), ("mate-in-one", MATE_IN_1)] {
        h.case(case, "no bestmove before ponderhit or stop", |e| {
            pondering(e)?;
            lasts(e, position, CLOCK)
        })?;
    }
    Ok(())
}

fn hit(h: &mut CheckContext) -> CheckResult {
    let expected = "a legal bestmove within the clock and half a second";
    for (case, position) in [("startpos", START), ("one-legal-move", FORCED)] {
        h.case(case, expected, |e| {
            pondering(e)?;
            e.say(&format!("position {position}"))?;
            e.say(&format!("go {CLOCK}"))?;
            e.pause(Duration::from_millis(100))?;
            e.say("ponderhit")?;
            let search = e.hear(HIT)?;
            if search.stopped {
                return Ok(Some("no bestmove before stop".to_owned()));
            }
            Ok(rules::fault(position, &search.best))
        })?;
    }
    Ok(())
}

fn stop(h: &mut CheckContext) -> CheckResult {
    h.case("startpos", "a legal bestmove soon after stop", |e| {
        pondering(e)?;
        e.say("position startpos")?;
        e.say(&format!("go {CLOCK}"))?;
        e.pause(Duration::from_millis(100))?;
        let search = e.stop()?;
        if search.stopped {
            return Ok(Some("bestmove only after a second stop".to_owned()));
        }
        Ok(rules::fault(START, &search.best))
    })
}

fn mv(h: &mut CheckContext) -> CheckResult {
    for position in [START, RICH, MIDDLE, MATE_IN_1] {
        h.case(position, "no move to ponder on, or a legal one", |e| {
            let search = e.go(position, "depth 5", Duration::from_millis(500))?;
            let Some(ponder) = search.best.ponder.filter(|mv| !rules::is_nothing(mv)) else {
                return Ok(None);
            };
            let after = rules::after(&rules::board(position), &search.best.text);
            let legal = after.is_some_and(|after| rules::after(&after, &ponder).is_some());
            Ok((!legal).then(|| format!("bestmove {} ponder {ponder}, which is not legal", search.best.text)))
        })?;
    }
    Ok(())
}
