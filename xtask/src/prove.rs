//! `prove`: whether a mate is forced, with the proof, or whether a proof is one.

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

/// Prove that a mate is forced, or that it is not, or check a proof.
///
/// The halfmove clock of the position counts: mate on the hundredth ply is mate. What is told is the least number of
/// moves. The exit code is 0 if the mate is forced, 1 if it is not, 2 if that is not known.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "\
Examples:
  cargo xtask prove 8/8/8/8/8/1K6/2R5/1k6 w - - 0 1 --mate 2
  cargo xtask prove \"8/8/8/8/8/1K6/8/k1R5 b - - 0 1\" --mate -1
  cargo xtask prove 8/8/8/8/8/1K6/2R5/1k6 w - - 0 1 --mate 3 --moves \"c2c3 b1a1 c3c2 a1b1\"
  cargo xtask prove 8/8/8/8/8/1K6/2R5/1k6 w - - --mate 2 --certificate proof
  cargo xtask prove 8/8/8/8/8/1K6/2R5/1k6 w - - --check proof")]
pub(crate) struct ProveArgs {
    /// The position as FEN or EPD, in quotes or not.
    #[arg(required = true, value_name = "FEN")]
    fen: Vec<String>,
    /// In at most how many moves the side to move mates; negative: is mated.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = moves, required_unless_present = "check")]
    mate: Option<i32>,
    /// The moves of the game since that position, as UCI writes them: what stood twice counts.
    #[arg(long, value_name = "MOVES", conflicts_with = "check")]
    moves: Option<String>,
    /// How many positions may be looked at.
    #[arg(long, value_name = "N", default_value_t = 100_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Memory for what the search remembers and for the proof, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    memory: u32,
    /// Where the proof goes; `-` for standard output, words then go to standard error.
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// A proof to be checked in place of a search; `-` for standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["mate", "certificate"])]
    check: Option<PathBuf>,
}

/// A number of moves.
fn moves(text: &str) -> Result<i32, String> {
    let most = i32::from(MOST_MOVES);
    let wrong = || format!("expected a number of moves from 1 to {most}, or from -1 to -{most}");
    text.parse().ok().filter(|&moves: &i32| moves != 0 && (-most..=most).contains(&moves)).ok_or_else(wrong)
}

/// The longest proof that is read, in bytes.
const LONGEST: u64 = 1 << 28;

/// Proves or checks.
pub(crate) fn run(args: &ProveArgs) -> anyhow::Result<Exit> {
    let fen = fen(&args.fen.join(" "))?;
    let root = board::position_of_any_mode(&fen, Accept::Unreachable)
        .with_context(|| format!("the FEN \"{fen}\""))?;
    if let Some(path) = &args.check {
        let text = read(path)?;
        let event = match Certificate(text.trim_end().to_owned()).replay(&root) {
            Ok(proven) => {
                tell(proven.moves, &board::numbered(&root, &proven.line), &console::line)?;
                Event::AllAgree
            }
            Err(fault) => {
                console::line(&format!("the proof does not hold: {fault}"))?;
                Event::Differs
            }
        };
        return Ok(Exit::of([event]));
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
    progress.say(&format!("looking for {}", words(claimed)));
    let started = Instant::now();
    let outcome = prover::prove_in(&game, claimed, &limits);
    let seconds = started.elapsed().as_secs_f64();
    drop(progress);
    let words_aside = args.certificate.as_deref() == Some(Path::new("-"));
    let say = |line: &str| {
        if words_aside {
            console::message(line);
            Ok(())
        } else {
            console::line(line)
        }
    };
    let event = match outcome.verdict {
        ProverVerdict::Mate { proof, .. } | ProverVerdict::Mated { proof, .. } => {
            // Nothing is told that the replay does not bear out.
            let proven = proof.replay_in(&game).context("the prover's own proof does not hold")?;
            tell(proven.moves, &board::numbered(root, &proven.line), &say)?;
            match args.certificate.as_deref() {
                Some(_) if words_aside => console::line(&proof.0)?,
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
    Ok(Exit::of([event]))
}

/// Says what is proven, and the line where there is one.
fn tell(moves: i32, line: &str, say: &dyn Fn(&str) -> anyhow::Result<()>) -> anyhow::Result<()> {
    say(&words(moves))?;
    if line.is_empty() { Ok(()) } else { say(&format!("line  {line}")) }
}

/// `mate in 3`, `mated in 2`.
fn words(moves: i32) -> String {
    match moves {
        0 => "checkmated".to_owned(),
        1.. => format!("mate in {moves}"),
        _ => format!("mated in {}", -moves),
    }
}

/// The FEN of a FEN or an EPD. Our own reader speaks first: it says best what is wrong.
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
        return String::from_utf8(bytes).with_context(|| format!("{} is no text", path.display()));
    }
    let mut text = String::new();
    std::io::stdin()
        .lock()
        .take(LONGEST + 1)
        .read_to_string(&mut text)
        .context("cannot read standard input")?;
    if text.len() as u64 > LONGEST {
        bail!("standard input is longer than {LONGEST} bytes: it is no proof");
    }
    Ok(text)
}
