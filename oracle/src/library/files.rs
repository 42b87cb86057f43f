//! Table files, which have the values of their table when read back whole, and by blocks from a folder as
//! `TablePath` names it; and lines to mate, which shakmaty plays.

use std::fmt::Debug;
use std::fs::File;
use std::io::{Cursor, Write};
use std::path::Path;
use std::sync::Arc;

use engine::program::System;
use engine::tables::file::{BlockCache, SeekSource, TableFile, decode, encode};
use engine::tables::{Dtm, Dtz, Metric, Table, TableSet, Wdl};
use engine::uci::Host;
use engine::{Board, CastlingMode, Color, Ply, Position};
use shakmaty::Position as _;
use suites::{Evidence, Findings, SkipReason, Tally, Verdict};

use super::{Job, SUBJECT, Wrong, ask};
use crate::board::{self, Accept};

const FILES: &str = "library/files";
const LINES: &str = "library/lines";
/// How many bytes of a file are changed, one at a time. They include the last ones, which are the digest.
const DAMAGED: usize = 24;
/// One position in this many has its line played.
const EACH_LINE: usize = 4_001;
/// MiB of the cache of blocks. The cache is so small that blocks leave it again.
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
    vec![files, lines]
}

/// Whether the file of a table has the values of the table.
pub(super) fn file(tables: &TableSet, table: &Table) -> Verdict {
    // A folder that cannot be written to is no fault of the engine.
    let Ok(folder) = tempfile::tempdir() else { return Verdict::Skip(SkipReason::TableMissing) };
    let files = Metric::ALL.into_iter().filter_map(|metric| tables.get(table.material(), metric));
    for table in files {
        let path = folder.path().join(format!("{}.{}", table.material(), table.metric()));
        let written = File::create(path).and_then(|mut file| file.write_all(&encode(table)));
        if written.is_err() {
            return Verdict::Skip(SkipReason::TableMissing);
        }
    }
    let fault = ask(|| fault_of(folder.path(), table)).unwrap_or_else(Some);
    let Some(got) = fault else { return Verdict::Agree };
    let case = format!("tables/{}.{}", table.material(), table.metric());
    let because = "a file is what a table was".to_owned();
    let expected = "the values of the table".to_owned();
    Wrong { check: FILES, case: &case, fen: "", got, expected, source: "certified production table", because }
        .verdict()
}

fn fault_of(folder: &Path, table: &Table) -> Option<String> {
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
    // A probe of DTZ asks the DTM table whether a position is won.
    let set = match System.load_tables(&folder.display().to_string(), CACHE) {
        Ok(set) => set,
        Err(error) => return Some(format!("as TablePath: {error}")),
    };
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
