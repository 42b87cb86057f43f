//! Perft files of others put to a program that counts. A case is a figure: a position at a depth. The figures of the file were
//! counted by shakmaty before, and the program is held against those counts.

use suites::perft::{Castling, NodeCount, PerftCase, PerftSuite};
use suites::{Evidence, Findings, SkipReason, Tally, Verdict};

use super::counter::Manner;
use super::counting::{self, CHECK};
use super::judged::Judged;
use super::{CHESS960, Extent};
use crate::player::ProgramFactory;
use crate::runner::{Deadline, EnginePool};
use crate::{Incident, Outcome, ProgressObserver};
use oracle::perft::{CountFile, FileCase};

/// Puts files whose figures were counted to a program, in place of our suites. The rows are how it broke.
pub fn run_files(
    subjects: &ProgramFactory,
    files: &[CountFile],
    extent: &Extent,
    progress: &dyn ProgressObserver,
) -> Outcome<()> {
    let stable = EnginePool::new(subjects.program().for_session("movegen"), subjects.timeouts());
    let manner = Manner::find_out(&stable);
    let declares =
        stable.with_fresh(|engine| Ok(engine.identity().option(CHESS960).is_some())).unwrap_or(false);
    let with_option = stable.with_option(CHESS960, "true");
    let deadline = Deadline::after(extent.counting);
    let (mut findings, mut incidents) = (Vec::new(), Vec::new());
    for file in files {
        let mut found = Findings::new(Tally::new(stable.name(), CHECK, Evidence::Agreement, &file.name));
        for (castling, stable) in [(Castling::Standard, &stable), (Castling::Chess960, &with_option)] {
            let cases: Vec<&FileCase> = file.cases.iter().filter(|case| case.castling == castling).collect();
            let knows = castling == Castling::Standard || declares;
            let Some(manner) = manner.as_ref().filter(|_| knows) else {
                let figures = cases.iter().map(|case| case.figures.len() as u64).sum::<u64>();
                if figures > 0 {
                    found.tally.skip(SkipReason::Unsupported, figures);
                }
                continue;
            };
            let most = counting::most(manner, extent.most_nodes);
            let suite = suite(&file.name, castling, &cases, most);
            progress.begin(suite.cases.len() as u64);
            let judged = counting::put(stable, manner, &suite, most, deadline, progress);
            for ((case, asked), judged) in cases.iter().zip(&suite.cases).zip(judged) {
                incidents.extend(record(&mut found, case, asked.counts.len() as u64, judged));
            }
        }
        findings.push(found);
    }
    let name = stable.name().to_owned();
    Outcome::new(&name, findings, Vec::new(), [stable.into_incidents(), incidents].concat())
}

/// The positions of a file with the true counts of at most so many nodes.
fn suite(name: &str, castling: Castling, cases: &[&FileCase], most: u64) -> PerftSuite {
    let counts = |case: &FileCase| {
        // What no game reaches may break a program that is right.
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

/// Counts the figures of a position of which so many were to be counted, and hands over how the program broke.
fn record(found: &mut Findings, case: &FileCase, asked: u64, judged: Judged) -> Vec<Incident> {
    let Judged { verdict, agreed, incidents, .. } = judged;
    let left_out = case.figures.len() as u64 - asked;
    if left_out > 0 {
        found.tally.skip(SkipReason::LeftOut, left_out);
    }
    found.tally.agreed += agreed;
    // What follows a depth that is wrong, or was not counted, was not counted either.
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
