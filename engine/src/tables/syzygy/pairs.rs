//! A compressed table: symbols in a canonical Huffman code, each of which stands for one value or for two
//! symbols.
//!
//! Blocks of equal size hold symbols. A sparse index says in which block a position is. This module knows no
//! chess: numbers of positions go in, values come out.

use super::FileError;
use super::bytes::Bytes;

/// The right part of a symbol that stands for one value.
const NO_RIGHT: u16 = 0xfff;
/// The longest code, in bits.
const LONGEST_CODE: u8 = 32;
/// The most positions that one symbol stands for.
pub(super) const MOST_PER_SYMBOL: u16 = 256;
/// The bytes of a block are at most two to this power.
const LARGEST_BLOCK: u8 = 16;
/// The bits of the distance between entries of the sparse index.
const LONGEST_STRIDE: u8 = 40;
const INDEX_ENTRY: usize = 6;

/// A symbol: its value, or its two parts; and how many positions it stands for.
#[derive(Debug, Clone, Copy)]
struct Symbol {
    left: u16,
    right: u16,
    positions: u16,
}

/// A look-up table has the codes of at most this many bits.
const QUICK_BITS: u32 = 12;

/// The symbols whose codes begin some bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Quick {
    symbol: u16,
    /// How many positions it stands for, less one.
    more: u8,
    /// The length of its code.
    length: u8,
    /// How many positions all symbols stand for whose whole codes are here, this one included.
    together: u16,
    /// The length of all these codes.
    whole: u8,
}

impl Quick {
    /// The first code is too long for the look-up table.
    const LONG: Self = Self { symbol: 0, more: 0, length: 0, together: 0, whole: 0 };
    /// No symbol has the first code: a block that begins so is damaged.
    const NONE: Self = Self { symbol: u16::MAX, ..Self::LONG };
}

/// A compressed table. Its header is checked; the blocks may still be damaged.
#[derive(Debug, Clone)]
pub(super) struct Pairs {
    block_bits: u8,
    stride_bits: u8,
    blocks: usize,
    sizes: usize,
    min_length: u8,
    /// The first code of each length, from the shortest on, at the top of 64 bits.
    first_codes: Vec<u64>,
    /// The number of the first symbol of each length.
    first_symbols: Vec<u16>,
    /// The place in both lists of the first length that is too long for `quick`.
    long: usize,
    symbols: Vec<Symbol>,
    quick: Vec<Quick>,
    index_entries: usize,
    index_at: usize,
    sizes_at: usize,
    blocks_at: usize,
}

impl Pairs {
    /// Reads the description of a table with this many positions. The places of its index and blocks come
    /// later.
    pub(super) fn read(bytes: &mut Bytes<'_>, positions: u64) -> Result<Self, FileError> {
        let at = bytes.offset();
        let wrong = |what, after, found| Err(FileError::Value { what, offset: at + after, found });
        let [block_bits, stride_bits, virtual_blocks] =
            [bytes.u8("sizes")?, bytes.u8("sizes")?, bytes.u8("sizes")?];
        let blocks = bytes.u32("the number of blocks")? as usize;
        let [max_length, min_length] = [bytes.u8("code lengths")?, bytes.u8("code lengths")?];
        if block_bits > LARGEST_BLOCK {
            return wrong("the bits of a block", 0, block_bits.into());
        }
        if stride_bits == 0 || stride_bits > LONGEST_STRIDE {
            return wrong("the bits of the index", 1, stride_bits.into());
        }
        if max_length > LONGEST_CODE {
            return wrong("the greatest code length", 7, max_length.into());
        }
        if min_length == 0 || min_length > max_length {
            return wrong("the least code length", 8, min_length.into());
        }
        let lengths = min_length..=max_length;
        let first_symbols =
            lengths.map(|_| bytes.u16("first symbols")).collect::<Result<Vec<u16>, FileError>>()?;
        let symbols = read_symbols(bytes)?;
        let first_codes = first_codes(&first_symbols, min_length);
        let index_entries = positions.div_ceil(1 << stride_bits);
        let mut pairs = Self {
            block_bits,
            stride_bits,
            blocks,
            sizes: blocks.saturating_add(usize::from(virtual_blocks)),
            min_length,
            first_codes,
            first_symbols,
            long: (QUICK_BITS + 1).saturating_sub(min_length.into()) as usize,
            symbols,
            quick: Vec::new(),
            index_entries: index_entries as usize,
            index_at: 0,
            sizes_at: 0,
            blocks_at: 0,
        };
        pairs.quick = (0..1 << QUICK_BITS).map(|bits| pairs.quick_of(bits << (64 - QUICK_BITS))).collect();
        Ok(pairs)
    }

