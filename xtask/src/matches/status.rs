//! `match status`: the score of a match that is being played, here or on several machines.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::{Context, bail};
use arbiter::game::End;
use arbiter::statistics::{Decision, Sprt, Test};
use arbiter::tournament::InOrder;
use arbiter::tournament::standings::Standings;
use serde::{Deserialize, Serialize};

use super::failures::Failures;
use super::shards::{self, Shards};
use super::standings::{self, StandingsRow};
use crate::outcome::Exit;
use crate::sprt::{Document, Format, document};
use crate::{console, program};

/// How long the command of `--then` may take.
const LONGEST: Duration = Duration::from_mins(10);

/// Print the score of a match while it is played, over all its shards.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  touchstone match status target/touchstone/match              a match on this machine
  touchstone match status shards --format json                 the shards in the folders of shards/
  touchstone match status shards --watch 60 --then \"scancel 1234\"

The journals are read, and nothing is written. Of each shard the pairs count in the order of their numbers.

Exit codes: 0 the test is decided, or all games are finished; 1 the match goes on; 2 an engine
failed in five games one after the other, a journal cannot be read, or the command of --then fails.")]
pub(crate) struct StatusArgs {
    /// The folders of the shards of a match, or a folder that holds them.
    #[arg(value_name = "DIR", required = true, num_args = 1..)]
    folders: Vec<PathBuf>,
    /// Look again after so many seconds, until the match is over.
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    watch: Option<u64>,
    /// Run a shell command, once, when the match is over.
    #[arg(long, value_name = "CMD")]
    then: Option<String>,
    /// The output format.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

/// Of a finished game how it ended.
#[derive(Deserialize)]
struct Brief {
    record: BriefRecord,
}

#[derive(Deserialize)]
struct BriefRecord {
    end: End,
}

/// What the journals say.
struct Status {
    shards: Shards,
    standings: Standings<&'static str>,
    test: Option<Test>,
    /// An engine that does not play, and the folder of the match or shard that it ended.
    hopeless: Option<(String, PathBuf)>,
}

/// The status as JSON.
#[derive(Serialize)]
struct StatusDocument<'a> {
    /// Whether the test is decided, or all games are finished.
    over: bool,
    shards: usize,
    of_shards: u64,
    finished: u64,
    of_games: u64,
    engines: Vec<StandingsRow<'a>>,
    #[serde(flatten)]
    figures: Document,
}

/// Looks, once or until the match is over.
pub(super) fn run(args: &StatusArgs) -> anyhow::Result<Exit> {
    loop {
        let shards = match args.watch {
            Some(_) => shards::begun(&args.folders)?,
            None => Some(shards::gather(&args.folders)?),
        };
        if let Some(shards) = shards {
            let status = Status::read(shards)?;
            status.print(args.format)?;
            if let Some((engine, folder)) = &status.hopeless {
                bail!("{engine} failed in each of its last games in {}, which ended there", folder.display());
            }
            if status.is_over() {
                args.then.as_deref().map_or(Ok(()), shell)?;
                return Ok(Exit::Agree);
            }
        } else {
            console::message("note: no match has begun");
        }
        // As of `grep` and `diff`: 1 answers the question, 2 is an error.
        let Some(seconds) = args.watch else { return Ok(Exit::Differs) };
        thread::sleep(Duration::from_secs(seconds));
    }
}

impl Status {
    fn read(shards: Shards) -> anyhow::Result<Self> {
        let (standings, test) = (Standings::new(shards.schedule), None);
        let mut status = Self { shards, standings, test, hopeless: None };
        let sprt = status.shards.sprt()?;
        for part in 0..status.shards.parts.len() {
            status.count(part, sprt.as_ref())?;
        }
        status.test = tested(&status.standings, sprt.as_ref())?;
        Ok(status)
    }

    /// Counts the games of a part as the match itself does. One that is played whole ends with the decision of its
    /// test, and games after that do not count.
    fn count(&mut self, part: usize, sprt: Option<&Sprt>) -> anyhow::Result<()> {
        let Shards { header, parts, schedule, of } = &mut self.shards;
        let part = &mut parts[part];
        let ends_early = !shards::is_merged(&part.folder);
        let sprt = sprt.filter(|_| ends_early && *of == 1);
        let mut order = InOrder::new(schedule.games_of(part.shard));
        let mut failures = Failures::new(schedule.engines());
        while let Some((number, Brief { record })) = part.next_game()? {
            order.insert(number, record.end);
            while let Some((game, end)) = order.pop() {
                self.standings.add(game.number, end.result(), end.kind())?;
                failures.add(&game, &end);
                let test = tested(&self.standings, sprt)?;
                if test.is_some_and(|test| test.decision != Decision::Continue) || order.next().is_none() {
                    return Ok(());
                }
                if let Some(engine) = failures.hopeless().filter(|_| ends_early) {
                    let engine = header.engines[engine].name.clone();
                    self.hopeless = Some((engine, part.folder.clone()));
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        let is_decided = self.test.is_some_and(|test| test.decision != Decision::Continue);
        is_decided || self.standings.games() == self.shards.schedule.games()
    }

    fn print(&self, format: Format) -> anyhow::Result<()> {
        let names = self.shards.names();
        let (begun, of) = (self.shards.parts.len(), self.shards.of);
        let (finished, of_games) = (self.standings.games(), self.shards.schedule.games());
        match format {
            Format::Human => {
                let text = standings::text(&names, &self.standings, self.test);
                console::line(&format!("{finished} of {of_games} games, {begun} of {of} shards\n{text}"))
            }
            Format::Json => {
                let document = StatusDocument {
                    over: self.is_over(),
                    shards: begun,
                    of_shards: of,
                    finished,
                    of_games,
                    engines: standings::rows(&names, &self.standings).collect(),
                    figures: document(standings::measures(&self.standings), self.test, None),
                };
                console::line(&serde_json::to_string_pretty(&document)?)
            }
        }
    }
}

/// What the test says of these games.
fn tested(standings: &Standings<&'static str>, sprt: Option<&Sprt>) -> anyhow::Result<Option<Test>> {
    let results = standings.between(0, 1).and_then(|tally| tally.pair_results());
    Ok(match (sprt, results) {
        (Some(sprt), Some(results)) => Some(sprt.test(&results)?),
        _ => None,
    })
}

/// Runs a shell command.
fn shell(line: &str) -> anyhow::Result<()> {
    let status = uci::run_to_end(program::shell(line), LONGEST).context("cannot start a shell")?;
    match status {
        Some(status) if status.success() => Ok(()),
        Some(status) => bail!("--then \"{line}\": {status}"),
        None => bail!("--then \"{line}\" did not end within {} s", LONGEST.as_secs()),
    }
}
