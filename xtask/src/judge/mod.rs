//! `judge`: games of PGN files, held against the rules and endgame tables.

mod games;
mod output;
mod rows;
mod summary;

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, bail};
use arbiter::game::Rules;
use arbiter::game_tables::GameTables;
use arbiter::judge::PgnPolicy;
use rayon::{ThreadPool, ThreadPoolBuilder};
use reports::Run;
use suites::catalogue::Severity;

use crate::matches::tables;
use crate::outcome::{Event, Exit};
use crate::progress::Progress;
use crate::verify::Format;
use crate::{console, files};
use output::Reports;
use summary::Summary;

/// The most findings and players that are printed; the reports have all.
const SHOWN: usize = 10;

/// Hold the games of PGN files against the rules and endgame tables: results that were thrown, games that ended
/// wrongly, mates that are none.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone judge games.pgn                          with our tables of up to four men
  touchstone judge lichess.pgn.zst --tb /syzygy       Syzygy tables for more men
  touchstone judge night.pgn --rules fastchess        by the rules of the runner that played
  touchstone judge night.pgn --fail-on error          exit code 1 for illegal moves and false results alone
  touchstone judge night.pgn --game 17                one game again
  touchstone judge old.pgn new.pgn --epdout thrown.epd    the positions before the mistakes, with the right moves
  zcat games.pgn.gz | touchstone judge -

The folder of --out gets games.csv (a line a game), differences.csv (the findings), players.csv and endings.csv (what the players made of
the endings that they reached), checks.csv, junit.xml and report.html. `touchstone explain game/win-to-draw` explains a finding.

Exit codes: 0 nothing of this severity was found; 1 a game ended wrongly, a result was thrown, a move is illegal, or another finding of
--fail-on or graver; 2 a file or a game cannot be read, or a file has no game.")]
pub(crate) struct JudgeArgs {
    /// Files of games, plain or packed with gzip or zstd; - is standard input.
    #[arg(required = true, value_name = "GAMES.pgn")]
    files: Vec<PathBuf>,
    /// Folders of Syzygy tables, separated as in PATH. Our own tables of up to four men are always there.
    #[arg(long, value_name = "DIR")]
    tb: Option<OsString>,
    /// Look up positions of at most so many men, kings included.
    #[arg(long, value_name = "MEN", value_parser = clap::value_parser!(u8).range(2..=32))]
    men: Option<u8>,
    /// Hold moves, announced mates and scores against tables from this ply on; those of a book never are. Ends and illegal moves are
    /// always judged.
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    from_ply: usize,
    /// Judge the N-th game of each file alone.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// Whose rules end the games: fide, fastchess, cutechess or lichess.
    #[arg(long, value_name = "RULES", default_value_t)]
    rules: Rules,
    /// The least severity of a finding that makes the exit code 1: error, warning or note.
    #[arg(long, value_name = "SEVERITY", default_value_t = Severity::Warning)]
    fail_on: Severity,
    /// The folder for reports.
    #[arg(long, value_name = "DIR", default_value = "target/touchstone/judge")]
    out: PathBuf,
    /// Write the positions before thrown results to this file, as EPD with the moves that keep the result (bm).
    #[arg(long, value_name = "FILE")]
    epdout: Option<PathBuf>,
    /// Threads; the reports do not depend on the number [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

impl JudgeArgs {
    fn policy(&self) -> PgnPolicy {
        PgnPolicy { rules: self.rules, from_ply: self.from_ply }
    }

    /// # Errors
    /// A folder that cannot be read or has no table, or a file that is not whole.
    fn tables(&self) -> anyhow::Result<GameTables> {
        let tables = tables::open(&tables::folders(self.tb.as_deref()))?;
        Ok(match self.men {
            Some(men) => tables.up_to(men.into()),
            None => tables,
        })
    }

    /// The words by which a file is judged as in this run.
    fn words(&self) -> String {
        let mut words = Vec::new();
        words.extend(self.tb.as_ref().map(|tb| format!("--tb {}", uci::quoted(&tb.to_string_lossy()))));
        words.extend(self.men.map(|men| format!("--men {men}")));
        words.extend((self.from_ply > 0).then(|| format!("--from-ply {}", self.from_ply)));
        words.extend((self.rules != Rules::default()).then(|| format!("--rules {}", self.rules)));
        words.iter().fold(String::new(), |text, word| text + " " + word)
    }
}

/// Judges the files, writes the reports, and prints the result.
pub(crate) fn run(args: &JudgeArgs) -> anyhow::Result<Exit> {
    if args.files.iter().filter(|path| path.as_os_str() == "-").count() > 1 {
        bail!("standard input (-) can be read once");
    }
    let tables = args.tables()?;
    files::try_folder(&args.out)?;
    files::ignored_by_git(&args.out)?;
    let threads = args.jobs.unwrap_or_default().into();
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().context("cannot start threads")?;
    let (run, summary) = judged(args, &tables, &pool)?;
    let events = run.tallies().flat_map(|tally| Event::of_tally_from(tally, run.fails_from));
    let exit = Exit::from_events(events);
    print(args, &run, &summary)?;
    Ok(exit)
}

/// Judges the files and writes the reports.
fn judged(args: &JudgeArgs, tables: &GameTables, pool: &ThreadPool) -> anyhow::Result<(Run, Summary)> {
    let progress = Progress::new(Some(0));
    let reports = pool.install(|| {
        let mut reports = Reports::begin(args, &progress)?;
        for path in &args.files {
            games::judge(path, args, tables, &progress, &mut reports)?;
        }
        anyhow::Ok(reports)
    })?;
    if let Some(fault) = tables.fault() {
        bail!("--tb: {fault}; replace the file");
    }
    reports.publish(args)
}

fn print(args: &JudgeArgs, run: &Run, summary: &Summary) -> anyhow::Result<()> {
    match args.format {
        Format::Human => {
            console::colored(&reports::text::render_in(run, SHOWN, console::view()))?;
            summary.lines(SHOWN).iter().try_for_each(|line| console::line(&reports::plain(line)))?;
        }
        Format::Github => console::data(reports::github::annotations(run, SHOWN).as_bytes())?,
        Format::Markdown => console::data(reports::markdown::document(run).as_bytes())?,
        Format::Summary => console::data(reports::text::pasted(run).as_bytes())?,
        Format::Json => console::data(&reports::json::document(run))?,
        Format::Row => console::data(&reports::to_bytes(summary.players()))?,
    }
    console::message(&format!("reports in {}", args.out.display()));
    Ok(())
}
