//! Table files, which have the values of their table when read back whole, by blocks, and from the folder of
//! `TablePath`; and lines to mate, which shakmaty plays.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, Cursor, Write};
use std::sync::Arc;

use engine::program::System;
use engine::tables::file::{BlockCache, SeekSource, TableFile, decode, encode};
use engine::tables::{Dtm, Dtz, Metric, Table, TableSet, Wdl};
use engine::uci::Host;
use engine::{Board, CastlingMode, Color, Ply, Position};
use shakmaty::Position as _;
use suites::{Evidence, Findings, SkipReason, Tally, Verdict};
use tempfile::TempDir;

use super::{Job, SUBJECT, Wrong, ask};
use crate::board::{self, Accept};

const FILES: &str = "library/files";
const LINES: &str = "library/lines";
/// How many bytes of a file are changed, one at a time. They include the last ones, which are the digest.
const DAMAGED: usize = 24;
/// One position in this many has its line played.
const EACH_LINE: usize = 4_001;
/// MiB of the cache of blocks.
const CACHE: usize = 1;

pub(super) fn run(_: &Job, tables: &TableSet) -> Vec<Findings> {
    let of = |check| Findings::new(Tally::new(SUBJECT, check, Evidence::Agreement, "tables"));
    let (mut files, mut lines) = (of(FILES), of(LINES));
    for table in tables.iter() {
        files.record(file(tables, table));
        if table.metric() != Metric::Dtm {
            continue;
        }
        let wins = table.positions().filter(|(_, _, value)| value.is_some()).step_by(EACH_LINE);
        wins.for_each(|(board, side, _)| lines.record(line(tables, &board, side)));
    }
    files.record(folder(tables));
    vec![files, lines]
}

/// Whether the DTM tables have their values when the program reads them from a folder.
fn folder(tables: &TableSet) -> Verdict {
    let fault = match ask(|| folder_of(tables)) {
        Ok(Ok((_folder, path))) => ask(|| fault_of_folder(&path, tables)).unwrap_or_else(Some),
        // A folder that cannot be written to is no fault of the engine.
        Ok(Err(_)) => return Verdict::Skip(SkipReason::TableMissing),
        Err(panic) => Some(panic),
    };
    let Some(got) = fault else { return Verdict::Agree };
    let because = "TablePath names a folder with the files of these tables".to_owned();
    let (case, expected) = ("tables/TablePath", "the values of the tables".to_owned());
    Wrong { check: FILES, case, fen: "", got, expected, source: "certified production table", because }
        .verdict()
}

fn of_dtm(tables: &TableSet) -> impl Iterator<Item = &Table> {
    tables.iter().filter(|table| table.metric() == Metric::Dtm)
}

/// Writes the DTM tables into a folder, and gives its path.
pub(super) fn folder_of(tables: &TableSet) -> io::Result<(TempDir, String)> {
    let folder = tempfile::Builder::new().prefix("touchstone-tables-").tempdir()?;
    for table in of_dtm(tables) {
        File::create(folder.path().join(format!("{}.dtm", table.material())))?.write_all(&encode(table))?;
    }
    let path = folder.path().to_str().ok_or_else(|| io::Error::other("its path is no text"))?.to_owned();
    Ok((folder, path))
}

pub(super) fn fault_of_folder(path: &str, tables: &TableSet) -> Option<String> {
    // The folder has another name in each run.
    let set = match System.load_tables(path, CACHE) {
        Ok(set) => set,
        Err(error) => return Some(error.replace(path, "TablePath")),
    };
    let wrong = of_dtm(tables).find_map(|table| {
        let is_wrong = |(board, side, value): &(Board, Color, Option<(Wdl, Ply)>)| {
            set.dtm(board, *side) != Ok(value.map(|(_, plies)| Dtm(plies)))
        };
        let (board, side, _) = table.positions().find(is_wrong)?;
        let got = set.dtm(&board, side).map_or_else(|error| error.to_string(), |dtm| format!("{dtm:?}"));
        Some(format!("{}, {side:?}: {got}", placement(&board)))
    });
    wrong.or_else(|| set.new_faults().next().map(|fault| fault.replace(path, "TablePath")))
}

/// Whether the file of a table has the values of the table.
pub(super) fn file(tables: &TableSet, table: &Table) -> Verdict {
    let fault = ask(|| fault_of(tables, table)).unwrap_or_else(Some);
    let Some(got) = fault else { return Verdict::Agree };
    let case = format!("tables/{}.{}", table.material(), table.metric());
    let because = "a file is what a table was".to_owned();
    let expected = "the values of the table".to_owned();
    Wrong { check: FILES, case: &case, fen: "", got, expected, source: "certified production table", because }
        .verdict()
}

