//! Perft files of the user, for programs that count. A case is one count of the file: a position at a depth.
//! shakmaty has counted it before, and its counts are the expected ones.

use suites::perft::{Castling, NodeCount, PerftCase, PerftSuite};
use suites::{Evidence, Findings, SkipReason, Tally, Verdict};

use super::Extent;
use super::case_result::CaseResult;
use super::perft::{CHECK, Counting};
use crate::player::ProgramFactory;
use crate::runner::EnginePool;
use crate::{Incident, ProgressObserver, SuiteOutcome};
use oracle::perft::{CountFile, FileCase};

/// Runs files whose counts shakmaty has checked, in place of our suites.
pub fn run_files(
    players: &ProgramFactory,
    files: &[CountFile],
    extent: &Extent,
    progress: &dyn ProgressObserver,
) -> SuiteOutcome<()> {
    let pool = EnginePool::new(players.program().for_session("movegen"), players.timeouts());
    let counting = Counting::detect(&pool, extent, progress);
    let (mut findings, mut incidents) = (Vec::new(), Vec::new());
    for file in files {
        let mut found = Findings::new(Tally::new(pool.name(), CHECK, Evidence::Agreement, &file.name));
        for castling in [Castling::Standard, Castling::Chess960] {
            let cases: Vec<&FileCase> = file.cases.iter().filter(|case| case.castling == castling).collect();
            let suite = suite(&file.name, castling, &cases, counting.most());
            let Some(results) = counting.run_cases(&suite) else {
                let figures = cases.iter().map(|case| case.figures.len() as u64).sum::<u64>();
                if figures > 0 {
                    found.tally.skip(SkipReason::Unsupported, figures);
                }
                continue;
            };
            for ((case, asked), result) in cases.iter().zip(&suite.cases).zip(results) {
                incidents.extend(record(&mut found, case, asked.counts.len() as u64, result));
            }
        }
        findings.push(found);
    }
    let name = pool.name().to_owned();
    SuiteOutcome::new(&name, findings, Vec::new(), [pool.into_incidents(), incidents].concat())
}

/// The positions of a file with the counts by shakmaty of at most `most` nodes.
fn suite(name: &str, castling: Castling, cases: &[&FileCase], most: u64) -> PerftSuite {
    let counts = |case: &FileCase| {
        // A program without faults may fail over a position that no game reaches.
        let known = case.figures.iter().filter(|_| case.is_possible).filter_map(|figure| {
            let nodes = figure.nodes().filter(|nodes| *nodes <= most)?;
            Some(NodeCount { depth: figure.stated.depth, nodes })
        });
        known.collect()
    };
    let case = |case: &&FileCase| PerftCase {
        id: case.line.to_string(),
        fen: case.fen.clone(),
        counts: counts(case),
    };
    PerftSuite { name: name.to_owned(), castling, cases: cases.iter().map(case).collect() }
}

/// Adds the result of a position, of which `asked` counts were asked for. Returns how the program failed.
fn record(found: &mut Findings, case: &FileCase, asked: u64, result: CaseResult) -> Vec<Incident> {
    let CaseResult { verdict, agreed, incidents, .. } = result;
    let left_out = case.figures.len() as u64 - asked;
    if left_out > 0 {
        found.tally.skip(SkipReason::LeftOut, left_out);
    }
    found.tally.agreed += agreed;
    // After a depth that is wrong or was not counted, greater depths were not counted.
    let (rest, reason) = match &verdict {
        Verdict::Agree | Verdict::Observed => return incidents,
        Verdict::Differ(_) => (asked.saturating_sub(agreed + 1), SkipReason::NotCertified),
        Verdict::Skip(reason) => (asked.saturating_sub(agreed + 1), *reason),
    };
    if asked > 0 {
        found.record(verdict);
    }
    if rest > 0 {
        found.tally.skip(reason, rest);
    }
    incidents
}

#[cfg(test)]
mod tests {
    use oracle::perft::{Figure, TrueCount};
    use uci::Failure;

    use super::*;
    use crate::player::InProcess;

    #[test]
    fn a_case_is_counted_by_its_counts_and_its_failures_are_passed_on() {
        let figure = |depth| Figure { stated: NodeCount { depth, nodes: 20 }, truth: TrueCount::Nodes(20) };
        let case = FileCase {
            line: 7,
            fen: "startpos".to_owned(),
            castling: Castling::Standard,
            is_possible: true,
            figures: (1..=5).map(figure).collect(),
        };
        // Of five counts four were asked for.
        let recorded = |verdict, agreed| {
            let mut found = Findings::new(Tally::new("player", CHECK, Evidence::Agreement, "file"));
            let failure = Failure::NotStarted(String::new());
            let incident = Incident::over(&InProcess::engine(), None, failure, String::new());
            let result = CaseResult { verdict, agreed, failed: true, incidents: vec![incident.clone()] };
            assert_eq!(record(&mut found, &case, 4, result), [incident]);
            let skipped = |reason| found.tally.skipped.get(&reason).copied().unwrap_or_default();
            let skipped = [SkipReason::LeftOut, SkipReason::NotCertified, SkipReason::OutOfTime].map(skipped);
            (found.tally.agreed, found.tally.differed, skipped)
        };
        assert_eq!(recorded(Verdict::Agree, 4), (4, 0, [1, 0, 0]));
        assert_eq!(recorded(Verdict::Differ(Box::default()), 1), (1, 1, [1, 2, 0]));
        assert_eq!(recorded(Verdict::Skip(SkipReason::OutOfTime), 1), (1, 0, [1, 0, 3]));
    }
}
