//! Damaged table files. The input says which bytes of a sound file change, since random bytes are no file.

use std::io::Cursor;
use std::sync::{Arc, LazyLock};

use engine::tables::builders::{Builder, Setwise};
use engine::tables::file::{BlockCache, SeekSource, TableFile, decode, encode};
use engine::tables::syzygy::{Kind, SyzygyFile, SyzygySet, checksum, write};
use engine::tables::{Material, Metric, TableSet};
use engine::{Board, Color, Ply, Position};

/// The materials whose files are damaged. A probe of a pawn's table may lead to each of the others.
const MATERIALS: [&str; 5] = ["KPvK", "KQvK", "KRvK", "KBvK", "KNvK"];
/// One position in this many is probed.
const EACH: usize = 997;

/// All tables of three men.
static TABLES: LazyLock<TableSet> = LazyLock::new(|| {
    let mut tables = TableSet::new();
    for material in Material::up_to(3) {
        let mut built = Vec::new();
        let build = Setwise.build(material, &Metric::ALL, &tables, &mut |table| built.push(table));
        build.expect("three men are built");
        for table in built {
            tables.add(table);
        }
    }
    tables
});

/// A material, its files, and some of its positions with their distances to mate.
struct Sound {
    material: Material,
    file: Vec<u8>,
    /// By [`Kind::ALL`].
    syzygy: [Vec<u8>; 2],
    some: Vec<(Board, Color, Option<Ply>)>,
}

impl Sound {
    /// Probes the positions. An error is no wrong value, but a sound file has none.
    fn compare(&self, set: &TableSet, is_sound: bool) {
        for (board, side, plies) in &self.some {
            match set.dtm(board, *side) {
                Ok(dtm) => assert_eq!(dtm.map(|dtm| dtm.0), *plies, "{board:?} {side:?}"),
                Err(error) => assert!(!is_sound, "{board:?} {side:?}: {error}"),
            }
        }
    }
}

static SOUND: LazyLock<Vec<Sound>> = LazyLock::new(|| {
    let sound = |name: &str| {
        let material = name.parse().expect("a material");
        let table = TABLES.get(material, Metric::Dtm).expect("a table of three men");
        let written = write(material, &TABLES).expect("files of three men are written");
        let some = table
            .positions()
            .step_by(EACH)
            .map(|(board, side, value)| (board, side, value.map(|(_, plies)| plies)));
        Sound {
            material,
            file: encode(table),
            syzygy: Kind::ALL.map(|kind| written.of(kind).to_vec()),
            some: some.collect(),
        }
    };
    MATERIALS.map(sound).into()
});

/// Changes a file: each four bytes are a place, from the beginning or the end, and what is done there.
fn damage(bytes: &mut Vec<u8>, edits: &[u8]) {
    for edit in edits.chunks_exact(4).take(64) {
        let number = usize::from(u16::from_le_bytes([edit[0], edit[1]]));
        let last = bytes.len().saturating_sub(1);
        let place = if edit[2] & 1 == 0 { number.min(last) } else { last.saturating_sub(number) };
        match (edit[2] >> 1) % 4 {
            0 if !bytes.is_empty() => bytes[place] = edit[3],
            1 => bytes.truncate(place),
            2 => bytes.extend_from_slice(&[edit[3]; 16]),
            _ if !bytes.is_empty() => bytes[place] ^= 1 << (edit[3] % 8),
            _ => {}
        }
    }
}

/// A damaged file of our format: the first byte chooses the table, and the others are edits. A reader that
/// accepts it has the values of the table.
///
/// # Panics
/// If it has other values.
pub fn table_file(data: &[u8]) {
    let Some((choice, edits)) = data.split_first() else { return };
    let sound = &SOUND[usize::from(*choice) % MATERIALS.len()];
    let mut bytes = sound.file.clone();
    damage(&mut bytes, edits);
    let is_sound = bytes == sound.file;
    let decoded = decode(&bytes);
    assert!(decoded.is_ok() || !is_sound, "a sound file is not read");
    if let Ok(read) = decoded {
        assert_eq!(read.material(), sound.material);
        let mut set = TableSet::new();
        set.add(read);
        sound.compare(&set, true);
    }
    let source = SeekSource::new(Cursor::new(bytes)).expect("memory is read");
    let opened = TableFile::open("damaged", source, &Arc::new(BlockCache::new(1)));
    assert!(opened.is_ok() || !is_sound, "a sound file is not opened");
    let Ok(file) = opened else { return };
    let mut set = TableSet::new();
    set.add_file(file);
    // A block has a checksum of its own: a probe of a sound one is right beside a damaged one.
    sound.compare(&set, is_sound);
}

/// A damaged Syzygy file: the first byte chooses the table and its kind, and the others are edits. Its
/// checksum is set right afterwards, so that the damage is read. Each probe ends.
///
/// # Panics
/// If the reader does.
pub fn syzygy_file(data: &[u8]) {
    let Some((choice, edits)) = data.split_first() else { return };
    let sound = &SOUND[usize::from(choice >> 1) % MATERIALS.len()];
    let damaged = Kind::ALL[usize::from(choice & 1)];
    let mut set = SyzygySet::new();
    for other in &*SOUND {
        for (kind, bytes) in Kind::ALL.into_iter().zip(&other.syzygy) {
            let mut bytes = bytes.clone();
            if (other.material, kind) == (sound.material, damaged) {
                damage(&mut bytes, edits);
                if let Some(end) = bytes.len().checked_sub(16) {
                    let sum = checksum(&bytes[..end]);
                    bytes[end..].copy_from_slice(&sum);
                }
            }
            let has_sum = bytes.len() >= 16;
            let Ok(file) = SyzygyFile::read(other.material, kind, bytes) else { return };
            assert_eq!(file.check().is_ok(), has_sum, "the checksum is right where there is one");
            set.add(file);
        }
    }
    for (board, side, _) in &sound.some {
        let position = Position::from_board(*board, *side).expect("a position of the table");
        let (wdl, dtz) = (set.wdl(&position), set.dtz(&position));
        assert!(!edits.is_empty() || wdl.is_ok() && dtz.is_ok(), "a sound file is not read");
    }
}
