//! Writes table files.

use rayon::prelude::*;
use sha2::{Digest, Sha256};

use crate::Color;
use crate::tables::Table;
use crate::tables::value::Cell;

use super::block;
use super::header::{Entry, Header};

/// Cells of a block: larger ones are smaller on disk, smaller ones are read faster.
pub(super) const BLOCK_CELLS: usize = 1 << 14;

/// Encodes a table, on all threads of the current pool. The bytes do not depend on their number.
///
/// # Panics
///
/// If zstd has no memory.
pub fn encode(table: &Table) -> Vec<u8> {
    let layout = table.layout();
    let slots = layout.slots();
    let follows = |side: Color| {
        let cells = table.cells()[side.index()].par_iter().enumerate();
        cells.into_par_iter().all(|(slot, &cell)| layout.is_used(slot, side) == (cell != Cell::UNUSED))
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
    let packed: Vec<Vec<u8>> = blocks
        .map_init(
            || block::compressor().expect("zstd has memory"),
            |compressor, number| {
                let (side, slots) = header.slots_of(number);
                let values = &header.values[side.index()];
                let symbols = symbols(&table.cells()[side.index()][slots], values);
                block::pack(&symbols, values.len(), compressor).expect("zstd has memory")
            },
        )
        .collect();
    let entry = |bytes: &Vec<u8>| Entry { offset: 0, bytes: bytes.len() as u32, crc: crc32fast::hash(bytes) };
    header.index = packed.iter().map(entry).collect();
    let mut bytes = header.to_bytes();
    bytes.extend(packed.into_iter().flatten());
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

/// The values of cells, ascending; a draw if there is none.
fn values(cells: &[Cell], with_unused: bool) -> Vec<Cell> {
    let mut found = vec![false; 1 << 16];
    for cell in cells {
        found[usize::from(cell.0)] = true;
    }
    found[usize::from(Cell::UNUSED.0)] &= with_unused;
    let mut values: Vec<Cell> = (0..=u16::MAX).filter(|&bits| found[usize::from(bits)]).map(Cell).collect();
    if values.is_empty() {
        values.push(Cell(1));
    }
    values
}

/// The number of each cell's value. A cell without one, which is unused, takes that of the cell before it.
fn symbols(cells: &[Cell], values: &[Cell]) -> Vec<u16> {
    let number = |cell: &Cell| values.binary_search_by_key(&cell.0, |value| value.0).ok();
    let mut last = cells.iter().find_map(number).unwrap_or(0);
    let symbol = |cell| {
        last = number(cell).unwrap_or(last);
        last as u16
    };
    cells.iter().map(symbol).collect()
}
