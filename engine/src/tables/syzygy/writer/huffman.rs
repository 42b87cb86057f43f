//! The canonical Huffman code of the symbols of a table.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::exchange::exchange_sort;

/// The lengths of the codes by frequency, in bits; 0 for a symbol that does not occur.
pub(super) fn lengths(frequencies: &[u64]) -> Vec<u8> {
    let mut lengths = vec![0; frequencies.len()];
    let mut parents: Vec<usize> = Vec::new();
    let leaves: Vec<usize> = (0..frequencies.len()).filter(|&symbol| frequencies[symbol] > 0).collect();
    if let [only] = leaves[..] {
        lengths[only] = 1;
        return lengths;
    }
    // A node is known by the first of its leaves in the order of the list, and has a number.
    let weights =
        leaves.iter().enumerate().map(|(place, &symbol)| Reverse((frequencies[symbol], place, place)));
    let mut nodes: BinaryHeap<_> = weights.collect();
    parents.resize(leaves.len(), 0);
    while let (Some(Reverse(one)), Some(Reverse(other))) = (nodes.pop(), nodes.pop()) {
        let number = parents.len();
        parents.push(0);
        parents[one.2] = number;
        parents[other.2] = number;
        nodes.push(Reverse((one.0 + other.0, one.1.min(other.1), number)));
        if nodes.len() == 1 {
            break;
        }
    }
    let mut depths = vec![0_u8; parents.len()];
    for node in (0..parents.len().saturating_sub(1)).rev() {
        depths[node] = depths[parents[node]] + 1;
    }
    for (place, &symbol) in leaves.iter().enumerate() {
        lengths[symbol] = depths[place];
    }
    lengths
}

/// The size of data with these frequencies in its best code, in bytes.
pub(super) fn size(frequencies: &[u64]) -> u64 {
    let weights = frequencies.iter().filter(|&&frequency| frequency > 0);
    let mut nodes: BinaryHeap<Reverse<u64>> = weights.map(|&weight| Reverse(weight)).collect();
    let mut bits = if nodes.len() == 1 { nodes.peek().map_or(0, |only| only.0) } else { 0 };
    while nodes.len() > 1 {
        if let (Some(Reverse(one)), Some(Reverse(other))) = (nodes.pop(), nodes.pop()) {
            bits += one + other;
            nodes.push(Reverse(one + other));
        }
    }
    bits.div_ceil(8)
}

/// A code: symbols with their lengths, and their order.
pub(super) struct Code {
    pub(super) lengths: Vec<u8>,
    /// The symbols in the order of the file: the longest codes first.
    pub(super) order: Vec<u16>,
    /// The place of each symbol in the order.
    pub(super) places: Vec<u16>,
    pub(super) longest: u8,
    pub(super) shortest: u8,
    /// By length: the place of the first symbol with a code of this length.
    pub(super) offsets: Vec<u16>,
    /// By length: the first code.
    bases: Vec<u64>,
}

impl Code {
    pub(super) fn new(frequencies: &[u64]) -> Self {
        let lengths = lengths(frequencies);
        let mut order: Vec<u16> = (0..frequencies.len() as u16).collect();
        let key = |symbol: &u16| (Reverse(lengths[usize::from(*symbol)]), frequencies[usize::from(*symbol)]);
        exchange_sort(&mut order, |one, other| key(one) > key(other));
        let mut places = vec![0; order.len()];
        for (place, &symbol) in order.iter().enumerate() {
            places[usize::from(symbol)] = place as u16;
        }
        let length = |place: usize| order.get(place).map_or(0, |&symbol| lengths[usize::from(symbol)]);
        let longest = length(0);
        let mut offsets = vec![0_u16; usize::from(longest) + 1];
        let mut bases = vec![0_u64; usize::from(longest) + 1];
        let mut handled = longest;
        for place in (0..order.len()).take_while(|&place| length(place) > 0) {
            while handled > length(place) {
                handled -= 1;
                let at = usize::from(handled);
                offsets[at] = place as u16;
                bases[at] = (bases[at + 1] + place as u64 - u64::from(offsets[at + 1])) / 2;
            }
        }
        Self { lengths, order, places, longest, shortest: handled, offsets, bases }
    }

    /// The code of a symbol, and its length.
    pub(super) fn of(&self, symbol: u16) -> (u64, u8) {
        let length = self.lengths[usize::from(symbol)];
        let at = usize::from(length);
        let place = u64::from(self.places[usize::from(symbol)]);
        (self.bases[at] + place - u64::from(self.offsets[at]), length)
    }
}
