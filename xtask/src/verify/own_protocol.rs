//! The checks of the protocol, asked of our own engine in a plain run. It has promised all of them: see
//! `subject`.

use std::time::Instant;

use arbiter::player::ProgramFactory;
use arbiter::protocol;
use arbiter::{Effort, SuiteOutcome};
use uci::Timeouts;

use super::Collected;
use super::plan::Plan;
use crate::progress::Progress;
use crate::{own_engine, syzygy_sources};

/// Asks our engine, as a process of its own, if the plan has it.
pub(super) fn run(plan: &Plan, progress: &Progress, found: &mut Collected) -> anyhow::Result<()> {
    if !plan.protocol {
        return Ok(());
    }
    progress.say("protocol of our engine");
    let started = Instant::now();
    let timeouts = Timeouts::default();
    let players = ProgramFactory::new(own_engine::program()?, timeouts, None);
    let limits = players.detect_limits();
    let syzygy = syzygy_sources::folder(&plan.job.syzygy);
    let config = protocol::Config {
        program: players.program(),
        limits: &limits,
        timeouts,
        // The other cases are asked by `--engine`.
        effort: if plan.job.effort == Effort::Thorough { Effort::Thorough } else { Effort::Quick },
        syzygy: syzygy.as_deref(),
        until: None,
        progress,
    };
    let SuiteOutcome { findings, rows, .. } = protocol::run(&config, &|_| true);
    found.add_all(findings, started.elapsed());
    found.run.protocol.extend(rows.into_iter().flat_map(|log| log.cases));
    Ok(())
}
