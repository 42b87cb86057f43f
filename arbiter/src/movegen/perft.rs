//! Perft suites, for programs that count.

use oracle::perft::{MoveSource, check_suite};
use suites::perft::{NodeCount, PerftCase, PerftSuite};
use suites::{Difference, Evidence, Findings, SkipReason, Tally, Verdict};

use super::case_result::{CaseResult, run_cases};
use super::judge::FLAKY;
use super::minimise::minimise;
use super::perft_source::{PerftDialect, PerftSource, StopReason, WrongCount, mode};
use super::test_position::TestPosition;
use crate::runner::{Deadline, EnginePool};
use crate::{Incident, ProgressObserver};

/// The id of the check.
pub(super) const CHECK: &str = "movegen/perft";
/// The most positions that are tried to find a smaller one.
const MOST_TRIED: u32 = 120;
/// The greatest depth at which a smaller position is looked for.
const DEEPEST: u32 = 3;
/// The most nodes of a count by a slow program.
const SLOW_NODES: u64 = 20_000;

/// Runs a suite. Without a dialect it is skipped.
pub(super) fn run(
    pool: &EnginePool,
    dialect: Option<&PerftDialect>,
    suite: &PerftSuite,
    most_nodes: u64,
    deadline: Deadline,
    progress: &dyn ProgressObserver,
    incidents: &mut Vec<Incident>,
) -> Findings {
    let mut findings = Findings::new(Tally::new(pool.name(), CHECK, Evidence::Agreement, &suite.name));
    let cases = suite.cases.len() as u64;
    progress.begin(cases);
    let Some(dialect) = dialect else {
        findings.tally.skip(SkipReason::Unsupported, cases);
        progress.advance(cases);
        return findings;
    };
    for result in run_suite(pool, dialect, suite, most(dialect, most_nodes), deadline, progress) {
        findings.record(result.verdict);
        incidents.extend(result.incidents);
    }
    findings
}

/// The verdict on a wrong count, after all was counted again: in the same process, or in a fresh one if that failed or was late.
fn confirmed(found: Difference, failed: bool, (verdict, again): (Verdict, bool)) -> (Verdict, bool) {
    match (verdict, again) {
        (verdict @ (Verdict::Agree | Verdict::Skip(SkipReason::GivenUp)), _) => {
            let then = if verdict == Verdict::Agree { "it is right" } else { "the program fails" };
            let explanation = format!("{}; it came once: counted again, {then}", found.explanation);
            (Verdict::Differ(Box::new(Difference { check: FLAKY.to_owned(), explanation, ..found })), false)
        }
        (Verdict::Skip(reason), _) => (Verdict::Skip(reason), failed),
        (_, again) => (Verdict::Differ(Box::new(found)), failed && again),
    }
}

/// The most nodes that a program is asked to count.
pub(super) fn most(dialect: &PerftDialect, most_nodes: u64) -> u64 {
    if dialect.is_slow { most_nodes.min(SLOW_NODES) } else { most_nodes }
}

/// Runs each case, at all depths with at most `most` nodes.
pub(super) fn run_suite(
    pool: &EnginePool,
    dialect: &PerftDialect,
    suite: &PerftSuite,
    most: u64,
    deadline: Deadline,
    progress: &dyn ProgressObserver,
) -> Vec<CaseResult> {
    run_cases(&suite.cases, deadline, progress, |case| {
        let pool = pool.for_case(format!("{}/{}", suite.name, case.id));
        let once = || {
            let source = PerftSource::new(&pool, dialect, deadline);
            let (agreed, found) = check(&source, suite, case, most);
            (agreed, judge(&source, suite, found))
        };
        let first = match once() {
            // It failed, and is asked again.
            (agreed, (Verdict::Skip(_), true)) => {
                let (again_agreed, second) = once();
                (agreed.max(again_agreed), second)
            }
            result => result,
        };
        let (agreed, (verdict, failed)) = match first {
            (agreed, (Verdict::Differ(found), failed)) => {
                let (_, second) = once();
                (agreed, confirmed(*found, failed, second))
            }
            result => result,
        };
        CaseResult { verdict, agreed, failed, incidents: pool.into_incidents() }
    })
}

