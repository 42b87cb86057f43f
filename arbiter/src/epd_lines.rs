//! The lines of EPD files: their positions, and those that are malformed.

use oracle::board::{self, Accept};
use oracle::parallel;
use shakmaty::{CastlingMode, Chess, Position};
use suites::epd_files::Malformed;

/// The position of a FEN; the error is why there is none.
pub(crate) fn position(fen: &str) -> Result<Chess, String> {
    let position =
        board::position_of_any_mode(fen, Accept::Unreachable).map_err(|error| error.to_string())?;
    if position.castles().mode() == CastlingMode::Standard {
        Ok(position)
    } else {
        Err("the castling rights are of Chess960".to_owned())
    }
}

/// Reads the lines of a file. Those that cannot be read are added to the malformed ones.
pub(crate) fn read_lines<L: Sync, C: Send>(
    lines: &[L],
    malformed: &mut Malformed,
    read: impl Fn(&L) -> Result<C, (u64, String)> + Sync,
) -> Vec<C> {
    let mut cases = Vec::with_capacity(lines.len());
    for line in parallel::map_each(lines, read) {
        match line {
            Ok(case) => cases.push(case),
            Err(fault) => malformed.push(fault),
        }
    }
    malformed.sort_unstable();
    cases
}
