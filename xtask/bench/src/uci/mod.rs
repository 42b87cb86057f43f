//! `bench uci`: what driving a program costs for each move, beside bare pipes and the drivers of others.
//!
//! All drive the same engine, this program itself, which answers at once with a legal move. What bare pipes
//! take is the engine's and the system's; what a driver takes beyond is its own.

mod answer;
pub(crate) mod peers;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use uci::{Engine, Program, Timeouts};

use crate::spread::Spread;
use crate::{Peers, console};

/// Measure what driving an engine over UCI costs for each move, beside python-chess and fastchess.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:\n  cargo xtask bench uci --rounds 3 --fastchess ./fastchess")]
pub(crate) struct UciArgs {
    /// How often each driver plays its games.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Games in a round.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: u32,
    /// The program to compare with [default: the one in PATH].
    #[arg(long, value_name = "PROGRAM")]
    fastchess: Option<PathBuf>,
    /// Be the engine that answers at once.
    #[arg(long, hide = true)]
    answer: bool,
    /// The file to which the engine adds how often it answered.
    #[arg(long, hide = true, requires = "answer")]
    count: Option<PathBuf>,
}

/// Microseconds of our own that a move may take.
const GOAL: f64 = 50.0;
/// More than any answer takes.
const LONG: Duration = Duration::from_secs(10);

/// Measures all in turns.
///
/// # Errors
/// If the engine that answers at once does not, or a peer that was named cannot be used.
pub(crate) fn run(args: &UciArgs) -> anyhow::Result<Peers> {
    if args.answer {
        answer::run(args.count.as_deref())?;
        return Ok(Peers::Measured);
    }
    let fastchess = peers::Fastchess::find(args.fastchess.as_deref())?;
    let engine = std::env::current_exe().context("cannot tell where this program is")?;
    let arguments = ["uci", "--answer"].map(OsString::from);
    let game = answer::game();
    let (mut bare, mut ours, mut python, mut fast) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for _ in 0..args.rounds {
        bare.push(peers::bare_pipes(&engine, &arguments, &game, args.games)?);
        let program = Program {
            name: "at once".to_owned(),
            path: engine.clone(),
            arguments: arguments.to_vec(),
            ..Program::default()
        };
        ours.push(drive(&program, &game, args.games)?);
        python.extend(peers::python_chess(&engine, &arguments, game.len(), args.games)?);
        if let Some(fastchess) = &fastchess {
            fast.push(fastchess.play(&engine, &arguments, game.len(), args.games)?);
        }
    }
    console::line(&format!(
        "Driving an engine that answers at once: games of {} plies, {} in a round; {} rounds,\n\
         median (least - most) of microseconds that a move takes: the median of a round, of fastchess the mean.\n",
        game.len(),
        args.games,
        args.rounds
    ))?;
    row("bare pipes, nothing read of what comes", &bare)?;
    row("the crate uci", &ours)?;
    row("python-chess *", &python)?;
    row("fastchess *", &fast)?;
    let own = |all: &[f64]| -> Vec<f64> { all.iter().zip(&bare).map(|(all, bare)| all - bare).collect() };
    console::line("\nOf that the driver's own, beyond bare pipes:")?;
    let own_of_ours = own(&ours);
    row("the crate uci", &own_of_ours)?;
    console::line(&format!(
        "\nOf our own at most {GOAL:.0} are aimed at.   * They also see to it that each move is legal."
    ))?;
    for (name, peer) in [("python-chess", &python), ("fastchess", &fast)] {
        // Less than a microsecond nobody can tell apart from nothing here.
        let ratios = own(peer).into_iter().zip(&own_of_ours).map(|(theirs, ours)| theirs / ours.max(1.0));
        if !peer.is_empty() {
            console::line(&format!("{name:<14} takes {} times as much of its own", Spread::of(ratios)))?;
        }
    }
    let is_alone = python.is_empty() && fast.is_empty();
    Ok(if is_alone { Peers::Missing } else { Peers::Measured })
}

fn row(name: &str, rounds: &[f64]) -> anyhow::Result<()> {
    let spread = if rounds.is_empty() {
        "not measured: it is not installed".to_owned()
    } else {
        Spread::of(rounds.iter().copied()).to_string()
    };
    console::line(&format!("{name:<42}{spread:>34}"))
}

/// Plays the games with our driver: the microseconds that a move takes, in the middle.
fn drive(program: &Program, game: &[String], games: u32) -> anyhow::Result<f64> {
    let mut engine = Engine::start(program, Timeouts::default())?;
    let mut took = Vec::new();
    for _ in 0..games {
        for plies in 0..game.len() {
            let began = Instant::now();
            let search = engine.go(&peers::position(&game[..plies]), "depth 1", LONG)?;
            ensure!(search.best.text == game[plies], "the engine plays {}", search.best.text);
            took.push(began.elapsed());
        }
    }
    engine.quit();
    Ok(peers::middle(&took))
}
