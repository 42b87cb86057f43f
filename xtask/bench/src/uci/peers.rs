//! Bare pipes, and the drivers of others.

use std::ffi::OsString;
use std::fs;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use crate::spread::Spread;

/// Plays games of so many plies with `python-chess` and prints the microseconds that a move takes, in the
/// middle. A fixed depth is its limit; an import that fails ends it with status 9.
const SCRIPT: &str = "
import statistics, sys, time
try:
    import chess, chess.engine
except ImportError:
    sys.exit(9)
games, plies, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
with chess.engine.SimpleEngine.popen_uci(command) as engine:
    took = []
    for _ in range(games):
        board = chess.Board()
        for _ in range(plies):
            began = time.perf_counter()
            board.push(engine.play(board, chess.engine.Limit(depth=1)).move)
            took.append(time.perf_counter() - began)
    print(statistics.median(took) * 1e6)
";

/// The words that follow `position` after these moves.
pub(super) fn position(moves: &[String]) -> String {
    if moves.is_empty() { "startpos".to_owned() } else { format!("startpos moves {}", moves.join(" ")) }
}

/// The microseconds that a move takes, in the middle: one that the system interrupted tells nothing of the
/// driver.
pub(super) fn middle(took: &[Duration]) -> f64 {
    Spread::of(took.iter().map(|took| took.as_secs_f64() * 1e6)).median
}

/// Plays the games over pipes on which one thread writes and reads, with no deadline.
pub(super) fn bare_pipes(
    engine: &Path,
    arguments: &[OsString],
    game: &[String],
    games: u32,
) -> anyhow::Result<f64> {
    let mut command = Command::new(engine);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {}", engine.display()))?;
    let (Some(mut input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
        bail!("the engine has no pipes");
    };
    let (mut output, mut line) = (BufReader::new(output), String::new());
    let mut took = Vec::new();
    for _ in 0..games {
        for plies in 0..game.len() {
            let began = Instant::now();
            let asked = format!("position {}\ngo depth 1\n", position(&game[..plies]));
            input.write_all(asked.as_bytes()).context("the engine does not listen")?;
            line.clear();
            while !line.starts_with("bestmove") {
                line.clear();
                ensure!(output.read_line(&mut line)? > 0, "the engine has ended");
            }
            took.push(began.elapsed());
        }
    }
    input.write_all(b"quit\n").context("the engine does not listen")?;
    child.wait()?;
    Ok(middle(&took))
}

/// Lets python-chess play; `None` if it is not installed.
pub(super) fn python_chess(
    engine: &Path,
    arguments: &[OsString],
    plies: usize,
    games: u32,
) -> anyhow::Result<Option<f64>> {
    let mut command = Command::new("python3");
    command.args(["-c", SCRIPT, &games.to_string(), &plies.to_string()]).arg(engine).args(arguments);
    let output = match command.output() {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        output => output.context("cannot start python3")?,
    };
    if output.status.code() == Some(9) {
        return Ok(None);
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let middle = said.trim().parse().with_context(|| {
        format!("python-chess cannot play: {}", String::from_utf8_lossy(&output.stderr).trim())
    })?;
    Ok(Some(middle))
}

/// fastchess, which plays matches.
pub(crate) struct Fastchess(PathBuf);

impl Fastchess {
    /// The program that was named, or else the one that the system has, if it has one.
    ///
    /// # Errors
    /// If a program that was named cannot be started.
    pub(crate) fn find(named: Option<&Path>) -> anyhow::Result<Option<Self>> {
        // It is started elsewhere.
        let program = named.map_or(Ok(PathBuf::from("fastchess")), fs::canonicalize);
        let program = program
            .with_context(|| format!("there is no program {}", named.unwrap_or(Path::new("")).display()))?;
        match Command::new(&program).arg("-version").output() {
            Ok(_) => Ok(Some(Self(program))),
            Err(error) if error.kind() == ErrorKind::NotFound && named.is_none() => Ok(None),
            Err(error) => Err(error).with_context(|| format!("cannot start {}", program.display())),
        }
    }

    /// Where it is.
    pub(crate) fn program(&self) -> PathBuf {
        self.0.clone()
    }

    /// Lets it play, one game at a time: the microseconds that a move takes on average, its start and that of
    /// the engines included, which is once a round.
    pub(super) fn play(
        &self,
        engine: &Path,
        arguments: &[OsString],
        plies: usize,
        games: u32,
    ) -> anyhow::Result<f64> {
        let folder = tempfile::tempdir().context("cannot make a folder")?;
        let answers = folder.path().join("answers");
        let words: Vec<_> = arguments.iter().map(|argument| argument.to_string_lossy()).collect();
        let mut command = Command::new(&self.0);
        command.current_dir(folder.path());
        for name in ["one", "other"] {
            command.arg("-engine").arg(format!("cmd={}", engine.display())).arg(format!("name={name}"));
            command.arg(format!("args={} --count {}", words.join(" "), answers.display()));
        }
        command.args(["-each", "depth=1", "tc=inf", "-concurrency", "1", "-games", "2"]);
        command.args(["-rounds", &games.div_ceil(2).to_string(), "-maxmoves", &(plies / 2).to_string()]);
        let began = Instant::now();
        let output = command.output().context("cannot start fastchess")?;
        let took = began.elapsed();
        let counted = fs::read_to_string(&answers).unwrap_or_default();
        let moves: u64 = counted.lines().filter_map(|line| line.parse::<u64>().ok()).sum();
        ensure!(moves > 0, "fastchess cannot play: {}", String::from_utf8_lossy(&output.stdout).trim());
        Ok(took.as_secs_f64() * 1e6 / moves as f64)
    }
}
