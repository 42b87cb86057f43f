//! `tables build`: tables into files.

use std::path::PathBuf;
use std::time::Instant;

use engine::tables::builders;
use engine::tables::file;
use engine::tables::{Material, Metric};

use super::BuilderArgs;
use crate::outcome::Exit;
use crate::progress::Progress;
use crate::{console, files};

/// Build tables and all that they lead to, and write each to a file such as KPvK.dtm and KPvK.dtz.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:\n  cargo xtask tables build KPvK KRvK --out tables")]
pub(crate) struct BuildArgs {
    /// Names of tables.
    #[arg(value_name = "TABLE", default_values = ["KQvK", "KRvK", "KPvK"], value_parser = super::named)]
    tables: Vec<Material>,
    /// Where the files go.
    #[arg(long, value_name = "DIR", default_value = "target/tables")]
    out: PathBuf,
    #[command(flatten)]
    builder: BuilderArgs,
}

pub(super) fn run(args: &BuildArgs) -> anyhow::Result<Exit> {
    files::try_folder(&args.out)?;
    let progress = Progress::new(None);
    progress.say("building");
    let started = Instant::now();
    let set = args.builder.build(&args.tables)?;
    let built = started.elapsed();
    for material in builders::with_smaller(&args.tables) {
        for metric in Metric::ALL {
            let Some(table) = set.get(material, metric) else { continue };
            let path = args.out.join(format!("{material}.{metric}"));
            let bytes = file::encode(table);
            files::write(&path, &bytes)?;
            console::line(&format!("{}: {} bytes", path.display(), bytes.len()))?;
        }
    }
    drop(progress);
    console::message(&format!("built in {:.0} ms", built.as_secs_f64() * 1e3));
    Ok(Exit::Agree)
}
