//! Limits of a search: whether it ends without `stop`, and at the limit.

use std::time::Duration;

use super::abort::{Abort, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{MATE_IN_1, MATE_IN_2, MIDDLE, RICH, START};
use super::rules;
use super::session::CheckSession;
use crate::answer;
use oracle::prover::{ProverLimits, ProverVerdict, prove};
use suites::SharedCause;
use suites::{Answer, Late};
use uci::{Failure, Search, Support};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new(
        "protocol/depth",
        "Matches and analyses at fixed depth wait for the end of the search.",
        depth,
    )
    .first(),
    ProtocolCheck::new(
        "protocol/depth-kept",
        "UCI: the search is limited to this number of plies.",
        depth_kept,
    ),
    ProtocolCheck::new("protocol/depth-zero", "Scripts send it by mistake.", depth_zero)
        .with_cause(SharedCause::NoTime),
    ProtocolCheck::new("protocol/depth-huge", "Users ask for depths that no search reaches.", depth_huge),
    ProtocolCheck::new("protocol/nodes", "Matches at fixed nodes are fair on any machine.", nodes).first(),
    ProtocolCheck::new(
        "protocol/nodes-kept",
        "UCI: the search is limited to this number of nodes.",
        nodes_kept,
    ),
    ProtocolCheck::new(
        "protocol/movetime",
        "A program that searches longer than movetime loses on time.",
        movetime,
    )
    .first()
    .timed(),
    ProtocolCheck::new(
        "protocol/movetime-overrun",
        "A tournament manager without a margin forfeits the game.",
        overrun,
    )
    .timed()
    .slow(),
    ProtocolCheck::new("protocol/movetime-used", "UCI: the search lasts exactly this time.", movetime_used)
        .timed(),
    ProtocolCheck::new(
        "protocol/mate",
        "UCI: the program searches for a mate in this number of moves.",
        mate,
    ),
    ProtocolCheck::new("protocol/mate-found", "Users ask it to solve problems.", mate_found),
];

/// The limit of nodes.
const NODES: u64 = 50_000;
/// The most nodes that the program may print.
const MOST_NODES: u64 = 75_000;
/// The limit of time.
const MOVETIME: Duration = Duration::from_millis(200);
/// A limit of time that a middlegame takes many iterations to reach.
const LONG_MOVETIME: Duration = Duration::from_secs(1);
/// How much longer than the limit a search may take.
const GRACE: Duration = Duration::from_millis(300);
/// The number of short searches that are measured.
const SHORT: usize = 20;
/// The limit of a short search.
const SHORT_MOVETIME: Duration = Duration::from_millis(100);
/// How much longer than its limit a short search may take: more than a tenth.
const OVERRUN: Duration = Duration::from_millis(30);
/// The longest time of a small search on any machine.
const SMALL: Duration = Duration::from_secs(4);

/// More plies than the tables of most engines have, and the time after which `stop` is sent.
const HUGE: u32 = 200;
const HUGE_TIME: Duration = Duration::from_millis(500);
/// A position in which engines come to great depths at once.
const BARE_KINGS: &str = "fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1";

/// A search that is small on any machine.
fn small(session: &mut CheckSession, position: &str, limit: &str) -> Result<Search, Abort> {
    session.go(position, limit, small_time(session))
}

fn small_time(session: &CheckSession) -> Duration {
    session.timeouts().think.min(SMALL)
}

/// A search within a limit. If the program does not keep the limit at all, another check reports that, and
/// this check is not supported.
fn if_kept(
    session: &mut CheckSession,
    kept: Support,
    position: &str,
    limit: &str,
    within: Duration,
) -> Result<Search, Abort> {
    let search = session.go(position, limit, within);
    let has_no_end = match &search {
        Ok(search) => search.stopped,
        Err(abort) => matches!(abort, Abort::Failed(Failure::Silent { .. })),
    };
    if kept == Support::No && has_no_end {
        session.kill_process();
        return Err(Abort::Unsupported);
    }
    search
}

/// Whether the search has come to a depth that no search of its nodes reaches: it waits for `stop` at its
/// greatest depth.
fn has_run_out(search: &Search) -> bool {
    search.infos.iter().filter_map(|(_, info)| info.depth).max().is_some_and(|depth| depth >= uci::EXHAUSTED)
}

