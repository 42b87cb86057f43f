//! `bench probes`: probes a second of table files, beside shakmaty-syzygy, our reader of Syzygy files, Fathom if
//! its program is given and, of tables of three men, Gaviota.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use anyhow::{Context, ensure};
use engine::tables::file::{self, BlockCache, Source, TableFile};
use engine::tables::syzygy::{Kind, SyzygyFile, SyzygySet};
use engine::tables::{Material, Metric, TableSet, builders};
use oracle::dtm_source::{self, DtmSource};
use oracle::positions::{Men, Placement};
use oracle::syzygy::Syzygy;
use oracle::syzygy_files::TableFiles;
use shakmaty::{Chess, Position};

use crate::console;
use crate::fathom;
use crate::spread::Spread;
use crate::verify::syzygy_files;

/// Compare probes a second of table files with those of shakmaty-syzygy, and of tables of three men with
/// Gaviota's, which is in the build of `cargo xtask-full`: random positions, and positions of played lines.
#[derive(Debug, Clone, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask bench probes KRvKN --rounds 3
  cargo xtask bench probes --fathom ./fathom       beside Fathom; xtask/bench/fathom.c says how it is built")]
pub(crate) struct ProbesArgs {
    /// Tables of three or four men without pawns.
    #[arg(default_values = ["KQvKR", "KRvK"])]
    tables: Vec<String>,
    /// How often each program probes all positions.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    rounds: u32,
    /// A program that probes by Fathom, built from xtask/bench/fathom.c and Fathom's sources.
    #[arg(long, value_name = "PROGRAM")]
    fathom: Option<PathBuf>,
}

/// Positions of each kind.
const POSITIONS: usize = 20_000;
/// Positions of a line.
const LINE: usize = 200;
/// The cache of block files, in MiB: room for all blocks of a table of four men.
const CACHE: usize = 64;

/// What is timed each time.
const COLUMNS: [&str; 7] = [
    "DTM, uncached",
    "DTM, cold",
    "DTM, warm",
    "Syzygy WDL",
    "Syzygy DTZ",
    "own Syzygy WDL",
    "own Syzygy DTZ",
];
/// The columns of shakmaty-syzygy and of our reader, WDL before DTZ.
const SYZYGY: usize = 3;
const OWN: usize = 5;
/// What is timed where it is there.
const FATHOM: [&str; 2] = ["Fathom WDL", "Fathom DTZ"];
const GAVIOTA: &str = "Gaviota DTM";

/// A position as each library has it.
struct Probed {
    ours: engine::Position,
    peers: Chess,
}

/// The libraries beside our tables.
struct Peers {
    syzygy: Syzygy,
    /// Our reader of the same Syzygy files.
    own: SyzygySet,
    gaviota: Option<Box<dyn DtmSource>>,
    /// A program that probes by Fathom.
    fathom: Option<PathBuf>,
}

/// Measures all in turns, table by table.
pub(crate) fn run(args: &ProbesArgs) -> anyhow::Result<()> {
    let files = syzygy_files(4)?;
    let own = own_reader(&files)?;
    let fathom = args.fathom.clone();
    let mut peers = Peers { syzygy: Syzygy::new(files), own, gaviota: None, fathom };
    for table in &args.tables {
        let men: Men = table.parse()?;
        // One at a time can be open.
        peers.gaviota = None;
        peers.gaviota = if men.count() <= dtm_source::MAX_MEN { gaviota()? } else { None };
        measure(table, &men, args.rounds, &peers)?;
    }
    Ok(())
}

/// Our reader of these files.
fn own_reader(files: &TableFiles) -> anyhow::Result<SyzygySet> {
    let mut set = SyzygySet::new();
    for material in Material::up_to(4) {
        for kind in Kind::ALL {
            if let Some(bytes) = files.bytes(&format!("{material}.{}", kind.extension())) {
                set.add(SyzygyFile::read(material, kind, bytes)?);
            }
        }
    }
    Ok(set)
}

