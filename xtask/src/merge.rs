//! `merge`: the reports of a whole run, of the shards that several machines did.

use std::path::{Path, PathBuf};

use anyhow::bail;

use crate::outcome::Exit;
use crate::shard::{self, Verb};
use crate::verify::{self, Format};
use crate::{field_test, matches, tables};

/// Put the shards of a run together: exactly the reports and the exit code of one whole run.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone verify --men 4 --shard 1/3 --out shards/1     on one machine; 2/3 and 3/3 on others
  touchstone merge shards/* --out merged                   the reports of verify --men 4
  touchstone tables build --men 4 --shard 2/3 --out built/2
  touchstone merge built/* --out target/tables             all tables in one folder
  touchstone match ./old ./new --each nodes=20000 --rounds 5000 --shard 2/8 --out games/2
  touchstone merge games/* --out merged                    the PGN and the standings of all games

Exit codes: those of the whole run; 2 if a shard is missing, there twice, not finished, damaged, or of another run.")]
pub(crate) struct MergeArgs {
    /// The folders of all shards, in any order.
    #[arg(value_name = "DIR", required = true, num_args = 1..=MOST_FOLDERS)]
    folders: Vec<PathBuf>,
    /// The folder for reports or tables [default: target/touchstone, target/tables, target/touchstone/field or
    /// target/touchstone/match, as in the whole run].
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// For shards of match: take the games that are there. match --resume plays the others in the folder of --out.
    #[arg(long)]
    partial: bool,
    /// For shards of verify: also write a page of the reports, for a browser.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// For shards of verify: the output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// The most folders. More folders than shards are read, so that an error can name a shard that is there
/// twice.
const MOST_FOLDERS: usize = 2_000;

/// Puts the shards together.
pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    if args.folders.iter().any(|folder| matches::is_match(folder)) {
        if args.html.is_some() || args.format != Format::Human {
            bail!("--html and --format are for the shards of verify");
        }
        let out = args.out.clone().unwrap_or_else(|| "target/touchstone/match".into());
        return matches::merge(&args.folders, &out, args.partial);
    }
    if args.partial {
        bail!("--partial is for the shards of match");
    }
    let parts = shard::gather(&args.folders)?;
    let Some(verb) = parts.first().map(shard::Part::verb) else { bail!("name the folders of the shards") };
    let usual = match verb {
        Verb::Verify => "target/touchstone",
        Verb::TablesBuild => "target/tables",
        Verb::FieldTest => "target/touchstone/field",
    };
    let out = args.out.clone().unwrap_or_else(|| usual.into());
    let place = |path: &Path| path.canonicalize().ok();
    if args.folders.iter().any(|folder| place(folder) == place(&out)) {
        bail!("--out {} is the folder of a shard: name another", out.display());
    }
    if verb != Verb::Verify && (args.html.is_some() || args.format != Format::Human) {
        bail!("--html and --format are for the shards of verify");
    }
    match verb {
        Verb::Verify => {
            verify::merge(&parts, verify::Merged { out, html: args.html.clone(), format: args.format })
        }
        Verb::TablesBuild => tables::merge(&parts, &out),
        Verb::FieldTest => field_test::merge(&parts, &out),
    }
}
