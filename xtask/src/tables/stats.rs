//! `tables stats`: what is in a table file.

use std::path::PathBuf;

use engine::Color;

use crate::console;
use crate::outcome::Exit;

/// Count what is in table files; one entry stands for a position and its mirror images.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:\n  cargo xtask tables stats target/tables/KPvK.dtm")]
pub(crate) struct StatsArgs {
    /// Table files.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn run(args: &StatsArgs) -> anyhow::Result<Exit> {
    let tables = args.files.iter().map(|path| super::read(path)).collect::<anyhow::Result<Vec<_>>>()?;
    console::line("table   metric  to move       wins      draws     losses  longest (plies)")?;
    for table in tables {
        for side in Color::ALL {
            let counts = table.counts(side);
            let longest = table.longest(side).map_or("-".to_owned(), |plies| plies.to_string());
            console::line(&format!(
                "{:7} {:7} {:8} {:9} {:10} {:10}  {longest}",
                table.material().to_string(),
                table.metric().to_string(),
                side.to_string(),
                counts.wins,
                counts.draws,
                counts.losses,
            ))?;
        }
    }
    Ok(Exit::Agree)
}