#[cfg(feature = "gaviota")]
fn gaviota() -> anyhow::Result<Option<Box<dyn DtmSource>>> {
    Ok(Some(Box::new(oracle::gaviota::Gaviota::open()?)))
}

#[cfg(not(feature = "gaviota"))]
#[allow(clippy::unnecessary_wraps, reason = "opening Gaviota may fail")]
fn gaviota() -> anyhow::Result<Option<Box<dyn DtmSource>>> {
    Ok(None)
}

fn measure(table: &str, men: &Men, rounds: u32, peers: &Peers) -> anyhow::Result<()> {
    let material: Material = table.parse()?;
    let tables = builders::production(&[material])?;
    let table = tables.get(material, Metric::Dtm).context("the table that was built is there")?;
    let bytes = file::encode(table);
    let mut written = tempfile::NamedTempFile::new()?;
    io::Write::write_all(&mut written, &bytes)?;
    console::line(&format!(
        "{material}, DTM in {} bytes; one thread; {rounds} rounds of {POSITIONS} positions, median (least - most).\n\
         Thousand probes/s; uncached: each probe decompresses a block; cold: no block is in memory at first.\n\
         Times as fast: to the faster of Syzygy's two, and Fathom's to our reader of the same kind.\n",
        bytes.len(),
    ))?;
    for (kind, positions) in [("random", random(men, 1)?), ("lines", random(men, LINE)?)] {
        let rounds = (0..rounds)
            .map(|_| round(&positions, |cache| open(&written, cache), peers))
            .collect::<anyhow::Result<Vec<_>>>()?;
        for (column, &(name, _)) in rounds[0].iter().enumerate() {
            let speed = Spread::of(rounds.iter().map(|round| POSITIONS as f64 / round[column].1 / 1e3));
            let ratio = Spread::of(rounds.iter().map(|round| {
                let seconds = |of: usize| round[of].1;
                let beside = match FATHOM.iter().position(|of| *of == name) {
                    Some(kind) => seconds(OWN + kind),
                    None => seconds(SYZYGY).min(seconds(SYZYGY + 1)),
                };
                beside / seconds(column)
            }));
            console::line(&format!("{kind:8}{name:15}{:>32}{:>28}", speed.to_string(), ratio.to_string()))?;
        }
    }
    console::line("")
}

