//! `match`: engines play each other.

mod args;
mod contestant;
mod end_positions;
mod failures;
mod findings;
mod from_fastchess;
mod history;
mod ledger;
mod live;
mod merge;
mod page;
mod plan;
mod replays;
mod screen;
mod shards;
mod standings;
mod starved;
mod status;
pub(crate) mod tables;
mod truth;
mod versions;

use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use arbiter::game::{GameRecord, PgnField};
use arbiter::game_tables::GameTables;
use arbiter::statistics::Decision;
use arbiter::tournament::host::{Entrant, GameEvent, Host};
use arbiter::tournament::journal::{Journal, MatchHeader};
use arbiter::tournament::schedule::{PairShard, ScheduledGame};
use reports::html;

use crate::outcome::{Event, Exit};
use crate::today::today;
use crate::verify::EngineArgs;
use crate::{console, files};

pub(crate) use args::MatchArgs;
use args::{Comment, MatchVerb};
use contestant::Contestant;
use end_positions::EndPositions;
use ledger::{Files, Ledger, Played};
pub(crate) use merge::merge;
pub(crate) use page::of_folder;
use plan::{Plan, header, pgn_path};
use screen::Screen;
pub(crate) use shards::{has_match, is_match};
pub(crate) use versions::{Suites, VersionMatch};

/// The name of the openings that are only the initial position.
const INITIAL: &str = "startpos";
/// The journal in the folder of a match.
const JOURNAL: &str = "match.jsonl";
/// The PGN in the folder of a match.
const PGN: &str = "games.pgn";
/// The standings in the folder of a match.
const STANDINGS: &str = "standings.csv";
/// The folder of the sessions of engines that failed.
const FAULTS: &str = "faults";
/// The file by which `merge` marks its folder: the folders of the shards.
const MERGED: &str = "shards.txt";
/// What is added to the error if a file of a match cannot be written.
const KEPT: &str = "the match stopped; its games so far are kept, and --resume goes on with it";
/// The settings of a header that other commands read: the PGN that the user named, what its comments hold, the tables,
/// and the EPD that the user named.
const PGN_SETTING: &str = "pgn";
const COMMENTS_SETTING: &str = "comments";
const TABLES_SETTING: &str = "tables";
const EPD_SETTING: &str = "epd";

/// How a match ended.
struct MatchEnd {
    games: u64,
    /// What the test says of the first engine, if there is one.
    decision: Option<Decision>,
    /// In how many games each engine failed.
    failed: Vec<u64>,
    /// The engine that ended the match, since it does not play, and its index.
    hopeless: Option<(usize, String)>,
}

impl MatchEnd {
    /// # Errors
    /// If an engine does not play.
    fn check_engines(&self) -> anyhow::Result<()> {
        match &self.hopeless {
            None => Ok(()),
            Some((_, engine)) => {
                bail!(
                    "{engine} failed in each of its last games, so that the match ended; mend it, and begin anew"
                )
            }
        }
    }
}

/// Plays the match, or what is left of it.
pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<Exit> {
    if let Some(MatchVerb::Status(args)) = &args.verb {
        return status::run(args);
    }
    let translated = args.from_fastchess.as_ref().map(|line| from_fastchess::arguments(line)).transpose()?;
    let args = translated.as_ref().unwrap_or(args);
    let base = |name: &String| EngineArgs {
        engine: Some(name.clone()),
        config: args.config.clone(),
        ..EngineArgs::default()
    };
    let end = between(args, &args.engines.iter().map(base).collect::<Vec<_>>())?;
    end.check_engines()?;
    let has_failed = end.failed.iter().any(|games| *games > 0);
    Ok(Exit::from_events([if has_failed { Event::Differs } else { Event::AllAgree }]))
}

