//! Our own table files, as `docs/src/reference/formats.md` describes them: read, changed, and written again with counts and checksums that
//! are right for what they say.

use std::collections::BTreeMap;
use std::io::{Read, Write};

use anyhow::{Context, bail};
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};

/// Offsets of the header.
const SLOTS: usize = 24;
const COUNTS: usize = 32;
const BLOCK_CELLS: usize = 80;
const VALUES: usize = 88;

/// The most values of a side that take one byte a cell.
const NARROW: usize = 256;

/// A cell: 1 for a draw, 2 + 2n for a win in n plies, 3 + 2n for a loss.
pub(crate) const DRAW: u16 = 1;

/// The cell of a distance to mate: wins have odd distances, losses even ones.
pub(crate) fn decided(plies: u16) -> u16 {
    2 * plies + if plies % 2 == 1 { 2 } else { 3 }
}

/// Whether a cell is a loss.
pub(crate) fn is_loss(cell: u16) -> bool {
    cell > DRAW && cell % 2 == 1
}

/// The distance of a cell in plies; none for a draw.
pub(crate) fn plies(cell: u16) -> Option<u16> {
    (cell > DRAW).then(|| (cell - 2) / 2)
}

/// A side to move and a slot.
pub(crate) type Slot = (usize, usize);

/// A table file of which the cells are known.
#[derive(Clone)]
pub(crate) struct TableFile {
    /// The bytes up to the counts, and the size of a block with what stands after it.
    heading: [Vec<u8>; 2],
    block_cells: usize,
    /// The wins, draws and losses of each side.
    counts: [[u64; 3]; 2],
    /// The cells of each side. Those of unused slots have any value.
    pub(crate) cells: [Vec<u16>; 2],
}

/// Reads numbers one after the other.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> anyhow::Result<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count).context("a table file is too short")?;
        self.0 = rest;
        Ok(bytes)
    }

    fn number(&mut self, bytes: usize) -> anyhow::Result<usize> {
        Ok(self.bytes(bytes)?.iter().rev().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }
}

impl TableFile {
    /// Reads the bytes of a file that the program has written. Checksums are not compared.
    pub(crate) fn parse(bytes: &[u8]) -> anyhow::Result<Self> {
        let mut reader = Reader(bytes);
        let first = reader.bytes(COUNTS)?;
        let slots = Reader(&first[SLOTS..]).number(8)?;
        let mut counts = [[0; 3]; 2];
        for count in counts.as_flattened_mut() {
            *count = reader.number(8)? as u64;
        }
        let second = reader.bytes(VALUES - BLOCK_CELLS)?;
        let block_cells = Reader(second).number(4)?;
        if block_cells == 0 {
            bail!("a table file has blocks of no cell");
        }
        let sizes = [reader.number(2)?, reader.number(2)?];
        let mut values: [Vec<u16>; 2] = Default::default();
        for (values, size) in values.iter_mut().zip(sizes) {
            for _ in 0..size {
                values.push(reader.number(2)? as u16);
            }
        }
        let blocks = slots.div_ceil(block_cells);
        let mut index = Vec::new();
        for _ in 0..2 * blocks {
            index.push(reader.number(4)?);
            reader.bytes(4)?;
        }
        reader.bytes(4)?;
        let mut cells: [Vec<u16>; 2] = Default::default();
        for (block, size) in index.into_iter().enumerate() {
            let side = block / blocks;
            let packed = reader.bytes(size)?;
            cells[side].extend(unpacked(packed, &values[side])?);
        }
        Ok(Self { heading: [first.to_vec(), second.to_vec()], block_cells, counts, cells })
    }

    /// How many cells of a side are used.
    fn used(&self, side: usize) -> u64 {
        self.counts[side].iter().sum()
    }

    /// Gives a used cell another value.
    pub(crate) fn set(&mut self, (side, slot): Slot, cell: u16) {
        let old = std::mem::replace(&mut self.cells[side][slot], cell);
        self.counts[side][kind(old)] -= 1;
        self.counts[side][kind(cell)] += 1;
    }