/// Whether a search that was stopped after `time` was too slow to reach this depth, or was still at work
/// there.
fn is_on_its_way(search: &Search, depth: u32, time: Duration) -> bool {
    let lines = || search.infos.iter().filter_map(|(at, info)| Some((*at, info.depth?)));
    let deepest = lines().map(|(_, depth)| depth).max();
    let last = lines().map(|(at, _)| at).max().unwrap_or_default();
    deepest.is_some_and(|deepest| deepest < depth || deepest == depth && last > time / 2)
}

/// The most nodes that the program prints.
fn most_nodes(search: &Search) -> Option<u64> {
    search.infos.iter().filter_map(|(_, info)| info.nodes).max()
}

fn depth(check: &mut CheckContext) -> CheckResult {
    for (position, depth) in [(START, 1), (START, 4), (MIDDLE, 3)] {
        check.case(&format!("{position} {depth}"), "a legal bestmove by itself", |session| {
            let search = small(session, position, &format!("depth {depth}"))?;
            if search.stopped && is_on_its_way(&search, depth, small_time(session)) {
                return Ok(rules::problem(position, &search.best));
            }
            Ok(rules::problem_without_stop(position, &search))
        })?;
    }
    Ok(())
}

fn depth_kept(check: &mut CheckContext) -> CheckResult {
    for depth in [1, 2, 4] {
        check.case(
            &format!("depth {depth}"),
            "lines up to this depth, and of no greater one",
            |session| {
                let kept = session.limits().depth;
                let search =
                    if_kept(session, kept, START, &format!("depth {depth}"), Duration::from_secs(1))?;
                let most = search.infos.iter().filter_map(|(_, info)| info.pv.as_ref().and(info.depth)).max();
                // A program that was stopped had no time to reach it.
                let is_wrong = |most: &u32| *most > depth || *most < depth && !search.stopped;
                Ok(most.filter(is_wrong).map(|most| format!("depth {most}")))
            },
        )?;
    }
    Ok(())
}

fn depth_zero(check: &mut CheckContext) -> CheckResult {
    check.case("depth 0", "a legal bestmove, by itself or after stop", |session| {
        let (kept, time) = (session.limits().depth, session.quiet_time());
        let search = if_kept(session, kept, START, "depth 0", time)?;
        session.or_check_alive(rules::problem(START, &search.best))
    })
}

fn depth_huge(check: &mut CheckContext) -> CheckResult {
    let positions = [("start", START), ("bare-kings", BARE_KINGS)];
    check.each(positions, "a legal bestmove, by itself or after stop", |session, (_, position)| {
        let kept = session.limits().depth;
        let search = if_kept(session, kept, position, &format!("depth {HUGE}"), HUGE_TIME)?;
        // A game of bare kings is over.
        let has_none = position == BARE_KINGS && rules::is_no_move(&search.best.text);
        session.or_check_alive(rules::problem(position, &search.best).filter(|_| !has_none))
    })
}

fn nodes(check: &mut CheckContext) -> CheckResult {
    for (position, nodes) in [(RICH, 1), (START, NODES), (MATE_IN_2, NODES)] {
        check.case(&format!("{position} {nodes}"), "a legal bestmove by itself", |session| {
            let search = small(session, position, &format!("nodes {nodes}"))?;
            let is_slow = most_nodes(&search).is_some_and(|counted| counted < nodes) && !has_run_out(&search);
            if search.stopped && is_slow {
                return Ok(rules::problem(position, &search.best));
            }
            Ok(rules::problem_without_stop(position, &search))
        })?;
    }
    Ok(())
}

fn nodes_kept(check: &mut CheckContext) -> CheckResult {
    let expected = format!("nodes {MOST_NODES} at most, and a tenth of {NODES} at least");
    check.case(&format!("nodes {NODES}"), &expected, |session| {
        let (kept, time) = (session.limits().nodes, small_time(session));
        let search = if_kept(session, kept, MIDDLE, &format!("nodes {NODES}"), time)?;
        Ok(match most_nodes(&search) {
            None => Some("no nodes are told".to_owned()),
            Some(nodes) if nodes > MOST_NODES => Some("more nodes".to_owned()),
            Some(nodes) if nodes < NODES / 10 && !search.stopped => Some("fewer nodes".to_owned()),
            Some(_) => None,
        })
    })
}

