//! `tables fetch`: Syzygy table files into the cache.

use crate::console;
use crate::fetch::{self, SyzygyArgs};
use crate::outcome::Exit;
use crate::progress::Progress;

/// Bring the Syzygy tables that the checks ask into the cache, each held against its known SHA-256 sum.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask tables fetch
  cargo xtask tables fetch --men 4 --syzygy /my/tables
  cargo xtask tables fetch --mirror https://example.org/3-4-5")]
pub(crate) struct FetchArgs {
    /// Tables with up to so many men.
    #[arg(long, value_name = "MEN", default_value_t = 3, value_parser = clap::value_parser!(u8).range(3..=4))]
    men: u8,
    #[command(flatten)]
    syzygy: SyzygyArgs,
}

pub(super) fn run(args: &FetchArgs) -> anyhow::Result<Exit> {
    let progress = Progress::new(None);
    let located = fetch::fetch(&args.syzygy, args.men, &|what| progress.say(what))?;
    drop(progress);
    for warning in &located.warnings {
        console::message(warning);
    }
    for (name, status) in located.files.statuses() {
        console::line(&format!("{name}: {status}"))?;
    }
    Ok(Exit::Agree)
}
