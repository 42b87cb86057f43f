//! `tables fetch`: Syzygy table files into the cache. No network is used: this program writes them.

use crate::console;
use crate::outcome::Exit;
use crate::progress::Progress;
use crate::syzygy_sources::{self, SyzygyArgs};

/// Write the Syzygy tables that the checks probe into the cache, and compare each with its published SHA-256
/// sum.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables fetch
  cargo xtask tables fetch --men 4                        in about half a minute
  cargo xtask tables fetch --men 4 --syzygy /my/tables    copy those that a folder has")]
pub(crate) struct FetchArgs {
    /// Tables with up to so many men.
    #[arg(long, value_name = "MEN", default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=4))]
    men: u8,
    #[command(flatten)]
    syzygy: SyzygyArgs,
}

pub(super) fn run(args: &FetchArgs) -> anyhow::Result<Exit> {
    let progress = Progress::new(None);
    let located = syzygy_sources::fill_cache(&args.syzygy, args.men, &|what| progress.say(what))?;
    drop(progress);
    for warning in &located.warnings {
        console::message(warning);
    }
    for (name, status) in located.files.statuses() {
        console::line(&format!("{name}: {status}"))?;
    }
    Ok(Exit::Agree)
}
