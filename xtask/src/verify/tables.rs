//! Checks tables: the production tables, those of another builder, or a dump.

use std::time::{Duration, Instant};

use arbiter::Effort;
use arbiter::announcement;
use arbiter::player::PlayerFactory;
use engine::tables::builders::MAX_QUICK_MEN;
use engine::tables::{Material, TableSet, builders};
use oracle::authorities::Authorities;
use oracle::checks::{self, CensusCount, Check, TableJob};
use oracle::edge_cases;
use oracle::positions::{Men, Scope};
use oracle::table_probe::{EngineTables, TableProbe, Wdl};
use reports::{CensusRow, HistogramRow, Run};
use suites::Findings;
use suites::census::SideToMove;

use super::args::Format;
use super::job::{Job, Judged};
use super::kept::{Asked, Kept, Place};
use super::plan::{Plan, men, placements};
use super::{Collected, dump, players, stored};
use crate::extent;
use crate::progress::Progress;

/// Runs every check of every table in the plan. Returns the production tables if they were certified.
pub(super) fn run(
    plan: &Plan,
    authorities: &Authorities,
    kept: &Kept,
    progress: &Progress,
    found: &mut Collected,
) -> anyhow::Result<Option<TableSet>> {
    let needed = plan.built();
    if needed.is_empty() {
        return Ok(None);
    }
    progress.say("building tables");
    let is_quick = |material: &Material| material.men() <= MAX_QUICK_MEN;
    let (materials, five_men): (Vec<Material>, Vec<Material>) =
        plan.own_tables.iter().copied().partition(is_quick);
    let job = plan.job;
    let materials = &materials[..];
    let needed: Vec<Material> = needed.into_iter().filter(is_quick).collect();
    let tables = builders::production(&needed)?;
    let production = EngineTables::production(tables.clone());
    let asked = TableRun { authorities, job, only_to_certify: plan.only_to_certify(), kept, progress };
    let mut certified = check((&production, &tables), materials, &plan.production_checks(), &asked, found)?;
    if job.format == Format::Human
        && job.engine().is_none()
        && !materials.is_empty()
        && !plan.suites.is_empty()
    {
        progress.note(&format!(
            "tables: {}; the suites follow",
            reports::text::by_tallies(found.run.tallies()).trim_end()
        ));
    }
    if job.edge_cases {
        count_edge_cases(&production, materials, &asked, found)?;
    }
    for &material in &five_men {
        progress.say(&format!("reading {material}"));
        let with_five = stored::load(&job.table_files, material, &tables)?;
        let subject = EngineTables::production(with_five.clone());
        certified &= check((&subject, &with_five), &[material], &plan.production_checks(), &asked, found)?;
        if job.edge_cases {
            count_edge_cases(&subject, &[material], &asked, found)?;
        }
    }
    let judges = stored::with_files(&job.table_files, &five_men, &tables)?;
    let truth = EngineTables::production(judges).folded();
    let truth = certified.then_some(&truth as &dyn TableProbe);
    let authorities = Authorities { truth, dtm_sources: authorities.dtm_sources.clone(), ..*authorities };
    // Tables of another builder are judged on all squares, as production tables are.
    let asked = TableRun { authorities: &authorities, only_to_certify: false, ..asked };
    judge_others(plan, materials, &tables, &asked, found)?;
    kept.note().iter().for_each(|note| progress.note(note));
    Ok(certified.then_some(tables))
}

/// Uses the production tables to judge the other subjects of the plan: other tables, or the mates that a
/// player announces in positions of the production tables.
fn judge_others(
    plan: &Plan,
    materials: &[Material],
    tables: &TableSet,
    asked: &TableRun,
    found: &mut Collected,
) -> anyhow::Result<()> {
    if let Some(builder) = plan.job.builder() {
        let own: Vec<Material> =
            materials.iter().copied().filter(|&material| builder.builds(material)).collect();
        let set = builders::dtm_set(builder, materials)?;
        let subject = EngineTables::of_builder(builder.name(), set.clone());
        check((&subject, &set), &own, &plan.builder_checks(), asked, found)?;
    } else if let Judged::Dump(dump) = &plan.job.judged {
        dump::run(dump, &plan.job.out, asked.authorities, asked.progress, found)?;
    } else if plan.announces {
        // Each answer comes from an endgame table: a small hash table is enough, and it is cleared often.
        let player = || Ok::<_, anyhow::Error>(players::player(plan.job.player())?.with_option("Hash", "1"));
        let (large, small): (Vec<Material>, Vec<Material>) =
            materials.iter().partition(|material| material.men() > extent::WHOLE);
        check_announcements(&player()?, tables, &small, asked, found)?;
        if !large.is_empty() {
            check_announcements(&player()?.with_tables(tables.clone()), tables, &large, asked, found)?;
        }
    }
    Ok(())
}

