//! Starts a runner for a scripted game, and reads what it wrote.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use arbiter::game::Opening;
use arbiter::pgn::{Block, PgnGame, read};
use arbiter::scripted_games;
use oracle::board;
use suites::arbiter::ArbiterCase;

use super::command::{GameFiles, Runner};
use super::outcome::{Outcome, Verdict};
use crate::files;

/// The largest file of games, and the largest output, that is read.
const MOST_BYTES: u64 = 1 << 22;
/// How often a runner is looked at.
const STEP: Duration = Duration::from_millis(10);

/// Has the runner play a game.
///
/// # Errors
/// If the files of the game cannot be written, or the runner cannot be started.
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
    let is_over = run(runner, case, &game_files, folder.path(), &said)?;
    let last_line = || {
        let text = files::read(&said, MOST_BYTES).unwrap_or_default();
        let text = String::from_utf8_lossy(&text).into_owned();
        let line = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default();
        reports::plain(line).chars().take(120).collect::<String>()
    };
    if !is_over {
        let seconds = runner.patience.as_secs();
        return Ok(outcome(Verdict::NotPlayed(format!("the runner did not end within {seconds} s"))));
    }
    let mut games = games(&game_files.pgn)?;
    // What becomes of a player whose process has ended is the next game's matter.
    if case.play.iter().any(|answer| answer.exits) {
        games.truncate(1);
    }
    if games.is_empty() {
        return Ok(outcome(if case.may_be_refused {
            Verdict::Right
        } else {
            Verdict::NotPlayed(format!("no game: {}", last_line()))
        }));
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

/// Runs the runner to its end. Returns false if it was killed because it took too long.
fn run(
    runner: &Runner,
    case: &ArbiterCase,
    files: &GameFiles,
    folder: &Path,
    said: &Path,
) -> anyhow::Result<bool> {
    let output = File::create(said).with_context(|| said.display().to_string())?;
    let errors = output.try_clone().with_context(|| said.display().to_string())?;
    let mut command = Command::new(runner.program());
    command.args(runner.arguments(case, files)).current_dir(folder);
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut child =
        command.spawn().with_context(|| format!("cannot start {}", runner.program().display()))?;
    let until = Instant::now() + runner.patience;
    loop {
        if child.try_wait().context("cannot wait for the runner")?.is_some() {
            return Ok(true);
        }
        if Instant::now() >= until {
            child.kill().context("cannot end the runner")?;
            child.wait().context("cannot wait for the runner")?;
            return Ok(false);
        }
        thread::sleep(STEP);
    }
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
