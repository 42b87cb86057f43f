//! Symbols in blocks of equal size, and the index of the blocks.

use super::huffman::Code;
use super::pairing::{NO_PART, Symbol};

/// The most positions of a block.
const MOST_PER_BLOCK: u64 = 65_536;

/// The blocks of a table.
pub(super) struct Blocks {
    /// The bytes of a block are two to this power.
    pub(super) block_bits: u8,
    /// The positions between entries of the index are two to this power.
    pub(super) stride_bits: u8,
    /// For each block the number of its positions, less one; blocks at the end may have no bytes.
    pub(super) sizes: Vec<u16>,
    /// How many blocks have bytes.
    pub(super) real: usize,
    /// Block, and place in the block.
    pub(super) index: Vec<(u32, u16)>,
    pub(super) bytes: Vec<u8>,
}

/// Puts data of this many positions into blocks of at most two to the power of `largest` bytes.
pub(super) fn fill(
    data: &[u16],
    symbols: &[Symbol],
    frequencies: &[u64],
    code: &Code,
    positions: u64,
    largest: u8,
) -> Blocks {
    let block_bits = choose_size(data, symbols, frequencies, code, positions, largest);
    let mut filling = Filling {
        symbols,
        code,
        shorter: shorter(symbols, frequencies, code),
        most_bits: 8 << block_bits,
        block_bits,
        bits: 0,
        held: 0,
        bytes: Vec::new(),
        sizes: Vec::new(),
    };
    filling.put_all(data);
    let Filling { bytes, mut sizes, .. } = filling;
    let real = sizes.len();
    let stride_bits = stride_bits(positions, real as u64);
    let index = index(&mut sizes, positions, stride_bits);
    Blocks { block_bits, stride_bits, sizes, real, index, bytes }
}

fn stride_bits(positions: u64, blocks: u64) -> u8 {
    let average = positions / blocks.max(1);
    let mut bits = (u64::BITS - average.leading_zeros()) as u8 + 4;
    while bits > 1 && 1 << (bits - 1) > positions {
        bits -= 1;
    }
    bits
}

/// The size of blocks that makes the table smallest, as a power of two; the larger one if two are equal.
fn choose_size(
    data: &[u16],
    symbols: &[Symbol],
    frequencies: &[u64],
    code: &Code,
    positions: u64,
    largest: u8,
) -> u8 {
    let bits = frequencies.iter().zip(&code.lengths).map(|(&count, &length)| count * u64::from(length));
    let raw = bits.sum::<u64>().div_ceil(8);
    let mut best = u64::MAX;
    for size in (0..=largest).rev() {
        if (raw * ((1 << size) + 2)) >> size >= best {
            return size + 1;
        }
        let mut blocks = count_blocks(data, symbols, code, 8 << size);
        let mut bytes = (blocks << size).next_multiple_of(64);
        let stride_bits = stride_bits(positions, blocks);
        let entries = positions.div_ceil(1 << stride_bits);
        let end = (2 * entries - 1) << (stride_bits - 1);
        blocks += end.saturating_sub(positions).div_ceil(MOST_PER_BLOCK);
        bytes += 2 * blocks + 6 * entries;
        if bytes >= best {
            return size + 1;
        }
        best = bytes;
    }
    0
}

fn count_blocks(data: &[u16], symbols: &[Symbol], code: &Code, most_bits: u64) -> u64 {
    let (mut blocks, mut bits, mut held) = (0, 0, 0);
    for &symbol in data {
        let length = u64::from(code.lengths[usize::from(symbol)]);
        let positions = u64::from(symbols[usize::from(symbol)].positions);
        if bits + length > most_bits || held + positions > MOST_PER_BLOCK {
            blocks += 1;
            (bits, held) = (0, 0);
        }
        bits += length;
        held += positions;
    }
    blocks + u64::from(held > 0)
}

/// For each symbol the one with the shortest code that begins with it. At the end of a block, the symbols
/// that follow do not matter.
fn shorter(symbols: &[Symbol], frequencies: &[u64], code: &Code) -> Vec<u16> {
    let mut shorter: Vec<u16> = (0..symbols.len() as u16).collect();
    let length = |symbol: u16| code.lengths[usize::from(symbol)];
    for symbol in (0..symbols.len() as u16).filter(|&symbol| frequencies[usize::from(symbol)] > 0) {
        let mut part = symbol;
        while symbols[usize::from(part)].right != NO_PART {
            part = symbols[usize::from(part)].left;
            let known = &mut shorter[usize::from(part)];
            if length(*known) > length(symbol) {
                *known = symbol;
            }
        }
    }
    shorter
}

