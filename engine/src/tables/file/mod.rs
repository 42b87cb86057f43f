//! The file format of tables. Opens no file: programs do.
//!
//! All numbers are little-endian.
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | magic: `8A` `TABLE` `0D` `0A`, so that a transfer as text is noticed |
//! | 8 | 2 | format version, now 3 |
//! | 10 | 2 | metric: 0 DTM, 1 DTZ |
//! | 12 | 12 | material as ASCII, such as `KPvK`, filled up with zeros |
//! | 24 | 8 | slots of each side to move |
//! | 32 | 24 | cells with White to move that are wins, draws and losses, 8 bytes each |
//! | 56 | 24 | the same with Black to move |
//! | 80 | 4 | cells of a block, from 2⁸ to 2²⁰; the last block of a side may have fewer |
//! | 84 | 4 | 0: unused slots follow from the rules; 1: they are stored, as cells with the value 0 |
//! | 88 | 2 | number of values with White to move |
//! | 90 | 2 | the same with Black to move |
//! | 92 | 2 each | the values with White to move, ascending, then those with Black to move |
//! | then | 8 each | the index: of each block with White to move, then with Black to move, its bytes (4) and the CRC-32 of these bytes (4) |
//! | then | 4 | CRC-32 of all bytes before |
//! | then | | the blocks, in the order of the index, without gaps |
//! | then | 32 | SHA-256 of all bytes before |
//!
//! [`Layout`](crate::tables::Layout) defines the slot of a position. White is the stronger side. Block n of a
//! side has the cells of the slots from n times the cells of a block on.
//!
//! A block is one deflate stream (RFC 1951). Decompressed, it has a byte for each cell: the number of its
//! value among those of its side, from 0. If a side has more than 256 values, the low bytes of these numbers
//! come first, then the high bytes.
//!
//! A value is 0 for an unused slot, 1 for a draw, 2 + 2n for a win in n plies and 3 + 2n for a loss in n
//! plies, from the view of the side to move; n is at most 32000. Checkmate is a loss in 0. In DTM tables wins
//! are odd and losses even; in DTZ tables a win is at least 1. Files that break these rules are rejected.
//!
//! A slot is unused if its placement is not legal, or if its placement belongs to another slot. Unless the
//! header says that unused slots are stored, their cells have any value: the writer repeats the one before,
//! which compresses well.
//!
//! An example: in `8/8/8/5K1k/8/8/8/6R1 w - - 0 1` White mates by Rh1. The material is `KRvK`, with 462 × 64
//! = 29568 slots, and the slot is 24335. With 16384 cells a block, that is cell 7951 of block 1, and with
//! Black to move of block
//! 3. Their values are `04` `00`: 2 + 2 × 1, a win in 1 ply, and `17` `00`: 3 + 2 × 10, a loss in 10 plies.

mod block;
mod cache;
mod encode;
mod error;
mod header;
mod source;
mod table_file;
#[cfg(test)]
mod tests;

pub use cache::BlockCache;
pub use encode::encode;
pub use error::FileError;
pub use header::MAX_BYTES;
pub use source::{SeekSource, Source};
pub use table_file::{TableFile, decode};
