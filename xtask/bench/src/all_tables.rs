//! `bench tables --men 4`: building all tables of three and four men into files, beside the reference builder
//! and the generator of Syzygy tables.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, ensure};
use engine::tables::builders::{self, Builder, Retrograde, Setwise};
use engine::tables::{Material, Metric, TableSet, file};

use crate::console;
use crate::spread::Spread;

/// Measures `rounds` builds by each, in turns, on all cores. The reference builder takes part in the first
/// round only.
pub(crate) fn run(men: usize, rounds: u32, rtbgen: Option<&Path>) -> anyhow::Result<()> {
    let materials = Material::up_to(men);
    let threads = rayon::current_num_threads();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        ours.push(build(&Setwise, &materials)?);
        if let Some(folder) = rtbgen {
            theirs.push(generate(folder, &materials, threads)?);
        }
    }
    let reference = build(&Retrograde, &materials)?;
    console::line(&format!(
        "All {} tables of up to {men} men into files, {threads} threads; {rounds} rounds, median (least - most).\n\
         Ours hold DTM and DTZ, those of the generator WDL and DTZ of one side.\n",
        materials.len()
    ))?;
    let seconds = |times: &[f64]| Spread::of(times.iter().copied());
    let line = |name: &str, times: &[f64]| {
        let ratio = Spread::of(times.iter().zip(ours.iter().cycle()).map(|(other, ours)| other / ours));
        console::line(&format!("{name:30}{:>30}{:>34}", seconds(times).to_string(), ratio.to_string()))
    };
    console::line(&format!("{:30}{:>30}{:>34}", "", "seconds", "times as long as ours"))?;
    line("engine, setwise", &ours)?;
    line("engine, retrograde, one round", &[reference])?;
    if !theirs.is_empty() {
        line("rtbgen and rtbgenp", &theirs)?;
    }
    console::line("")
}

/// The seconds that a builder of ours takes for all tables, files included.
fn build(builder: &dyn Builder, materials: &[Material]) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let start = Instant::now();
    let mut set = TableSet::new();
    for &material in materials {
        let mut built = Vec::new();
        builders::tables(builder, material, &Metric::ALL, &set, &mut |table| built.push(table))?;
        for table in built {
            let path = folder.path().join(format!("{material}.{}", table.metric()));
            fs::write(&path, file::encode(&table)).with_context(|| path.display().to_string())?;
            set.add(table);
        }
    }
    Ok(start.elapsed().as_secs_f64())
}

/// The seconds that the generator of Syzygy tables takes: a process for each table.
fn generate(programs: &Path, materials: &[Material], threads: usize) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let program = |name: &str| -> anyhow::Result<PathBuf> {
        let path = programs.join(name);
        path.canonicalize().with_context(|| format!("--rtbgen: there is no {}", path.display()))
    };
    let (pieces, pawns) = (program("rtbgen")?, program("rtbgenp")?);
    let start = Instant::now();
    for material in materials.iter().filter(|material| material.men() > 2) {
        let program = if material.has_pawns() { &pawns } else { &pieces };
        let status = Command::new(program)
            .args(["-t", &threads.to_string(), &material.to_string()])
            .env("RTBPATH", ".")
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let made = folder.path().join(format!("{material}.rtbz"));
        ensure!(
            status.success() && made.is_file(),
            "{} did not make {material}: {status}",
            program.display()
        );
    }
    Ok(start.elapsed().as_secs_f64())
}
