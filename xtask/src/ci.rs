//! `ci`: runs the steps of `.ci/run`, all of which must pass before a change is merged.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, bail};

use crate::outcome::Exit;

const STEPS: &str = ".ci/run";

/// Run everything that must pass before a change is merged: the steps of .ci/run, in a checkout of the
/// workspace.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:\n  cargo xtask ci")]
pub(crate) struct CiArgs {}

/// Runs the steps.
pub(crate) fn run(_: &CiArgs) -> anyhow::Result<Exit> {
    if !Path::new(STEPS).is_file() {
        bail!("there is no {STEPS} here; run this at the root of a checkout of the workspace");
    }
    let status =
        Command::new("bash").arg(STEPS).status().with_context(|| format!("cannot run {STEPS} with bash"))?;
    Ok(match status.code() {
        Some(0) => Exit::Agree,
        Some(2) => Exit::Incomplete,
        _ => Exit::Differs,
    })
}