/// The arguments that all checks share.
#[derive(Clone, Copy)]
struct TableRun<'a> {
    authorities: &'a Authorities<'a>,
    job: &'a Job,
    /// Whether the tables only judge others.
    only_to_certify: bool,
    kept: &'a Kept,
    progress: &'a Progress,
}

impl<'a> TableRun<'a> {
    /// The job of checking one table. Larger tables are proven on one position of each class and its images.
    /// Of tables that only judge others nothing but that position is probed.
    fn job(
        &self,
        subject: &'a dyn TableProbe,
        men: &'a Men,
        check: Check,
        progress: &'a (dyn Fn(u64) + Sync),
    ) -> TableJob<'a> {
        let &Self { authorities, job: &Job { seed, effort, .. }, only_to_certify, .. } = self;
        let quick = effort == Effort::Quick;
        let job = TableJob { seed, quick, progress, ..TableJob::new(subject, men, authorities) };
        let job = extent::of(job, check, effort);
        if only_to_certify { TableJob { scope: Scope::Unique, representatives: true, ..job } } else { job }
    }

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

    /// The same, into `found`. What is asked of each table comes with the number of its walks. What an earlier run of
    /// this build found is not found out again.
    fn each_once<'s>(
        &self,
        materials: &[Material],
        asked: impl Fn(&Men) -> (Asked<'s>, u64),
        found: &mut Collected,
        mut run: impl FnMut(&Men, &(dyn Fn(u64) + Sync), &mut Collected),
    ) -> anyhow::Result<()> {
        let walked = |placements| self.progress.advance(placements);
        for &material in materials {
            let men = men(material)?;
            let (asked, walks) = asked(&men);
            let place = self.kept.place(&asked, material);
            if let Some(kept) = place.as_ref().and_then(Place::get) {
                found.run.absorb(Run { fails_from: found.run.fails_from, ..kept });
                walked(walks * placements(material));
                continue;
            }
            let mut part = found.part();
            run(&men, &walked, &mut part);
            if let Some(place) = place {
                place.put(&part.run);
            }
            found.absorb(part);
        }
        Ok(())
    }
}

/// Runs these checks on these tables. Returns whether they are certified. If they are production tables and
/// are not, `found` says so. The subject comes with its tables.
fn check(
    (subject, tables): (&dyn TableProbe, &TableSet),
    materials: &[Material],
    checks: &[Check],
    asked: &TableRun,
    found: &mut Collected,
) -> anyhow::Result<bool> {
    let mut certified = true;
    let mut add = |check: Check, findings: Findings, time: Duration, found: &mut Collected| {
        let proves = matches!(check, Check::Certificate | Check::Symmetry);
        certified &= !proves || findings.tally.differed == 0;
        found.add(findings, time);
    };
    let has_files = |men: &Men| asked.authorities.syzygy.is_none_or(|syzygy| syzygy.is_for(men));
    let is_run = |check: Check, men: &Men| {
        let asks_syzygy = matches!(check, Check::SyzygyWdl | Check::SyzygyDtz);
        check.applies(subject, men) && (!asks_syzygy || has_files(men))
    };
    let apply =
        |men: &Men| checks.iter().copied().filter(|&check| is_run(check, men)).collect::<Vec<Check>>();
    let purpose = if asked.only_to_certify { "to certify " } else { "" };
    let named = |men: &Men| {
        let checks = apply(men);
        let words = format!("{purpose}{}", words(&checks));
        (Asked { subject: subject.name(), tables, words }, checks.len() as u64)
    };
    asked.each_once(materials, named, found, |men, walked, found| {
        let (together, alone): (Vec<Check>, Vec<Check>) =
            apply(men).into_iter().partition(|check| check.runs_together() && extent::is_large(men));
        if !together.is_empty() {
            asked.progress.say(&format!("{} {men}", words(&together)));
            let progress = |placements| walked(placements * together.len() as u64);
            let done = checks::together(&asked.job(subject, men, Check::Certificate, &progress), &together);
            for run in done.runs {
                add(run.check, run.findings, run.processor_time / rayon::current_num_threads() as u32, found);
            }
            if together.contains(&Check::Census) {
                report_counts(men.name(), &done.counts, found);
            }
        }
        for check in alone {
            asked.progress.say(&format!("{check} {men}"));
            let started = Instant::now();
            let job = asked.job(subject, men, check, walked);
            let findings = match check {
                Check::Census => {
                    let counts = checks::count(&job);
                    report_counts(men.name(), &counts, found);
                    checks::compare(&job, &counts)
                }
                _ => check.run(&job),
            };
            add(check, findings, started.elapsed(), found);
        }
    })?;
    found.refuted |= !certified && subject.name() == EngineTables::PRODUCTION;
    Ok(certified)
}

