//! What a match is before it is played: its arguments, checked, and the header of its journal.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, bail};
use arbiter::game::{Adjudication, AdjudicationError};
use arbiter::game_tables::GameTables;
use arbiter::statistics::{Results, Sprt};
use arbiter::tournament::journal::{FORMAT, MatchHeader, OpeningsHeader, ScheduleHeader};
use arbiter::tournament::openings::{Book, BookFormat, MOST_BYTES, OpeningOrder, Order, ReadOptions};
use arbiter::tournament::schedule::Schedule;
use reports::html;
use sha2::Digest;
use suites::openings::OwnBook;
use suites::syzygy::Sha256;

use super::args::{Comment, MatchArgs, OpeningsOrder};
use super::contestant::{self, Contestant};
use super::{
    COMMENTS_SETTING, EPD_SETTING, INITIAL, JOURNAL, PGN, PGN_SETTING, STANDINGS, TABLES_SETTING, replays,
    truth,
};
use crate::shard::Shard;
use crate::verify::EngineArgs;
use crate::{files, sprt};

/// A match that can be played: all arguments are right, and the engines start.
pub(super) struct Plan {
    pub(super) adjudication: Adjudication,
    pub(super) sprt: Option<Sprt>,
    pub(super) schedule: Schedule,
    pub(super) book: Book,
    /// The SHA-256 sum of the book.
    pub(super) sum: String,
    pub(super) order: OpeningOrder,
    pub(super) contestants: Vec<Contestant>,
    pub(super) tables: GameTables,
}

impl Plan {
    /// The match of engines that are started so.
    pub(super) fn new(args: &MatchArgs, bases: &[EngineArgs]) -> anyhow::Result<Self> {
        let (sprt, adjudication) = (test(args)?, adjudication(args)?);
        let schedule = match args.seeds {
            Some(seeds) => Schedule::gauntlet(args.engines.len(), seeds, args.rounds)?,
            None => Schedule::round_robin(args.engines.len(), args.rounds)?,
        };
        check_files(args)?;
        let (book, sum) = book(args)?;
        let order = match args.order {
            OpeningsOrder::Sequential => Order::Sequential,
            OpeningsOrder::Random => Order::Shuffled(args.seed),
        };
        let order = OpeningOrder::new(book.len(), order, args.start).context("--start")?;
        let contestants = contestant::find(args, bases)?;
        let is_chess960 = |index: usize| book.opening(index).is_some_and(|opening| opening.is_chess960);
        if let Some(one) = contestants.iter().find(|one| !one.plays_chess960)
            && (0..book.len()).any(is_chess960)
        {
            bail!("{} has no option UCI_Chess960, and the book has openings of Chess960", one.program.name);
        }
        let tables = args.tables.open()?;
        Ok(Self { adjudication, sprt, schedule, book, sum, order, contestants, tables })
    }

    /// Whether games may come again: openings do, and no clock makes the games differ.
    pub(super) fn repeats_games(&self, rounds: u64) -> bool {
        rounds > self.book.len() as u64 && !self.contestants.iter().any(|one| one.control.is_timed())
    }
}

/// The test that the arguments ask for.
fn test(args: &MatchArgs) -> anyhow::Result<Option<Sprt>> {
    if args.sprt.is_empty() {
        return Ok(None);
    }
    let sprt = sprt::parse(&args.sprt)?;
    if args.engines.len() > 2 {
        bail!("--sprt tests one engine against another: name two");
    }
    if sprt.test(&Results::Pairs([0, 0, 1, 0, 0])).is_err() {
        bail!("--sprt: a match counts pairs of games, and model=bayesian does not; give model=logistic");
    }
    Ok(Some(sprt))
}

/// # Errors
/// If two files of the match have one path, or one exists that must not be written over.
fn check_files(args: &MatchArgs) -> anyhow::Result<()> {
    let named = [("--pgnout", args.pgnout.as_ref()), ("--epdout", args.epdout.as_ref())];
    let named = named.into_iter().filter_map(|(option, path)| Some((option, absolute(path?))));
    let others = [JOURNAL, STANDINGS, html::FILE, truth::FINDINGS, truth::DISAGREEMENTS];
    let mut taken: Vec<PathBuf> = others.map(|name| absolute(&args.out.join(name))).into();
    for (option, path) in named {
        if taken.contains(&path) {
            bail!("{option}: {} is another file of the match; name a file of its own", path.display());
        }
        if !args.resume && path.exists() {
            bail!(
                "{} exists, and is not overwritten; remove it, or name another with {option}",
                path.display()
            );
        }
        taken.push(path);
    }
    Ok(())
}

