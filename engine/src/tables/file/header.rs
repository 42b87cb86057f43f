//! The bytes before the blocks of a table file: header, values and index.

use crate::tables::value::{Cell, Value};
use crate::tables::{Counts, Layout, MAX_MEN, Material, Metric};
use crate::{Color, Ply};

use super::block;
use super::error::FileError;
use super::source::{self, Source};

const MAGIC: [u8; 8] = *b"\x8aTABLE\r\n";
const VERSION: u16 = 3;
/// Bytes before the values.
const FIXED: usize = 92;
/// Bytes of an entry of the index.
const ENTRY: usize = 8;
/// Bytes of a CRC-32.
const CRC: usize = 4;
/// Bytes of the SHA-256 at the end of the file.
pub(super) const DIGEST: usize = 32;
const NAME: usize = 12;
/// Numbers of cells that a block may have.
const BLOCK_CELLS: std::ops::RangeInclusive<usize> = 1 << 8..=1 << 20;

/// The largest size of a table file, in bytes. Longer files need not be read.
///
/// The largest layout is that of five different men with one pawn: 1806 king pairs, times 48, 64 and 64
/// squares. Deflate does not make a block longer by more than a fifth.
pub const MAX_BYTES: u64 = 5 * 1806 * 48 * 64 * 64;
const _: () = assert!(MAX_MEN == 5, "the largest layout follows from the number of men");

/// An entry of the index.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// Where the block starts in the file; not stored, since it follows from the lengths.
    pub(super) offset: u64,
    pub(super) bytes: u32,
    pub(super) crc: u32,
}

/// The header, the values and the index of a file.
#[derive(Debug, Clone)]
pub(super) struct Header {
    pub(super) layout: Layout,
    pub(super) metric: Metric,
    pub(super) counts: [Counts; 2],
    pub(super) block_cells: usize,
    /// Whether the file stores which slots are unused. Otherwise this follows from the rules.
    pub(super) stores_unused: bool,
    /// The values of each side to move, ascending as cells.
    pub(super) values: [Vec<Cell>; 2],
    /// White's blocks, then Black's.
    pub(super) index: Vec<Entry>,
}

impl Header {
    /// The number of blocks of a side to move.
    pub(super) fn blocks(&self) -> usize {
        self.layout.slots().div_ceil(self.block_cells)
    }

    /// The side to move and the slots of a block.
    pub(super) fn slots_of(&self, block: usize) -> (Color, std::ops::Range<usize>) {
        let side = Color::ALL[block / self.blocks()];
        let first = block % self.blocks() * self.block_cells;
        (side, first..self.layout.slots().min(first + self.block_cells))
    }

    /// All bytes before the first block.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend(metric_code(self.metric).to_le_bytes());
        let mut name = [0; NAME];
        let text = self.layout.material().to_string();
        name[..text.len()].copy_from_slice(text.as_bytes());
        bytes.extend(name);
        bytes.extend((self.layout.slots() as u64).to_le_bytes());
        for Counts { wins, draws, losses } in self.counts {
            bytes.extend([wins, draws, losses].into_iter().flat_map(u64::to_le_bytes));
        }
        bytes.extend((self.block_cells as u32).to_le_bytes());
        bytes.extend(u32::from(self.stores_unused).to_le_bytes());
        bytes.extend(self.values.iter().flat_map(|values| (values.len() as u16).to_le_bytes()));
        bytes.extend(self.values.iter().flatten().flat_map(|cell| cell.0.to_le_bytes()));
        bytes.extend(self.index.iter().flat_map(|entry| [entry.bytes, entry.crc]).flat_map(u32::to_le_bytes));
        let crc = crc32fast::hash(&bytes);
        bytes.extend(crc.to_le_bytes());
        bytes
    }

    /// Reads and checks all bytes before the first block. Reads no more than the index of its material needs.
    pub(super) fn read(source: &dyn Source) -> Result<Self, FileError> {
        let size = source.size();
        let fixed = source::read(source, 0, usize::try_from(size).unwrap_or(FIXED).min(FIXED))?;
        check_version(&fixed)?;
        let truncated = |expected: usize| FileError::Truncated { found: size, expected: expected as u64 };
        if fixed.len() < FIXED {
            return Err(truncated(FIXED + CRC + DIGEST));
        }
        let layout = Layout::new(material(&fixed[12..12 + NAME])?);
        let block_cells = u32_at(&fixed, 80) as usize;
        if !BLOCK_CELLS.contains(&block_cells) {
            return Err(FileError::damaged("its blocks have an impossible number of cells"));
        }
        let values = [88, 90].map(|at| usize::from(u16_at(&fixed, at)));
        let blocks = 2 * layout.slots().div_ceil(block_cells);
        let end = FIXED + 2 * (values[0] + values[1]) + ENTRY * blocks + CRC;
        if size < (end + DIGEST) as u64 {
            return Err(truncated(end + DIGEST));
        }
        let bytes = source::read(source, 0, end)?;
        let (signed, crc) = bytes.split_at(end - CRC);
        if crc32fast::hash(signed) != u32_at(crc, 0) {
            return Err(FileError::damaged("the checksum of its header and index is wrong"));
        }
        let header = Self::parse(signed, layout, block_cells, values, end as u64)?;
        let expected = header.index.last().map_or(end as u64, |last| last.offset + u64::from(last.bytes));
        match size.checked_sub(expected + DIGEST as u64) {
            None => Err(FileError::Truncated { found: size, expected: expected + DIGEST as u64 }),
            Some(0) => Ok(header),
            Some(more) => Err(FileError::Damaged(format!("{more} bytes follow its end"))),
        }
    }

    /// Parses bytes whose checksum is right. A faulty program may have written them.
    fn parse(
        bytes: &[u8],
        layout: Layout,
        block_cells: usize,
        lengths: [usize; 2],
        end: u64,
    ) -> Result<Self, FileError> {
        let metric = Metric::ALL.into_iter().find(|&metric| metric_code(metric) == u16_at(bytes, 10));
        let metric = metric.ok_or_else(|| FileError::damaged("it names no metric"))?;
        if u64_at(bytes, 24) != layout.slots() as u64 {
            return Err(FileError::damaged("its number of slots is not that of its material"));
        }
        let count = |at| Counts {
            wins: u64_at(bytes, at),
            draws: u64_at(bytes, at + 8),
            losses: u64_at(bytes, at + 16),
        };
        let stores_unused = match u32_at(bytes, 84) {
            0 => false,
            1 => true,
            _ => return Err(FileError::damaged("it does not say whether unused slots are stored")),
        };
        let (values, index) = bytes[FIXED..].split_at(2 * (lengths[0] + lengths[1]));
        let mut cells = values.chunks_exact(2).map(|cell| Cell(u16_at(cell, 0)));
        let values = lengths.map(|length| cells.by_ref().take(length).collect::<Vec<_>>());
        for values in &values {
            check_values(values, metric).map_err(FileError::damaged)?;
        }
        let counts = [32, 56].map(count);
        let mut header =
            Self { layout, metric, counts, block_cells, stores_unused, values, index: Vec::new() };
        let mut offset = end;
        for entry in index.chunks_exact(ENTRY) {
            let entry = Entry { offset, bytes: u32_at(entry, 0), crc: u32_at(entry, 4) };
            let (side, slots) = header.slots_of(header.index.len());
            let most = block::most_bytes(slots.len(), header.values[side.index()].len());
            if entry.bytes as usize > most {
                let (block, what) = (header.index.len(), format!("{} bytes, at most {most}", entry.bytes));
                return Err(FileError::Block { block, offset, what });
            }
            offset += u64::from(entry.bytes);
            header.index.push(entry);
        }
        Ok(header)
    }
}