/// The ids of some checks.
fn words(checks: &[Check]) -> String {
    checks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Adds the report on the edge cases of these tables.
fn count_edge_cases(
    subject: &dyn TableProbe,
    materials: &[Material],
    asked: &TableRun,
    found: &mut Collected,
) -> anyhow::Result<()> {
    asked.each(materials, |men, walked| {
        asked.progress.say(&format!("edge cases {men}"));
        found.run.edge_cases.extend(edge_cases::count(subject, men, walked));
    })
}

/// Checks the mates that a player announces in the positions of these tables.
fn check_announcements(
    player: &dyn PlayerFactory,
    tables: &TableSet,
    materials: &[Material],
    asked: &TableRun,
    found: &mut Collected,
) -> anyhow::Result<()> {
    let &TableRun { authorities, job: &Job { seed, effort, .. }, progress, .. } = asked;
    let words = || announcement::CHECK.to_owned();
    let named = |_: &Men| (Asked { subject: asked.job.player(), tables, words: words() }, 1);
    asked.each_once(materials, named, found, |men, walked, found| {
        if announcement::applies(player, men) {
            progress.say(&format!("{} {men}", announcement::CHECK));
            let started = Instant::now();
            let sample = extent::announced(men, effort);
            let quick = effort == Effort::Quick;
            let job = announcement::Job { player, men, authorities, seed, sample, quick, progress: walked };
            found.add(announcement::run(&job), started.elapsed());
        }
    })
}

/// Adds the reports on the contents of a table.
fn report_counts(table: &str, counts: &[CensusCount; 2], found: &mut Collected) {
    for (side, count) in [SideToMove::White, SideToMove::Black].into_iter().zip(counts) {
        let longest = count.longest();
        let with = |wdl| count.with_result(wdl).positions;
        found.run.census.push(CensusRow {
            table: table.to_owned(),
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
            table: table.to_owned(),
            side_to_move: side,
            wdl,
            dtm: dtm.map(|dtm| u32::from(dtm.plies())),
            positions: value.positions,
            positions_unique: value.unique,
        }));
    }
    let mut stalemates: Vec<_> = counts.iter().flat_map(|count| count.stalemate_rows.clone()).collect();
    stalemates.sort_unstable();
    found.run.stalemates.extend(stalemates);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Another shard must not rely on production tables that are wrong. Wrong tables of another builder mean
    /// nothing for the production tables.
    #[test]
    fn wrong_production_tables_are_refuted() {
        let tables = |name| {
            let materials = ["KPvK".parse().unwrap()];
            builders::dtm_set(builders::builder(name).unwrap(), &materials).unwrap()
        };
        let check = |subject: &EngineTables, is_certified: bool, is_refuted: bool| {
            let set = TableSet::new();
            let (authorities, job, progress) =
                (Authorities::default(), Job::new(Judged::Workspace), Progress::new(None));
            let kept = Kept::default();
            let asked = TableRun {
                authorities: &authorities,
                job: &job,
                only_to_certify: true,
                kept: &kept,
                progress: &progress,
            };
            let mut found = Collected::default();
            let materials = ["KPvK".parse().unwrap()];
            let certified =
                check((subject, &set), &materials, &[Check::Certificate], &asked, &mut found).unwrap();
            assert_eq!((certified, found.refuted), (is_certified, is_refuted), "{}", subject.name());
        };
        check(&EngineTables::production(tables("setwise")), true, false);
        check(&EngineTables::production(tables("first-pass")), false, true);
        check(&EngineTables::of_builder("first-pass", tables("first-pass")), false, false);
    }
}
