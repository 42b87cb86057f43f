//! `bench match`: what a match costs beside the work of its engines, in `touchstone match` and in the match
//! programs of others.
//!
//! All let the same engine play itself, this program, which answers at once and makes the same moves in the
//! same positions. So they play the same games, as the number of answers shows. The own cost of a match
//! program is the processor time of its process: that of its children is counted apart by the system.

mod runners;

use std::path::PathBuf;

use anyhow::{Context, ensure};

use crate::spread::Spread;
use crate::{Peers, console};
use runners::{Cost, Runner};

/// Measure what a match costs for each ply beside the work of its engines, and compare it with fastchess and
/// python-chess.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Example:\n  cargo xtask bench match --rounds 3 --fastchess ./fastchess")]
pub(crate) struct MatchArgs {
    /// How often each program plays the match.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Pairs of games in a match.
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=200))]
    pairs: u32,
    /// The program to compare with [default: the one in PATH].
    #[arg(long, value_name = "PROGRAM")]
    fastchess: Option<PathBuf>,
    /// The program that is measured [default: the build beside this one].
    #[arg(long, value_name = "PROGRAM")]
    touchstone: Option<PathBuf>,
}

/// The share of fastchess's own cost that ours may have.
const GOAL: f64 = 0.3;

/// Measures all in turns.
///
/// # Errors
/// If a program cannot play, or the programs do not play the same games.
pub(crate) fn run(args: &MatchArgs) -> anyhow::Result<Peers> {
    let this = std::env::current_exe().context("cannot tell where this program is")?;
    let ours = args.touchstone.clone().unwrap_or_else(|| this.with_file_name("touchstone"));
    ensure!(ours.exists(), "{} is not there: start this with `cargo xtask bench match`", ours.display());
    let runners = [
        Some(Runner::touchstone(ours)?),
        Runner::fastchess(args.fastchess.as_deref())?,
        Runner::python_chess(),
    ];
    let mut costs: [Vec<Cost>; 3] = Default::default();
    for _ in 0..args.rounds {
        for (runner, costs) in runners.iter().zip(&mut costs) {
            costs.extend(runner.as_ref().map(|runner| runner.play(&this, args.pairs)).transpose()?);
        }
    }
    let plies = costs[0][0].plies;
    for cost in costs.iter().flatten() {
        ensure!(cost.plies == plies, "one match has {plies} plies and another {}", cost.plies);
    }
    report(args, plies, &costs)?;
    let is_alone = costs[1..].iter().all(Vec::is_empty);
    Ok(if is_alone { Peers::Missing } else { Peers::Measured })
}

fn report(args: &MatchArgs, plies: u64, [ours, fastchess, python]: &[Vec<Cost>; 3]) -> anyhow::Result<()> {
    console::line(&format!(
        "Matches of {} games and {plies} plies, one game at a time, at nodes=1 with an engine that answers at\n\
         once; {} rounds, median (least - most).\n\n\
         microseconds for each ply                own processor time            time with the engines",
        2 * args.pairs,
        args.rounds
    ))?;
    for (name, costs) in [("touchstone match", ours), ("fastchess", fastchess), ("python-chess", python)] {
        let of = |figure: fn(&Cost) -> f64| Spread::of(costs.iter().map(figure)).to_string();
        console::line(&if costs.is_empty() {
            format!("{name:<32}not measured: it is not installed")
        } else {
            format!("{name:<32}{:>27}{:>33}", of(|cost| cost.own), of(|cost| cost.wall))
        })?;
    }
    console::line("")?;
    for (name, theirs) in [("fastchess", fastchess), ("python-chess", python)] {
        if !theirs.is_empty() {
            let ratios = ours.iter().zip(theirs).map(|(ours, theirs)| ours.own / theirs.own);
            console::line(&format!("own cost of touchstone by that of {name:<14}{}", Spread::of(ratios)))?;
        }
    }
    console::line(&format!("At most {GOAL} of fastchess's are aimed at."))
}
