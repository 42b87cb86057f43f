//! Sessions with more than one thread: many short searches, in which a race shows.

use std::cell::Cell;
use std::time::{Duration, Instant};

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::RICH;
use super::session::CheckSession;
use super::stopping::stray;
use suites::Answer;
use uci::{Exit, Failure, Message, OptionKind, Support};

pub(super) const CHECKS: &[ProtocolCheck] = &[ProtocolCheck::new(
    "protocol/threads-sessions",
    "A race between threads shows in one search of many, and loses the game.",
    sessions,
)
.timed()
.slow()];

/// The number of threads, if the program has as many.
const THREADS: i64 = 4;
/// How often each of the sessions is repeated in one process.
const ROUNDS: u32 = 100;
/// How often each is repeated with one thread before that.
const ROUNDS_OF_ONE: u32 = 20;
/// The least number of rounds that is judged. A race shows in only one of many rounds.
const LEAST_ROUNDS: u32 = 20;
/// After this time no session is repeated.
const LONGEST: Duration = Duration::from_secs(2);
/// How many processes get `quit` while they search.
const QUITS: u32 = 10;
/// The longest search to depth 1.
const SMALL: Duration = Duration::from_secs(2);
/// The pause of a replay in place of waiting for an answer.
const REPLAYED: Duration = Duration::from_millis(30);

fn sessions(check: &mut CheckContext) -> CheckResult {
    let expected = format!("one bestmove for each of up to {ROUNDS} searches with {THREADS} threads");
    let loses_stop = Cell::new(false);
    for (case, run) in
        [("stop", stop as Round), ("depth", depth), ("newgame", newgame), ("isready", is_ready)]
    {
        check.case(case, &expected, |session| {
            if loses_stop.get() && case != "depth" {
                return Err(Abort::NotAsked);
            }
            session.start()?;
            let threads = threads(session)?;
            // Other checks report faults with one thread.
            if !matches!(rounds(session, ROUNDS_OF_ONE, run), Ok((_, None))) {
                loses_stop.set(loses_stop.get() || case == "stop");
                session.kill_process();
                return Err(Abort::FailedElsewhere);
            }
            set(session, threads)?;
            match rounds(session, ROUNDS, run)? {
                (round, Some(problem)) => Ok(Some(format!("{problem} in search {round}").into())),
                (rounds, None) if rounds < LEAST_ROUNDS => Err(Abort::OutOfTime),
                _ => stray(session),
            }
        })?;
    }
    check.case("quit", &format!("the end of each of {QUITS} processes with {THREADS} threads"), |session| {
        session.start()?;
        let threads = threads(session)?;
        if lives_on(session, 1)? {
            return Err(Abort::FailedElsewhere);
        }
        for _ in 0..QUITS {
            session.start()?;
            if lives_on(session, threads)? {
                return Ok(Some(Answer::LivesOn));
            }
        }
        Ok(None)
    })
}

/// The number of threads that is set.
fn threads(session: &mut CheckSession) -> Result<i64, Abort> {
    let option = session.option("Threads")?;
    let most = option.max.unwrap_or_default().min(THREADS);
    // Without a least value of 1 the program does not begin with one thread.
    let is_asked = option.kind == Some(OptionKind::Spin) && option.min == Some(1) && most > 1;
    if is_asked { Ok(most) } else { Err(Abort::Unsupported) }
}

fn set(session: &mut CheckSession, threads: i64) -> Result<(), Abort> {
    session.set_option("Threads", &threads.to_string())?;
    session.ready().map(|_| ())
}

/// One of many sessions in a process, and what is wrong with it.
type Round = fn(&mut CheckSession) -> Result<CaseProblem, Abort>;

/// The rounds that were run, up to `count`, and what is wrong with the last one.
fn rounds(session: &mut CheckSession, count: u32, run: Round) -> Result<(u32, CaseProblem), Abort> {
    let until = Instant::now() + LONGEST;
    for round in 1..count {
        let problem = run(session)?;
        if problem.is_some() || Instant::now() >= until {
            return Ok((round, problem));
        }
    }
    run(session).map(|problem| (count, problem))
}

fn stop(session: &mut CheckSession) -> Result<CaseProblem, Abort> {
    session.begin_search(RICH, "infinite")?;
    session.send("stop")?;
    answer(session, session.timeouts().stop)
}

fn depth(session: &mut CheckSession) -> Result<CaseProblem, Abort> {
    if session.limits().depth == Support::No {
        return Err(Abort::Unsupported);
    }
    session.begin_search(RICH, "depth 1")?;
    answer(session, SMALL)
}

fn newgame(session: &mut CheckSession) -> Result<CaseProblem, Abort> {
    session.send("ucinewgame")?;
    session.ready()?;
    stop(session)
}

fn is_ready(session: &mut CheckSession) -> Result<CaseProblem, Abort> {
    session.begin_search(RICH, "infinite")?;
    if session.ready()?.iter().any(|message| matches!(message, Message::BestMove(_))) {
        return Ok(Some("bestmove before stop".into()));
    }
    session.send("stop")?;
    answer(session, session.timeouts().stop)
}

/// What is wrong with the answer to a search: it does not come, or only after another `stop`.
fn answer(session: &mut CheckSession, within: Duration) -> Result<CaseProblem, Abort> {
    match session.bestmove(within, REPLAYED) {
        Ok(search) => Ok(search.stopped.then(|| "no bestmove before a second stop".into())),
        Err(Abort::Failed(Failure::Silent { .. })) => Ok(Some("no bestmove".into())),
        Err(abort) => Err(abort),
    }
}

/// Whether the process does not end after `quit` during a search.
fn lives_on(session: &mut CheckSession, threads: i64) -> Result<bool, Abort> {
    set(session, threads)?;
    session.begin_search(RICH, "infinite")?;
    Ok(session.quit()? == Exit::Killed)
}
