//! Files with best moves put to a subject.

use std::time::Instant;

use arbiter::SuiteContext;
use arbiter::bestmove::{self, BestMoveFile, Row};
use reports::BestMoveRow;

use super::super::Collected;
use super::collect;

pub(super) fn run(context: &SuiteContext, files: &[BestMoveFile], found: &mut Collected) {
    for file in files {
        let started = Instant::now();
        let rows = collect(bestmove::run(context, file), started, found);
        let subject = context.players.name();
        found.run.best_moves.extend(rows.into_iter().map(|row| report(subject, row)));
    }
}

fn report(subject: &str, row: Row) -> BestMoveRow {
    BestMoveRow {
        subject: subject.to_owned(),
        suite: row.suite,
        line: row.line,
        id: row.id,
        best: row.best,
        avoid: row.avoid,
        played: row.played,
        points: row.points,
        most_points: row.most_points,
        verdict: row.verdict.name().parse().expect("the report has all verdicts"),
    }
}