fn movetime(check: &mut CheckContext) -> CheckResult {
    check.each([START, RICH], "a legal bestmove within movetime 200 and 300 ms", |session, position| {
        within_movetime(session, position, MOVETIME)
    })?;
    // A search whose clock is read too seldom ends in time where an iteration happens to end.
    let long = [("middlegame 1000", MIDDLE), ("startpos 1000", START), ("castling 1000", RICH)];
    let asked = if check.session().is_quick() { 1 } else { long.len() };
    check.each(
        long.into_iter().take(asked),
        "a legal bestmove within movetime 1000 and 300 ms",
        |session, (_, position)| {
            session.send("ucinewgame")?;
            session.ready()?;
            within_movetime(session, position, LONG_MOVETIME)
        },
    )
}

fn within_movetime(
    session: &mut CheckSession,
    position: &str,
    limit: Duration,
) -> Result<Option<Answer>, Abort> {
    let request = format!("movetime {}", limit.as_millis());
    let search = small(session, position, &request)?;
    let late = search.took > limit + GRACE;
    Ok(rules::problem_without_stop(position, &search)
        .or_else(|| late.then_some(Answer::Late(Late::BestMove))))
}

fn overrun(check: &mut CheckContext) -> CheckResult {
    let (limit, over) = (SHORT_MOVETIME.as_millis(), OVERRUN.as_millis());
    let expected = format!("3 of {SHORT} searches within movetime {limit} and {over} ms");
    check.case("third-shortest", &expected, |session| {
        let mut times = Vec::new();
        for _ in 0..SHORT {
            session.begin_search(MIDDLE, &format!("movetime {limit}"))?;
            match session.bestmove(small_time(session), 2 * SHORT_MOVETIME) {
                Ok(search) if !search.stopped => times.push(search.took),
                // Other checks report a search that does not end.
                Ok(_) | Err(Abort::Failed(Failure::Silent { .. })) => {
                    session.kill_process();
                    return Err(Abort::FailedElsewhere);
                }
                Err(abort) => return Err(abort),
            }
        }
        times.sort_unstable();
        // A busy machine delays many searches. One that overruns its limit on an idle machine overruns it in
        // all of them.
        let over = times.get(2).copied().unwrap_or_default().saturating_sub(SHORT_MOVETIME);
        if over > GRACE {
            // `protocol/movetime` reports it.
            return Err(Abort::FailedElsewhere);
        }
        Ok((over > OVERRUN).then_some(Answer::Late(Late::Answers)))
    })
}

fn movetime_used(check: &mut CheckContext) -> CheckResult {
    check.case(MIDDLE, "at least half of movetime 200", |session| {
        let (kept, time) = (session.limits().move_time, small_time(session));
        let search = if_kept(session, kept, MIDDLE, &format!("movetime {}", MOVETIME.as_millis()), time)?;
        Ok((search.took < MOVETIME / 2).then(|| "an earlier bestmove".to_owned()))
    })
}

fn mate(check: &mut CheckContext) -> CheckResult {
    check.case("mate 2", "a legal bestmove by itself", |session| {
        let search = small(session, MATE_IN_2, "mate 2")?;
        let runs_out = has_run_out(&search).then(|| "it searched on to its greatest depth".into());
        Ok(rules::problem_without_stop(MATE_IN_2, &search).or(runs_out))
    })
}

fn mate_found(check: &mut CheckContext) -> CheckResult {
    for (moves, position) in [(1, MATE_IN_1), (2, MATE_IN_2)] {
        check.case(&format!("mate {moves}"), &format!("a move that mates in {moves}"), |session| {
            let search = session.go(position, &format!("mate {moves}"), Duration::from_secs(1))?;
            // Another check reports a search that does not end.
            if search.stopped {
                return Err(Abort::FailedElsewhere);
            }
            let best = search.best.text;
            // Another check reports an answer that is no legal move.
            let after = rules::after(&rules::board(position), &best).ok_or(Abort::FailedElsewhere)?;
            let outcome = prove(&after, 1 - moves, &ProverLimits::default());
            let mates = matches!(outcome.verdict, ProverVerdict::Mated { .. });
            Ok((!mates).then(|| answer::best_move(&best, "")))
        })?;
    }
    Ok(())
}
