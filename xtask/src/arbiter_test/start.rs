//! Starts a runner for a scripted game, and reads what it wrote.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Command, ExitStatus};

use anyhow::Context;
use arbiter::game::Opening;
use arbiter::pgn::{Block, PgnGame, read};
use arbiter::scripted_games;
use oracle::board;
use suites::arbiter::ArbiterCase;

use super::command::{GameFiles, Runner};
use super::outcome::{Outcome, Verdict};
use crate::files;

/// The largest file of games that is read.
const MOST_BYTES: u64 = 1 << 22;
/// How much of the end of its output is read.
const MOST_SAID: u64 = 1 << 14;
/// Has the runner play a game.
///
/// # Errors
/// If the files of the game cannot be written, or the runner cannot be started. What the runner writes is its own matter.
pub(super) fn play<'a>(case: &'a ArbiterCase, runner: &Runner) -> anyhow::Result<Outcome<'a>> {
    let outcome = |verdict| Outcome { case, verdict };
    if let Some(why) = runner.cannot_play(case) {
        return Ok(outcome(Verdict::NotSupported(why.to_owned())));
    }
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let path = |name: &str| folder.path().join(name);
    let game_files = GameFiles {
        epd: path("book.epd"),
        book: path("book.pgn"),
        pgn: path("games.pgn"),
        other: path("out"),
    };
    files::write(&game_files.epd, format!("{}\n", case.fen).as_bytes())?;
    files::write(&game_files.book, opening(case)?.as_bytes())?;
    let said = path("said.txt");
    let ended = run(runner, case, &game_files, folder.path(), &said)?;
    let said = || last_line(&said).unwrap_or_else(|error| error.to_string());
    let Some(status) = ended else {
        let seconds = runner.patience.as_secs();
        let why = format!("the runner did not end within {seconds} s; it said last: {}", said());
        return Ok(outcome(Verdict::NotPlayed(why)));
    };
    let not_played = |what: &str| {
        let why = format!("{what}; the runner ended with {status}: {}", said());
        Ok(outcome(Verdict::NotPlayed(why)))
    };
    let mut games = match games(&game_files.pgn) {
        Ok(games) => games,
        Err(error) => return not_played(&format!("{error:#}")),
    };
    // What becomes of a player whose process has ended is the next game's matter.
    if case.play.iter().any(|answer| answer.exits) {
        games.truncate(1);
    } else if games.len() == 1 && runner.plays_pairs() {
        return not_played("one game of two");
    }
    if games.is_empty() {
        if case.may_be_refused {
            return Ok(outcome(Verdict::Refused));
        }
        return not_played("no game");
    }
    let expected = case.end_under(runner.policy);
    for game in &games {
        let judged = match game {
            Ok(game) => scripted_games::judge(game, case, expected).map_err(|fault| fault.to_string()),
            Err(why) => Err(why.clone()),
        };
        if let Err(fault) = judged {
            return Ok(outcome(Verdict::Wrong(fault)));
        }
    }
    Ok(outcome(Verdict::Right))
}

/// The last line that a runner said.
fn last_line(said: &Path) -> anyhow::Result<String> {
    let mut file = File::open(said)?;
    let from = file.metadata()?.len().saturating_sub(MOST_SAID);
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(MOST_SAID).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
    Ok(reports::plain(line).chars().take(120).collect())
}

/// Runs the runner to its end. It is killed with all that it started if it takes too long; the status is then `None`.
fn run(
    runner: &Runner,
    case: &ArbiterCase,
    files: &GameFiles,
    folder: &Path,
    said: &Path,
) -> anyhow::Result<Option<ExitStatus>> {
    let output = File::create(said).with_context(|| said.display().to_string())?;
    let errors = output.try_clone().with_context(|| said.display().to_string())?;
    let mut command = Command::new(runner.program());
    command.args(runner.arguments(case, files)).current_dir(folder);
    command.stdout(output).stderr(errors);
    uci::run_to_end(command, runner.patience)
        .with_context(|| format!("cannot start {}", runner.program().display()))
}

/// The opening as a game of PGN.
fn opening(case: &ArbiterCase) -> anyhow::Result<String> {
    let variant = if case.chess960 { "[Variant \"fischerandom\"]\n" } else { "" };
    let opening = Opening::new(&case.fen, case.chess960, &case.book)?;
    let game = opening.game();
    let moves = board::numbered(&game.positions()[0], game.moves());
    Ok(format!(
        "[Event \"{}\"]\n[Result \"*\"]\n{variant}[SetUp \"1\"]\n[FEN \"{}\"]\n\n{moves} *\n",
        case.id, case.fen
    ))
}

/// The games of a file, or why one cannot be read; none if there is no file.
fn games(path: &Path) -> anyhow::Result<Vec<Result<PgnGame, String>>> {
    if !fs::exists(path).unwrap_or_default() {
        return Ok(Vec::new());
    }
    let block = Block { bytes: files::read(path, MOST_BYTES)?, line: 1, is_cut: false };
    Ok(read(&block).into_iter().map(|game| game.map_err(|error| error.to_string())).collect())
}