    /// The symbols whose codes are among the first bits of these, which are followed by zeros. The first of the longest
    /// codes is 0, so that each word begins with some code.
    fn quick_of(&self, bits: u64) -> Quick {
        let Some((symbol, length)) = self.code(bits, 0) else { return Quick::NONE };
        if length > QUICK_BITS {
            return Quick::LONG;
        }
        let Some(&Symbol { positions, .. }) = self.symbols.get(symbol) else { return Quick::NONE };
        let mut quick = Quick {
            symbol: symbol as u16,
            more: (positions - 1) as u8,
            length: length as u8,
            together: positions,
            whole: length as u8,
        };
        while let Some((symbol, length)) = self.code(bits << quick.whole, 0)
            && u32::from(quick.whole) + length <= QUICK_BITS
            && let Some(&Symbol { positions, .. }) = self.symbols.get(symbol)
        {
            quick.together += positions;
            quick.whole += length as u8;
        }
        quick
    }

    pub(super) fn place_index(&mut self, bytes: &mut Bytes<'_>) -> Result<(), FileError> {
        self.index_at = bytes.offset();
        bytes.take(self.index_entries.saturating_mul(INDEX_ENTRY), "the index")?;
        Ok(())
    }

    pub(super) fn place_sizes(&mut self, bytes: &mut Bytes<'_>) -> Result<(), FileError> {
        self.sizes_at = bytes.offset();
        bytes.take(self.sizes.saturating_mul(2), "the sizes of blocks")?;
        Ok(())
    }

    pub(super) fn place_blocks(&mut self, bytes: &mut Bytes<'_>) -> Result<(), FileError> {
        bytes.align(64)?;
        self.blocks_at = bytes.offset();
        bytes.take(self.blocks.saturating_mul(1 << self.block_bits), "the blocks")?;
        Ok(())
    }

    /// The value of a position; `None` if the index or the block is damaged.
    #[inline]
    pub(super) fn value(&self, file: &[u8], position: u64) -> Option<u16> {
        let (block, place) = self.block_of(file, position)?;
        let start = self.blocks_at + (block << self.block_bits);
        let block = file.get(start..start + (1 << self.block_bits))?;
        let (symbol, place) = self.symbol_at(block, place)?;
        self.value_in(symbol, place)
    }

