//! The part that counts: the perft suites put to a program that counts itself.

use suites::perft::{NodeCount, PerftCase, PerftSuite};
use suites::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};

use super::counter::{Counter, End, Manner, Wrong, mode};
use super::judge::FLAKY;
use super::judged::{Judged, judge_in_order};
use super::minimise::minimise;
use super::place::Place;
use crate::runner::{Deadline, EnginePool};
use crate::{Incident, ProgressObserver};
use oracle::perft::{MoveSource, check_suite};

/// Id of the check.
pub(super) const CHECK: &str = "movegen/perft";
/// Most positions that are tried to find a smaller one.
const MOST_TRIED: u32 = 120;
/// The deepest count for which a smaller position is looked for.
const DEEPEST: u32 = 3;
/// Most nodes of a count for a slow program.
const SLOW_NODES: u64 = 20_000;

/// Puts a suite to a program; without a manner of counting it is passed over.
pub(super) fn run(
    stable: &EnginePool,
    manner: Option<&Manner>,
    suite: &PerftSuite,
    most_nodes: u64,
    deadline: Deadline,
    progress: &dyn ProgressObserver,
    incidents: &mut Vec<Incident>,
) -> Findings {
    let mut findings = Findings::new(Tally::new(stable.name(), CHECK, Evidence::Agreement, &suite.name));
    let cases = suite.cases.len() as u64;
    progress.begin(cases);
    let Some(manner) = manner else {
        findings.tally.skip(SkipReason::Unsupported, cases);
        progress.advance(cases);
        return findings;
    };
    for judged in put(stable, manner, suite, most(manner, most_nodes), deadline, progress) {
        findings.record(judged.verdict);
        incidents.extend(judged.incidents);
    }
    findings
}

/// What is to be said of a count that is wrong, once all was counted again: in the same process, or in another if that broke or was
/// late.
fn again(found: Difference, broke: bool, (verdict, again): (Verdict, bool)) -> (Verdict, bool) {
    match (verdict, again) {
        (verdict @ (Verdict::Agree | Verdict::Skip(SkipReason::GivenUp)), _) => {
            let then = if verdict == Verdict::Agree { "it is right" } else { "the program breaks" };
            let explanation = format!("{}; it came once: counted again, {then}", found.explanation);
            (Verdict::Differ(Box::new(Difference { check: FLAKY.to_owned(), explanation, ..found })), false)
        }
        (Verdict::Skip(reason), _) => (Verdict::Skip(reason), broke),
        (_, again) => (Verdict::Differ(Box::new(found)), broke && again),
    }
}

/// The most nodes that a program is asked to count.
pub(super) fn most(manner: &Manner, most_nodes: u64) -> u64 {
    if manner.is_slow { most_nodes.min(SLOW_NODES) } else { most_nodes }
}

/// Puts each case to a program, at all depths with at most so many nodes.
pub(super) fn put(
    stable: &EnginePool,
    manner: &Manner,
    suite: &PerftSuite,
    most: u64,
    deadline: Deadline,
    progress: &dyn ProgressObserver,
) -> Vec<Judged> {
    judge_in_order(&suite.cases, deadline, progress, |case| {
        let stable = stable.for_case(format!("{}/{}", suite.name, case.id));
        let once = || {
            let counter = Counter::new(&stable, manner, deadline);
            let (agreed, found) = check(&counter, suite, case, most);
            (agreed, judge(&counter, suite, found))
        };
        let first = match once() {
            // It broke, and is asked again.
            (agreed, (Verdict::Skip(_), true)) => {
                let (again_agreed, second) = once();
                (agreed.max(again_agreed), second)
            }
            judged => judged,
        };
        let (agreed, (verdict, broke)) = match first {
            (agreed, (Verdict::Differ(found), broke)) => {
                let (_, second) = once();
                (agreed, again(*found, broke, second))
            }
            judged => judged,
        };
        Judged { verdict, agreed, failed: broke, incidents: stable.into_incidents() }
    })
}

