//! The suite of stalemates.

use std::time::Instant;

use arbiter::SuiteContext;
use arbiter::stalemates::{self, Row};
use reports::StalemateSubjectRow;

use super::super::Collected;
use super::collect;

pub(super) fn run(context: &SuiteContext, found: &mut Collected) -> anyhow::Result<()> {
    let started = Instant::now();
    let cases = suites::stalemates::embedded()?;
    let rows = collect(stalemates::run(context, &cases)?, started, found);
    found.run.stalemates_subjects.extend(rows.into_iter().map(|row| report(context.players.name(), &row)));
    Ok(())
}

fn report(subject: &str, row: &Row) -> StalemateSubjectRow {
    StalemateSubjectRow {
        subject: subject.to_owned(),
        class: row.class.name().to_owned(),
        depth: row.depth.into(),
        tables: row.tables,
        positions: row.positions,
        due: row.due,
        agreed: row.agreed,
        observed: row.observed,
        wrong_score: row.wrong_score,
        stalemated: row.stalemated,
        missed: row.missed,
        unanswered: row.unanswered,
        flaky: row.flaky,
    }
}
