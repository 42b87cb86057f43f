//! The file format of tables. Opens no file: programs do.
//!
//! All numbers are little-endian.
//!
//! | offset | bytes | what |
//! |---|---|---|
//! | 0 | 8 | magic: `8A` `TABLE` `0D` `0A`, so that a transfer as text is noticed |
//! | 8 | 2 | format version, now 1 |
//! | 10 | 2 | metric: 0 DTM, 1 DTZ |
//! | 12 | 12 | material as ASCII, such as `KPvK`, filled up with zeros |
//! | 24 | 8 | slots of each side to move |
//! | 32 | 24 | cells with White to move that are wins, draws and losses, 8 bytes each |
//! | 56 | 24 | the same with Black to move |
//! | 80 | 2 × slots | cells with White to move, by slot |
//! | then | 2 × slots | cells with Black to move, by slot |
//! | then | 32 | SHA-256 of all bytes before |
//!
//! [`Layout`] defines the slot of a position. White is the stronger side.
//!
//! A cell is 0 for an unused slot, 1 for a draw, 2 + 2n for a win in n plies and 3 + 2n for a loss in n plies, from
//! the view of the side to move; n is at most 32000. Checkmate is a loss in 0. In DTM tables wins are odd and losses
//! even; in DTZ tables a win is at least 1. Files that break these rules are rejected.
//!
//! An example: in `8/8/8/5K1k/8/8/8/6R1 w - - 0 1` White mates by Rh1. The material is `KRvK`, with 462 × 64 = 29568
//! slots, and the slot is 24335. White is to move, so the cell is at offset 80 + 2 × 24335 = 48750, where a DTM table
//! has `04` `00`: 2 + 2 × 1, a win in 1 ply. With Black to move it is at 80 + 2 × (29568 + 24335) = 107886, where
//! `17` `00` is 3 + 2 × 10, a loss in 10 plies.

use sha2::{Digest, Sha256};

use crate::Color;
use crate::Ply;
use crate::tables::value::{Cell, Value};
use crate::tables::{Layout, MAX_MEN, Material, Metric, Table};

const MAGIC: [u8; 8] = *b"\x8aTABLE\r\n";
const VERSION: u16 = 1;
const HEADER: usize = 80;
const DIGEST: usize = 32;
const NAME: usize = 12;

/// The largest size of a table file, in bytes. Longer files need not be read.
///
/// The largest layout is that of five different men with one pawn: 1806 king pairs, times 48, 64 and 64 squares.
pub const MAX_BYTES: u64 = (HEADER + DIGEST + 4 * 1806 * 48 * 64 * 64) as u64;
const _: () = assert!(MAX_MEN == 5, "the largest layout follows from the number of men");

/// Why bytes are not a valid table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The file does not start with the magic of this format.
    #[error("foreign: not a table of this program (it starts with {found})")]
    Foreign {
        /// The first bytes, in hexadecimal.
        found: String,
    },
    /// The file was written by a newer version.
    #[error("future: format version {found}, this program reads version {VERSION}; use a newer program")]
    Future {
        /// The version in the file.
        found: u16,
    },
    /// The file is too short.
    #[error("truncated: {found} bytes, expected {expected}; copy or build it again")]
    Truncated {
        /// The size of the file, in bytes.
        found: u64,
        /// The expected size, in bytes.
        expected: u64,
    },
    /// The checksum or the contents are wrong.
    #[error("damaged: {0}; copy or build it again")]
    Damaged(String),
}

