//! Best play from a position to mate.

use shakmaty::{Chess, Move, Position};

use super::values::Valued;
use crate::board;
use crate::checks::resolved;
use crate::table_probe::{Dtm, TableProbe};

/// The moves from a won or lost position to mate: the side that wins mates as soon as it can, the other
/// delays mate as long as it can. Of equal moves it takes the one with the first text in UCI notation. The
/// line ends where a table contradicts itself.
pub(super) fn best_line(subject: &dyn TableProbe, root: &Chess) -> Vec<Move> {
    let mut line = Vec::new();
    let mut position = root.clone();
    // Each move is one ply nearer to the mate, so the loop ends.
    while let Ok(value) = resolved(subject, &position)
        && let Some(next) = value.dtm.and_then(Dtm::one_less)
    {
        let valued = Valued::new(subject, &position);
        let keeps = |mv: &&Move| valued.dtm_after(**mv) == Ok(Some(next));
        let text = |mv: &&Move| board::uci_text(**mv, position.castles().mode());
        let Some(&best) = valued.moves.iter().filter(keeps).min_by_key(text) else { break };
        line.push(best);
        position = board::after(&position, best);
    }
    line
}

/// A line in UCI notation, with spaces between its moves.
pub(super) fn uci_line(root: &Chess, line: &[Move]) -> String {
    let mode = root.castles().mode();
    line.iter().map(|&mv| board::uci_text(mv, mode)).collect::<Vec<_>>().join(" ")
}