    /// The block of a position, and its place in the block.
    #[inline]
    fn block_of(&self, file: &[u8], position: u64) -> Option<(usize, usize)> {
        let entry = (position >> self.stride_bits) as usize;
        let at = self.index_at + entry * INDEX_ENTRY;
        let entry = file.get(at..at + INDEX_ENTRY).filter(|_| entry < self.index_entries)?;
        let mut block = u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]) as usize;
        let middle = 1_i64 << (self.stride_bits - 1);
        let past_middle = (position & ((1 << self.stride_bits) - 1)) as i64 - middle;
        let mut place = i64::from(u16::from_le_bytes([entry[4], entry[5]])) + past_middle;
        let last_of = |block: usize| -> Option<i64> {
            let at = self.sizes_at + 2 * block;
            let size = file.get(at..at + 2).filter(|_| block < self.sizes)?;
            Some(i64::from(u16::from_le_bytes([size[0], size[1]])))
        };
        while place < 0 {
            block = block.checked_sub(1)?;
            place += last_of(block)? + 1;
        }
        loop {
            let last = last_of(block)?;
            if place <= last {
                break;
            }
            place -= last + 1;
            block += 1;
        }
        (block < self.blocks).then_some((block, place as usize))
    }

    /// The symbol that stands for a place in a block, and the place among the positions of the symbol.
    #[inline]
    fn symbol_at(&self, block: &[u8], mut place: usize) -> Option<(usize, usize)> {
        let mut rest = block;
        let mut bits = 0_u64;
        let mut filled = 0_u32;
        // The bits after the end of the block are read as zeros. No more symbols can follow than there are
        // bits.
        let mut left = 8 * block.len() as i64;
        loop {
            if filled <= 32 {
                let word = if let Some((word, after)) = rest.split_first_chunk::<4>() {
                    rest = after;
                    u32::from_be_bytes(*word)
                } else {
                    let mut word = [0; 4];
                    word[..rest.len()].copy_from_slice(rest);
                    rest = &[];
                    u32::from_be_bytes(word)
                };
                bits |= u64::from(word) << (32 - filled);
                filled += 32;
            }
            let quick = *self.quick.get((bits >> (64 - QUICK_BITS)) as usize)?;
            let (symbol, positions, length) = if quick.length == 0 {
                if quick == Quick::NONE {
                    return None;
                }
                let (symbol, length) = self.code(bits, self.long)?;
                (symbol, usize::from(self.symbols.get(symbol)?.positions), length)
            } else if place >= usize::from(quick.together) {
                (usize::from(quick.symbol), usize::from(quick.together), u32::from(quick.whole))
            } else {
                (usize::from(quick.symbol), usize::from(quick.more) + 1, u32::from(quick.length))
            };
            left -= i64::from(length);
            if left < 0 {
                return None;
            }
            if place < positions {
                return Some((symbol, place));
            }
            place -= positions;
            bits <<= length;
            filled -= length;
        }
    }

    /// The symbol whose code is at the top of these bits, and the length of the code. `least` is the slot of the
    /// shortest length that is tried.
    #[inline]
    fn code(&self, bits: u64, least: usize) -> Option<(usize, u32)> {
        let slot = least + self.first_codes.get(least..)?.iter().position(|&first| bits >= first)?;
        let length = u32::from(self.min_length) + slot as u32;
        let after = (bits - self.first_codes[slot]) >> (64 - length);
        Some((usize::from(self.first_symbols[slot]).checked_add(after as usize)?, length))
    }

    /// The value at a place among the positions of a symbol.
    #[inline]
    fn value_in(&self, mut symbol: usize, mut place: usize) -> Option<u16> {
        loop {
            let Symbol { left, right, .. } = *self.symbols.get(symbol)?;
            if right == NO_RIGHT {
                return Some(left);
            }
            let in_left = usize::from(self.symbols.get(usize::from(left))?.positions);
            if place < in_left {
                symbol = usize::from(left);
            } else {
                place -= in_left;
                symbol = usize::from(right);
            }
        }
    }
}

/// Reads the symbols, three bytes each: two numbers of twelve bits.
fn read_symbols(bytes: &mut Bytes<'_>) -> Result<Vec<Symbol>, FileError> {
    let count = usize::from(bytes.u16("the number of symbols")?);
    let at = bytes.offset();
    let mut symbols: Vec<Symbol> = bytes
        .take(3 * count, "the symbols")?
        .chunks_exact(3)
        .map(|three| {
            let [low, middle, high] = [three[0], three[1], three[2]].map(u16::from);
            Symbol { left: low | (middle & 15) << 8, right: middle >> 4 | high << 4, positions: 0 }
        })
        .collect();
    for symbol in 0..count {
        count_positions(&mut symbols, symbol).ok_or(FileError::Value {
            what: "a symbol that cannot be taken apart",
            offset: at + 3 * symbol,
            found: symbol as u64,
        })?;
    }
    Ok(symbols)
}

