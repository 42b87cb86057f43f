//! A block: cells as numbers of their values, compressed by zstd. Knows no file.

use std::io;

use zstd::bulk::{Compressor, Decompressor};

/// The level of compression. Level 12 takes three to five times as long; three DTM tables of four men were 8 to 14 per cent
/// smaller by it, a DTZ table 34.
const LEVEL: i32 = 6;

/// Of more values than this, a cell takes two bytes.
const NARROW: usize = 256;

/// What a compressor needs to work on many blocks.
pub(super) fn compressor() -> io::Result<Compressor<'static>> {
    let mut compressor = Compressor::new(LEVEL)?;
    compressor.include_checksum(false)?;
    compressor.include_contentsize(false)?;
    Ok(compressor)
}

/// Compresses cells, each given as the number of its value among `values` values.
pub(super) fn pack(
    symbols: &[u16],
    values: usize,
    compressor: &mut Compressor<'static>,
) -> io::Result<Vec<u8>> {
    let [low, high] = [0, 1].map(|byte| symbols.iter().map(move |symbol| symbol.to_le_bytes()[byte]));
    let bytes: Vec<u8> = if values <= NARROW { low.collect() } else { low.chain(high).collect() };
    compressor.compress(&bytes)
}

/// The most bytes that a compressed block may have.
pub(super) fn most_bytes(cells: usize, values: usize) -> usize {
    2 * width(values) * cells + 64
}

/// Bytes of a cell.
fn width(values: usize) -> usize {
    if values <= NARROW { 1 } else { 2 }
}

/// A decompressed block.
#[derive(Debug)]
pub(super) struct Block {
    /// The low bytes of all cells, then, if there are many values, the high ones.
    bytes: Vec<u8>,
    cells: usize,
}

impl Block {
    /// Decompresses a block of so many cells. Says what is wrong with it.
    pub(super) fn unpack(packed: &[u8], cells: usize, values: usize) -> Result<Self, String> {
        let expected = cells * width(values);
        let unpack = || Decompressor::new()?.decompress(packed, expected);
        let bytes = unpack().map_err(|error| format!("zstd: {error}"))?;
        if bytes.len() != expected {
            return Err(format!("{} bytes when decompressed, expected {expected}", bytes.len()));
        }
        let block = Self { bytes, cells };
        let wrong = (0..cells).find(|&cell| block.symbol(cell) >= values);
        wrong.map_or(Ok(()), |cell| Err(format!("cell {cell} has no value")))?;
        Ok(block)
    }

    /// The number of the value of a cell.
    #[inline]
    pub(super) fn symbol(&self, cell: usize) -> usize {
        let high = self.bytes.get(self.cells + cell).map_or(0, |&high| usize::from(high));
        usize::from(self.bytes[cell]) | high << 8
    }

    /// Its size in memory, in bytes.
    pub(super) fn size(&self) -> usize {
        self.bytes.len()
    }
}
