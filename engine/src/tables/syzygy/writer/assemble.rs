//! The bytes of a file out of its tables.

use super::compress::Compressed;
use super::pairing::NO_PART;
use super::permutations::Permutation;
use crate::tables::Material;
use crate::tables::syzygy::checksum;
use crate::tables::syzygy::file::{flag, is_symmetric, number_of};
use crate::tables::syzygy::kind::Kind;

/// A table of a file.
pub(super) struct Part<'a> {
    pub(super) order: &'a Permutation,
    pub(super) flags: u8,
    pub(super) values: Values,
    /// DTZ: the maps, unless symbols are values.
    pub(super) maps: Option<[Vec<u16>; 4]>,
}

/// The values of a table.
pub(super) enum Values {
    /// All are this one, or all are open.
    Single(Option<u8>),
    Compressed(Box<Compressed>),
}

/// The bytes of a file. `files` has the parts of each file of the leading pawn, by side to move.
pub(super) fn file(material: Material, kind: Kind, files: &[Vec<Part<'_>>]) -> Vec<u8> {
    let mut bytes = kind.magic().to_le_bytes().to_vec();
    let split = u8::from(!is_symmetric(material));
    bytes.push((material.men() as u8) << 4 | split | if material.has_pawns() { 2 } else { 0 });
    for parts in files {
        put_orders(&mut bytes, kind, parts);
    }
    align(&mut bytes, 2);
    let parts = || files.iter().flatten();
    for part in parts() {
        put_header(&mut bytes, part);
        align(&mut bytes, 2);
    }
    for map in parts().filter_map(|part| part.maps.as_ref()).flatten() {
        bytes.push(map.len() as u8);
        bytes.extend(map.iter().map(|&value| value as u8));
    }
    align(&mut bytes, 2);
    let compressed = || {
        parts().filter_map(|part| match &part.values {
            Values::Compressed(compressed) => Some(compressed),
            Values::Single(_) => None,
        })
    };
    for &(block, place) in compressed().flat_map(|compressed| &compressed.blocks.index) {
        bytes.extend(block.to_le_bytes());
        bytes.extend(place.to_le_bytes());
    }
    for size in compressed().flat_map(|compressed| &compressed.blocks.sizes) {
        bytes.extend(size.to_le_bytes());
    }
    align(&mut bytes, 64);
    for compressed in compressed() {
        bytes.extend(&compressed.blocks.bytes);
        align(&mut bytes, 64);
    }
    let sum = checksum::of(&bytes);
    bytes.extend(sum);
    bytes
}

fn align(bytes: &mut Vec<u8>, size: usize) {
    bytes.resize(bytes.len().next_multiple_of(size), 0);
}

/// The orders and the men of one file of the leading pawn. The values of two sides to move share bytes.
fn put_orders(bytes: &mut Vec<u8>, kind: Kind, parts: &[Part<'_>]) {
    let low = parts.first().map(|part| part.order);
    let high = if kind == Kind::Dtz { None } else { parts.get(1).map(|part| part.order).or(low) };
    let Some(low) = low else { return };
    let joined = |of: &dyn Fn(&Permutation) -> u8| of(low) | high.map_or(0, of) << 4;
    bytes.push(joined(&|order| order.places.leading));
    if low.places.pawns.is_some() {
        bytes.push(joined(&|order| order.places.pawns.unwrap_or_default()));
    }
    for man in 0..low.sequence.len() {
        bytes.push(joined(&|order| number_of(order.sequence[man])));
    }
}

/// What a prober must know of a table: its code and its symbols.
fn put_header(bytes: &mut Vec<u8>, part: &Part<'_>) {
    let mapped = if part.maps.is_some() { flag::MAPPED } else { 0 };
    let compressed = match &part.values {
        Values::Single(value) => {
            bytes.push(part.flags | flag::SINGLE);
            bytes.extend(*value);
            return;
        }
        Values::Compressed(compressed) => compressed,
    };
    let Compressed { symbols, code, blocks } = &**compressed;
    bytes.push(part.flags | mapped);
    bytes.push(blocks.block_bits);
    bytes.push(blocks.stride_bits);
    bytes.push((blocks.sizes.len() - blocks.real) as u8);
    bytes.extend((blocks.real as u32).to_le_bytes());
    bytes.extend([code.longest, code.shortest]);
    for &offset in &code.offsets[usize::from(code.shortest)..] {
        bytes.extend(offset.to_le_bytes());
    }
    bytes.extend((symbols.len() as u16).to_le_bytes());
    for &symbol in &code.order {
        let symbol = symbols[usize::from(symbol)];
        let place = |part: u16| code.places[usize::from(part)];
        let (left, right) = if symbol.right == NO_PART {
            (symbol.left, 0xfff)
        } else {
            (place(symbol.left), place(symbol.right))
        };
        bytes.extend([left as u8, (left >> 8) as u8 | (right << 4) as u8, (right >> 4) as u8]);
    }
}