/// The verdict on a case after its counts, and whether the program failed.
fn judge(source: &PerftSource<'_>, suite: &PerftSuite, found: Verdict) -> (Verdict, bool) {
    match (found, source.stopped()) {
        (Verdict::Differ(difference), None) => {
            (Verdict::Differ(Box::new(smaller(source, suite, *difference))), false)
        }
        (Verdict::Differ(difference), Some(stopped)) => {
            let failed = matches!(stopped, StopReason::Failed(_));
            let verdict = match (source.wrong(), &stopped) {
                // A wrong count stands.
                (Some(wrong), _) => Verdict::Differ(Box::new(cut_off(source, *difference, wrong, &stopped))),
                (None, StopReason::Late(_)) => Verdict::Skip(SkipReason::OutOfTime),
                // The incident tells how it failed.
                (None, StopReason::Failed(_)) => Verdict::Skip(SkipReason::GivenUp),
            };
            (verdict, failed)
        }
        (verdict, _) => (verdict, false),
    }
}

/// The difference of a wrong count, if the search for the wrong move did not end.
fn cut_off(
    source: &PerftSource<'_>,
    difference: Difference,
    wrong: WrongCount,
    stopped: &StopReason,
) -> Difference {
    let WrongCount { fen, depth, counted, nodes } = wrong;
    let (StopReason::Late(why) | StopReason::Failed(why)) = stopped;
    let explanation = format!("the wrong move was not found: {why}");
    let [stored, expected] = [counted, nodes].map(|nodes| format!("{nodes} nodes at depth {depth}"));
    ours(source, Difference { fen, stored, expected, explanation, ..difference })
}

/// The verdict on one case, by the check of move generators, and how many depths agreed before. After a wrong count, greater
/// depths are not counted.
fn check(source: &PerftSource<'_>, suite: &PerftSuite, case: &PerftCase, most: u64) -> (u64, Verdict) {
    let mut agreed = 0;
    for count in case.counts_within(most) {
        match check_at(source, suite, PerftCase { counts: vec![count], ..case.clone() }, most) {
            Verdict::Agree => agreed += 1,
            verdict => return (agreed, verdict),
        }
    }
    (agreed, Verdict::Agree)
}

fn check_at(source: &PerftSource<'_>, suite: &PerftSuite, case: PerftCase, most: u64) -> Verdict {
    let single = PerftSuite { name: suite.name.clone(), castling: suite.castling, cases: vec![case] };
    let findings = check_suite(source, &single, most).findings;
    let skipped = findings.tally.skipped.keys().next().copied();
    match (findings.differences.into_iter().next(), skipped) {
        (Some(difference), _) => Verdict::Differ(Box::new(ours(source, difference))),
        (None, Some(reason)) => Verdict::Skip(reason),
        (None, None) => Verdict::Agree,
    }
}

/// The difference with the id and the replay of this check.
fn ours(source: &PerftSource<'_>, difference: Difference) -> Difference {
    let depth = depth_of(&difference).unwrap_or(1);
    let lines = [format!("position fen {}", difference.fen), format!("{} {depth}", source.dialect.command)];
    Difference { check: CHECK.to_owned(), replay: source.pool.replay(&lines), ..difference }
}

/// The depth in a difference such as `20 nodes at depth 1`.
fn depth_of(difference: &Difference) -> Option<u32> {
    difference.expected.rsplit(' ').next()?.parse().ok()
}

/// The same difference in a position with fewer men, if one shows it.
fn smaller(source: &PerftSource<'_>, suite: &PerftSuite, difference: Difference) -> Difference {
    let Some(position) = TestPosition::read(&difference.fen, mode(suite.castling)) else { return difference };
    let nodes = |position: &TestPosition, depth| shakmaty::perft(&position.chess, depth);
    let is_wrong = |position: &TestPosition, depth| {
        source
            .perft(&position.fen, depth, suite.castling)
            .ok()
            .map(|counted| counted != nodes(position, depth))
    };
    let Some(depth) = (1..=DEEPEST).find(|&depth| is_wrong(&position, depth) == Some(true)) else {
        return difference;
    };
    let smallest = minimise(&position, MOST_TRIED, &mut |position| is_wrong(position, depth));
    if smallest.fen == position.fen {
        return difference;
    }
    let counts = vec![NodeCount { depth, nodes: nodes(&smallest, depth) }];
    let case = PerftCase { id: String::new(), fen: smallest.fen.clone(), counts };
    let found = match (check(source, suite, &case, u64::MAX).1, source.stopped(), source.wrong()) {
        (Verdict::Differ(found), None, _) => *found,
        (Verdict::Differ(found), Some(stopped), Some(wrong)) => cut_off(source, *found, wrong, &stopped),
        _ => return difference,
    };
    Difference {
        case: difference.case,
        explanation: format!("{}; found in {}: {}", found.explanation, position.fen, difference.explanation),
        ..found
    }
}
