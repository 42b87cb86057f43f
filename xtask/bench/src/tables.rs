//! `bench tables`: building the three tables beside a plain solver on shakmaty's moves.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::ensure;
use engine::tables::{Material, builders};

use crate::all_tables;
use crate::console;
use crate::solver;
use crate::spread::Spread;

/// Compare the speed of building KQvK, KRvK and KPvK with that of a plain solver on shakmaty's moves.
#[derive(Debug, Clone, clap::Args)]
///
/// With --men 4: of building all tables with that of the reference builder, and of the generator of Syzygy
/// tables.
#[command(after_help = "Examples:
  cargo xtask bench tables
  cargo xtask bench tables --men 4 --rounds 3 --rtbgen ../tb/src     all tables, some minutes")]
pub(crate) struct TablesArgs {
    /// How often each program builds the tables.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// Build all tables with up to so many men, into files.
    #[arg(long, value_name = "MEN", value_parser = clap::value_parser!(u8).range(3..=4))]
    men: Option<u8>,
    /// The folder with the programs rtbgen and rtbgenp, which make Syzygy tables.
    #[arg(long, value_name = "DIR", requires = "men")]
    rtbgen: Option<PathBuf>,
}

/// Legal positions and longest distance in plies of both sides together, as published.
const EXPECTED: [(&str, usize, u16); 3] =
    [("KQvK", 368_452, 20), ("KRvK", 399_112, 32), ("KPvK", 331_352, 56)];
/// Builds of ours in one round: one of them is too short to time.
const BUILDS: u32 = 20;

/// Measures both in turns.
pub(crate) fn run(args: &TablesArgs) -> anyhow::Result<()> {
    let rounds = args.rounds;
    if let Some(men) = args.men {
        return all_tables::run(men.into(), rounds, args.rtbgen.as_deref());
    }
    let materials =
        EXPECTED.map(|(name, ..)| name.parse::<Material>()).into_iter().collect::<Result<Vec<_>, _>>()?;
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let seconds_of = |threads: &rayon::ThreadPool| -> anyhow::Result<f64> {
        let start = Instant::now();
        for _ in 0..BUILDS {
            threads.install(|| builders::production(std::hint::black_box(&materials)))?;
        }
        Ok(start.elapsed().as_secs_f64() / f64::from(BUILDS))
    };
    let all_threads = rayon::ThreadPoolBuilder::new().build()?;
    let mut seconds = Vec::new();
    for _ in 0..rounds {
        let ours = seconds_of(&all_threads)?;
        let ours_on_one = seconds_of(&one_thread)?;
        let start = Instant::now();
        let solved = solver::solve_three();
        seconds.push([ours, ours_on_one, start.elapsed().as_secs_f64()]);
        for ((name, positions, longest), solution) in EXPECTED.into_iter().zip(&solved) {
            let right = solution.positions() == positions && solution.longest() == Some(longest);
            ensure!(right, "{name}: the plain solver is wrong");
        }
    }
    console::line(&format!(
        "KQvK, KRvK and KPvK with all that they lead to; {rounds} rounds, median (least - most).\n\
         engine: DTM and DTZ, both sides to move; plain solver: DTM, on shakmaty's moves, one thread.\n"
    ))?;
    let threads = all_threads.current_num_threads();
    let column = |index: usize| Spread::of(seconds.iter().map(|round| round[index]));
    let ratio = |index: usize| Spread::of(seconds.iter().map(|round| round[2] / round[index]));
    console::line(&format!("{:30}{:>26}{:>34}", "", "seconds", "times as fast as the plain solver"))?;
    console::line(&format!(
        "{:30}{:>26}{:>34}",
        format!("engine, {threads} threads"),
        milli(column(0)),
        ratio(0).to_string()
    ))?;
    console::line(&format!(
        "{:30}{:>26}{:>34}",
        "engine, one thread",
        milli(column(1)),
        ratio(1).to_string()
    ))?;
    console::line(&format!("{:30}{:>26}{:>34}\n", "plain solver", milli(column(2)), "1"))
}

fn milli(spread: Spread) -> String {
    format!("{:.3} ({:.3} - {:.3})", spread.median, spread.least, spread.most)
}
