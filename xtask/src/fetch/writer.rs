//! Our own writer of Syzygy files, as a source of the tables of three men.
//!
//! Such a file is used only if its SHA-256 sum is the published one, as a file from anywhere else: a table that is wrong in one
//! position gives other bytes.

use std::fmt;

use anyhow::Context;
use engine::tables::syzygy::{self, Kind};
use engine::tables::{Material, builders};

/// The writer.
#[derive(Debug)]
pub(super) struct Writer {
    /// The most men of tables that it writes.
    most_men: usize,
}

impl fmt::Display for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("tables built and written by this program")
    }
}

impl Writer {
    /// Writes the tables of three men: building and writing them takes less than a second.
    pub(super) const QUICK: Self = Self { most_men: 3 };

    /// The files asked for, as far as they are written: names with bytes. None of them needs a file or a network.
    pub(super) fn files(&self, names: &[String]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        let asked = names.iter().filter_map(|name| asked(name));
        let asked: Vec<(&String, Material, Kind)> =
            asked.filter(|(_, material, _)| material.men() <= self.most_men).collect();
        let mut materials: Vec<Material> = asked.iter().map(|&(_, material, _)| material).collect();
        materials.dedup();
        let tables = builders::production(&materials).context("the tables cannot be built")?;
        let mut files = Vec::new();
        for material in materials {
            let written = syzygy::write(material, &tables).context("the files cannot be written")?;
            let own = asked.iter().filter(|&&(_, of, _)| of == material);
            files.extend(own.map(|&(name, _, kind)| (name.clone(), written.of(kind).to_vec())));
        }
        Ok(files)
    }
}

/// The material and kind of a file by its name.
fn asked(name: &String) -> Option<(&String, Material, Kind)> {
    let (table, extension) = name.split_once('.')?;
    let kind = Kind::ALL.into_iter().find(|kind| kind.extension() == extension)?;
    Some((name, table.parse().ok()?, kind))
}

#[cfg(test)]
mod tests {
    use oracle::syzygy_files::FileStatus;

    use super::*;

    #[test]
    fn all_files_of_three_men_are_published_ones() {
        let pins = suites::syzygy::embedded().unwrap();
        let names: Vec<String> = pins.iter().map(|pin| pin.file.clone()).collect();
        let files = Writer::QUICK.files(&names).unwrap();
        assert_eq!(files.len(), 10);
        for (name, mut bytes) in files {
            let status = |bytes: &[u8]| FileStatus::of(&pins, &name, bytes);
            assert!(matches!(status(&bytes), FileStatus::Pinned { .. }), "{name}: {}", status(&bytes));
            bytes[40] ^= 1;
            assert!(!status(&bytes).is_usable(), "{name}");
        }
    }

    #[test]
    fn other_files_are_left_to_other_sources() {
        let names = ["KBBvK.rtbw", "KQvK.txt", "KQvK", "KvKQ.rtbw"].map(str::to_owned);
        assert!(Writer::QUICK.files(&names).unwrap().is_empty());
    }
}