    /// The file in which each cell is a win whose distance tells its slot: in numbers to this base, the last digit or the one before it.
    pub(crate) fn numbered(&self, base: usize, is_high: bool) -> Self {
        let digit = |slot: usize| if is_high { slot / base } else { slot % base };
        let mut numbered = self.clone();
        for side in [0, 1] {
            let cells = 0..self.cells[side].len();
            numbered.cells[side] = cells.map(|slot| decided(2 * digit(slot) as u16 + 1)).collect();
            numbered.counts[side] = [self.used(side), 0, 0];
        }
        numbered
    }

    /// The bytes of the file.
    pub(crate) fn bytes(&self) -> anyhow::Result<Vec<u8>> {
        let mut bytes = self.heading[0].clone();
        for count in self.counts.as_flattened() {
            bytes.extend(count.to_le_bytes());
        }
        bytes.extend(&self.heading[1]);
        let values = self.cells.each_ref().map(|cells| {
            let found: std::collections::BTreeSet<u16> = cells.iter().copied().collect();
            found.into_iter().zip(0_u16..).collect::<BTreeMap<u16, u16>>()
        });
        for values in &values {
            bytes.extend((values.len() as u16).to_le_bytes());
        }
        for value in values.iter().flat_map(BTreeMap::keys) {
            bytes.extend(value.to_le_bytes());
        }
        let blocks = self.cells.iter().zip(&values).flat_map(|(cells, values)| {
            cells.chunks(self.block_cells).map(move |block| packed(block, values))
        });
        let blocks: Vec<Vec<u8>> = blocks.collect::<anyhow::Result<_>>()?;
        for block in &blocks {
            bytes.extend((block.len() as u32).to_le_bytes());
            bytes.extend(crc32fast::hash(block).to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes.extend(blocks.into_iter().flatten());
        let sum = Sha256::digest(&bytes);
        bytes.extend(sum);
        Ok(bytes)
    }
}

/// The count of a cell: wins, draws, losses.
fn kind(cell: u16) -> usize {
    match cell {
        DRAW => 1,
        _ => 2 * usize::from(cell % 2),
    }
}

/// The cells of a block.
fn unpacked(packed: &[u8], values: &[u16]) -> anyhow::Result<Vec<u16>> {
    let mut bytes = Vec::new();
    DeflateDecoder::new(packed).read_to_end(&mut bytes)?;
    let (low, high) = bytes.split_at(if values.len() > NARROW { bytes.len() / 2 } else { bytes.len() });
    let number = |at: usize| usize::from(low[at]) | high.get(at).map_or(0, |&high| usize::from(high)) << 8;
    let value = |at| values.get(number(at)).copied().context("a cell of a table file has no value");
    (0..low.len()).map(value).collect()
}

/// A block of cells whose values have these numbers.
fn packed(block: &[u16], values: &BTreeMap<u16, u16>) -> anyhow::Result<Vec<u8>> {
    let numbers: Vec<[u8; 2]> = block.iter().map(|cell| values[cell].to_le_bytes()).collect();
    let bytes = if values.len() > NARROW { 2 } else { 1 };
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    for byte in 0..bytes {
        let of_all: Vec<u8> = numbers.iter().map(|number| number[byte]).collect();
        encoder.write_all(&of_all)?;
    }
    Ok(encoder.finish()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_as_it_is_written() {
        let cells = |count: u16| (0..3_000).map(move |slot| decided(slot % count)).collect();
        let file = TableFile {
            heading: [[vec![7; SLOTS], 3_000_u64.to_le_bytes().to_vec()].concat(), {
                [1_024_u32.to_le_bytes(), [0; 4]].concat()
            }],
            block_cells: 1_024,
            counts: [[3, 2, 1], [0, 9, 0]],
            cells: [cells(20), cells(700)],
        };
        let bytes = file.bytes().unwrap();
        let again = TableFile::parse(&bytes).unwrap();
        assert!(again.cells == file.cells && again.counts == file.counts);
        assert_eq!(again.bytes().unwrap(), bytes);
        for end in [0, 31, 90, 200, bytes.len() - 33] {
            assert!(TableFile::parse(&bytes[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn cells_have_kinds_and_distances() {
        let of = |cell| (kind(cell), plies(cell));
        assert_eq!((of(DRAW), of(decided(1)), of(decided(0))), ((1, None), (0, Some(1)), (2, Some(0))));
        assert_eq!((of(decided(9)), of(decided(8))), ((0, Some(9)), (2, Some(8))));
    }
}
