//! `prove`: proves or refutes a forced mate, or checks a proof.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use oracle::board::{self, Accept, Game};
use oracle::prover::{self, Certificate, MOST_MOVES, ProverLimits, ProverVerdict};
use suites::epd::Epd;

use crate::outcome::{Event, Exit};
use crate::progress::Progress;
use crate::{console, files, perft};

/// Prove or refute a forced mate, or check a proof.
///
/// The halfmove clock of the position counts: mate on the hundredth ply is mate. The result is the least
/// number of moves. The exit code is 0 if the mate is forced, 1 if it is not, 2 if that is unknown.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask prove 8/8/8/8/8/1K6/2R5/1k6 w - - 0 1 --mate 2
  cargo xtask prove \"8/8/8/8/8/1K6/8/k1R5 b - - 0 1\" --mate -1
  cargo xtask prove 8/8/8/8/8/1K6/2R5/1k6 w - - 0 1 --mate 3 --moves \"c2c3 b1a1 c3c2 a1b1\"
  cargo xtask prove 8/8/8/8/8/1K6/2R5/1k6 w - - --mate 2 --certificate proof
  cargo xtask prove 8/8/8/8/8/1K6/2R5/1k6 w - - --check proof")]
pub(crate) struct ProveArgs {
    /// The position as FEN or EPD, with or without quotes.
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// The most moves in which the side to move mates; negative if it is mated.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = moves, required_unless_present = "check")]
    mate: Option<i32>,
    /// The moves since that position, in UCI notation. Repetitions count.
    #[arg(long, value_name = "MOVES", conflicts_with = "check")]
    moves: Option<String>,
    /// The most nodes to search.
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Memory for the hash table and the proof, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
    /// The file for the proof; `-` for standard output, messages then go to standard error.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Check this proof instead of searching; `-` for standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mate", "certificate"])]
    check: Option<PathBuf>,
}

/// Parses a number of moves.
fn moves(text: &str) -> Result<i32, String> {
    let most = i32::from(MOST_MOVES);
    let wrong = || format!("expected a number of moves from 1 to {most}, or from -1 to -{most}");
    text.parse().ok().filter(|&moves: &i32| moves != 0 && (-most..=most).contains(&moves)).ok_or_else(wrong)
}

/// The largest proof that is read, in bytes.
const LONGEST: u64 = 1 << 28;

/// Proves a mate, or checks a proof.
pub(crate) fn run(args: &ProveArgs) -> anyhow::Result<Exit> {
    let fen = fen(&args.fen.join(" "))?;
    let root = board::position_of_any_mode(&fen, Accept::Unreachable)
        .with_context(|| format!("the FEN \"{fen}\""))?;
    if let Some(path) = &args.check {
        return check(path, &Game::at(root));
    }
    let claimed = args.mate.unwrap_or(0);
    let played = args.moves.as_deref().unwrap_or_default();
    let played: Vec<String> = played.split_whitespace().map(str::to_owned).collect();
    let game = match &played[..] {
        [] => Game::at(root),
        played => Game::new(&fen, played)
            .context("--moves: a game that goes on, as in \"e2e4 e7e5\", is expected")?,
    };
    let root = game.position();
    let limits = ProverLimits { nodes: args.nodes, memory: args.memory as usize };
    let progress = Progress::new(None);
    progress.say(&format!("looking for {}", describe(claimed)));
    let started = Instant::now();
    let outcome = prover::prove_in(&game, claimed, &limits);
    let seconds = started.elapsed().as_secs_f64();
    drop(progress);
    let proof_to_stdout = args.certificate.as_deref() == Some(Path::new("-"));
    let say = |line: &str| {
        if proof_to_stdout {
            console::message(line);
            Ok(())
        } else {
            console::line(line)
        }
    };
    let event = match outcome.verdict {
        ProverVerdict::Mate { proof, .. } | ProverVerdict::Mated { proof, .. } => {
            // Only what the replay confirms is printed.
            let proven = proof.replay_in(&game).context("the prover's own proof does not hold")?;
            tell(proven.moves, &board::numbered(root, &proven.line), &say)?;
            match args.certificate.as_deref() {
                Some(_) if proof_to_stdout => console::line(&proof.0)?,
                Some(path) => files::write(path, format!("{}\n", proof.0).as_bytes())?,
                None => {}
            }
            Event::AllAgree
        }
        ProverVerdict::Refuted => {
            let not = if claimed > 0 { "no mate" } else { "not mated" };
            say(&format!("{not} in {} or fewer", claimed.abs()))?;
            Event::Differs
        }
        ProverVerdict::Undecided => {
            say(&format!("undecided after {} nodes", outcome.nodes))?;
            console::message("the limits were reached: allow more with --nodes or --memory");
            Event::CouldNotRun
        }
    };
    say(&format!("nodes {}", outcome.nodes))?;
    if seconds > 0.1 {
        console::message(&format!(
            "{seconds:.2} s, {:.1} million nodes/s",
            outcome.nodes as f64 / seconds / 1e6
        ));
    }
    Ok(Exit::from_events([event]))
}

/// Replays a proof from the position of a game.
fn check(path: &Path, game: &Game) -> anyhow::Result<Exit> {
    let text = read(path)?;
    let event = match Certificate(text.trim_end().to_owned()).replay_in(game) {
        Ok(proven) => {
            tell(proven.moves, &board::numbered(game.position(), &proven.line), &console::line)?;
            Event::AllAgree
        }
        Err(fault) => {
            console::line(&format!("the proof does not hold: {fault}"))?;
            Event::Differs
        }
    };
    Ok(Exit::from_events([event]))
}

/// Prints the mate, and the line if there is one.
fn tell(moves: i32, line: &str, say: &dyn Fn(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    say(&describe(moves))?;
    if line.is_empty() { Ok(()) } else { say(&format!("line  {line}")) }
}

/// The mate in words: `mate in 3`, `mated in 2`.
fn describe(moves: i32) -> String {
    match moves {
        0 => "checkmated".to_owned(),
        1.. => format!("mate in {moves}"),
        _ => format!("mated in {}", -moves),
    }
}

/// The FEN in a FEN or an EPD. Our own parser checks it first, since its errors are the most precise.
fn fen(text: &str) -> anyhow::Result<String> {
    let fen = match Epd::parse(text) {
        Ok(epd) => epd.fen,
        Err(_) => text.to_owned(),
    };
    let position = perft::position(&fen)?;
    Ok(if text == "startpos" { position.to_fen() } else { fen })
}

fn read(path: &Path) -> anyhow::Result<String> {
    if path != Path::new("-") {
        let bytes = files::read(path, LONGEST)?;
        return String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8", path.display()));
    }
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .take(LONGEST + 1)
        .read_to_string(&mut text)
        .context("cannot read standard input")?;
    if text.len() as u64 > LONGEST {
        bail!("standard input is longer than {LONGEST} bytes: it is not a proof");
    }
    Ok(text)
}
