//! The suite of draws put to a subject.

use std::time::Instant;

use arbiter::{SuiteContext, draws};
use reports::DrawRow;

use super::super::Collected;
use super::collect;

pub(super) fn run(context: &SuiteContext, found: &mut Collected) -> anyhow::Result<()> {
    let started = Instant::now();
    let cases = suites::draws::embedded()?;
    let rows = collect(draws::run(context, &cases), started, found);
    found.run.draws.extend(rows.into_iter().map(|row| DrawRow {
        subject: row.subject,
        case: row.case,
        class: row.class,
        tables: row.tables,
        expected: row.expected,
        score: row.score,
        verdict: row.verdict.name().parse().expect("the report has all verdicts"),
    }));
    Ok(())
}
