//! Brute force: the shortest mate by trying all moves of both sides under the rules on draws. No hash table,
//! no move order, no code of the prover.

use crate::Game;

/// The shortest distance at which the side to move mates or is mated, up to a limit whose parity decides
/// which.
pub(super) fn shortest(game: &Game, most: u16) -> Option<u16> {
    let attacking = most % 2 == 1;
    let moves = game.position().legal_moves();
    if moves.is_empty() {
        return (!attacking && game.position().checkers().any()).then_some(0);
    }
    if most == 0 {
        return None;
    }
    let after = |mv| {
        let mut next = game.clone();
        next.play(mv).unwrap();
        let over = !next.position().is_checkmate() && (next.claim().is_some() || next.outcome().is_some());
        if over { None } else { shortest(&next, most - 1) }
    };
    let heights = moves.into_iter().map(after);
    let height = if attacking {
        heights.flatten().min()
    } else {
        heights.collect::<Option<Vec<_>>>()?.into_iter().max()
    };
    height.map(|plies| plies + 1)
}
