//! The endgame knowledge of our evaluation compared with tables: those of three men that this run has
//! certified, or all with `--thorough`.

use std::time::{Duration, Instant};

use arbiter::{Effort, SuiteContext};
use engine::tables::Material;
use oracle::knowledge::{self, Audit, FOUR_MEN, THREE_MEN};
use oracle::positions::Men;
use suites::{Evidence, Findings, SkipReason, Tally};

use super::super::Collected;
use super::super::plan::Plan;
use crate::audit_eval::audited;
use crate::progress::Progress;

pub(super) fn run(
    context: &SuiteContext,
    plan: &Plan,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let started = Instant::now();
    let certified = |name: &&str| plan.tables.iter().map(Material::to_string).any(|table| table == *name);
    let tables = THREE_MEN.into_iter().chain(FOUR_MEN).filter(certified).map(str::parse);
    let tables = tables.collect::<Result<Vec<Men>, _>>()?;
    let Some(truth) = context.authorities.truth else {
        let mut tally = Tally::new("engine", knowledge::CHECK, Evidence::Agreement, "tables");
        tally.skip(SkipReason::NotCertified, tables.len() as u64);
        found.add_tally(tally, started.elapsed());
        return Ok(());
    };
    context.progress.begin(tables.iter().map(knowledge::work).sum());
    let audit = Audit { truth, authorities: context.authorities, progress: context.progress };
    let outcome = knowledge::run(&audit, &tables);
    found.add_all(outcome.findings, started.elapsed());
    found.run.knowledge.extend(outcome.rows);
    if context.effort == Effort::Thorough {
        let further = FOUR_MEN.into_iter().filter(|name| !certified(name)).map(str::parse);
        let further = further.collect::<Result<Vec<Men>, _>>()?;
        let mut findings: Vec<Findings> = Vec::new();
        let rows = audited(&further, context.authorities, progress, &mut |found| findings.push(found))?;
        // Tables that this run has checked are not counted twice.
        findings.retain(|findings| !certified(&findings.tally.case_set.as_str()));
        found.add_all(findings, Duration::ZERO);
        found.run.knowledge.extend(rows);
    }
    Ok(())
}
