//! Checks tables: the production tables, those of another builder, or a dump.

use std::time::Instant;

use arbiter::announcement;
use arbiter::player::PlayerFactory;
use engine::tables::{Material, TableSet, builders};
use oracle::authorities::Authorities;
use oracle::checks::{self, Check, TableJob};
use oracle::positions::{Men, Scope};
use oracle::table_probe::{EngineTables, TableProbe, Wdl};
use reports::{CensusRow, HistogramRow};
use suites::census::SideToMove;

use super::plan::{Plan, men};
use super::{Collected, VerifyArgs, dump, players};
use crate::progress::Progress;

/// Runs every check of every table in the plan. Returns the production tables if they were certified.
pub(super) fn run(
    plan: &Plan,
    args: &VerifyArgs,
    authorities: &Authorities,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<Option<TableSet>> {
    if plan.tables.is_empty() {
        return Ok(None);
    }
    progress.say("building tables");
    let tables = builders::production(&plan.tables)?;
    let production = EngineTables::production(tables.clone());
    let materials = &plan.tables;
    // Tables that only judge others are proven in the shorter way.
    let scope = if plan.only_to_certify() { Scope::Unique } else { Scope::Raw };
    let asked = Asked { authorities, seed: args.seed, quick: args.quick, scope, progress };
    let certified = check(&production, materials, &plan.production_checks(), &asked, found)?;
    let truth = EngineTables::production(tables.clone()).upright();
    let truth = certified.then_some(&truth as &dyn TableProbe);
    let authorities = Authorities { truth, dtm_sources: authorities.dtm_sources.clone(), ..*authorities };
    let asked = Asked { authorities: &authorities, ..asked };
    if let Some(builder) = plan.builder {
        let own: Vec<Material> =
            materials.iter().copied().filter(|&material| builder.builds(material)).collect();
        let subject = EngineTables::of_builder(builder.name(), builders::dtm_set(builder, materials)?);
        check(&subject, &own, &plan.builder_checks(), &asked, found)?;
    } else if let Some(dump) = &plan.dump {
        dump::run(dump, &args.out, &authorities, progress, found)?;
    } else {
        if plan.announces {
            // Each answer comes from an endgame table: a small hash table is enough, and it is cleared often.
            let player = players::player(&args.subject)?.with_option("Hash", "1");
            check_announcements(&player, materials, &asked, found)?;
        }
        if !plan.only_to_certify() {
            count(&production, materials, &asked, found)?;
        }
    }
    Ok(certified.then_some(tables))
}

/// The arguments that all checks share.
#[derive(Clone, Copy)]
struct Asked<'a> {
    authorities: &'a Authorities<'a>,
    seed: u64,
    quick: bool,
    scope: Scope,
    progress: &'a Progress,
}

impl Asked<'_> {
    /// Runs this for each table, with what to report progress to.
    fn each(
        &self,
        materials: &[Material],
        mut run: impl FnMut(&Men, &(dyn Fn(u64) + Sync)),
    ) -> anyhow::Result<()> {
        let walked = |placements| self.progress.advance(placements);
        for &material in materials {
            run(&men(material)?, &walked);
        }
        Ok(())
    }
}

/// Runs these checks on these tables. Returns whether they are certified.
fn check(
    subject: &dyn TableProbe,
    materials: &[Material],
    checks: &[Check],
    asked: &Asked,
    found: &mut Collected,
) -> anyhow::Result<bool> {
    let &Asked { authorities, seed, quick, scope, progress } = asked;
    let mut certified = true;
    for &check in checks {
        asked.each(materials, |men, walked| {
            if !check.applies(subject, men) {
                return;
            }
            progress.say(&format!("{check} {men}"));
            let started = Instant::now();
            let job = TableJob { subject, men, authorities, seed, quick, scope, progress: walked };
            let findings = check.run(&job);
            let proves = matches!(check, Check::Certificate | Check::Symmetry);
            certified &= !proves || findings.tally.differed == 0;
            found.add(findings, started.elapsed());
        })?;
    }
    Ok(certified)
}

/// Checks the mates that a player announces in the positions of these tables.
fn check_announcements(
    player: &dyn PlayerFactory,
    materials: &[Material],
    asked: &Asked,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let &Asked { authorities, seed, quick, progress, .. } = asked;
    asked.each(materials, |men, walked| {
        if announcement::applies(player, men) {
            progress.say(&format!("{} {men}", announcement::CHECK));
            let started = Instant::now();
            let job = announcement::Job { player, men, authorities, seed, quick, progress: walked };
            found.add(announcement::run(&job), started.elapsed());
        }
    })
}

/// Adds the reports on the contents of the tables.
fn count(
    subject: &dyn TableProbe,
    materials: &[Material],
    asked: &Asked,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let &Asked { authorities, seed, quick, scope, progress } = asked;
    asked.each(materials, |men, walked| {
        progress.say(&format!("counting {men}"));
        let job = TableJob { subject, men, authorities, seed, quick, scope, progress: walked };
        for (side, count) in [SideToMove::White, SideToMove::Black].into_iter().zip(checks::count(&job)) {
            let longest = count.longest();
            let with = |wdl| count.with_result(wdl).positions;
            found.run.census.push(CensusRow {
                table: men.to_string(),
                side_to_move: side,
                legal: count.legal,
                legal_unique: count.unique,
                wins: with(Wdl::Win),
                draws: with(Wdl::Draw),
                losses: with(Wdl::Loss),
                checkmates: count.checkmates.positions,
                stalemates: count.stalemates,
                longest_plies: longest.map(|(dtm, _)| u32::from(dtm.plies())),
                longest_count: longest.map_or(0, |(_, positions)| positions),
            });
            found.run.histogram.extend(count.values.iter().map(|(&(wdl, dtm), value)| HistogramRow {
                table: men.to_string(),
                side_to_move: side,
                wdl,
                dtm: dtm.map(|dtm| u32::from(dtm.plies())),
                positions: value.positions,
                positions_unique: value.unique,
            }));
        }
        found.run.stalemates.extend(checks::stalemates(&job));
    })
}
