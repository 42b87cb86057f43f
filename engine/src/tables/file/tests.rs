//! Tests of the format: round trips, faults by their names, and probes by block.

use std::sync::{Arc, LazyLock};

use super::encode::BLOCK_CELLS;
use super::{BlockCache, FileError, Source, TableFile, decode, encode};
use crate::tables::value::{Cell, Value};
use crate::tables::{Layout, Metric, ProbeError, Table, TableSet, builders};
use crate::{Color, Ply, Setup};
use sha2::{Digest, Sha256};

const HEADER: usize = 92;
const DIGEST: usize = 32;

static SET: LazyLock<TableSet> = LazyLock::new(|| {
    let names = ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];
    builders::production(&names.map(|name| name.parse().unwrap())).unwrap()
});

static DTM: LazyLock<Vec<u8>> = LazyLock::new(|| bytes_of("KRvK", Metric::Dtm));

fn bytes_of(name: &str, metric: Metric) -> Vec<u8> {
    encode(SET.get(name.parse().unwrap(), metric).unwrap())
}

fn cache() -> Arc<BlockCache> {
    Arc::new(BlockCache::new(1))
}

fn open(bytes: &[u8]) -> Result<TableFile, FileError> {
    TableFile::open("KRvK.dtm", bytes.to_vec(), &cache())
}

/// Bytes before the first block.
fn head_of(bytes: &[u8]) -> usize {
    let length = |at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let blocks = 2 * Layout::new("KRvK".parse().unwrap()).slots().div_ceil(BLOCK_CELLS);
    HEADER + 2 * (length(88) + length(90)) + 8 * blocks + 4
}

/// Recomputes the checksums of a changed header, as a faulty program would.
fn signed(bytes: &[u8], change: impl Fn(&mut [u8])) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let (head, end) = (head_of(&bytes), bytes.len() - DIGEST);
    change(&mut bytes[..head]);
    let crc = crc32fast::hash(&bytes[..head - 4]).to_le_bytes();
    bytes[head - 4..head].copy_from_slice(&crc);
    let digest = Sha256::digest(&bytes[..end]);
    bytes[end..].copy_from_slice(&digest);
    bytes
}

fn check(bytes: &[u8], expected: &str) {
    assert_eq!(decode(bytes).unwrap_err().to_string(), expected);
}

#[test]
fn tables_round_trip() {
    for table in SET.iter() {
        // `assert_eq` would print every cell.
        assert!(decode(&encode(table)).as_ref() == Ok(table), "{} {}", table.material(), table.metric());
    }
}

/// Builders with faults may leave legal positions out, or fill unused slots.
#[test]
fn tables_with_other_unused_slots_round_trip() {
    let table = SET.get("KRvK".parse().unwrap(), Metric::Dtm).unwrap();
    for (from, to) in
        [(Cell::from_value(Value::Win(Ply(1))), Cell::UNUSED), (Cell::UNUSED, Cell::from_value(Value::Draw))]
    {
        let change = |cell: &Cell| if *cell == from { to } else { *cell };
        let cells = table.cells().clone().map(|half| half.iter().map(change).collect());
        let changed = Table::new(table.layout().clone(), Metric::Dtm, cells);
        assert!(decode(&encode(&changed)).as_ref() == Ok(&changed));
        assert!(changed != *table);
    }
}

/// More than 256 values take two bytes a cell.
#[test]
fn many_values_round_trip() {
    let layout = Layout::new("KRvK".parse().unwrap());
    let cell = |slot: usize| Cell::from_value(Value::Win(Ply(1 + 2 * (slot % 700) as u16)));
    let cells = Color::ALL.map(|_| (0..layout.slots()).map(cell).collect());
    let table = Table::new(layout, Metric::Dtm, cells);
    assert!(decode(&encode(&table)).as_ref() == Ok(&table));
}

#[test]
fn bytes_do_not_depend_on_the_number_of_threads() {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bytes_of("KPvK", Metric::Dtm))
    };
    assert!(on(1) == on(3));
}

/// The example of the module's documentation.
#[test]
fn the_documented_example_is_stored_so() {
    let bytes = &*DTM;
    assert_eq!(bytes[24..32], 29_568_u64.to_le_bytes());
    assert_eq!(bytes[80..88], [0, 0x40, 0, 0, 0, 0, 0, 0]);
    assert_eq!((24_335 / BLOCK_CELLS, 24_335 % BLOCK_CELLS), (1, 7951));
    let cells = decode(bytes).unwrap();
    assert_eq!(cells.cells().each_ref().map(|half| half[24_335].0), [4, 23]);
}

