//! Lines that claim a mate (`dm N`, `bm #N`), or nothing.

use super::suite::{FileSuite, shown};
use crate::epd::Epd;
use crate::mates::mate_length;

/// The mates of a user's file.
pub type FileMateSuite = FileSuite<FileMateCase>;

/// A position, with the mate that its line claims.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileMateCase {
    /// Line in the file, counted from 1.
    pub line: u64,
    /// The position, a FEN of six fields.
    pub fen: String,
    /// The claimed mate in moves, negative where the side to move is mated; `None` if the line claims none.
    pub mate: Option<i32>,
}

/// Whether a line claims a mate, well-formed or not.
pub(super) fn reads(epd: &Epd) -> bool {
    let best = epd.operands("bm").unwrap_or_default();
    epd.operands("dm").is_some() || best.iter().any(|text| text.starts_with('#'))
}

/// The case of a line.
pub(super) fn case(line: u64, epd: &Epd) -> Result<FileMateCase, String> {
    let read = |opcode: &'static str, text: &str| {
        let got = shown(text);
        mate_length(text).ok_or_else(|| format!("expected {opcode} and a number of moves, got \"{got}\""))
    };
    let direct = epd.operands("dm").map(|operands| read("dm", &operands.join(" "))).transpose()?;
    let best = epd.operands("bm").and_then(|moves| moves.iter().find_map(|text| text.strip_prefix('#')));
    let best = best.map(|text| read("bm #", text)).transpose()?;
    match (direct, best) {
        (Some(direct), Some(best)) if direct != best => {
            Err(format!("the line contradicts itself: dm {direct} and bm #{best}"))
        }
        (direct, best) => Ok(FileMateCase { line, fen: epd.fen.clone(), mate: direct.or(best) }),
    }
}
