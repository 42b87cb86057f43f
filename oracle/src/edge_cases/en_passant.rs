//! Positions with an en passant right, made from placements.

use shakmaty::{CastlingMode, Chess, Position, Rank, Setup};

use crate::board::{self, Accept};
use crate::positions::{Men, Placement};

/// The positions with the men of a placement in which the other side's last move was a double step, and an en
/// passant capture is legal: one for each such step.
pub(super) fn positions(placement: &Placement) -> impl Iterator<Item = Chess> + '_ {
    let &Placement { ref board, turn, .. } = placement;
    let rank = turn.fold_wb(Rank::Fifth, Rank::Fourth);
    let ours = board.pawns() & board.by_color(turn) & shakmaty::Bitboard::from_rank(rank);
    let theirs = if ours.any() { board.pawns() & board.by_color(!turn) } else { shakmaty::Bitboard::EMPTY };
    let behind = turn.fold_wb(8, -8);
    (theirs & shakmaty::Bitboard::from_rank(rank)).into_iter().filter_map(move |stepped| {
        let passed = stepped.offset(behind)?;
        let setup = Setup { board: board.clone(), turn, ep_square: Some(passed), ..Setup::empty() };
        let position = board::from_setup(setup, CastlingMode::Standard, Accept::Legal).ok()?;
        position.legal_ep_square().map(|_| position)
    })
}

/// Whether both sides of a table have a pawn.
pub(super) fn is_possible(men: &Men) -> bool {
    men.name().split('v').all(|side| side.contains('P'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn en_passant_rights_are_made_where_a_capture_is_legal() {
        let check = |fen: &str, expected: &[&str]| {
            let setup = board::setup(fen).unwrap();
            let placement =
                Placement { number: 0, board: setup.board, turn: setup.turn, legal: None, class_size: None };
            let found: Vec<String> = positions(&placement).map(|found| board::fen(&found)).collect();
            assert_eq!(found, expected, "{fen}");
        };
        check("8/8/8/3Pp3/8/8/8/K6k w - - 0 1", &["8/8/8/3Pp3/8/8/8/K6k w - e6 0 1"]);
        check("8/8/8/8/3Pp3/8/8/K6k b - - 0 1", &["8/8/8/8/3Pp3/8/8/K6k b - d3 0 1"]);
        check(
            "8/8/8/2pPp3/8/8/8/K6k w - - 0 1",
            &["8/8/8/2pPp3/8/8/8/K6k w - c6 0 1", "8/8/8/2pPp3/8/8/8/K6k w - e6 0 1"],
        );
        // Not the right rank, not beside it, a man where the pawn came from, and a capture that opens a line
        // to the king.
        check("8/8/3Pp3/8/8/8/8/K6k w - - 0 1", &[]);
        check("8/8/8/3P1p2/8/8/8/K6k w - - 0 1", &[]);
        check("8/4k3/8/3Pp3/8/8/8/K7 w - - 0 1", &[]);
        check("8/8/8/K2Pp2r/8/8/8/7k w - - 0 1", &[]);
    }
}
