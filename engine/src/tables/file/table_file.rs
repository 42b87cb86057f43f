//! Reads table files: one block at a time, or whole.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::Color;
use crate::tables::value::{Cell, Value};
use crate::tables::{Layout, Material, Metric, Placement, Table};

use super::block::Block;
use super::cache::BlockCache;
use super::error::FileError;
use super::header::{DIGEST, Header, MAX_BYTES};
use super::source::{self, Source};

/// The fault of a file whose last bytes are not the digest of the others.
const WRONG: &str = "its checksum is wrong";

/// A table file that reads its blocks on demand.
pub struct TableFile {
    /// The name in messages.
    name: String,
    header: Header,
    source: Box<dyn Source>,
    cache: Arc<BlockCache>,
    /// Its number in the cache.
    number: u64,
    /// The first fault. After it, the file answers no probe.
    fault: OnceLock<FileError>,
    /// Whether the fault was reported.
    told: AtomicBool,
}

impl std::fmt::Debug for TableFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TableFile").field("name", &self.name).finish_non_exhaustive()
    }
}

impl TableFile {
    /// Opens a table file: reads its header and its index, and checks them. `name` stands in messages.
    ///
    /// # Errors
    ///
    /// It is not a table, is of another version, is truncated, or its header or index is damaged.
    pub fn open(
        name: impl Into<String>,
        source: impl Source + 'static,
        cache: &Arc<BlockCache>,
    ) -> Result<Self, FileError> {
        let header = Header::read(&source)?;
        Ok(Self {
            name: name.into(),
            header,
            source: Box::new(source),
            number: cache.number(),
            cache: Arc::clone(cache),
            fault: OnceLock::new(),
            told: AtomicBool::new(false),
        })
    }

    /// The men.
    pub fn material(&self) -> Material {
        self.header.layout.material()
    }

    /// The metric.
    pub fn metric(&self) -> Metric {
        self.header.metric
    }

    /// The fault of a probe, with the file's name: `None` if there is none, or if it was reported before.
    pub fn new_fault(&self) -> Option<String> {
        let fault = self.fault.get()?;
        (!self.told.swap(true, Ordering::Relaxed)).then(|| format!("{}: {fault}", self.name))
    }

    /// Checks that no byte of the file has changed since it was written.
    ///
    /// # Errors
    /// It cannot be read, or its checksum is wrong.
    pub fn check_whole(&self) -> Result<(), FileError> {
        const PIECE: u64 = 1 << 20;
        let signed = self.source.size() - DIGEST as u64;
        let mut hash = Sha256::new();
        for offset in (0..signed).step_by(PIECE as usize) {
            hash.update(source::read(&*self.source, offset, PIECE.min(signed - offset) as usize)?);
        }
        if hash.finalize().as_slice() != source::read(&*self.source, signed, DIGEST)? {
            return Err(FileError::damaged(WRONG));
        }
        Ok(())
    }

    /// The longest distance in plies of any value; `None` if all positions are drawn.
    pub(crate) fn longest(&self) -> Option<u16> {
        let plies = |cell: &Cell| match cell.value()? {
            Value::Draw => None,
            Value::Win(ply) | Value::Loss(ply) => Some(ply.0),
        };
        self.header.values.iter().flatten().filter_map(plies).max()
    }

    /// The whole table, decoded. The error says what is wrong, with the file's name.
    pub(crate) fn decode(&self) -> Result<Table, String> {
        let bytes = self.source.size().min(MAX_BYTES) as usize;
        source::read(&*self.source, 0, bytes)
            .and_then(|bytes| decode(&bytes))
            .map_err(|fault| format!("{}: {fault}", self.name))
    }

    pub(crate) fn layout(&self) -> &Layout {
        &self.header.layout
    }

    /// The cell of a placement in its slot; `None` once the file was found to be damaged.
    pub(crate) fn cell(&self, slot: usize, squares: &Placement, side: Color) -> Option<Cell> {
        if self.fault.get().is_some() {
            return None;
        }
        let header = &self.header;
        let number = side.index() * header.blocks() + slot / header.block_cells;
        match self.cache.block((self.number, number), || unpack(header, number, &*self.source)) {
            Ok(_) if !header.stores_unused && !header.layout.is_legal(squares, side) => Some(Cell::UNUSED),
            Ok(block) => Some(header.values[side.index()][block.symbol(slot % header.block_cells)]),
            Err(fault) => {
                // Only the first is kept.
                let _ = self.fault.set(fault);
                None
            }
        }
    }
}

/// Reads and decompresses a block.
fn unpack(header: &Header, number: usize, source: &dyn Source) -> Result<Block, FileError> {
    let entry = header.index[number];
    let packed = source::read(source, entry.offset, entry.bytes as usize)?;
    let (side, slots) = header.slots_of(number);
    let block = if crc32fast::hash(&packed) == entry.crc {
        Block::unpack(&packed, slots.len(), header.values[side.index()].len())
    } else {
        Err("its checksum is wrong".to_owned())
    };
    block.map_err(|what| FileError::Block { block: number, offset: entry.offset, what })
}

/// Decodes a table, on all threads of the current pool.
///
/// # Errors
///
/// The bytes are not a table, are of another version, are truncated, or have a wrong checksum or impossible
/// contents.
pub fn decode(bytes: &[u8]) -> Result<Table, FileError> {
    let header = Header::read(&bytes)?;
    let (signed, digest) = bytes.split_at(bytes.len() - DIGEST);
    if Sha256::digest(signed).as_slice() != digest {
        // The damaged block is named, if it is one.
        (0..header.index.len())
            .into_par_iter()
            .try_for_each(|number| unpack(&header, number, &bytes).map(drop))?;
        return Err(FileError::damaged(WRONG));
    }
    let mut halves = Vec::new();
    for side in Color::ALL {
        let first = side.index() * header.blocks();
        let mut cells = vec![Cell::UNUSED; header.layout.slots()];
        let blocks = cells.par_chunks_mut(header.block_cells).enumerate();
        blocks.try_for_each(|(block, cells)| fill(&header, first + block, &bytes, cells))?;
        halves.push(cells);
    }
    let halves = <[Vec<Cell>; 2]>::try_from(halves).map_err(|_| FileError::damaged("it lacks a side"))?;
    let table = Table::new(header.layout, header.metric, halves);
    if header.counts != Color::ALL.map(|side| table.counts(side)) {
        return Err(FileError::damaged("its counts are not those of its cells"));
    }
    Ok(table)
}

/// Fills in the cells of a block.
fn fill(header: &Header, number: usize, source: &dyn Source, cells: &mut [Cell]) -> Result<(), FileError> {
    let block = unpack(header, number, source)?;
    let (side, slots) = header.slots_of(number);
    let values = &header.values[side.index()];
    if header.stores_unused {
        cells.iter_mut().enumerate().for_each(|(cell, stored)| *stored = values[block.symbol(cell)]);
        return Ok(());
    }
    for run in header.layout.runs(slots.clone()) {
        let first = run.slots.start - slots.start;
        for place in run.places(header.layout.used(&run, side)) {
            cells[first + place] = values[block.symbol(first + place)];
        }
    }
    Ok(())
}
