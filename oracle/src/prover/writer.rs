//! Writes the certificate of a mate that a search has found.

use shakmaty::{Chess, Position};

use super::certificate::{Certificate, ProvenEntry, ProvenPositions, push_place, sorted_moves};
use super::search::{LimitReached, Search};
use crate::board;

/// Memory for a proven position in the map, including unused capacity, in bytes.
const ENTRY: usize = 512;

/// The certificate of a mate in `claim` moves that the search has found; of being mated if `claim` is not
/// positive.
///
/// # Errors
/// If the limits of the search are reached first.
pub(super) fn write(search: &mut Search, root: &Chess, claim: i32) -> Result<Certificate, LimitReached> {
    let moves = claim.unsigned_abs() as u16;
    let text = if claim == 0 { "-0:".to_owned() } else { format!("{claim}:") };
    let mut writer =
        CertificateWriter { most: search.room() / ENTRY, search, text, standing: ProvenPositions::default() };
    if claim > 0 {
        writer.mates(root, moves)?;
    } else {
        writer.is_mated(root, moves)?;
    }
    Ok(Certificate(writer.text))
}

struct CertificateWriter<'a> {
    search: &'a mut Search,
    text: String,
    standing: ProvenPositions,
    /// The greatest number of proven positions.
    most: usize,
}

impl CertificateWriter<'_> {
    fn mates(&mut self, position: &Chess, to_go: u16) -> Result<u16, LimitReached> {
        if let Some(entry) = self.standing.serving(position, to_go) {
            return Ok(entry.moves);
        }
        if self.standing.len() >= self.most {
            return Err(LimitReached);
        }
        let (mv, least) = self.search.mating_move(position, to_go)?;
        let place = sorted_moves(position).iter().position(|&legal| legal == mv).ok_or(LimitReached)?;
        push_place(&mut self.text, place);
        let moves = self.is_mated(&board::after(position, mv), least - 1)? + 1;
        self.standing.enter(position, ProvenEntry { moves, clock: position.halfmoves(), mv });
        Ok(moves)
    }

    fn is_mated(&mut self, position: &Chess, to_go: u16) -> Result<u16, LimitReached> {
        let mut longest = 0;
        for reply in sorted_moves(position) {
            longest = longest.max(self.mates(&board::after(position, reply), to_go)?);
        }
        Ok(longest)
    }
}
