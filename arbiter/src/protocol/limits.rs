//! Limits of a search: does it end by itself, and where it was told to?

use std::time::Duration;

use super::abort::CheckResult;
use super::context::Check;
use super::context::CheckContext;
use super::positions::{MATE_IN_2, MIDDLE, RICH, START};
use super::rules;
use uci::Search;

pub(super) const CHECKS: &[Check] = &[
    Check::new("protocol/depth", "Matches and analyses at fixed depth wait for it.", depth),
    Check::new("protocol/depth-kept", "UCI: it searches so many plies only.", depth_kept),
    Check::new("protocol/depth-zero", "Scripts ask for it by mistake.", depth_zero),
    Check::new("protocol/nodes", "Matches at fixed nodes are fair on any machine.", nodes),
    Check::new("protocol/nodes-kept", "UCI: it searches so many nodes only.", nodes_kept),
    Check::new("protocol/movetime", "Whoever thinks longer than movetime loses on time.", movetime).timed(),
    Check::new("protocol/movetime-used", "UCI: it searches exactly so long.", movetime_used).timed(),
    Check::new("protocol/mate", "UCI: it searches for a mate in so many moves.", mate),
];

/// Nodes that are asked for, and the most that may be told of them.
const NODES: u64 = 50_000;
const MOST_NODES: u64 = 75_000;
/// The time that is asked for, and what may come to it.
const MOVETIME: Duration = Duration::from_millis(200);
const GRACE: Duration = Duration::from_millis(300);

/// What is small enough ends within this time on any machine.
const SMALL: Duration = Duration::from_secs(4);
const NOT_BY_ITSELF: &str = "no bestmove before stop";

fn by_itself(position: &str, search: &Search) -> Option<String> {
    if search.stopped { Some(NOT_BY_ITSELF.to_owned()) } else { rules::fault(position, &search.best) }
}

/// The most nodes that it tells of.
fn told(search: &Search) -> Option<u64> {
    search.infos.iter().filter_map(|(_, info)| info.nodes).max()
}

fn depth(h: &mut CheckContext) -> CheckResult {
    for (position, depth) in [(START, 1), (START, 4), (MIDDLE, 3)] {
        h.case(&format!("{position} {depth}"), "a legal bestmove by itself", |e| {
            let search = e.go(position, &format!("depth {depth}"), e.timeouts().think.min(SMALL))?;
            Ok(by_itself(position, &search))
        })?;
    }
    Ok(())
}

fn depth_kept(h: &mut CheckContext) -> CheckResult {
    for depth in [1, 2, 4] {
        h.case(&format!("depth {depth}"), "no line of a greater depth", |e| {
            let search = e.go(START, &format!("depth {depth}"), Duration::from_secs(1))?;
            let told = search.infos.iter().filter_map(|(_, info)| info.pv.as_ref().and(info.depth)).max();
            Ok(told.filter(|&told| told > depth).map(|told| format!("depth {told}")))
        })?;
    }
    Ok(())
}

fn depth_zero(h: &mut CheckContext) -> CheckResult {
    h.case("depth 0", "a legal bestmove, by itself or after stop", |e| {
        let search = e.go(START, "depth 0", e.awhile())?;
        match rules::fault(START, &search.best) {
            None => e.goes_on(),
            fault => Ok(fault),
        }
    })
}

fn nodes(h: &mut CheckContext) -> CheckResult {
    for (position, nodes) in [(RICH, 1), (START, NODES)] {
        h.case(&format!("{position} {nodes}"), "a legal bestmove by itself", |e| {
            let search = e.go(position, &format!("nodes {nodes}"), e.timeouts().think.min(SMALL))?;
            if search.stopped && told(&search).is_some_and(|told| told < nodes) {
                return Ok(rules::fault(position, &search.best));
            }
            Ok(by_itself(position, &search))
        })?;
    }
    Ok(())
}

fn nodes_kept(h: &mut CheckContext) -> CheckResult {
    let expected = format!("nodes {MOST_NODES} at most, and a tenth of {NODES} at least");
    h.case(&format!("nodes {NODES}"), &expected, |e| {
        let search = e.go(MIDDLE, &format!("nodes {NODES}"), e.timeouts().think.min(SMALL))?;
        Ok(match told(&search) {
            None => Some("no nodes are told".to_owned()),
            Some(nodes) if nodes > MOST_NODES => Some("more nodes".to_owned()),
            Some(nodes) if nodes < NODES / 10 && !search.stopped => Some("fewer nodes".to_owned()),
            Some(_) => None,
        })
    })
}

fn movetime(h: &mut CheckContext) -> CheckResult {
    for position in [START, RICH] {
        h.case(position, "a legal bestmove within movetime 200 and 300 ms", |e| {
            let search =
                e.go(position, &format!("movetime {}", MOVETIME.as_millis()), e.timeouts().think.min(SMALL))?;
            let late = search.took > MOVETIME + GRACE;
            Ok(by_itself(position, &search).or_else(|| late.then(|| "a later bestmove".to_owned())))
        })?;
    }
    Ok(())
}

fn movetime_used(h: &mut CheckContext) -> CheckResult {
    h.case(MIDDLE, "at least half of movetime 200", |e| {
        let search =
            e.go(MIDDLE, &format!("movetime {}", MOVETIME.as_millis()), e.timeouts().think.min(SMALL))?;
        Ok((search.took < MOVETIME / 2).then(|| "an earlier bestmove".to_owned()))
    })
}

fn mate(h: &mut CheckContext) -> CheckResult {
    h.case("mate 2", "a legal bestmove by itself", |e| {
        let search = e.go(MATE_IN_2, "mate 2", e.timeouts().think.min(SMALL))?;
        Ok(by_itself(MATE_IN_2, &search))
    })
}
