//! The values of one table in the order of a numbering, compressed: filled, paired, coded and put into
//! blocks.

use super::blocks::{self, Blocks};
use super::huffman::{self, Code};
use super::pairing::{NO_PART, Pairing, Symbol};
use super::runs::Runs;
use super::symbols::{Distances, Results};
use super::{distance_pairs, filling, result_pairs};

/// The most symbols of a table.
const MOST_SYMBOLS: usize = 4_095;
/// Less frequent pairs are not replaced.
const LEAST: u32 = 8;
/// The same limits for an estimate: the least frequency, and the number of pairs.
const ESTIMATE_LEAST: u32 = 20;
const ESTIMATE_PAIRS: usize = 100;
/// The sizes of blocks that are tried, as powers of two.
const LARGEST_RESULT_BLOCK: u8 = 6;
const LARGEST_DISTANCE_BLOCK: u8 = 10;

/// A compressed table.
pub(super) struct Compressed {
    pub(super) symbols: Vec<Symbol>,
    pub(super) code: Code,
    pub(super) blocks: Blocks,
}

/// The size of the codes of results, estimated.
pub(super) fn estimate_results(data: &Runs, results: &Results) -> u64 {
    let data = filling::fill_results(data, results);
    let limit = result_pairs::BASE + ESTIMATE_PAIRS;
    let mut pairing = Pairing::new(data, result_pairs::BASE, limit);
    result_pairs::pair(&mut pairing, results, limit, ESTIMATE_LEAST);
    huffman::size(&result_pairs::close(&mut pairing, results))
}

/// The size of the codes of distances, estimated.
pub(super) fn estimate_distances(data: &Runs, distances: &Distances) -> u64 {
    let data = fill_distances(data, distances);
    let limit = (distances.count + ESTIMATE_PAIRS).min(MOST_SYMBOLS);
    let mut pairing = Pairing::new(data, distances.count, limit);
    distance_pairs::pair(&mut pairing, limit, ESTIMATE_LEAST);
    huffman::size(&pairing.frequencies())
}

/// Compresses results.
pub(super) fn results(data: &Runs, results: &Results) -> Compressed {
    let positions = data.symbols();
    let data = filling::fill_results(data, results);
    let limit = MOST_SYMBOLS + result_pairs::BASE - results.count();
    let mut pairing = Pairing::new(data, result_pairs::BASE, limit);
    result_pairs::pair(&mut pairing, results, limit, LEAST);
    let frequencies = result_pairs::close(&mut pairing, results);
    // Only results that occur keep their symbols, then the pairs follow.
    let pairs = result_pairs::BASE..pairing.symbols.len();
    let kept: Vec<usize> = (0..5).filter(|&value| results.exist[value]).chain(pairs).collect();
    let mut numbers = vec![0_u16; pairing.symbols.len()];
    for (number, &symbol) in kept.iter().enumerate() {
        numbers[symbol] = number as u16;
    }
    let number = |symbol: u16| numbers[usize::from(symbol)];
    let renumbered = |&symbol: &usize| {
        let Symbol { left, right, positions } = pairing.symbols[symbol];
        if right == NO_PART {
            Symbol { left, right, positions }
        } else {
            Symbol { left: number(left), right: number(right), positions }
        }
    };
    let symbols = kept.iter().map(renumbered).collect();
    let frequencies: Vec<u64> = kept.iter().map(|&symbol| frequencies[symbol]).collect();
    let data = pairing.data.map(number).flat();
    finish(&data, symbols, &frequencies, positions, LARGEST_RESULT_BLOCK)
}

/// Compresses distances.
pub(super) fn distances(data: &Runs, distances: &Distances) -> Compressed {
    let positions = data.symbols();
    let data = fill_distances(data, distances);
    let mut pairing = Pairing::new(data, distances.count, MOST_SYMBOLS);
    distance_pairs::pair(&mut pairing, MOST_SYMBOLS, LEAST);
    let frequencies = pairing.frequencies();
    let Pairing { data, mut symbols, .. } = pairing;
    let data = data.flat();
    if let Some(map) = distances.only_map() {
        for (symbol, &value) in symbols.iter_mut().zip(map) {
            symbol.left = value;
        }
    }
    finish(&data, symbols, &frequencies, positions, LARGEST_DISTANCE_BLOCK)
}

fn fill_distances(data: &Runs, distances: &Distances) -> Runs {
    filling::fill_distances(data, distances.count as u16, distances.first_rare as u16)
}

fn finish(
    data: &[u16],
    symbols: Vec<Symbol>,
    frequencies: &[u64],
    positions: u64,
    largest: u8,
) -> Compressed {
    let code = Code::new(frequencies);
    let blocks = blocks::fill(data, &symbols, frequencies, &code, positions, largest);
    Compressed { symbols, code, blocks }
}