fn fault_of(tables: &TableSet, table: &Table) -> Option<String> {
    let bytes = encode(table);
    match decode(&bytes) {
        Ok(read) if read.metric() != table.metric() => {
            return Some(format!("read whole, its metric is {}", read.metric()));
        }
        Ok(read) if read.positions().eq(table.positions()) => {}
        Ok(_) => return Some("read whole, it has other values".to_owned()),
        Err(error) => return Some(format!("read whole: {error}")),
    }
    let cache = Arc::new(BlockCache::new(CACHE));
    let seeking = SeekSource::new(Cursor::new(bytes.clone())).map_err(|error| error.to_string());
    let opened = seeking
        .and_then(|source| TableFile::open("blocks", source, &cache).map_err(|error| error.to_string()));
    let file = match opened {
        Ok(file) => file,
        Err(error) => return Some(format!("opened: {error}")),
    };
    if let Err(error) = file.check_whole() {
        return Some(format!("checked: {error}"));
    }
    let mut set = TableSet::new();
    if table.metric() == Metric::Dtz {
        // A probe of DTZ asks the DTM table whether a position is won.
        match tables.get(table.material(), Metric::Dtm) {
            Some(dtm) => set.add(dtm.clone()),
            None => return Some("its table of DTM is missing".to_owned()),
        }
    }
    set.add_file(file);
    let mut asked = table.positions();
    let wrong = asked.find_map(|(board, side, value)| {
        let differ = |got: &dyn Debug, expected: &dyn Debug| {
            Some(format!("by blocks, {} {side:?}: {got:?}, and not {expected:?}", placement(&board)))
        };
        match table.metric() {
            Metric::Dtm => {
                let (got, expected) = (set.dtm(&board, side), Ok(value.map(|(_, plies)| Dtm(plies))));
                if got == expected { None } else { differ(&got, &expected) }
            }
            Metric::Dtz => {
                let got = set.probe(&board, side).map(|probe| probe.dtz);
                let expected = Ok(Some(signed(value)));
                if got == expected { None } else { differ(&got, &expected) }
            }
        }
    });
    wrong.or_else(|| set.new_faults().next()).or_else(|| accepted_damage(&bytes))
}

/// A value of a DTZ table as a probe gives it: positive for a win, -1 where it is checkmate.
fn signed(value: Option<(Wdl, Ply)>) -> Dtz {
    let plies = |Ply(plies): Ply| i16::try_from(plies).unwrap_or(i16::MAX);
    match value {
        None | Some((Wdl::Draw, _)) => Dtz(0),
        Some((Wdl::Win, distance)) => Dtz(plies(distance)),
        Some((Wdl::Loss, distance)) => Dtz(-plies(distance).max(1)),
    }
}

/// The first damage to a file that the reader accepts, in words.
fn accepted_damage(bytes: &[u8]) -> Option<String> {
    let last = bytes.len().checked_sub(1)?;
    let places = (0..DAMAGED).map(|number| last - number * last / (DAMAGED - 1));
    let mut damaged = bytes.to_vec();
    places.chain([last.saturating_sub(1)]).find_map(|place| {
        damaged[place] ^= 1;
        let is_read = decode(&damaged).is_ok();
        damaged[place] ^= 1;
        is_read.then(|| format!("with byte {place} changed it is read as if it were whole"))
    })
}

fn placement(board: &Board) -> String {
    Position::from_board(*board, Color::White).map_or_else(|_| "a board".to_owned(), Position::to_fen)
}

/// Whether the line to mate of a position is legal, has the right length, and mates.
fn line(tables: &TableSet, board: &Board, side: Color) -> Verdict {
    let Ok(position) = Position::from_board(*board, side) else {
        let (got, expected) = ("a position of the table is refused".to_owned(), "a line".to_owned());
        let (case, because) =
            (format!("tables/{board:?} {side:?}"), "the table has a value for it".to_owned());
        return Wrong {
            check: LINES,
            case: &case,
            fen: "",
            got,
            expected,
            source: "certified production table",
            because,
        }
        .verdict();
    };
    let fen = position.to_fen();
    let told = ask(|| {
        let plies = tables.dtm_of(&position).ok().flatten().map_or(0, Dtm::plies);
        let probed = tables.probe_of(&position).ok().and_then(|probe| probe.dtm).map_or(0, Dtm::plies);
        if probed != plies {
            return (probed, vec!["probe_of has another distance than dtm_of".to_owned()]);
        }
        let mut at = position;
        let line = tables.best_line(&position).unwrap_or_default();
        let texts = line.iter().map(|&mv| {
            let text = at.to_uci(mv, CastlingMode::Standard);
            at = at.play(mv);
            text
        });
        (plies, texts.collect::<Vec<String>>())
    });
    let (got, expected) = match told {
        Ok((plies, line)) => match played(&fen, &line) {
            Ok(true) if line.len() == usize::from(plies) => return Verdict::Agree,
            Ok(mates) => (
                format!(
                    "{} plies, {} mate: {}",
                    line.len(),
                    if mates { "with" } else { "without" },
                    line.join(" ")
                ),
                format!("{plies} plies with mate"),
            ),
            Err(text) => (format!("{text} in {}", line.join(" ")), "legal moves".to_owned()),
        },
        Err(panic) => (panic, "a line".to_owned()),
    };
    let because = "shakmaty plays the line".to_owned();
    let case = format!("tables/{fen}");
    Wrong { check: LINES, case: &case, fen: &fen, got, expected, source: "shakmaty", because }.verdict()
}

/// Whether the moves mate. The error is the move that is not legal.
fn played(fen: &str, line: &[String]) -> Result<bool, String> {
    let mut position = board::position(fen, Accept::Unreachable).map_err(|error| error.to_string())?;
    for text in line {
        let mv = board::legal_move(&position, text, board::Spelling::Exact);
        position = board::after(&position, mv.ok_or_else(|| format!("{text} is not legal"))?);
    }
    Ok(position.is_checkmate())
}