/// The verdict on a case of which this was found, and whether the program broke before there was one.
fn judge(counter: &Counter<'_>, suite: &PerftSuite, found: Verdict) -> (Verdict, bool) {
    match (found, counter.end()) {
        (Verdict::Differ(difference), None) => {
            (Verdict::Differ(Box::new(smaller(counter, suite, *difference))), false)
        }
        (Verdict::Differ(difference), Some(end)) => {
            let broke = matches!(end, End::Broke(_));
            let verdict = match (counter.wrong(), &end) {
                // What was wrong before stays so.
                (Some(wrong), _) => Verdict::Differ(Box::new(cut_off(counter, *difference, wrong, &end))),
                (None, End::Late(_)) => Verdict::Skip(SkipReason::OutOfTime),
                // How it broke is told of all cases together.
                (None, End::Broke(_)) => Verdict::Skip(SkipReason::GivenUp),
            };
            (verdict, broke)
        }
        (verdict, _) => (verdict, false),
    }
}

/// The difference of a wrong count from which the way down could not be gone to its end.
fn cut_off(counter: &Counter<'_>, difference: Difference, wrong: Wrong, end: &End) -> Difference {
    let Wrong { fen, depth, counted, nodes } = wrong;
    let (End::Late(why) | End::Broke(why)) = end;
    let explanation = format!("what is wrong there was not found: {why}");
    let [stored, expected] = [counted, nodes].map(|nodes| format!("{nodes} nodes at depth {depth}"));
    ours(counter, Difference { fen, stored, expected, explanation, ..difference })
}

/// The verdict on one case, by the check of move generators, and how many depths agreed before. What is wrong at a depth is
/// not counted deeper.
fn check(counter: &Counter<'_>, suite: &PerftSuite, case: &PerftCase, most: u64) -> (u64, Verdict) {
    let mut agreed = 0;
    for count in case.counts_within(most) {
        match check_at(counter, suite, PerftCase { counts: vec![count], ..case.clone() }, most) {
            Verdict::Agree => agreed += 1,
            verdict => return (agreed, verdict),
        }
    }
    (agreed, Verdict::Agree)
}

fn check_at(counter: &Counter<'_>, suite: &PerftSuite, case: PerftCase, most: u64) -> Verdict {
    let single = PerftSuite { name: suite.name.clone(), castling: suite.castling, cases: vec![case] };
    let findings = check_suite(counter, &single, most).findings;
    let skipped = findings.tally.skipped.keys().next().copied();
    match (findings.differences.into_iter().next(), skipped) {
        (Some(difference), _) => Verdict::Differ(Box::new(ours(counter, difference))),
        (None, Some(reason)) => Verdict::Skip(reason),
        (None, None) => Verdict::Agree,
    }
}

/// The same with the id and the replay of this check.
fn ours(counter: &Counter<'_>, difference: Difference) -> Difference {
    let depth = depth_of(&difference).unwrap_or(1);
    let lines = [format!("position fen {}", difference.fen), format!("{} {depth}", counter.manner.command)];
    Difference { check: CHECK.to_owned(), replay: counter.stable.replay(&lines), ..difference }
}

/// The depth that the difference speaks of: `20 nodes at depth 1`.
fn depth_of(difference: &Difference) -> Option<u32> {
    difference.expected.rsplit(' ').next()?.parse().ok()
}

/// The same fault in a position with fewer men.
fn smaller(counter: &Counter<'_>, suite: &PerftSuite, difference: Difference) -> Difference {
    let Some(place) = Place::read(&difference.fen, mode(suite.castling)) else { return difference };
    let nodes = |place: &Place, depth| shakmaty::perft(&place.position, depth);
    let is_wrong = |place: &Place, depth| {
        counter.perft(&place.fen, depth, suite.castling).ok().map(|counted| counted != nodes(place, depth))
    };
    let Some(depth) = (1..=DEEPEST).find(|&depth| is_wrong(&place, depth) == Some(true)) else {
        return difference;
    };
    let smallest = minimise(&place, MOST_TRIED, &mut |place| is_wrong(place, depth));
    if smallest.fen == place.fen {
        return difference;
    }
    let counts = vec![NodeCount { depth, nodes: nodes(&smallest, depth) }];
    let case = PerftCase { id: String::new(), fen: smallest.fen.clone(), counts };
    let found = match (check(counter, suite, &case, u64::MAX).1, counter.end(), counter.wrong()) {
        (Verdict::Differ(found), None, _) => *found,
        (Verdict::Differ(found), Some(end), Some(wrong)) => cut_off(counter, *found, wrong, &end),
        _ => return difference,
    };
    Difference {
        case: difference.case,
        explanation: format!("{}; found in {}: {}", found.explanation, place.fen, difference.explanation),
        ..found
    }
}