/// Counts the positions that a symbol stands for, and those of its parts. `None` if a symbol is part of
/// itself, has no such part, or stands for too many positions.
fn count_positions(symbols: &mut [Symbol], symbol: usize) -> Option<()> {
    // A symbol is on the stack while its parts are counted. No chain of parts is longer than there are
    // positions.
    let mut stack = vec![symbol];
    while let Some(&symbol) = stack.last() {
        let Symbol { left, right, positions } = *symbols.get(symbol)?;
        if positions > 0 || right == NO_RIGHT {
            symbols[symbol].positions = positions.max(1);
            stack.pop();
            continue;
        }
        let parts = [usize::from(left), usize::from(right)];
        let of = |part: usize| symbols.get(part).map(|symbol| symbol.positions);
        match parts.into_iter().find(|&part| of(part) == Some(0)) {
            Some(part) if stack.len() > usize::from(MOST_PER_SYMBOL) || stack.contains(&part) => return None,
            Some(part) => stack.push(part),
            None => {
                let sum = of(parts[0])? + of(parts[1])?;
                if sum > MOST_PER_SYMBOL {
                    return None;
                }
                symbols[symbol].positions = sum;
                stack.pop();
            }
        }
    }
    Some(())
}

/// The first code of each length, at the top of 64 bits: the codes of a length follow half of those that are
/// longer.
fn first_codes(first_symbols: &[u16], min_length: u8) -> Vec<u64> {
    let mut codes = vec![0_u64; first_symbols.len()];
    for slot in (0..first_symbols.len().saturating_sub(1)).rev() {
        let longer = codes[slot + 1].wrapping_add(u64::from(first_symbols[slot]));
        codes[slot] = longer.wrapping_sub(u64::from(first_symbols[slot + 1])) / 2;
    }
    for (slot, code) in codes.iter_mut().enumerate() {
        *code = code.wrapping_shl(64 - u32::from(min_length) - slot as u32);
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A table without blocks whose codes have these lengths, the shortest first: so many of each. Every other symbol
    /// stands for two positions.
    fn pairs(min_length: u8, counts: &[u16], symbols: u16) -> Pairs {
        let max_length = min_length + counts.len() as u8 - 1;
        let mut bytes = vec![6, 6, 0, 0, 0, 0, 0, max_length, min_length];
        // The symbols with the longest codes come first.
        let first = |slot: usize| counts[slot + 1..].iter().sum::<u16>();
        bytes.extend((0..counts.len()).flat_map(|slot| first(slot).to_le_bytes()));
        bytes.extend(symbols.to_le_bytes());
        bytes.extend(
            (0..symbols).flat_map(|symbol| if symbol % 2 == 0 { [7, 0xf0, 0xff] } else { [0, 0, 0] }),
        );
        Pairs::read(&mut Bytes::new(&bytes), 0).unwrap()
    }

    /// A code that is looked up is the one that is found length by length.
    #[test]
    fn looked_up_codes_are_the_codes() {
        let twos = |count: usize| [vec![1; count], vec![2]].concat();
        let all = [
            pairs(1, &twos(15), 17),
            pairs(13, &[8000, 100, 0, 0, 50, 1, 0, 4], 8155),
            pairs(5, &[20, 10, 20, 0, 64], 114),
            pairs(12, &[4096], 4096),
            pairs(1, &twos(15), 9),
            pairs(3, &[1, 2], 3),
        ];
        let mut word = 1_u64;
        for pairs in &all {
            let length_of = |word| pairs.code(word, 0).filter(|(symbol, _)| *symbol < pairs.symbols.len());
            for _ in 0..20_000 {
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let word = word.rotate_left(32) >> (word % 50);
                let quick = pairs.quick[(word >> (64 - QUICK_BITS)) as usize];
                let (mut together, mut whole) = (0, 0);
                while let Some((symbol, length)) = length_of(word << whole)
                    && whole + length <= QUICK_BITS
                {
                    together += pairs.symbols[symbol].positions;
                    whole += length;
                }
                assert_eq!((quick.together, u32::from(quick.whole)), (together, whole));
                let expected = length_of(word);
                if quick.length > 0 {
                    let found = (usize::from(quick.symbol), u32::from(quick.length));
                    assert_eq!(Some(found), expected);
                    assert_eq!(u16::from(quick.more) + 1, pairs.symbols[found.0].positions);
                } else if quick == Quick::NONE {
                    assert_eq!(expected, None);
                } else {
                    assert!(expected.is_none_or(|(_, length)| length > QUICK_BITS));
                    assert_eq!(pairs.code(word, pairs.long), pairs.code(word, 0));
                }
            }
        }
    }
}
