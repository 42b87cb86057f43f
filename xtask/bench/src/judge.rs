//! `bench judge`: how fast games of PGN files are judged, beside programs that read and replay them.
//!
//! The games are random ones with comments as match programs write them. All programs run on one core.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use shakmaty::san::SanPlus;
use shakmaty::{Chess, Position};

use crate::spread::Spread;
use crate::{Peers, console};

/// Measure how fast `judge` holds games against the rules, and against tables of four men, beside python-chess and pgn-extract,
/// which replay them.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:\n  cargo xtask bench judge --rounds 3 --games 5000")]
pub(crate) struct JudgeArgs {
    /// How often each program reads the games.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// The number of games. python-chess reads one in twenty, and its time is multiplied.
    #[arg(long, default_value_t = 4000, value_parser = clap::value_parser!(u32).range(20..=100_000))]
    games: u32,
    /// The program that is measured [default: the build beside this one].
    #[arg(long, value_name = "PROGRAM")]
    touchstone: Option<PathBuf>,
}

const JUDGE: &str = "judge, rules";
const JUDGE_BY_TABLES: &str = "judge, tables of 4 men";
/// The most plies of a game.
const MOST_PLIES: u32 = 120;
/// python-chess is given one game in so many.
const SHARE: u32 = 20;
/// Reads the games of a file, plays their moves, and asks for the outcome.
const SCRIPT: &str = "
import sys
import chess.pgn
with open(sys.argv[1]) as games:
    while (game := chess.pgn.read_game(games)):
        board = game.board()
        for move in game.mainline_moves():
            board.push(move)
        board.outcome()
";

/// A program, its arguments, and the share of the games that it reads.
struct Reader {
    name: &'static str,
    program: PathBuf,
    arguments: Vec<String>,
    share: u32,
}

/// Measures all in turns.
///
/// # Errors
/// If a program fails.
pub(crate) fn run(args: &JudgeArgs) -> anyhow::Result<Peers> {
    let this = std::env::current_exe().context("cannot tell where this program is")?;
    let ours = args.touchstone.clone().unwrap_or_else(|| this.with_file_name("touchstone"));
    ensure!(ours.exists(), "{} is not there: start this with `cargo xtask bench judge`", ours.display());
    let ours = std::fs::canonicalize(ours)?;
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    let games: Vec<String> = (0..args.games).map(random_game).collect();
    let (all, some) = (folder.path().join("games.pgn"), folder.path().join("some.pgn"));
    std::fs::write(&all, games.concat()).context("cannot write the games")?;
    let some_games: String = games.iter().step_by(SHARE as usize).map(String::as_str).collect();
    std::fs::write(&some, some_games).context("cannot write the games")?;
    let judge = |name, more: &[&str]| {
        let words = ["judge", "games.pgn", "--jobs", "1", "--fail-on", "error", "--out", "out"];
        let arguments = words.iter().chain(more).map(ToString::to_string).collect();
        Reader { name, program: ours.clone(), arguments, share: 1 }
    };
    let peer = |name, program: &str, arguments: &[&str], share| {
        let arguments = arguments.iter().map(ToString::to_string).collect();
        Reader { name, program: program.into(), arguments, share }
    };
    let readers = [
        judge(JUDGE, &["--men", "2"]),
        judge(JUDGE_BY_TABLES, &[]),
        peer("pgn-extract", "pgn-extract", &["-s", "-r", "games.pgn"], 1),
        peer("python-chess", "python3", &["-c", SCRIPT, "some.pgn"], SHARE),
    ];
    // The tables are built before.
    readers[1].read(folder.path())?;
    let mut seconds = [const { Vec::new() }; 4];
    for _ in 0..args.rounds {
        for (reader, seconds) in readers.iter().zip(&mut seconds) {
            seconds.extend(reader.read(folder.path())?);
        }
    }
    let size = std::fs::metadata(&all)?.len();
    report(args, size, &readers, &seconds)?;
    let is_missing = seconds[2..].iter().any(Vec::is_empty);
    Ok(if is_missing { Peers::Missing } else { Peers::Measured })
}

impl Reader {
    /// The seconds that it takes for all games; `None` if it is not installed.
    fn read(&self, folder: &Path) -> anyhow::Result<Option<f64>> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let began = Instant::now();
        let is_peer = self.name != JUDGE && self.name != JUDGE_BY_TABLES;
        let status = match command.status() {
            Err(error) if is_peer && error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            status => status.with_context(|| format!("cannot start {}", self.program.display()))?,
        };
        let took = began.elapsed().as_secs_f64() * f64::from(self.share);
        if !status.success() && self.share > 1 {
            // python3 is there, and python-chess is not.
            return Ok(None);
        }
        ensure!(status.success(), "{} failed: {status}", self.name);
        Ok(Some(took))
    }
}

fn report(args: &JudgeArgs, size: u64, readers: &[Reader], seconds: &[Vec<f64>]) -> anyhow::Result<()> {
    console::line(&format!(
        "{} random games of at most {MOST_PLIES} plies with comments, {:.1} MB, on one core; {} rounds, median (least - most).\n\n\
         program                              games a second",
        args.games,
        size as f64 / 1e6,
        args.rounds
    ))?;
    for (reader, seconds) in readers.iter().zip(seconds) {
        let rate = Spread::of_any(seconds.iter().map(|seconds| f64::from(args.games) / seconds));
        let rate = rate.map_or("not measured: it is not installed".to_owned(), |rate| rate.to_string());
        console::line(&format!("{:<24}{rate:>36}", reader.name))?;
    }
    console::line("")?;
    for (reader, theirs) in readers.iter().zip(seconds).skip(2) {
        let ratios = theirs.iter().zip(&seconds[0]).map(|(theirs, ours)| theirs / ours);
        if let Some(ratio) = Spread::of_any(ratios) {
            console::line(&format!("judge by rules is faster than {:<14}{ratio} times", reader.name))?;
        }
    }
    Ok(())
}

/// A game of random moves, the same for each number.
fn random_game(number: u32) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(number.into());
    let mut position = Chess::default();
    let mut moves = String::new();
    for ply in 0..MOST_PLIES {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[(random.next_u64() % legal.len() as u64) as usize];
        let san = SanPlus::from_move_and_play_unchecked(&mut position, mv);
        let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
        let line_end = if ply % 4 == 3 { '\n' } else { ' ' };
        let _ = write!(moves, "{number}{san} {{+0.35/12 0.052s}}{line_end}");
    }
    let result = match position.outcome().winner() {
        Some(shakmaty::Color::White) => "1-0",
        Some(shakmaty::Color::Black) => "0-1",
        None => "1/2-1/2",
    };
    format!(
        "[Event \"random\"]\n[Round \"{number}\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"{result}\"]\n\n{moves}{result}\n\n"
    )
}