/// A path that stays the same when a match is resumed in another folder.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// The book and its SHA-256 sum. A name of a book of ours goes before a file of that name.
pub(super) fn book(args: &MatchArgs) -> anyhow::Result<(Book, String)> {
    if args.openings == INITIAL {
        return Ok((Book::initial_position(args.chess960), String::new()));
    }
    let path = Path::new(&args.openings);
    let format = args.book_format.unwrap_or_else(|| {
        let is_pgn = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        if is_pgn { BookFormat::Pgn } else { BookFormat::Epd }
    });
    let bytes = match args.openings.parse::<OwnBook>() {
        Ok(book) => book.text().as_bytes().to_vec(),
        Err(_) => files::read(path, MOST_BYTES as u64)?,
    };
    let options = ReadOptions { is_chess960: args.chess960, plies: args.plies };
    let book = Book::read(&bytes, format, options).with_context(|| args.openings.clone())?;
    Ok((book, Sha256(sha2::Sha256::digest(&bytes).into()).to_string()))
}

pub(super) fn adjudication(args: &MatchArgs) -> anyhow::Result<Adjudication> {
    Ok(Adjudication {
        resign: rule("--resign", &args.resign)?,
        draw: rule("--draw", &args.draw)?,
        max_moves: args.maxmoves,
        tables: args.tables.rule(),
    })
}

/// The rule in the words after an option, together or each for itself; `None` if there are none.
fn rule<R: FromStr<Err = AdjudicationError>>(option: &str, words: &[String]) -> anyhow::Result<Option<R>> {
    if words.is_empty() {
        return Ok(None);
    }
    let words = words.join(" ");
    words.parse().map(Some).with_context(|| format!("{option} {words}"))
}

/// All that decides which games there are and how they are played.
pub(super) fn header(args: &MatchArgs, plan: &Plan) -> anyhow::Result<MatchHeader> {
    let Plan { adjudication, sprt, sum, contestants, .. } = plan;
    let usual = if contestants.iter().any(|one| one.control.is_timed()) { &[Comment::Time][..] } else { &[] };
    let comments = args.comments.as_deref().unwrap_or(usual);
    let settings = [
        ("rules", args.rules.to_string()),
        ("adjudication", adjudication.to_string()),
        (TABLES_SETTING, args.tables.words()?),
        ("sprt", sprt.as_ref().map(ToString::to_string).unwrap_or_default()),
        (
            PGN_SETTING,
            args.pgnout.as_ref().map(|path| absolute(path).display().to_string()).unwrap_or_default(),
        ),
        (COMMENTS_SETTING, Comment::list(comments)),
        ("patience", args.patience.to_string()),
        ("replay-starved", args.replay_starved.to_string()),
    ];
    let folders = contestants.iter().filter_map(|Contestant { program, .. }| {
        let folder = program.directory.as_ref()?;
        Some((replays::folder_setting(&program.name), absolute(folder).display().to_string()))
    });
    let variables = contestants.iter().flat_map(|Contestant { program, .. }| {
        program.environment.iter().map(|(variable, value)| {
            let setting = replays::variable_setting(&program.name, &variable.to_string_lossy());
            (setting, value.to_string_lossy().into_owned())
        })
    });
    let memory = contestants.iter().filter_map(|Contestant { program, .. }| {
        Some((format!("memory of {}", program.name), program.memory?.to_string()))
    });
    let isolated = contestants.iter().filter(|one| one.program.isolated);
    let isolated = isolated.map(|one| (replays::isolated_setting(&one.program.name), "yes".to_owned()));
    let epd = args.epdout.as_ref().map(|path| (EPD_SETTING.to_owned(), absolute(path).display().to_string()));
    let settings = settings
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .chain(folders)
        .chain(variables)
        .chain(memory)
        .chain(isolated)
        .chain(epd);
    Ok(MatchHeader {
        format: FORMAT,
        engines: contestants.iter().map(Contestant::header).collect::<anyhow::Result<_>>()?,
        schedule: ScheduleHeader {
            rounds: args.rounds,
            seeds: args.seeds.map(|seeds| seeds as u64),
            shard: args.shard.map_or([1, 1], Shard::numbers),
        },
        openings: OpeningsHeader {
            sha256: sum.clone(),
            plies: args.plies.map(|plies| plies as u64),
            is_shuffled: args.order == OpeningsOrder::Random,
            start: args.start as u64,
            is_chess960: args.chess960,
        },
        seed: args.seed,
        settings: settings.collect::<BTreeMap<_, _>>(),
    })
}

pub(super) fn pgn_path(args: &MatchArgs) -> PathBuf {
    args.pgnout.clone().unwrap_or_else(|| args.out.join(PGN))
}