/// Plays the match between engines that are started so.
fn between(args: &MatchArgs, bases: &[EngineArgs]) -> anyhow::Result<MatchEnd> {
    let plan = Plan::new(args, bases)?;
    let lines = screen::lines(args, &plan.contestants)?;
    let header = header(args, &plan)?;
    let shard = header.shard()?;
    let screen = Screen::new(lines, plan.schedule.games_in(shard), &plan.tables);
    let (mut journal, mut ledger) = begin(args, &plan, &header, &screen)?;
    if plan.repeats_games(args.rounds) {
        screen.note(&format!(
            "note: {} rounds have {} openings, and no clock limits the engines: engines that play alike each time repeat \
             their games, which count as independent ones",
            args.rounds,
            plan.book.len()
        ));
    }
    let Plan { book, order, contestants, tables, .. } = &plan;
    let entrants: Vec<Entrant> = contestants.iter().map(Contestant::entrant).collect();
    let host = Host {
        entrants: &entrants,
        book,
        order,
        rules: args.rules,
        adjudication: plan.adjudication,
        tables,
        patience: Duration::from_secs(args.patience),
        most_replays: args.replay_starved,
        concurrency: args.concurrency.into(),
    };
    screen.begun(&ledger);
    let played = play(&host, shard, &mut journal, &mut ledger, &screen);
    drop(journal);
    let is_foreign = screen.is_foreign();
    let written = ledger.finish().and_then(|()| {
        screen.end(&ledger, played.is_ok() && ledger.hopeless().is_none())?;
        write_results(&args.out, &ledger, &header, tables, is_foreign)
    });
    ledger.print_faults(&args.out.join(FAULTS));
    console::message(&format!("games in {}", pgn_path(args).display()));
    played.and(written)?;
    Ok(MatchEnd {
        games: ledger.standings.games(),
        decision: ledger.test.as_ref().map(|test| test.decision),
        failed: ledger.failures.of_engines().to_vec(),
        hopeless: ledger.hopeless().map(|engine| (engine, ledger.names[engine].clone())),
    })
}

/// Writes what a match leaves beside its journal and its PGN, and prints how it holds against the truth.
fn write_results(
    out: &Path,
    ledger: &Ledger,
    header: &MatchHeader,
    tables: &GameTables,
    is_foreign: bool,
) -> anyhow::Result<()> {
    files::write(&out.join(STANDINGS), &standings::csv(ledger)?)?;
    let scheduled = ledger.standings.schedule().games_in(header.shard()?);
    // The page shows what the files have, also if a table is damaged.
    let judged = truth::judge(out, ledger, header, tables, is_foreign);
    let findings = findings::of_folder(out)?;
    files::write(&out.join(html::FILE), &page::document(ledger, header, scheduled, findings))?;
    judged
}

/// Plays what the ledger does not have.
fn play(
    host: &Host,
    shard: PairShard,
    journal: &mut Journal<File>,
    ledger: &mut Ledger,
    screen: &Screen<'_>,
) -> anyhow::Result<()> {
    if ledger.is_over() {
        return Ok(());
    }
    let schedule = *ledger.standings.schedule();
    let known = journal.finished().clone();
    let left = schedule.games_of(shard).filter(move |game| !known.contains(game.number));
    let mut failed = Ok(());
    host.play(left, &mut |game, event| {
        let noted = match event {
            GameEvent::Started => screen.started(&game, ledger),
            GameEvent::Finished(record) => count(&game, *record, journal, ledger, screen),
        };
        match noted {
            Ok(()) => !ledger.is_over(),
            Err(error) => {
                failed = Err(error.context(KEPT));
                false
            }
        }
    })?;
    failed
}

/// Counts a game that has ended. The journal has it first.
fn count(
    game: &ScheduledGame,
    record: GameRecord,
    journal: &mut Journal<File>,
    ledger: &mut Ledger,
    screen: &Screen<'_>,
) -> anyhow::Result<()> {
    let played = Played { date: today()?.format("%Y.%m.%d").to_string(), record };
    journal.append(game.number, &played).context(JOURNAL)?;
    screen.finished(game, &played.record, ledger)?;
    ledger.add(game.number, played, &mut |ledger, record, line| screen.counted(ledger, record, line))
}

