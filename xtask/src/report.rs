//! `report`: the reports of one or more runs as a page, as Markdown, or as a badge.

use std::path::{Path, PathBuf};

use anyhow::bail;
use reports::{badge, engine_row, html, markdown};

use crate::outcome::Exit;
use crate::report_folder::{page, read};
use crate::{console, files, matches, program};

/// Make a page of the reports of a run: findings with boards and replays, the checks, and pictures. Or make a
/// summary, or a badge. A match has a page too.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone verify --engine ./mine --out new          the reports of a run, in the folder new
  touchstone report new                                the page of these reports: report.html
  touchstone report target/touchstone/match            the page of a match, also while it is played
  touchstone report old new -o change.html             what changed from old to new, and the findings of new
  touchstone report monday tuesday wednesday           the trend over runs, in this order
  touchstone report new --format markdown -o -         a summary for a workflow, on standard output
  touchstone report new --format badge                 the verdict as an SVG: badge.svg
  touchstone report one two three --format row -o -    a CSV row for each engine, for a rating list

The page is one file. It needs no network and no other file. `verify --html FILE` writes it at once.

Exit codes: 0 the page was written; 2 a folder holds no reports, or reports that cannot be read.")]
pub(crate) struct ReportArgs {
    /// Folders of reports, the oldest first. The page shows the last run; of two, also the other beside it;
    /// of more, the trend.
    #[arg(value_name = "DIR", required = true, num_args = 1..=MOST_RUNS)]
    folders: Vec<PathBuf>,
    /// What to make. Markdown, the summary and the badge show one run.
    #[arg(long, value_enum, default_value_t = Format::Html)]
    format: Format,
    /// The file; - is standard output [default: report.html, report.md, summary.txt, badge.svg or engines.csv].
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What `report` makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// The page.
    Html,
    /// A few lines to paste: the engine, a line for each cause, the verdict.
    Summary,
    /// A summary: the verdict, and the gravest findings.
    Markdown,
    /// An SVG for a README: the verdict.
    Badge,
    /// A CSV row for each run, under a header, sorted by engine.
    Row,
}

impl Format {
    fn file(self) -> &'static str {
        match self {
            Self::Html => html::FILE,
            Self::Summary => "summary.txt",
            Self::Markdown => "report.md",
            Self::Badge => badge::FILE,
            Self::Row => engine_row::FILE,
        }
    }
}

/// The most runs of a page.
const MOST_RUNS: usize = 100;

/// Makes it.
pub(crate) fn run(args: &ReportArgs) -> anyhow::Result<Exit> {
    if let Some(folder) = args.folders.iter().find(|folder| matches::is_match(folder))
        && (args.format != Format::Html || args.folders.len() > 1)
    {
        bail!(
            "{} holds a match, which has a page of its own: name this folder alone, without --format",
            folder.display()
        );
    }
    let bytes = match (args.format, &args.folders[..]) {
        (Format::Html, [folder]) if matches::has_match(folder) => matches::of_folder(folder)?,
        (Format::Html, folders) => page(folders)?,
        (Format::Summary, [folder]) => reports::text::pasted(&read(folder)?).into_bytes(),
        (Format::Markdown, [folder]) => markdown::document(&read(folder)?).into_bytes(),
        (Format::Badge, [folder]) => badge::document(&read(folder)?),
        (Format::Row, folders) => {
            let runs = folders.iter().map(|folder| read(folder)).collect::<anyhow::Result<Vec<_>>>()?;
            engine_row::document(&runs)
        }
        (Format::Markdown, _) => bail!(
            "--format markdown is of one run; `{}` tells what changed between two",
            program::command("regress --old-report OLD --new-report NEW --format markdown")
        ),
        (Format::Badge | Format::Summary, _) => {
            bail!("--format {} is of one run", if args.format == Format::Badge { "badge" } else { "summary" })
        }
    };
    let file = args.out.clone().unwrap_or_else(|| args.format.file().into());
    if file == Path::new("-") {
        console::data(&bytes)?;
    } else {
        publish(&file, &bytes)?;
    }
    Ok(Exit::Agree)
}

fn publish(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    files::write(file, bytes)?;
    console::message(&format!("wrote {}", file.display()));
    Ok(())
}