/// Whether the bytes start as a file of this version.
fn check_version(fixed: &[u8]) -> Result<(), FileError> {
    let start = &fixed[..fixed.len().min(MAGIC.len())];
    if !MAGIC.starts_with(start) || start.is_empty() {
        let found = start.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        let found = if found.is_empty() { "nothing".to_owned() } else { found };
        return Err(FileError::Foreign { found });
    }
    if fixed.len() < FIXED.min(12 + NAME) {
        return Ok(());
    }
    match u16_at(fixed, MAGIC.len()) {
        VERSION => Ok(()),
        0 => Err(FileError::damaged("format version 0")),
        found if found < VERSION => {
            let table = material(&fixed[12..12 + NAME])?.to_string();
            Err(FileError::Old { found, read: VERSION, table })
        }
        found => Err(FileError::Future { found, read: VERSION }),
    }
}

/// The values of a side to move: ascending, and such as the metric allows. Readers may derive the result from
/// the distance.
fn check_values(values: &[Cell], metric: Metric) -> Result<(), &'static str> {
    if values.is_empty() || !values.is_sorted_by(|a, b| a.0 < b.0) {
        return Err("its values are not ascending");
    }
    values.iter().try_for_each(|&cell| check_cell(cell, metric))
}

fn check_cell(cell: Cell, metric: Metric) -> Result<(), &'static str> {
    const RANGE: &str = "a distance is out of range";
    match (cell.value(), metric) {
        (None, _) if cell != Cell::UNUSED => Err(RANGE),
        (Some(Value::Win(Ply(plies)) | Value::Loss(Ply(plies))), _) if plies > Cell::LONGEST => Err(RANGE),
        (Some(Value::Win(Ply(0))), Metric::Dtz) => Err("a win in 0 plies"),
        (Some(Value::Win(Ply(plies))), Metric::Dtm) if plies % 2 == 0 => {
            Err("a win in an even number of plies")
        }
        (Some(Value::Loss(Ply(plies))), Metric::Dtm) if plies % 2 == 1 => {
            Err("a loss in an odd number of plies")
        }
        _ => Ok(()),
    }
}

fn material(name: &[u8]) -> Result<Material, FileError> {
    let text = std::str::from_utf8(name).unwrap_or("?").trim_end_matches('\0');
    text.parse().map_err(|error| FileError::Damaged(format!("its material: {error}")))
}

fn metric_code(metric: Metric) -> u16 {
    match metric {
        Metric::Dtm => 0,
        Metric::Dtz => 1,
    }
}

/// The `N` bytes at an offset, which the caller has checked.
fn bytes_at<const N: usize>(bytes: &[u8], at: usize) -> [u8; N] {
    std::array::from_fn(|byte| bytes[at + byte])
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes_at(bytes, at))
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes_at(bytes, at))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes_at(bytes, at))
}