/// Makes the folder, opens the journal, and counts the games that it has. The journal is locked before any other file is
/// touched: those of another match, or of a match that another program plays, stay as they are.
fn begin(
    args: &MatchArgs,
    plan: &Plan,
    header: &MatchHeader,
    screen: &Screen<'_>,
) -> anyhow::Result<(Journal<File>, Ledger)> {
    let path = try_out(args)?;
    let shown = || path.display().to_string();
    files::ignored_by_git(&args.out)?;
    fs::create_dir_all(&args.out)
        .with_context(|| format!("cannot make the folder {}", args.out.display()))?;
    let file = OpenOptions::new().read(true).write(true).create_new(!args.resume).open(&path);
    let mut journal = Journal::open(file.with_context(shown)?, header).with_context(shown)?;
    let mut ledger = match empty_ledger(args, plan, header) {
        Err(error) if !args.resume => {
            // No match began.
            drop(journal);
            files::remove(&path)?;
            return Err(error);
        }
        made => made?,
    };
    let mut counted = Ok(());
    let read = journal.read(|number, played: Played| {
        if counted.is_ok() {
            counted = ledger.add(number, played, &mut |_, record, _| screen.known(record));
        }
    });
    read.with_context(shown)?;
    counted.context(KEPT)?;
    Ok((journal, ledger))
}

/// Makes the files of a match without games.
fn empty_ledger(args: &MatchArgs, plan: &Plan, header: &MatchHeader) -> anyhow::Result<Ledger> {
    let faults = args.out.join(FAULTS);
    fs::create_dir_all(&faults).with_context(|| format!("cannot make the folder {}", faults.display()))?;
    let schedule = plan.schedule;
    let games = schedule.games_of(header.shard()?);
    // Of a shard no test is decided: `match status` looks at all.
    let sprt = plan.sprt.filter(|_| header.schedule.shard[1] == 1);
    let (pgn, epd) = (pgn_path(args), args.epdout.as_deref());
    let end_positions = epd.map(|path| EndPositions::new(path, args.resume)).transpose()?;
    // A match that was killed before its first game leaves an empty file.
    let is_ours =
        args.pgnout.is_none() && fs::metadata(&pgn).is_ok_and(|file| file.is_file() && file.len() == 0);
    let files =
        Files::create([pgn, faults], fields(header)?, end_positions, args.resume || is_ours, "--pgnout");
    if let (Err(_), Some(path), false) = (&files, epd, args.resume) {
        // No match began.
        fs::remove_file(path).with_context(|| path.display().to_string())?;
    }
    let names = plan.contestants.iter().map(|one| one.program.name.clone()).collect();
    let mut ledger = Ledger::new(names, schedule, games, sprt, Some(files?));
    ledger.ends_early = !shards::is_merged(&args.out);
    Ok(ledger)
}

/// What the comments of the PGN hold.
fn fields(header: &MatchHeader) -> anyhow::Result<Vec<PgnField>> {
    let words = header.settings.get(COMMENTS_SETTING).map(String::as_str).unwrap_or_default();
    let comments = Comment::listed(words).map_err(|word| anyhow!("\"{word}\" is no field of a comment"))?;
    Ok(comments.into_iter().map(PgnField::from).collect())
}

/// The journal, if the folder can hold the match.
fn try_out(args: &MatchArgs) -> anyhow::Result<PathBuf> {
    files::try_folder(&args.out)?;
    let path = args.out.join(JOURNAL);
    let out = args.out.display();
    match (path.exists(), args.resume) {
        (false, true) => bail!("{out} holds no match to go on with: leave out --resume to begin one"),
        (true, false) => {
            bail!("{out} holds a match: go on with it by --resume, or name another folder with --out")
        }
        _ => Ok(path),
    }
}
