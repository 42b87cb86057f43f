//! `bench verify`: the full check of the three tables beside a plain one with shakmaty-syzygy.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, ensure};
use engine::tables::builders;
use oracle::authorities::Authorities;
use oracle::checks::{Check, TableJob};
use oracle::positions::{Men, Placement};
use oracle::syzygy::Syzygy;
use oracle::syzygy_files::TableFiles;
use oracle::table_probe::EngineTables;
use shakmaty::Position;
use suites::census::PublishedCounts;

use crate::console;
use crate::rtbver;
use crate::spread::Spread;

/// Compare the speed of checking KQvK, KRvK and KPvK with that of a plain check with shakmaty-syzygy.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask bench verify --rounds 1
  cargo xtask bench verify --rtbver ../tb/src       KQvKR and KRvKP beside the verifiers of the Syzygy generator")]
pub(crate) struct VerifyArgs {
    /// How often each program checks the tables.
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// The folder with the programs rtbver and rtbverp, which verify Syzygy tables: compare with them alone.
    #[arg(long, value_name = "DIR")]
    rtbver: Option<PathBuf>,
}

const TABLES: [&str; 3] = ["KQvK", "KRvK", "KPvK"];
/// The plain check takes minutes: it is given one position in so many, and its time is multiplied.
const SHARE: u64 = 199;

/// The Syzygy files of so many men, from the folders of `SYZYGY_PATH`, which `cargo xtask bench` sets.
pub(crate) fn syzygy_files(men: u8) -> anyhow::Result<TableFiles> {
    let mut files = TableFiles::wanted(suites::syzygy::embedded()?, men);
    let names: Vec<String> = files.unusable().map(|(name, _)| name.to_owned()).collect();
    let folders = std::env::var_os("SYZYGY_PATH").unwrap_or_default();
    for path in std::env::split_paths(&folders) {
        for name in &names {
            if let Ok(bytes) = std::fs::read(path.join(name)) {
                files.add(name, bytes);
            }
        }
    }
    let missing = files.unusable().count();
    ensure!(
        missing == 0,
        "{missing} Syzygy files are missing from SYZYGY_PATH; start this with `cargo xtask bench verify`"
    );
    Ok(files)
}

/// Measures both in turns.
pub(crate) fn run(args: &VerifyArgs) -> anyhow::Result<()> {
    let rounds = args.rounds;
    if let Some(programs) = &args.rtbver {
        // Their sums have to be right.
        syzygy_files(4)?;
        return rtbver::run(programs, rounds);
    }
    let files = syzygy_files(3)?;
    let (syzygy, peer) = (Syzygy::new(files.clone()), Syzygy::new(files));
    let published = suites::census::embedded()?;
    let men = TABLES.map(str::parse::<Men>).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut seconds = Vec::new();
    for _ in 0..rounds {
        seconds.push([ours(&men, &syzygy, &published)?, plain(&men, &peer)? * SHARE as f64]);
    }
    let column = |index: usize| Spread::of(seconds.iter().map(|round| round[index]));
    let ratio = Spread::of(seconds.iter().map(|[ours, plain]| plain / ours));
    console::line(&format!(
        "Checking every entry of KQvK, KRvK and KPvK; {rounds} rounds, median (least - most) of seconds.\n"
    ))?;
    let threads = rayon::current_num_threads();
    console::line(&format!("all checks of verify, {threads} threads, building included   {}", column(0)))?;
    console::line(&format!("plain check with shakmaty-syzygy, one thread *      {}", column(1)))?;
    console::line(&format!("times as fast                                       {ratio}\n"))?;
    console::line(&format!(
        "* WDL and DTZ of every position and of each position that a move leads to; measured on every {SHARE}th\n  \
         position, times {SHARE}.\n"
    ))
}

/// Seconds of every check on every table, from nothing.
fn ours(men: &[Men], syzygy: &Syzygy, published: &[PublishedCounts]) -> anyhow::Result<f64> {
    let start = Instant::now();
    let materials = TABLES.map(str::parse).into_iter().collect::<Result<Vec<_>, _>>()?;
    let subject = EngineTables::production(builders::production(&materials)?);
    let authorities = Authorities { syzygy: Some(syzygy), published, ..Authorities::default() };
    for men in men {
        for check in Check::ALL {
            let wanted = !matches!(check, Check::Gaviota | Check::Prophet | Check::Truth);
            if wanted && check.applies(&subject, men) {
                let tally = check.run(&TableJob::new(&subject, men, &authorities)).tally;
                ensure!(tally.agreed > 0 && tally.agreed == tally.total(), "{check} {men} does not agree");
            }
        }
    }
    Ok(start.elapsed().as_secs_f64())
}

/// Seconds of the plain check of a share of all positions.
fn plain(men: &[Men], syzygy: &Syzygy) -> anyhow::Result<f64> {
    let start = Instant::now();
    let mut probed = 0_u64;
    for men in men {
        for turn in shakmaty::Color::ALL {
            for number in (0..men.numbers()).step_by(SHARE as usize) {
                let Some(position) =
                    Placement::numbered(men, number, turn).and_then(|placement| placement.legal)
                else {
                    continue;
                };
                probed += probe(syzygy, &position)?;
                for mv in position.legal_moves() {
                    let mut after = position.clone();
                    after.play_unchecked(mv);
                    probed += probe(syzygy, &after)?;
                }
            }
        }
    }
    ensure!(probed > 0, "nothing was probed");
    Ok(start.elapsed().as_secs_f64())
}

fn probe(syzygy: &Syzygy, position: &shakmaty::Chess) -> anyhow::Result<u64> {
    let wdl = syzygy.wdl(position).context("a table is missing")?;
    let dtz = syzygy.dtz(position).context("a table is missing")?;
    std::hint::black_box((wdl, dtz));
    Ok(2)
}
