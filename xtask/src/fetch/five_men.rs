//! Files of five men: each ends with its checksum, and that of the official file is published.
//!
//! A file that our own builder wrote from a wrong table has another checksum, and is refused.

use anyhow::Context;
use engine::tables::syzygy::checksum;
use oracle::syzygy_files::FileStatus;
use suites::syzygy::{Checksum, men_of};

/// The published checksums.
#[derive(Debug)]
pub(super) struct FiveMen(Vec<Checksum>);

impl FiveMen {
    pub(super) fn published() -> anyhow::Result<Self> {
        suites::syzygy::five_men().map(Self).context("the checksums in this program")
    }

    /// One checksum.
    #[cfg(test)]
    pub(super) fn of(file: &str, sum: [u8; 16]) -> Self {
        Self(vec![Checksum { file: file.to_owned(), sum }])
    }

    /// The status of a file of five men: pinned, or corrupt if its contents or its end have another checksum than the published one. `None`
    /// if it has not five men.
    pub(super) fn status(&self, name: &str, bytes: &[u8]) -> Option<FileStatus> {
        if men_of(name) != Some(5) {
            return None;
        }
        let Some(known) = self.0.iter().find(|known| known.file == name) else {
            let reason = format!("no table of five men has the name {name}");
            return Some(FileStatus::Unreadable { reason });
        };
        let Some((contents, end)) = bytes.split_last_chunk::<16>() else {
            return Some(FileStatus::Unreadable { reason: "it is too short for a table file".to_owned() });
        };
        let found = [checksum(contents), *end].into_iter().find(|found| *found != known.sum);
        Some(match found {
            None => FileStatus::Pinned { version: "generator".to_owned() },
            Some(found) => FileStatus::Corrupt {
                expected: format!("the checksum {}", hex(known.sum)),
                found: hex(found),
            },
        })
    }
}

fn hex(sum: [u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(sum))
}
