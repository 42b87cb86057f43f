//! The `info` lines of a search.

use std::collections::BTreeSet;
use std::time::Duration;

use shakmaty::Position;

use super::abort::{Abort, CaseProblem, CheckResult};
use super::context::{CheckContext, ProtocolCheck};
use super::positions::{AHEAD, CHECKMATE, ENDING, MATE_IN_1, MIDDLE, RICH, STALEMATE, START};
use super::rules;
use crate::answer;
use crate::findings::DRAW_TOLERANCE;
use suites::SharedCause;
use suites::{Answer, Late};
use uci::{Bound, Info, Score, Search};

pub(super) const CHECKS: &[ProtocolCheck] = &[
    ProtocolCheck::new("protocol/info-form", "User interfaces ignore or misread a malformed field.", form),
    ProtocolCheck::new(
        "protocol/info-score",
        "Tournament managers adjudicate by the score, and users read it.",
        score,
    )
    .first(),
    ProtocolCheck::new("protocol/info-depth", "A depth that falls looks like a new search.", depth),
    ProtocolCheck::new("protocol/info-nodes", "A number of nodes that falls is not a count.", nodes),
    ProtocolCheck::new("protocol/info-time", "Wrong times give wrong speeds.", time).timed(),
    ProtocolCheck::new(
        "protocol/info-nps",
        "Users compare machines and versions by the speed that is printed.",
        speed,
    ),
    ProtocolCheck::new("protocol/info-ranges", "User interfaces show numbers that are out of range.", ranges),
    ProtocolCheck::new("protocol/pv-legal", "An illegal line is a sign of a faulty search.", pv_legal)
        .with_cause(SharedCause::IllegalLine),
    ProtocolCheck::new(
        "protocol/pv-bestmove",
        "The program should play the first move of its line.",
        pv_best,
    ),
    ProtocolCheck::new("protocol/wdl", "User interfaces show the chances beside the score.", wdl),
    ProtocolCheck::new(
        "protocol/currmove",
        "The move that is searched must be legal in the position.",
        currmove,
    ),
];

/// The positions that are searched.
const POSITIONS: [&str; 4] = [START, RICH, MIDDLE, ENDING];
/// The longest search. Then `stop` is sent.
const LONGEST: Duration = Duration::from_millis(400);
/// The same for a program that printed no line in that time.
const PATIENT: Duration = Duration::from_secs(5);
/// The depth, and the longest time, at which a program has to print lines that says nothing of its first depths.
const DEEP: u16 = 14;
const LONGEST_DEEP: Duration = Duration::from_secs(2);
/// The time of a search in which the program prints the moves that it searches.
const CURRMOVE: Duration = Duration::from_millis(300);
/// The longest such search: a program that knows only the clock may need more time.
const LONGEST_CURRMOVE: Duration = Duration::from_secs(1);
/// The time of a search whose speed is judged, and of one that fills a hash table of the least size.
const SPEED: Duration = Duration::from_millis(500);
/// The longest such search. Then `stop` is sent.
const LONGEST_SPEED: Duration = Duration::from_secs(2);
/// The least time of a line whose speed is judged, in milliseconds.
const MEASURED: u64 = 100;
/// How many times too fast or too slow a printed speed may be.
const TIMES: u64 = 10;
/// How far a printed time may exceed the time on our clock, in milliseconds.
const GRACE: u64 = 100;

/// Judges a search in each position.
fn each(
    check: &mut CheckContext,
    expected: &str,
    problem: fn(&str, &Search) -> Result<CaseProblem, Abort>,
) -> CheckResult {
    check.each(POSITIONS, expected, |session, position| {
        problem(position, &session.search(position, 6, LONGEST)?)
    })
}

fn form(check: &mut CheckContext) -> CheckResult {
    let expected = "fields of UCI, with values that belong there";
    each(check, expected, |_, search| Ok(malformed(search)))?;
    check.each(
        [("mate-in-one", MATE_IN_1), ("mated", CHECKMATE), ("stalemate", STALEMATE)],
        expected,
        |session, (_, position)| {
            // Data of earlier searches may hide a field that is not set.
            if position != MATE_IN_1 {
                session.start()?;
            }
            // Another check reports how it fails where there is no move.
            let search = session.search(position, 3, LONGEST).inspect_err(|_| session.kill_process());
            search.map_or(Err(Abort::Unsupported), |search| Ok(malformed(&search)))
        },
    )
}

/// The first three malformed fields of a search.
fn malformed(search: &Search) -> CaseProblem {
    let of_infos = search.infos.iter().flat_map(|(_, info)| &info.faults).map(ToString::to_string);
    let faults: BTreeSet<String> =
        of_infos.chain(search.best.faults.iter().map(ToString::to_string)).collect();
    (!faults.is_empty()).then(|| faults.into_iter().take(3).collect::<Vec<_>>().join("; ").into())
}

