//! Our own writer of Syzygy files, as a source.
//!
//! Such a file is used only if its SHA-256 sum is the published one, as a file from anywhere else: a table
//! with one wrong value gives other bytes, where files store that value.

use std::cell::Cell;

use anyhow::bail;
use engine::tables::Material;
use engine::tables::builders::MAX_QUICK_MEN;
use engine::tables::syzygy::Kind;

use crate::syzygy_writer;

/// The source, in messages.
pub(super) const NAME: &str = "tables built and written by this program";

/// Writes the files asked for, of up to four men: all of them take about half a minute. Each goes to `emit`
/// as soon as it is made.
///
/// # Errors
/// A table that cannot be built or written; the files before it are there.
pub(super) fn write(
    names: &[String],
    progress: &dyn Fn(&str),
    emit: &mut dyn FnMut(&str, Vec<u8>),
) -> anyhow::Result<()> {
    let asked = names.iter().filter_map(|name| asked(name));
    let asked: Vec<(&str, Material, Kind)> =
        asked.filter(|(_, material, _)| material.men() <= MAX_QUICK_MEN).collect();
    let mut materials: Vec<Material> = asked.iter().map(|&(_, material, _)| material).collect();
    materials.dedup();
    let begun = Cell::new(0);
    let begin = |material: Material| {
        if materials.contains(&material) {
            begun.update(|begun| begun + 1);
            progress(&format!("writing {material}: {} of {}", begun.get(), materials.len()));
        }
    };
    let five_men = |material| bail!("{material} has five men, and is not built");
    syzygy_writer::write(&materials, &five_men, &begin, &mut |material, written| {
        for &(name, _, kind) in asked.iter().filter(|(_, of, _)| *of == material) {
            emit(name, written.of(kind).to_vec());
        }
        Ok(())
    })
}

/// The material and kind of a file by its name.
fn asked(name: &str) -> Option<(&str, Material, Kind)> {
    let (table, extension) = name.split_once('.')?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.extension() == extension)?;
    Some((name, table.parse().ok()?, kind))
}

#[cfg(test)]
mod tests {
    use oracle::syzygy_files::FileStatus;

    use super::*;

    fn files(names: &[String]) -> Vec<(String, Vec<u8>)> {
        let mut files = Vec::new();
        write(names, &|_| {}, &mut |name, bytes| files.push((name.to_owned(), bytes))).unwrap();
        files
    }

    #[test]
    fn all_files_of_three_men_are_published_ones() {
        let pins = suites::syzygy::embedded().unwrap();
        let of_three = pins.iter().filter(|pin| pin.men == 3);
        let names: Vec<String> = of_three.map(|pin| pin.file.clone()).collect();
        let files = files(&names);
        assert_eq!(files.len(), 10);
        for (name, mut bytes) in files {
            let status = |bytes: &[u8]| FileStatus::new(&pins, &name, bytes);
            assert!(matches!(status(&bytes), FileStatus::Pinned { .. }), "{name}: {}", status(&bytes));
            bytes[40] ^= 1;
            assert!(!status(&bytes).is_usable(), "{name}");
        }
    }

    #[test]
    fn files_of_five_men_and_files_with_other_names_are_not_written() {
        let names = ["KQvK.txt", "KQvK", "KvKQ.rtbw", "KBBvKN.rtbw", "KNvKB.rtbw"].map(str::to_owned);
        assert!(files(&names).is_empty());
    }
}
