//! A block: cells as numbers of their values, compressed by deflate. Knows no file.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// The level of compression, of nine.
const LEVEL: u32 = 6;

/// If a side has more values than this, a cell takes two bytes.
const NARROW: usize = 256;

/// The state of a compressor, which it reuses for many blocks.
pub(super) fn compressor() -> Compress {
    Compress::new(Compression::new(LEVEL), false)
}

/// Compresses cells, each given as the number of its value among `values` values.
///
/// # Panics
/// Never: in memory, deflate ends within the bound.
pub(super) fn pack(symbols: &[u16], values: usize, compressor: &mut Compress) -> Vec<u8> {
    let [low, high] = [0, 1].map(|byte| symbols.iter().map(move |symbol| symbol.to_le_bytes()[byte]));
    let bytes: Vec<u8> = if values <= NARROW { low.collect() } else { low.chain(high).collect() };
    let mut packed = Vec::with_capacity(most_bytes(symbols.len(), values));
    compressor.reset();
    let status = compressor.compress_vec(&bytes, &mut packed, FlushCompress::Finish);
    assert!(matches!(status, Ok(Status::StreamEnd)), "deflate ends within {} bytes", packed.capacity());
    // All blocks of a table are held together, and the bound is ten times as large.
    packed.shrink_to_fit();
    packed
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
    /// Decompresses a block of this many cells. The error says what is wrong with it.
    pub(super) fn unpack(packed: &[u8], cells: usize, values: usize) -> Result<Self, String> {
        let expected = cells * width(values);
        // One byte more than expected reveals a block that is too long.
        let mut bytes = Vec::with_capacity(expected + 1);
        let mut decompress = Decompress::new(false);
        let status = decompress.decompress_vec(packed, &mut bytes, FlushDecompress::Finish);
        let is_whole = match status {
            Ok(Status::StreamEnd) => decompress.total_in() == packed.len() as u64,
            Ok(Status::Ok | Status::BufError) => false,
            Err(error) => return Err(format!("deflate: {error}")),
        };
        if bytes.len() != expected {
            return Err(format!("{} bytes when decompressed, expected {expected}", bytes.len()));
        }
        if !is_whole {
            return Err("the compressed block does not end where it should".to_owned());
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The checksum of a block hides these faults from the tests of files.
    #[test]
    fn a_block_that_is_not_what_it_should_be_is_refused() {
        let symbols = [3, 1, 4, 1, 5];
        let packed = pack(&symbols, 6, &mut compressor());
        let unpack =
            |packed: &[u8], cells, values| Block::unpack(packed, cells, values).map(|block| block.bytes);
        assert_eq!(unpack(&packed, 5, 6).unwrap(), [3, 1, 4, 1, 5]);
        let check = |packed: &[u8], cells, values, part: &str| {
            let error = unpack(packed, cells, values).unwrap_err();
            assert!(error.contains(part), "{error}");
        };
        check(&packed, 4, 6, "5 bytes when decompressed, expected 4");
        check(&packed, 6, 6, "5 bytes when decompressed, expected 6");
        check(&packed, 5, 5, "cell 4 has no value");
        check(&[&packed[..], &[0]].concat(), 5, 6, "does not end where it should");
        check(&packed[..packed.len() - 1], 5, 6, "");
        check(&[0xff, 0xff], 5, 6, "deflate");
    }
}