fn score(check: &mut CheckContext) -> CheckResult {
    check.each(POSITIONS, "a line with depth, score and pv before bestmove", |session, position| {
        let whole = |info: &Info| info.depth.is_some() && info.score.is_some() && info.pv.is_some();
        let is_given_of = |search: &Search| search.infos.iter().any(|(_, info)| whole(info));
        let search = session.search(position, 6, LONGEST)?;
        // It may have been stopped before its first depth.
        let is_given =
            is_given_of(&search) || search.stopped && is_given_of(&session.search(position, 6, PATIENT)?);
        // Some programs say nothing of their first depths.
        let is_given = is_given || is_given_of(&session.search(position, DEEP, LONGEST_DEEP)?);
        Ok((!is_given).then(|| "no such line".to_owned()))
    })
}

/// The values of a field in the lines of the best move, in their order.
fn values<'a>(
    search: &'a Search,
    field: impl Fn(&Info) -> Option<u64> + 'a,
) -> impl Iterator<Item = u64> + 'a {
    let first = |info: &&Info| info.multipv.is_none_or(|number| number == 1);
    search.infos.iter().map(|(_, info)| info).filter(first).filter_map(field)
}

fn falls(mut values: impl Iterator<Item = u64>) -> bool {
    let Some(mut last) = values.next() else { return false };
    values.any(|value| std::mem::replace(&mut last, value) > value)
}

/// Whether the values of a field fall, if the program prints it.
fn given_falls(search: &Search, field: fn(&Info) -> Option<u64>) -> Result<bool, Abort> {
    let mut values = values(search, field).peekable();
    if values.peek().is_some() { Ok(falls(values)) } else { Err(Abort::Unsupported) }
}

fn depth(check: &mut CheckContext) -> CheckResult {
    each(check, "depths that never fall", |_, search| {
        let depth = |info: &Info| info.score.and(info.depth).map(u64::from);
        Ok(falls(values(search, depth)).then(|| "a smaller depth after a greater one".into()))
    })
}

fn nodes(check: &mut CheckContext) -> CheckResult {
    each(check, "nodes that never fall", |_, search| {
        Ok(given_falls(search, |info| info.nodes)?.then(|| "fewer nodes after more".into()))
    })
}

fn time(check: &mut CheckContext) -> CheckResult {
    each(check, "times that never fall and are not beyond the clock's by more than 100 ms", |_, search| {
        if given_falls(search, |info| info.time)? {
            return Ok(Some("a smaller time after a greater one".into()));
        }
        let ahead = search.infos.iter().any(|(at, info)| {
            info.time.is_some_and(|time| u128::from(time) > at.as_millis() + u128::from(GRACE))
        });
        Ok(ahead.then_some(Answer::Late(Late::Time)))
    })
}

/// Judges the speed in the last line that has all three numbers and comes late enough.
fn speed(check: &mut CheckContext) -> CheckResult {
    check.case(MIDDLE, "nps that is about nodes by time", |session| {
        let (limit, within) = session.of_time(SPEED, LONGEST_SPEED);
        let search = session.go(MIDDLE, &limit, within)?;
        // Other checks report nodes that fall, and times that differ from our clock.
        if falls(values(&search, |info| info.nodes)) {
            return Err(Abort::FailedElsewhere);
        }
        let is_right = |at: Duration, time: u64| u128::from(time) <= at.as_millis() + u128::from(GRACE);
        let of_line = |(at, info): &(Duration, Info)| {
            let time = info.time.filter(|&time| time >= MEASURED && is_right(*at, time))?;
            Some((info.nodes?, time, info.nps.filter(|&nps| nps > 0)?))
        };
        let (nodes, time, told) = search.infos.iter().rev().find_map(of_line).ok_or(Abort::Unsupported)?;
        let real = u64::try_from(u128::from(nodes) * 1000 / u128::from(time)).unwrap_or(u64::MAX);
        let is_wrong = told > real.saturating_mul(TIMES) || told < real / TIMES;
        Ok(is_wrong.then(|| format!("nps {told} with nodes {nodes} and time {time}")))
    })
}

const RANGES: &str = "hashfull up to 1000, multipv from 1, currmovenumber within the legal moves";