#[test]
fn each_fault_is_reported_by_its_name() {
    let good = &*DTM;
    let len = good.len();
    check(b"", "foreign: not a table of this program (it starts with nothing)");
    check(b"fen,wdl,dtm\n", "foreign: not a table of this program (it starts with 66 65 6e 2c 77 64 6c 2c)");
    for short in [5, 60] {
        let expected = format!("truncated: {short} bytes, expected 128; copy or build it again");
        check(&good[..short], &expected);
    }
    let lacks_one = format!("truncated: {} bytes, expected {len}; copy or build it again", len - 1);
    check(&good[..len - 1], &lacks_one);
    check(&[&good[..], &[0]].concat(), "damaged: 1 bytes follow its end; copy or build it again");
    let mut other = good.clone();
    other[8] = 4;
    check(&other, "future: format version 4, this program reads version 3; use a newer program");
    other[8] = 2;
    check(
        &other,
        "old: format version 2, this program reads version 3; build it anew: touchstone tables build KRvK",
    );
}

/// Each byte of a small file, decoded whole.
#[test]
fn every_flipped_byte_is_rejected() {
    let good = bytes_of("KNvK", Metric::Dtm);
    for place in 0..good.len() {
        let mut bad = good.clone();
        bad[place] ^= 1 << (place % 8);
        assert!(decode(&bad).is_err(), "byte {place}");
        assert!(decode(&good[..place]).is_err(), "cut at byte {place}");
    }
}

/// A probe of a damaged file gives the right answer or none.
#[test]
fn flipped_bytes_give_no_wrong_answer() {
    let good = &*DTM;
    let table = decode(good).unwrap();
    let boards: Vec<_> = table.positions().step_by(4001).map(|(board, side, _)| (board, side)).collect();
    let (mut refused, mut unread) = (0, 0);
    for place in (head_of(good)..good.len() - DIGEST).step_by(37) {
        let mut bad = good.clone();
        bad[place] ^= 0x10;
        let mut set = TableSet::new();
        set.add_file(open(&bad).unwrap());
        for (board, side) in &boards {
            match set.dtm(board, *side) {
                Ok(dtm) => assert_eq!(Ok(dtm), SET.dtm(board, *side), "byte {place}"),
                Err(error) => assert_eq!(error, ProbeError::Damaged(table.material()), "byte {place}"),
            }
        }
        let faults: Vec<String> = set.new_faults().collect();
        assert!(
            faults.len() <= 1 && faults.iter().all(|fault| fault.starts_with("KRvK.dtm: damaged: block "))
        );
        assert_eq!(set.new_faults().count(), 0);
        *if faults.is_empty() { &mut unread } else { &mut refused } += 1;
    }
    assert!(refused > 100 && unread == 0, "{refused} {unread}");
}

#[test]
fn a_damaged_block_is_named() {
    let head = head_of(&DTM);
    let mut bad = DTM.clone();
    bad[head] ^= 1;
    check(&bad, &format!("damaged: block 0 at offset {head}: its checksum is wrong; copy or build it again"));
}

/// A header that claims the largest layout, in a small file.
#[test]
fn a_file_that_claims_too_much_is_rejected_before_memory_is_taken() {
    let claim = |bytes: &mut [u8]| {
        bytes[12..19].copy_from_slice(b"KQRBvKP");
        bytes[19] = 0;
    };
    // The material is one man too many here, and is rejected by its name.
    assert!(matches!(decode(&signed(&DTM, claim)), Err(FileError::Damaged(_))));
    let claim = |bytes: &mut [u8]| bytes[12..18].copy_from_slice(b"KQRvKP");
    assert!(matches!(decode(&signed(&DTM, claim)), Err(FileError::Truncated { .. })));
    let long_blocks = |bytes: &mut [u8]| {
        let entry = bytes.len() - 4 - 8;
        bytes[entry..entry + 4].fill(0xff);
    };
    assert!(matches!(decode(&signed(&DTM, long_blocks)), Err(FileError::Block { block: 3, .. })));
}