/// Blocks during filling.
struct Filling<'a> {
    symbols: &'a [Symbol],
    code: &'a Code,
    shorter: Vec<u16>,
    most_bits: u64,
    block_bits: u8,
    /// The bits and the positions of the current block.
    bits: u64,
    held: u64,
    bytes: Vec<u8>,
    sizes: Vec<u16>,
}

impl Filling<'_> {
    fn put_all(&mut self, data: &[u16]) {
        for &symbol in data {
            let positions = self.positions(symbol);
            if self.fits(&[symbol]) && self.held + positions <= MOST_PER_BLOCK {
                self.put(symbol);
                self.held += positions;
            } else if self.held + positions > MOST_PER_BLOCK || !self.put_last(symbol) {
                self.close(0);
                self.put(symbol);
                self.held = positions;
            }
        }
        if self.held > 0 {
            self.close(0);
        }
    }

    /// If the code of a symbol is too long for the block, ends the block with a symbol that has a shorter
    /// code and begins with that symbol, or with part of it.
    fn put_last(&mut self, symbol: u16) -> bool {
        let positions = self.positions(symbol);
        let shorter = |symbol: u16| self.shorter[usize::from(symbol)];
        let Symbol { left, right, .. } = self.symbols[usize::from(symbol)];
        let whole = shorter(symbol);
        if self.fits(&[whole]) {
            self.put(whole);
            self.close(positions);
            return true;
        }
        if right == NO_PART || self.length(left) == 0 || self.length(right) == 0 {
            return false;
        }
        let (last, first) = (shorter(right), shorter(left));
        if self.fits(&[left, last]) {
            self.put(left);
            self.put(last);
            self.close(positions);
            return true;
        }
        if self.length(right) < self.length(symbol) && self.fits(&[first]) {
            let first = if self.fits(&[left]) { left } else { first };
            self.put(first);
            self.close(self.positions(left));
            self.put(right);
            self.held = self.positions(right);
            return true;
        }
        false
    }

    fn positions(&self, symbol: u16) -> u64 {
        self.symbols[usize::from(symbol)].positions.into()
    }

    fn length(&self, symbol: u16) -> u64 {
        self.code.lengths[usize::from(symbol)].into()
    }

    fn fits(&self, symbols: &[u16]) -> bool {
        self.bits + symbols.iter().map(|&symbol| self.length(symbol)).sum::<u64>() <= self.most_bits
    }

    /// Appends the code of a symbol.
    fn put(&mut self, symbol: u16) {
        let (code, length) = self.code.of(symbol);
        for bit in (0..length).rev() {
            if self.bits.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= ((code >> bit & 1) as u8) << (7 - self.bits % 8);
            }
            self.bits += 1;
        }
    }

    /// Ends the block, and counts this many more positions for it.
    fn close(&mut self, more: u64) {
        self.sizes.push((self.held + more - 1) as u16);
        self.bytes.resize(self.sizes.len() << self.block_bits, 0);
        (self.bits, self.held) = (0, 0);
    }
}

/// The block and the place of the middle of each stretch of positions. Blocks without bytes are appended if a
/// middle is after the last position.
fn index(sizes: &mut Vec<u16>, positions: u64, stride_bits: u8) -> Vec<(u32, u16)> {
    let (mut block, mut first) = (0, 0_u64);
    let mut index = Vec::new();
    for entry in 0..positions.div_ceil(1 << stride_bits) {
        let middle = (1 << (stride_bits - 1)) + (entry << stride_bits);
        while block < sizes.len() && first + u64::from(sizes[block]) < middle {
            first += u64::from(sizes[block]) + 1;
            block += 1;
        }
        if block == sizes.len() {
            sizes.push(u16::MAX);
            while first + MOST_PER_BLOCK - 1 < middle {
                first += MOST_PER_BLOCK;
                block += 1;
                sizes.push(u16::MAX);
            }
        }
        index.push((block as u32, (middle - first) as u16));
    }
    index
}
