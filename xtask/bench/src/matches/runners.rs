//! Programs that play matches, and what they cost.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};
use suites::openings::OwnBook;

use crate::uci::peers;

/// Games are drawn after so many moves of each side.
const MOST_MOVES: u32 = 60;
/// No pair of games takes longer: a game has at most 120 plies, and the engine answers at once.
const LONGEST_PAIR: Duration = Duration::from_mins(1);
/// The unit of processor times in /proc: a hundredth of a second on Linux.
const TICK: Duration = Duration::from_millis(10);

/// Plays the openings of a file from both sides with two engines, and writes the games as PGN: the rules
/// by python-chess, with a draw at the third occurrence and after fifty moves.
const SCRIPT: &str = "
import sys
import chess, chess.engine, chess.pgn
book, pairs, most, command = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
openings = open(book).read().splitlines()
engines = [chess.engine.SimpleEngine.popen_uci(command) for _ in range(2)]
with open('games.pgn', 'w') as games:
    for opening in openings[:pairs]:
        for reverse in (False, True):
            board, game = chess.Board(), object()
            board.set_epd(opening)
            while len(board.move_stack) < 2 * most and board.outcome() is None:
                if board.is_repetition(3) or board.is_fifty_moves():
                    break
                engine = engines[(board.turn == chess.BLACK) != reverse]
                result = engine.play(board, chess.engine.Limit(nodes=1), game=game, info=chess.engine.INFO_ALL)
                board.push(result.move)
            print(chess.pgn.Game.from_board(board), file=games, end='\\n\\n')
for engine in engines:
    engine.quit()
";

/// What a match costs, in microseconds for each ply.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cost {
    /// The processor time of the match program alone.
    pub(super) own: f64,
    /// The time from its start to its end.
    pub(super) wall: f64,
    /// The plies of the match.
    pub(super) plies: u64,
}

/// A program that plays matches.
pub(super) enum Runner {
    Touchstone(PathBuf),
    Fastchess(PathBuf),
    PythonChess,
}

impl Runner {
    /// Ours.
    pub(super) fn touchstone(program: PathBuf) -> anyhow::Result<Self> {
        Ok(Self::Touchstone(fs::canonicalize(program)?))
    }

    /// The one that was named, or else the one that the system has, if it has one.
    pub(super) fn fastchess(named: Option<&Path>) -> anyhow::Result<Option<Self>> {
        Ok(peers::Fastchess::find(named)?.map(|fastchess| Self::Fastchess(fastchess.program())))
    }

    /// python-chess, if it is installed.
    pub(super) fn python_chess() -> Option<Self> {
        let output = Command::new("python3").args(["-c", "import chess.engine"]).output();
        output.is_ok_and(|output| output.status.success()).then_some(Self::PythonChess)
    }

    /// Plays so many pairs of games.
    pub(super) fn play(&self, engine: &Path, pairs: u32) -> anyhow::Result<Cost> {
        let folder = tempfile::tempdir().context("cannot make a folder")?;
        let (book, answers) = (folder.path().join("book.epd"), folder.path().join("answers"));
        // fastchess reads no comments.
        let lines = OwnBook::Balanced.text().lines().filter(|line| !line.starts_with('#'));
        fs::write(&book, lines.collect::<Vec<_>>().join("\n")).context("cannot write the book")?;
        let mut command = self.command(engine, &answers, pairs);
        command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null());
        let error = folder.path().join("errors");
        command.stderr(fs::File::create(&error).context("cannot write")?);
        let began = Instant::now();
        let mut child = command.spawn().context("cannot start a match program")?;
        let own = processor_time_at_end(&child, LONGEST_PAIR * pairs).inspect_err(|_| {
            // It may have ended by itself.
            let _ = child.kill();
            let _ = child.wait();
        })?;
        let took = began.elapsed();
        let status = child.wait()?;
        let said = || fs::read_to_string(&error).unwrap_or_default();
        ensure!(status.success(), "a match program failed: {}", said().trim());
        let counted = fs::read_to_string(&answers).unwrap_or_default();
        // Ours tries each engine before the match, in a session of one answer.
        let of_sessions = counted.lines().filter_map(|line| line.parse::<u64>().ok());
        let plies: u64 = of_sessions.filter(|answers| *answers > 1).sum();
        ensure!(plies > 0, "nothing was played: {}", said().trim());
        let for_each_ply = |time: Duration| time.as_secs_f64() * 1e6 / plies as f64;
        Ok(Cost { own: for_each_ply(own), wall: for_each_ply(took), plies })
    }

    fn command(&self, engine: &Path, answers: &Path, pairs: u32) -> Command {
        let (engine, answers) = (engine.display().to_string(), answers.display().to_string());
        let (pairs, most) = (pairs.to_string(), MOST_MOVES.to_string());
        let arguments = ["uci", "--answer", "--count", &answers];
        match self {
            Self::Touchstone(program) => {
                let mut command = Command::new(program);
                command.args(["match", &engine, &engine, "--each", "nodes=1"]);
                command.args(arguments.map(|argument| format!("arg={argument}")));
                command.args(["--of", "2:name=other", "--openings", "book.epd", "--order", "sequential"]);
                command.args(["--rounds", &pairs, "--maxmoves", &most, "--out", "out"]);
                command
            }
            Self::Fastchess(program) => {
                let mut command = Command::new(program);
                for name in ["one", "other"] {
                    command.arg("-engine").arg(format!("cmd={engine}")).arg(format!("name={name}"));
                    command.arg(format!("args={}", arguments.join(" ")));
                }
                command.args(["-each", "nodes=1", "tc=inf", "-concurrency", "1", "-games", "2", "-repeat"]);
                command.args(["-openings", "file=book.epd", "format=epd", "order=sequential"]);
                command.args(["-rounds", &pairs, "-maxmoves", &most, "-pgnout", "file=games.pgn"]);
                command
            }
            Self::PythonChess => {
                let mut command = Command::new("python3");
                command.args(["-c", SCRIPT, "book.epd", &pairs, &most, &engine]).args(arguments);
                command
            }
        }
    }
}

/// Waits until a process has ended, and tells the processor time that it took itself. Its entry in /proc stays
/// until the process is waited for.
///
/// # Errors
/// If it has not ended after this time, or the system does not tell its processor time.
fn processor_time_at_end(child: &Child, within: Duration) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let path = format!("/proc/{}/stat", child.id());
    loop {
        let stat = fs::read_to_string(&path).with_context(|| format!("cannot read {path}"))?;
        // The name of the program, which may hold blanks, stands in brackets.
        let fields: Vec<&str> = stat.rsplit_once(") ").map_or("", |parts| parts.1).split(' ').collect();
        match fields[..] {
            ["Z", ..] => {
                let ticks = |index: usize| fields.get(index).and_then(|text| text.parse::<u32>().ok());
                let (Some(user), Some(system)) = (ticks(11), ticks(12)) else { bail!("{path}: {stat}") };
                return Ok(TICK * (user + system));
            }
            _ if began.elapsed() > within => bail!("a match took more than {} s", within.as_secs()),
            _ => thread::sleep(Duration::from_millis(5)),
        }
    }
}