/// Encodes a table.
pub fn encode(table: &Table) -> Vec<u8> {
    let slots = table.layout().slots();
    let mut bytes = Vec::with_capacity(HEADER + 4 * slots + DIGEST);
    bytes.extend(MAGIC);
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(metric_code(table.metric()).to_le_bytes());
    let mut name = [0; NAME];
    let text = table.material().to_string();
    name[..text.len()].copy_from_slice(text.as_bytes());
    bytes.extend(name);
    bytes.extend((slots as u64).to_le_bytes());
    bytes.extend(count_fields(table).into_iter().flat_map(u64::to_le_bytes));
    for half in table.cells() {
        bytes.extend(half.iter().flat_map(|cell| cell.0.to_le_bytes()));
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes
}

/// Decodes a table.
///
/// # Errors
///
/// The bytes are not a table, are of a newer version, are truncated, or have a wrong checksum or impossible contents.
pub fn decode(bytes: &[u8]) -> Result<Table, FileError> {
    let version_ends = MAGIC.len() + 2;
    let start = &bytes[..bytes.len().min(MAGIC.len())];
    if !MAGIC.starts_with(start) || bytes.is_empty() {
        let found = start.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ");
        return Err(FileError::Foreign {
            found: if found.is_empty() { "nothing".to_owned() } else { found },
        });
    }
    let truncated =
        |expected: usize| FileError::Truncated { found: bytes.len() as u64, expected: expected as u64 };
    let version = bytes.get(MAGIC.len()..version_ends).ok_or_else(|| truncated(HEADER + DIGEST))?;
    match u16::from_le_bytes([version[0], version[1]]) {
        VERSION => {}
        0 => return Err(FileError::Damaged("format version 0".to_owned())),
        found => return Err(FileError::Future { found }),
    }
    let header = bytes.get(..HEADER).ok_or_else(|| truncated(HEADER + DIGEST))?;
    let material = material(&header[12..12 + NAME])?;
    let layout = Layout::new(material);
    let expected = HEADER + 4 * layout.slots() + DIGEST;
    if bytes.len() < expected {
        return Err(truncated(expected));
    }
    if bytes.len() > expected {
        return Err(FileError::Damaged(format!("{} bytes follow its end", bytes.len() - expected)));
    }
    let (signed, digest) = bytes.split_at(expected - DIGEST);
    if Sha256::digest(signed).as_slice() != digest {
        return Err(FileError::Damaged("its checksum is wrong".to_owned()));
    }
    contents(layout, signed)
}

/// Decodes bytes whose checksum is right. The contents are still checked: a faulty program may have written them.
fn contents(layout: Layout, signed: &[u8]) -> Result<Table, FileError> {
    let damaged = |what: &str| FileError::Damaged(what.to_owned());
    let metric = Metric::ALL
        .into_iter()
        .find(|&metric| metric_code(metric).to_le_bytes() == signed[10..12])
        .ok_or_else(|| damaged("it names no metric"))?;
    if signed[24..32] != (layout.slots() as u64).to_le_bytes() {
        return Err(damaged("its number of slots is not that of its material"));
    }
    let mut cells = signed[HEADER..].chunks_exact(2).map(|cell| Cell(u16::from_le_bytes([cell[0], cell[1]])));
    let slots = layout.slots();
    let halves = Color::ALL.map(|_| cells.by_ref().take(slots).collect::<Vec<_>>());
    for &cell in halves.iter().flatten() {
        check_cell(cell, metric).map_err(damaged)?;
    }
    let table = Table::new(layout, metric, halves);
    let counts: Vec<u8> = count_fields(&table).into_iter().flat_map(u64::to_le_bytes).collect();
    if signed[32..HEADER] != counts {
        return Err(damaged("its counts are not those of its cells"));
    }
    Ok(table)
}

/// Cell values that a metric does not allow. Readers may derive the result from the distance.
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

fn count_fields(table: &Table) -> [u64; 6] {
    let [white, black] = Color::ALL.map(|side| table.counts(side));
    [white.wins, white.draws, white.losses, black.wins, black.draws, black.losses]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::builders;

    fn bytes() -> Vec<u8> {
        bytes_of(Metric::Dtm)
    }

    fn bytes_of(metric: Metric) -> Vec<u8> {
        let material = "KRvK".parse().unwrap();
        let set = builders::production(&[material]).unwrap();
        encode(set.get(material, metric).unwrap())
    }

    /// Recomputes the checksum of changed bytes, as a faulty program would.
    fn signed(mut bytes: Vec<u8>, change: impl Fn(&mut [u8])) -> Vec<u8> {
        let end = bytes.len() - DIGEST;
        change(&mut bytes[..end]);
        let digest = Sha256::digest(&bytes[..end]);
        bytes[end..].copy_from_slice(&digest);
        bytes
    }

    fn check(bytes: &[u8], expected: &str) {
        assert_eq!(decode(bytes).unwrap_err().to_string(), expected);
    }

    #[test]
    fn tables_round_trip() {
        let set = builders::production(&["KPvK".parse().unwrap()]).unwrap();
        for table in set.iter() {
            // `assert_eq` would print every cell.
            assert!(decode(&encode(table)).as_ref() == Ok(table), "{} {}", table.material(), table.metric());
        }
    }

    /// The example of the module's documentation.
    #[test]
    fn cells_stand_at_the_documented_offsets() {
        let bytes = bytes();
        assert_eq!(bytes[24..32], 29_568_u64.to_le_bytes());
        assert_eq!(bytes[48_750..48_752], [4, 0]);
        assert_eq!(bytes[107_886..107_888], [23, 0]);
    }

    #[test]
    fn each_fault_is_reported_by_its_name() {
        let good = bytes();
        let len = good.len();
        check(b"", "foreign: not a table of this program (it starts with nothing)");
        check(
            b"fen,wdl,dtm\n",
            "foreign: not a table of this program (it starts with 66 65 6e 2c 77 64 6c 2c)",
        );
        check(&good[..5], "truncated: 5 bytes, expected 112; copy or build it again");
        check(&good[..60], "truncated: 60 bytes, expected 112; copy or build it again");
        check(
            &good[..len - 1],
            &format!("truncated: {} bytes, expected {len}; copy or build it again", len - 1),
        );
        check(&[&good[..], &[0]].concat(), "damaged: 1 bytes follow its end; copy or build it again");
        let mut future = good.clone();
        future[8] = 2;
        check(&future, "future: format version 2, this program reads version 1; use a newer program");
    }

    #[test]
    fn every_flipped_bit_is_rejected() {
        let good = bytes();
        let places =
            (0..HEADER).chain((HEADER..good.len()).step_by(1009)).chain(good.len() - DIGEST..good.len());
        for place in places {
            let mut bad = good.clone();
            bad[place] ^= 0x10;
            assert!(decode(&bad).is_err(), "byte {place}");
        }
    }

    #[test]
    fn impossible_contents_with_a_right_checksum_are_rejected() {
        type Change = fn(&mut [u8]);
        let nonsense: [(&str, Change); 5] = [
            ("it names no metric", |bytes| bytes[10] = 7),
            ("its number of slots is not that of its material", |bytes| bytes[24] ^= 1),
            ("its counts are not those of its cells", |bytes| bytes[32] ^= 1),
            ("a distance is out of range", |bytes| bytes[HEADER..HEADER + 2].fill(0xff)),
            ("its material: expected a table such as KPvK or KBNvK, got \"KXvK\"", |bytes| bytes[13] = b'X'),
        ];
        for (expected, change) in nonsense {
            check(&signed(bytes(), change), &format!("damaged: {expected}; copy or build it again"));
        }
    }

    /// Puts each cell into the first slot, which is unused. A possible cell is rejected for the counts alone.
    fn check_cells(metric: Metric, cells: &[(u16, &str)]) {
        let good = bytes_of(metric);
        for (cell, expected) in cells {
            let change = |bytes: &mut [u8]| bytes[HEADER..HEADER + 2].copy_from_slice(&cell.to_le_bytes());
            check(&signed(good.clone(), change), &format!("damaged: {expected}; copy or build it again"));
        }
    }

    #[test]
    fn impossible_cells_with_a_right_checksum_are_rejected() {
        let win = |plies| Cell::of(Value::Win(Ply(plies))).0;
        let loss = |plies| Cell::of(Value::Loss(Ply(plies))).0;
        let (even, odd) = ("a win in an even number of plies", "a loss in an odd number of plies");
        let (range, possible) = ("a distance is out of range", "its counts are not those of its cells");
        let dtm = [
            (win(0), even),
            (win(16), even),
            (win(1), possible),
            (loss(1), odd),
            (loss(31), odd),
            (loss(0), possible),
            (win(Cell::LONGEST + 1), range),
            (loss(Cell::LONGEST + 2), range),
        ];
        check_cells(Metric::Dtm, &dtm);
        let dtz = [
            (win(0), "a win in 0 plies"),
            (win(2), possible),
            (loss(0), possible),
            (loss(1), possible),
            (Cell::UNDECIDED.0, range),
        ];
        check_cells(Metric::Dtz, &dtz);
    }
}
