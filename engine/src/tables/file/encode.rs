//! Writes table files.

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::Color;
use crate::parallel::collected;
use crate::tables::Table;
use crate::tables::value::Cell;

use super::block;
use super::header::{Entry, Header};

/// Cells of a block. Larger blocks are smaller on disk, smaller blocks are faster to read.
pub(super) const BLOCK_CELLS: usize = 1 << 14;

/// Encodes a table, on all threads of the current pool. The bytes do not depend on their number.
pub fn encode(table: &Table) -> Vec<u8> {
    let layout = table.layout();
    let slots = layout.slots();
    let follows = |side: Color| {
        let blocks = table.cells()[side.index()].par_chunks(BLOCK_CELLS).enumerate();
        blocks.into_par_iter().all(|(block, cells)| {
            let first = block * BLOCK_CELLS;
            layout.runs(first..first + cells.len()).all(|run| {
                let stored = &cells[run.slots.start - first..run.slots.end - first];
                let is_stored = stored.iter().enumerate().filter(|(_, cell)| **cell != Cell::UNUSED);
                run.places(layout.used(&run, side)).eq(is_stored.map(|(place, _)| place))
            })
        })
    };
    let stores_unused = !Color::ALL.into_iter().all(follows);
    let values = Color::ALL.map(|side| values(&table.cells()[side.index()], stores_unused));
    let mut header = Header {
        layout: layout.clone(),
        metric: table.metric(),
        counts: Color::ALL.map(|side| table.counts(side)),
        block_cells: BLOCK_CELLS,
        stores_unused,
        values,
        index: Vec::new(),
    };
    let blocks = (0..2 * slots.div_ceil(BLOCK_CELLS)).into_par_iter();
    let packed = collected(blocks.map_init(block::compressor, |compressor, number| {
        let (side, slots) = header.slots_of(number);
        let values = &header.values[side.index()];
        let symbols = symbols(&table.cells()[side.index()][slots], values);
        block::pack(&symbols, values.len(), compressor)
    }));
    let entry = |bytes: &Vec<u8>| Entry { offset: 0, bytes: bytes.len() as u32, crc: crc32fast::hash(bytes) };
    header.index = packed.iter().map(entry).collect();
    let mut bytes = header.to_bytes();
    bytes.reserve_exact(packed.iter().map(Vec::len).sum::<usize>() + Sha256::output_size());
    bytes.extend(packed.into_iter().flatten());
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

/// The values of cells, ascending; a draw if there is none.
fn values(cells: &[Cell], with_unused: bool) -> Vec<Cell> {
    let of_chunk = |cells: &[Cell]| {
        let mut found = vec![false; 1 << 16];
        for cell in cells {
            found[usize::from(cell.0)] = true;
        }
        found
    };
    let either =
        |one: Vec<bool>, other: Vec<bool>| one.iter().zip(&other).map(|(one, other)| one | other).collect();
    let mut found = cells.par_chunks(1 << 20).map(of_chunk).reduce(|| vec![false; 1 << 16], either);
    found[usize::from(Cell::UNUSED.0)] &= with_unused;
    let mut values: Vec<Cell> = (0..=u16::MAX).filter(|&bits| found[usize::from(bits)]).map(Cell).collect();
    if values.is_empty() {
        values.push(Cell(1));
    }
    values
}

/// The number of each cell's value. An unused cell has no value and takes that of the cell before it.
fn symbols(cells: &[Cell], values: &[Cell]) -> Vec<u16> {
    let number = |cell: &Cell| values.binary_search_by_key(&cell.0, |value| value.0).ok();
    let mut last = cells.iter().find_map(number).unwrap_or(0);
    let symbol = |cell| {
        last = number(cell).unwrap_or(last);
        last as u16
    };
    cells.iter().map(symbol).collect()
}
