//! Puts down what a search has proven, as the text of a certificate.

use shakmaty::{Chess, Position};

use super::certificate::{Certificate, Entry, Standing, push_place, sorted_moves};
use super::search::{Search, Spent};

/// What a position that stands proven takes, with room for what the map leaves empty, in bytes.
const ENTRY: usize = 512;

/// The certificate of a mate in so many moves (or, if not above 0, of being mated) that the search has proven.
///
/// # Errors
/// If the limits of the search are reached before it is written.
pub(super) fn write(search: &mut Search, root: &Chess, claim: i32) -> Result<Certificate, Spent> {
    let moves = claim.unsigned_abs() as u16;
    let text = if claim == 0 { "-0:".to_owned() } else { format!("{claim}:") };
    let mut writer = Writer { most: search.room() / ENTRY, search, text, standing: Standing::default() };
    if claim > 0 {
        writer.mates(root, moves)?;
    } else {
        writer.is_mated(root, moves)?;
    }
    Ok(Certificate(writer.text))
}

struct Writer<'a> {
    search: &'a mut Search,
    text: String,
    standing: Standing,
    /// How many positions may stand proven.
    most: usize,
}

impl Writer<'_> {
    fn mates(&mut self, position: &Chess, to_go: u16) -> Result<u16, Spent> {
        if let Some(entry) = self.standing.serving(position, to_go) {
            return Ok(entry.moves);
        }
        if self.standing.len() >= self.most {
            return Err(Spent);
        }
        let (mv, least) = self.search.mating_move(position, to_go)?;
        let place = sorted_moves(position).iter().position(|&legal| legal == mv).ok_or(Spent)?;
        push_place(&mut self.text, place);
        let mut after = position.clone();
        after.play_unchecked(mv);
        let moves = self.is_mated(&after, least - 1)? + 1;
        self.standing.enter(position, Entry { moves, clock: position.halfmoves(), mv });
        Ok(moves)
    }

    fn is_mated(&mut self, position: &Chess, to_go: u16) -> Result<u16, Spent> {
        let mut longest = 0;
        for reply in sorted_moves(position) {
            let mut after = position.clone();
            after.play_unchecked(reply);
            longest = longest.max(self.mates(&after, to_go)?);
        }
        Ok(longest)
    }
}
