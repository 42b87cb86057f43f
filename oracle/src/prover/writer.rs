//! Puts down what a search has proven, as the text of a certificate.

use shakmaty::{Chess, Position};

use super::certificate::{Certificate, ProvenEntry, ProvenPositions, push_place, sorted_moves};
use super::search::{LimitReached, Search};
use crate::board;

/// What a position that stands proven takes, with room for what the map leaves empty, in bytes.
const ENTRY: usize = 512;

/// The certificate of a mate in so many moves (or, if not above 0, of being mated) that the search has proven.
///
/// # Errors
/// If the limits of the search are reached before it is written.
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
    /// How many positions may stand proven.
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
