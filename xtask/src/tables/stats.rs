//! `tables stats`: what is in a table file.

use std::path::PathBuf;

use engine::Color;
use engine::tables::Metric;

use crate::console;
use crate::outcome::Exit;

/// Count the wins, draws and losses in table files. One entry stands for a position and its mirror images.
///
/// Cursed wins and losses are those that the fifty-move rule makes draws: in a DTZ table, those of more than
/// 100 plies.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:\n  cargo xtask tables stats target/tables/KPvK.dtm")]
pub(crate) struct StatsArgs {
    /// Table files.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

const HEAD: &str =
    "table   metric  to move       wins      draws     losses  longest (plies)  cursed wins  cursed losses";

pub(super) fn run(args: &StatsArgs) -> anyhow::Result<Exit> {
    for (number, path) in args.files.iter().enumerate() {
        let table = super::read(path)?;
        if number == 0 {
            console::line(HEAD)?;
        }
        for side in Color::ALL {
            let counts = table.counts(side);
            let cursed = table.cursed(side);
            let of_dtz = |count: u64| match table.metric() {
                Metric::Dtm => "-".to_owned(),
                Metric::Dtz => count.to_string(),
            };
            let longest = table.longest(side).map_or("-".to_owned(), |plies| plies.to_string());
            console::line(&format!(
                "{:7} {:7} {:8} {:9} {:10} {:10} {longest:>16} {:>12} {:>14}",
                table.material().to_string(),
                table.metric().to_string(),
                side.to_string(),
                counts.wins,
                counts.draws,
                counts.losses,
                of_dtz(cursed.wins),
                of_dtz(cursed.losses),
            ))?;
        }
    }
    Ok(Exit::Agree)
}