fn ranges(check: &mut CheckContext) -> CheckResult {
    each(check, RANGES, |position, search| Ok(out_of_range(position, search)))?;
    check.case("smallest-hash", RANGES, |session| {
        // With 0 there is no table that could be full.
        let least = session.option("Hash")?.min.ok_or(Abort::Unsupported)?.max(1);
        session.set_option("Hash", &least.to_string())?;
        let (limit, within) = session.of_time(SPEED, LONGEST_SPEED);
        // `protocol/option-bounds` reports that it fails with this value.
        let searched = session.ready().and_then(|_| session.go(MIDDLE, &limit, within));
        let search = searched.map_err(|_| {
            session.kill_process();
            Abort::FailedElsewhere
        })?;
        Ok(out_of_range(MIDDLE, &search))
    })
}

/// The first number that is out of its range.
fn out_of_range(position: &str, search: &Search) -> CaseProblem {
    let legal = rules::board(position).legal_moves().len() as u32;
    let problem = |info: &Info| {
        let hash = info.hashfull.filter(|&full| full > 1000).map(|full| format!("hashfull {full}"));
        let line = info.multipv.filter(|&number| number == 0).map(|_| "multipv 0".to_owned());
        let number = info.currmovenumber.filter(|&number| number == 0 || number > legal);
        hash.or(line).or(number.map(|number| format!("currmovenumber {number}")))
    };
    search.infos.iter().find_map(|(_, info)| problem(info)).map(Answer::from)
}

fn pv_legal(check: &mut CheckContext) -> CheckResult {
    each(check, "legal moves", |position, search| {
        let board = rules::board(position);
        let mut pvs = search.infos.iter().filter_map(|(_, info)| info.pv.as_ref());
        let illegal = pvs.find_map(|pv| rules::first_illegal(&board, pv));
        Ok(illegal
            .map(|(index, mv)| format!("{mv} as move {} of a pv, which is not legal", index + 1).into()))
    })
}

fn pv_best(check: &mut CheckContext) -> CheckResult {
    check.each(
        POSITIONS.into_iter().chain([MATE_IN_1]),
        "the first move of the last line that is no bound",
        |session, position| {
            let search = session.search(position, 4, Duration::from_secs(1))?;
            // A search that is stopped within an iteration may have found a better move since its last line.
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
            Ok((first != *best).then(|| answer::best_move(best, format!(", pv with {first}"))))
        },
    )
}

fn wdl(check: &mut CheckContext) -> CheckResult {
    check.each(
        POSITIONS.into_iter().chain([MATE_IN_1, AHEAD]),
        "three numbers that add up to 1000, and favour the side that the score favours",
        |session, position| {
            session.option("UCI_ShowWDL")?;
            session.set_option("UCI_ShowWDL", "true")?;
            let search = session.search(position, 6, LONGEST)?;
            let mut chances = search.infos.iter().filter_map(|(_, info)| {
                let wdl = &info.others.iter().find(|(field, _)| field == "wdl")?.1;
                Some(wrong_wdl(wdl, info.score))
            });
            let first = chances.next().ok_or(Abort::Unsupported)?;
            Ok(first.or_else(|| chances.flatten().next()))
        },
    )
}

/// What is wrong with the chances of a line.
fn wrong_wdl(wdl: &str, score: Option<(Score, Bound)>) -> CaseProblem {
    let numbers: Vec<u32> = wdl.split_whitespace().map_while(|number| number.parse().ok()).collect();
    let [wins, draws, losses] = numbers[..] else { return Some(format!("wdl {wdl}").into()) };
    let sum = wins.saturating_add(draws).saturating_add(losses);
    if sum != 1000 {
        return Some(format!("wdl {wdl}, which is {sum}").into());
    }
    let favours = match score? {
        (Score::Mate(moves), Bound::Exact) => moves.signum(),
        (Score::Centipawns(centipawns), Bound::Exact) if centipawns.abs() > DRAW_TOLERANCE => {
            centipawns.signum()
        }
        _ => 0,
    };
    let contradicts = favours > 0 && wins < losses || favours < 0 && wins > losses;
    contradicts.then(|| {
        format!("wdl {wdl} with the score {}", score.map(|(score, _)| score.to_string()).unwrap_or_default())
            .into()
    })
}

fn currmove(check: &mut CheckContext) -> CheckResult {
    check.each([START, MIDDLE], "a legal move", |session, position| {
        let (limit, within) = session.of_time(CURRMOVE, LONGEST_CURRMOVE);
        let search = session.go(position, &limit, within)?;
        let board = rules::board(position);
        let mut moves = search.infos.iter().filter_map(|(_, info)| info.currmove.as_ref()).peekable();
        if moves.peek().is_none() {
            return Err(Abort::Unsupported);
        }
        let illegal = moves.find(|mv| rules::after(&board, mv).is_none());
        Ok(illegal.map(|mv| format!("currmove {mv}, which is not legal")))
    })
}
