//! The published sums of Syzygy files: the SHA-256 sums of files of three and four men, and the checksums at
//! the end of files of five men.
//!
//! A file that our own writer made of wrong values has another sum, and is refused.

use anyhow::Context;
use engine::tables::syzygy::checksum;
use oracle::syzygy_files::FileStatus;
use suites::syzygy::{Checksum, Pin, men_of};

/// The published sums.
#[derive(Debug)]
pub(super) struct Published {
    /// Those of three and four men.
    pub(super) pins: Vec<Pin>,
    pub(super) five_men: Vec<Checksum>,
}

impl Published {
    /// Those that this program holds.
    pub(super) fn embedded() -> anyhow::Result<Self> {
        let (pins, five_men) = (suites::syzygy::embedded(), suites::syzygy::five_men());
        let of_program = "the checksums in this program";
        Ok(Self { pins: pins.context(of_program)?, five_men: five_men.context(of_program)? })
    }

    /// The status of a file. One of five men is corrupt if its contents or its end have another checksum than
    /// the published one.
    pub(super) fn status(&self, name: &str, bytes: &[u8]) -> FileStatus {
        if men_of(name) != Some(5) {
            return FileStatus::new(&self.pins, name, bytes);
        }
        let Some(known) = self.five_men.iter().find(|known| known.file == name) else {
            return FileStatus::Unreadable { reason: format!("no table of five men has the name {name}") };
        };
        let Some((contents, end)) = bytes.split_last_chunk::<16>() else {
            return FileStatus::Unreadable { reason: "it is too short for a table file".to_owned() };
        };
        match [checksum(contents), *end].into_iter().find(|found| *found != known.sum) {
            None => FileStatus::Pinned { version: "generator".to_owned() },
            Some(found) => FileStatus::Corrupt {
                expected: format!("the checksum {}", hex(known.sum)),
                found: hex(found),
            },
        }
    }
}

fn hex(sum: [u8; 16]) -> String {
    format!("{:032x}", u128::from_be_bytes(sum))
}
