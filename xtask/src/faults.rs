//! `faults`: builds and starts the crate that plants faults, `xtask/faults`. It asks this program.

use std::ffi::OsString;

use anyhow::Context;

use crate::outcome::Exit;
use crate::program;

/// Plant faults in tables, files and our engine, run this program on them, and count those that it finds, in
/// a checkout of the workspace.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask faults                    all classes: ten minutes on two cores
  cargo xtask faults --quick            a share of the classes of three men, drawn by the seed
  cargo xtask faults --only dump/KQvK --seed 7
  cargo xtask faults mutants            our engine with one expression changed, for each of some changes
  cargo xtask faults -- --help          all options

Exit codes: 0 all are caught and none is invented; 1 one is missed or invented; 2 not all could be planted.")]
pub(crate) struct FaultsArgs {
    /// Options of the command: --quick, --seed, --only ID, --out DIR, or `mutants` and its options.
    #[arg(value_name = "OPTION", trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

/// Builds the command, and lets it ask this program.
pub(crate) fn run(args: &FaultsArgs) -> anyhow::Result<Exit> {
    let mut command = program::cargo("faults", "run", "faults")?;
    let this = std::env::current_exe().context("cannot find this program")?;
    command.arg("--").args(&args.args).arg("--program").arg(this);
    program::exit_of(command, "the planting of faults")
}
