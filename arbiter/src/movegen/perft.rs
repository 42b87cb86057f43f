//! Perft suites, for programs that count.

use oracle::perft::{MoveSource, check_suite};
use suites::perft::{Castling, NodeCount, PerftCase, PerftSuite};
use suites::{Answer, Difference, Evidence, Findings, SkipReason, Tally, Verdict};

use super::Extent;
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
/// The option of programs that play Chess960.
const CHESS960: &str = "UCI_Chess960";
/// The greatest depth at which a smaller position is looked for.
const DEEPEST: u32 = 3;
/// The most nodes of a count by a slow program.
const SLOW_NODES: u64 = 20_000;

/// A program that is asked to count.
pub(super) struct Counting<'a> {
    pool: &'a EnginePool,
    /// The program as it plays Chess960. `None` if it does not.
    chess960: Option<EnginePool>,
    /// `None` if it does not count.
    dialect: Option<PerftDialect>,
    most_nodes: u64,
    deadline: Deadline,
    progress: &'a dyn ProgressObserver,
}

impl<'a> Counting<'a> {
    /// Detects whether a program counts and plays Chess960.
    pub(super) fn detect(pool: &'a EnginePool, extent: &Extent, progress: &'a dyn ProgressObserver) -> Self {
        let deadline = Deadline::at(extent.until);
        let dialect = PerftDialect::detect(pool);
        let has_option = pool.with_fresh(|engine| Ok(engine.identity().option(CHESS960).is_some()));
        let chess960 = has_option.unwrap_or(false).then(|| pool.with_option(CHESS960, "true"));
        Self { pool, chess960, dialect, most_nodes: extent.most_nodes, deadline, progress }
    }

    /// The processes and the dialect for this castling, if it counts there.
    fn by(&self, castling: Castling) -> Option<(&EnginePool, &PerftDialect)> {
        let pool = match castling {
            Castling::Standard => Some(self.pool),
            Castling::Chess960 => self.chess960.as_ref(),
        };
        pool.zip(self.dialect.as_ref())
    }

    /// The most nodes that it is asked to count.
    pub(super) fn most(&self) -> u64 {
        let is_slow = self.dialect.as_ref().is_some_and(|dialect| dialect.is_slow);
        if is_slow { self.most_nodes.min(SLOW_NODES) } else { self.most_nodes }
    }

    /// Whether a count is left out only because the program counts slowly.
    fn is_beyond(&self, nodes: u64) -> bool {
        self.most() < nodes && nodes <= self.most_nodes
    }

    /// Runs a suite. If the program does not count, it is skipped.
    pub(super) fn run(&self, suite: &PerftSuite, incidents: &mut Vec<Incident>) -> Findings {
        let tally = Tally::new(self.pool.name(), CHECK, Evidence::Agreement, &suite.name);
        let mut findings = Findings::new(tally);
        let beyond =
            suite.cases.iter().filter(|case| case.counts.iter().any(|count| self.is_beyond(count.nodes)));
        match beyond.count() as u64 {
            0 => {}
            beyond => findings.tally.skip(SkipReason::LeftOut, beyond),
        }
        let Some(results) = self.run_cases(suite) else {
            let cases = suite.cases.len() as u64;
            findings.tally.skip(SkipReason::Unsupported, cases);
            self.progress.begin(cases);
            self.progress.advance(cases);
            return findings;
        };
        for result in results {
            findings.record(result.verdict);
            incidents.extend(result.incidents);
        }
        findings
    }

    /// Runs each case, at all depths within the most nodes. `None` if the program does not count.
    pub(super) fn run_cases(&self, suite: &PerftSuite) -> Option<Vec<CaseResult>> {
        let (pool, dialect) = self.by(suite.castling)?;
        self.progress.begin(suite.cases.len() as u64);
        Some(run_cases(&suite.cases, self.deadline, self.progress, |case| {
            let pool = pool.for_case(format!("{}/{}", suite.name, case.id));
            let once = || {
                let source = PerftSource::new(&pool, dialect, self.deadline);
                let (agreed, found) = check(&source, suite, case, self.most());
                (agreed, judge(&source, suite, found))
            };
            let (mut agreed, (mut verdict, mut failed)) = once();
            if failed && matches!(verdict, Verdict::Skip(_)) {
                // The program failed. Ask it again.
                let before = agreed;
                (agreed, (verdict, failed)) = once();
                agreed = agreed.max(before);
            }
            if let Verdict::Differ(found) = verdict {
                (verdict, failed) = confirmed(*found, failed, once().1);
            }
            CaseResult { verdict, agreed, failed, incidents: pool.into_incidents() }
        }))
    }
}

/// The verdict on a wrong count, after a second count of the whole case: in the same process, or in a fresh
/// one if the same one failed or was late.
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

/// The verdict on a case after its counts, and whether the program failed.
fn judge(source: &PerftSource<'_>, suite: &PerftSuite, found: Verdict) -> (Verdict, bool) {
    match (found, source.stopped()) {
        (Verdict::Differ(difference), None) => {
            (Verdict::Differ(Box::new(smaller(source, suite, *difference))), false)
        }
        (Verdict::Differ(difference), Some(stopped)) => {
            let verdict = match source.wrong() {
                // A wrong count stands.
                Some(wrong) => Verdict::Differ(Box::new(cut_off(source, *difference, wrong, &stopped))),
                // The incident tells how it failed.
                None if stopped.failed => Verdict::Skip(SkipReason::GivenUp),
                None => Verdict::Skip(SkipReason::OutOfTime),
            };
            (verdict, stopped.failed)
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
    let explanation = format!("the wrong move was not found: {}", stopped.why);
    let [stored, expected] = [counted, nodes].map(|nodes| Answer::Nodes { nodes, depth });
    ours(source, Difference { fen, stored, expected, explanation, ..difference })
}

/// The verdict on one case, by the check of move generators, and how many depths agreed before. After a wrong
/// count, greater depths are not counted.
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
    let depth = if let Answer::Nodes { depth, .. } = difference.expected { depth } else { 1 };
    let lines = [format!("position fen {}", difference.fen), format!("{} {depth}", source.dialect.command)];
    Difference { check: CHECK.to_owned(), replay: source.pool.replay(&lines), ..difference }
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
