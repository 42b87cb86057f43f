//! `bench verify --rtbver`: the checks of tables beside rtbver and rtbverp, the verifiers of the Syzygy generator.
//!
//! They derive the values of each position from its successors by the move generator that made the tables.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use engine::tables::{Material, builders};
use oracle::authorities::Authorities;
use oracle::checks::{Check, TableJob, together};
use oracle::positions::{Men, Scope};
use oracle::table_probe::EngineTables;

use crate::console;
use crate::perft_peer::last_line;
use crate::spread::Spread;

/// A table of pieces, and one with a pawn.
const TABLES: [&str; 2] = ["KQvKR", "KRvKP"];

/// The checks that prove a table of ours and compare no other table.
const CHECKS: [Check; 4] = [Check::Legality, Check::Certificate, Check::Terminal, Check::Symmetry];

/// Measures both in turns, with the programs of this folder and the Syzygy files of `SYZYGY_PATH`.
pub(crate) fn run(programs: &Path, rounds: u32) -> anyhow::Result<()> {
    let threads = rayon::current_num_threads();
    let files = folder_of_files()?;
    let programs = ["rtbver", "rtbverp"].map(|name| {
        let path = programs.join(name);
        path.canonicalize().with_context(|| format!("--rtbver: there is no {}", path.display()))
    });
    let [pieces, pawns] = programs;
    let (pieces, pawns) = (pieces?, pawns?);
    console::line(&format!(
        "legality, certificate, terminal and symmetry of our tables, DTM and DTZ, building left out, and rtbver on\n\
         Syzygy files, reading included; {threads} threads; {rounds} rounds, median (least - most) of seconds.\n"
    ))?;
    console::line(&format!("{:8}{:>26}{:>26}{:>26}", "", "ours", "rtbver", "times as long as ours"))?;
    for table in TABLES {
        let material: Material = table.parse()?;
        let program = if material.has_pawns() { &pawns } else { &pieces };
        let subject = EngineTables::production(builders::production(&[material])?);
        let mut seconds = Vec::new();
        for _ in 0..rounds {
            seconds.push([ours(&subject, &table.parse()?)?, theirs(program, &files, material, threads)?]);
        }
        let column = |index: usize| Spread::of(seconds.iter().map(|round| round[index])).to_string();
        let ratio = Spread::of(seconds.iter().map(|[ours, theirs]| theirs / ours)).to_string();
        console::line(&format!("{table:8}{:>26}{:>26}{ratio:>26}", column(0), column(1)))?;
    }
    console::line("")
}

/// The folder of `SYZYGY_PATH` that has the files of the tables.
fn folder_of_files() -> anyhow::Result<PathBuf> {
    let folders = std::env::var_os("SYZYGY_PATH").unwrap_or_default();
    let has_all =
        |folder: &PathBuf| TABLES.iter().all(|table| folder.join(format!("{table}.rtbw")).is_file());
    std::env::split_paths(&folders)
        .find(has_all)
        .with_context(|| format!("no folder of SYZYGY_PATH has all of {}", TABLES.join(", ")))
}

/// Seconds of the proof of one table of ours.
fn ours(subject: &EngineTables, men: &Men) -> anyhow::Result<f64> {
    let start = Instant::now();
    let published = suites::census::embedded()?;
    let authorities = Authorities { published: &published, ..Authorities::default() };
    let job = TableJob { scope: Scope::Unique, ..TableJob::new(subject, men, &authorities) };
    for run in together(&job, &CHECKS).runs {
        let tally = run.findings.tally;
        ensure!(tally.agreed > 0 && tally.agreed == tally.total(), "{} {men} does not agree", run.check);
    }
    Ok(start.elapsed().as_secs_f64())
}

/// Seconds of the proof of one Syzygy table.
fn theirs(program: &Path, files: &Path, material: Material, threads: usize) -> anyhow::Result<f64> {
    let start = Instant::now();
    // It has room for short paths only.
    let output = Command::new(program)
        .args(["-t", &threads.to_string(), &material.to_string()])
        .env("RTBPATH", ".")
        .current_dir(files)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let seconds = start.elapsed().as_secs_f64();
    let said = String::from_utf8_lossy(&output.stdout);
    let agrees = output.status.success() && said.lines().any(|line| line == "No errors.");
    let last = last_line(&said);
    ensure!(
        agrees,
        "{} does not accept {material}: {}; it printed: {last}",
        program.display(),
        output.status
    );
    Ok(seconds)
}
