//! What a search tells while it lasts.

use std::time::Duration;

use super::abort::Fault;
use super::abort::{Abort, CheckResult};
use super::context::Check;
use super::context::CheckContext;
use super::positions::{ENDING, MATE_IN_1, MIDDLE, RICH, START};
use super::rules;
use super::session::Session;
use uci::Bound;
use uci::{Info, Search};

pub(super) const CHECKS: &[Check] = &[
    Check::new(
        "protocol/info-form",
        "What cannot be read is not shown, or is taken for something else.",
        form,
    ),
    Check::new("protocol/info-score", "Managers adjudicate by the score, and users read it.", score),
    Check::new("protocol/info-depth", "A depth that falls looks like another search.", depth),
    Check::new("protocol/info-nodes", "Nodes that become fewer are no count.", nodes),
    Check::new("protocol/info-time", "Times that are not true make wrong speeds.", time).timed(),
    Check::new("protocol/info-ranges", "Numbers beyond their range are shown as they are.", ranges),
    Check::new("protocol/pv-legal", "A line that cannot be played shows a search that is wrong.", pv_legal),
    Check::new("protocol/pv-bestmove", "The line that was told is to be the one that is played.", pv_best),
    Check::new("protocol/currmove", "The move that is searched is one of the position.", currmove),
];

/// Where searches are listened to.
const POSITIONS: [&str; 4] = [START, RICH, MIDDLE, ENDING];
/// How long each lasts at most, whatever limits the program keeps.
const LONGEST: Duration = Duration::from_millis(400);
/// What a time may be beyond that on our clock, in milliseconds.
const GRACE: u64 = 100;

/// Judges one search in each position.
fn each(
    h: &mut CheckContext,
    expected: &str,
    fault: fn(&str, &Search) -> Result<Fault, Abort>,
) -> CheckResult {
    for position in POSITIONS {
        h.case(position, expected, |e| fault(position, &search(e, position)?))?;
    }
    Ok(())
}

fn search(e: &mut Session, position: &str) -> Result<Search, Abort> {
    e.go(position, "depth 6", LONGEST)
}

fn form(h: &mut CheckContext) -> CheckResult {
    each(h, "fields of UCI, with values that belong there", |_, search| {
        let mut faults: Vec<String> =
            search.infos.iter().flat_map(|(_, info)| &info.faults).map(ToString::to_string).collect();
        faults.extend(search.best.faults.iter().map(ToString::to_string));
        faults.sort();
        faults.dedup();
        Ok((!faults.is_empty()).then(|| faults.into_iter().take(3).collect::<Vec<_>>().join("; ")))
    })
}

fn score(h: &mut CheckContext) -> CheckResult {
    each(h, "a line with depth, score and pv before bestmove", |_, search| {
        let whole = |info: &Info| info.depth.is_some() && info.score.is_some() && info.pv.is_some();
        let told = search.infos.iter().any(|(_, info)| whole(info));
        Ok((!told).then(|| "no such line".to_owned()))
    })
}

/// The values of a field in the lines that tell of the best move, as they came.
fn told<'a>(search: &'a Search, field: impl Fn(&Info) -> Option<u64> + 'a) -> impl Iterator<Item = u64> + 'a {
    let first = |info: &&Info| info.multipv.is_none_or(|number| number == 1);
    search.infos.iter().map(|(_, info)| info).filter(first).filter_map(field)
}

fn falls(mut values: impl Iterator<Item = u64>) -> bool {
    let Some(mut last) = values.next() else { return false };
    values.any(|value| std::mem::replace(&mut last, value) > value)
}

fn depth(h: &mut CheckContext) -> CheckResult {
    each(h, "depths that never fall", |_, search| {
        let depth = |info: &Info| info.score.and(info.depth).map(u64::from);
        Ok(falls(told(search, depth)).then(|| "a smaller depth after a greater one".to_owned()))
    })
}

fn nodes(h: &mut CheckContext) -> CheckResult {
    each(h, "nodes that never fall", |_, search| {
        if told(search, |info| info.nodes).next().is_none() {
            return Err(Abort::Unsupported);
        }
        Ok(falls(told(search, |info| info.nodes)).then(|| "fewer nodes after more".to_owned()))
    })
}

fn time(h: &mut CheckContext) -> CheckResult {
    each(h, "times that never fall and are not beyond the clock's by more than 100 ms", |_, search| {
        if told(search, |info| info.time).next().is_none() {
            return Err(Abort::Unsupported);
        }
        if falls(told(search, |info| info.time)) {
            return Ok(Some("a smaller time after a greater one".to_owned()));
        }
        let ahead = search.infos.iter().any(|(at, info)| {
            info.time.is_some_and(|time| u128::from(time) > at.as_millis() + u128::from(GRACE))
        });
        Ok(ahead.then(|| "a time that has not passed yet".to_owned()))
    })
}

fn ranges(h: &mut CheckContext) -> CheckResult {
    each(
        h,
        "hashfull up to 1000, multipv from 1, currmovenumber within the legal moves",
        |position, search| {
            let legal = rules::moves(&rules::board(position)).len() as u32;
            let fault = |info: &Info| {
                let hash = info.hashfull.filter(|&full| full > 1000).map(|full| format!("hashfull {full}"));
                let line = info.multipv.filter(|&number| number == 0).map(|_| "multipv 0".to_owned());
                let number = info.currmovenumber.filter(|&number| number == 0 || number > legal);
                hash.or(line).or(number.map(|number| format!("currmovenumber {number}")))
            };
            Ok(search.infos.iter().find_map(|(_, info)| fault(info)))
        },
    )
}

fn pv_legal(h: &mut CheckContext) -> CheckResult {
    each(h, "legal moves", |position, search| {
        let board = rules::board(position);
        let mut pvs = search.infos.iter().filter_map(|(_, info)| info.pv.as_ref());
        let illegal = pvs.find_map(|pv| rules::illegal(&board, pv));
        Ok(illegal.map(|(place, mv)| format!("{mv} as move {} of a pv, which is not legal", place + 1)))
    })
}

fn pv_best(h: &mut CheckContext) -> CheckResult {
    for position in POSITIONS.into_iter().chain([MATE_IN_1]) {
        h.case(position, "the first move of the last line that is no bound", |e| {
            let search = e.go(position, "depth 4", Duration::from_secs(1))?;
            // What was stopped within a depth may have found a better move since.
            if search.stopped {
                return Err(Abort::Unsupported);
            }
            let exact = |info: &&Info| {
                info.multipv.is_none_or(|number| number == 1) && matches!(info.score, Some((_, Bound::Exact)))
            };
            let last =
                search.infos.iter().rev().map(|(_, info)| info).filter(exact).find_map(|i| i.pv.clone());
            let first = last.ok_or(Abort::Unsupported)?.first().cloned().unwrap_or_default();
            let best = &search.best.text;
            Ok((first != *best).then(|| format!("bestmove {best}, pv with {first}")))
        })?;
    }
    Ok(())
}

fn currmove(h: &mut CheckContext) -> CheckResult {
    for position in [START, MIDDLE] {
        h.case(position, "a legal move", |e| {
            let search = e.go(position, "movetime 300", LONGEST)?;
            let board = rules::board(position);
            let mut told = search.infos.iter().filter_map(|(_, info)| info.currmove.as_ref()).peekable();
            if told.peek().is_none() {
                return Err(Abort::Unsupported);
            }
            let illegal = told.find(|mv| rules::after(&board, mv).is_none());
            Ok(illegal.map(|mv| format!("currmove {mv}, which is not legal")))
        })?;
    }
    Ok(())
}