/// Names and seconds of the columns. What ours and the peers say of a position must agree.
fn round(
    positions: &[Probed],
    open: impl Fn(usize) -> anyhow::Result<TableSet>,
    peers: &Peers,
) -> anyhow::Result<Vec<(&'static str, f64)>> {
    let mut seconds = Vec::new();
    let (uncached, cached) = (open(0)?, open(CACHE)?);
    let mut said = Vec::new();
    for set in [&uncached, &cached, &cached] {
        let start = Instant::now();
        said = positions.iter().map(|one| set.dtm_of(&one.ours)).collect::<Result<Vec<_>, _>>()?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    let start = Instant::now();
    let wdl = positions.iter().map(|one| peers.syzygy.wdl(&one.peers)).collect::<Result<Vec<_>, _>>()?;
    seconds.push(start.elapsed().as_secs_f64());
    let start = Instant::now();
    let dtz = positions.iter().map(|one| peers.syzygy.dtz(&one.peers)).collect::<Result<Vec<_>, _>>()?;
    seconds.push(start.elapsed().as_secs_f64());
    let start = Instant::now();
    let own_wdl = positions.iter().map(|one| peers.own.wdl(&one.ours)).collect::<Result<Vec<_>, _>>()?;
    seconds.push(start.elapsed().as_secs_f64());
    let start = Instant::now();
    let own_dtz = positions.iter().map(|one| peers.own.dtz(&one.ours)).collect::<Result<Vec<_>, _>>()?;
    seconds.push(start.elapsed().as_secs_f64());
    let agrees = own_wdl.iter().zip(&dtz).all(|(wdl, dtz)| i32::from(wdl.signum()) == dtz.plies.signum());
    ensure!(agrees, "our reader of Syzygy files tells other results");
    let agrees = own_dtz.iter().zip(&dtz).all(|(own, dtz)| i32::from(own.0) == dtz.plies);
    ensure!(agrees, "our reader of Syzygy files tells other distances");
    for (dtm, wdl) in said.iter().zip(wdl) {
        let ours = dtm.map_or("draw".to_owned(), |dtm| dtm.wdl().to_string());
        ensure!(ours == wdl.to_string(), "expected {wdl}, got {ours}");
    }
    let mut columns: Vec<(&str, f64)> = COLUMNS.into_iter().zip(seconds).collect();
    if let Some(program) = &peers.fathom {
        let probed = fathom::probe(program, positions.iter().map(|one| &one.peers))?;
        let answers = probed.answers.len();
        ensure!(answers == dtz.len(), "Fathom answers for {answers} positions of {}", dtz.len());
        // No table of four men has a win that the fifty-move rule makes a draw.
        let expected = dtz.iter().map(|dtz| (2 * dtz.plies.signum(), dtz.plies));
        let other =
            probed.answers.iter().copied().zip(expected).position(|(said, expected)| said != expected);
        ensure!(other.is_none(), "Fathom tells another result of position {}", other.unwrap_or_default() + 1);
        columns.extend(FATHOM.into_iter().zip([probed.wdl_seconds, probed.dtz_seconds]));
    }
    if let Some(gaviota) = &peers.gaviota {
        let start = Instant::now();
        let theirs = positions.iter().map(|one| gaviota.dtm(&one.peers)).collect::<Result<Vec<_>, _>>()?;
        columns.push((GAVIOTA, start.elapsed().as_secs_f64()));
        let plies = said.iter().map(|dtm| dtm.map(engine::tables::Dtm::plies));
        let theirs = theirs.iter().map(|dtm| dtm.map(oracle::table_probe::Dtm::plies));
        ensure!(plies.eq(theirs), "Gaviota tells other distances");
    }
    Ok(columns)
}

/// Positions of this material: lines of so many, each from a random position on. The same ones each time.
fn random(men: &Men, line: usize) -> anyhow::Result<Vec<Probed>> {
    let mut state = 1_u64;
    let mut next = |below: u64| {
        // Knuth's MMIX generator; its high bits are good enough for a choice.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let turn = if next(2) == 0 { shakmaty::Color::White } else { shakmaty::Color::Black };
        let placement = Placement::numbered(men, next(men.numbers()), turn);
        let mut position = placement.and_then(|placement| placement.legal);
        for _ in 0..line.min(POSITIONS - positions.len()) {
            let Some(peers) = position else { break };
            let fen = oracle::positions::fen(peers.board(), peers.turn());
            positions.push(Probed { ours: engine::Position::from_fen(&fen)?, peers: peers.clone() });
            let mut moves = peers.legal_moves();
            moves.retain(|mv| !mv.is_capture());
            position = (!moves.is_empty()).then(|| {
                let mut after = peers;
                after.play_unchecked(moves[next(moves.len() as u64) as usize]);
                after
            });
        }
    }
    Ok(positions)
}

/// The table of a file, none of whose blocks is in memory, with a cache of so many MiB.
fn open(written: &tempfile::NamedTempFile, cache: usize) -> anyhow::Result<TableSet> {
    let source =
        FileSource { file: Mutex::new(written.reopen()?), size: written.as_file().metadata()?.len() };
    let mut set = TableSet::new();
    set.add_file(TableFile::open("the table", source, &Arc::new(BlockCache::new(cache)))?);
    Ok(set)
}

/// As the engine reads files.
struct FileSource {
    file: Mutex<File>,
    size: u64,
}

impl Source for FileSource {
    fn size(&self) -> u64 {
        self.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset))?;
        file.read_exact(buffer)
    }
}