#[test]
fn impossible_contents_with_right_checksums_are_rejected() {
    type Change = fn(&mut [u8]);
    let nonsense: [(&str, Change); 8] = [
        ("it names no metric", |bytes| bytes[10] = 7),
        ("its number of slots is not that of its material", |bytes| bytes[24] ^= 1),
        ("its counts are not those of its cells", |bytes| bytes[32] ^= 1),
        ("its blocks have an impossible number of cells", |bytes| bytes[80..84].fill(0)),
        ("it does not say whether unused slots are stored", |bytes| bytes[84] = 2),
        ("its values are not ascending", |bytes| bytes.copy_within(HEADER..HEADER + 2, HEADER + 2)),
        ("its counts are not those of its cells", |bytes| bytes[84] = 1),
        ("its material: expected a table such as KPvK or KBNvK, got \"KXvK\"", |bytes| bytes[13] = b'X'),
    ];
    for (expected, change) in nonsense {
        check(&signed(&DTM, change), &format!("damaged: {expected}; copy or build it again"));
    }
}

/// Puts each cell in the place of the last value with White to move.
fn check_values(metric: Metric, cells: &[(u16, &str)]) {
    let good = bytes_of("KRvK", metric);
    let last = HEADER + 2 * usize::from(u16::from_le_bytes([good[88], good[89]])) - 2;
    for (cell, expected) in cells {
        let change = |bytes: &mut [u8]| bytes[last..last + 2].copy_from_slice(&cell.to_le_bytes());
        check(&signed(&good, change), &format!("damaged: {expected}; copy or build it again"));
    }
}

#[test]
fn impossible_values_with_right_checksums_are_rejected() {
    let win = |plies| Cell::from_value(Value::Win(Ply(plies))).0;
    let loss = |plies| Cell::from_value(Value::Loss(Ply(plies))).0;
    let range = "a distance is out of range";
    let dtm = [
        (win(200), "a win in an even number of plies"),
        (loss(201), "a loss in an odd number of plies"),
        (win(Cell::LONGEST + 1), range),
        (loss(Cell::LONGEST + 2), range),
    ];
    check_values(Metric::Dtm, &dtm);
    check_values(Metric::Dtz, &[(Cell::UNDECIDED.0, range)]);
}

/// A set that reads these tables by block.
fn by_block(tables: &TableSet, cache: &Arc<BlockCache>) -> TableSet {
    let mut set = TableSet::new();
    for table in tables.iter() {
        set.add_file(TableFile::open(table.material().to_string(), encode(table), cache).unwrap());
    }
    set
}

fn check_probes(tables: &TableSet, step: usize) {
    let cache = cache();
    let set = by_block(tables, &cache);
    for table in tables.iter().filter(|table| table.metric() == Metric::Dtm) {
        let mut probed = 0;
        for (board, side, _) in table.positions().step_by(step) {
            let fen = || Setup::new(board, side).to_fen();
            assert_eq!(set.probe(&board, side), tables.probe(&board, side), "{}", fen());
            // For an illegal position with the other side to move, both return the same error.
            assert_eq!(set.probe(&board, !side), tables.probe(&board, !side), "{}", fen());
            probed += 1;
        }
        assert!(probed > 0 && cache.bytes() <= 1 << 20);
    }
}

#[test]
fn probes_by_block_are_those_of_the_decoded_table() {
    check_probes(&SET, 1);
}

#[test]
fn probes_of_four_men_by_block_are_those_of_the_decoded_table() {
    let tables = builders::production(&["KBNvK".parse().unwrap()]).unwrap();
    check_probes(&tables, 211);
}

/// A file that shrinks, or whose disk fails, while it is open.
#[test]
fn bytes_that_cannot_be_read_are_a_named_fault() {
    struct Failing(Vec<u8>, u64);
    impl Source for Failing {
        fn size(&self) -> u64 {
            self.0.size()
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
            if offset >= self.1 {
                return Err(std::io::Error::other("the disk is gone"));
            }
            self.0.read_at(offset, buffer)
        }
    }
    let head = head_of(&DTM) as u64;
    let file = TableFile::open("KRvK.dtm", Failing(DTM.clone(), head), &cache()).unwrap();
    let mut set = TableSet::new();
    set.add_file(file);
    let (board, side, _) = SET.get("KRvK".parse().unwrap(), Metric::Dtm).unwrap().positions().next().unwrap();
    assert_eq!(set.dtm(&board, side), Err(ProbeError::Damaged("KRvK".parse().unwrap())));
    let fault = set.new_faults().next().unwrap();
    assert!(fault.starts_with("KRvK.dtm: unreadable: ") && fault.ends_with("the disk is gone"), "{fault}");
}
