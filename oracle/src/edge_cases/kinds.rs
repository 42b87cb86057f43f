//! The kinds of edge case that a position belongs to.

use shakmaty::{Chess, Move, Position, Role};
use suites::rows::EdgeCase;

use super::values::Valued;
use crate::board;
use crate::positions::Placement;
use crate::table_probe::{TableProbe, TableValue, Wdl};

/// A set of kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Kinds(u32);

impl Kinds {
    pub(super) fn add(&mut self, kind: EdgeCase) {
        self.0 |= 1 << kind as u32;
    }

    pub(super) fn contains(self, kind: EdgeCase) -> bool {
        self.0 >> kind as u32 & 1 == 1
    }

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// The kinds of a placement without an en passant right. The longest win is not among them: it is known only
/// after the walk.
pub(super) fn of_placement(
    subject: &dyn TableProbe,
    placement: &Placement,
    position: &Chess,
    value: &TableValue,
) -> Kinds {
    let mut kinds = without_value(position);
    if !kinds.is_empty() {
        return kinds;
    }
    let valued = Valued::new(subject, position);
    match value.wdl {
        Wdl::Win => of_win(&valued, &mut kinds),
        Wdl::Draw => of_draw(&valued, &mut kinds),
        // A side in check cannot pass the move.
        Wdl::Loss if !position.is_check() => {
            let kind = match subject.probe(&placement.board, !placement.turn).map(|value| value.wdl) {
                Ok(Wdl::Loss) => EdgeCase::MutualZugzwangFull,
                Ok(Wdl::Draw) => EdgeCase::MutualZugzwangHalf,
                _ => return kinds,
            };
            kinds.add(EdgeCase::MutualZugzwang);
            kinds.add(kind);
        }
        Wdl::Loss => {}
    }
    kinds
}

/// The kinds of a position that its rules decide: checkmate and stalemate.
pub(super) fn without_value(position: &Chess) -> Kinds {
    let mut kinds = Kinds::default();
    if position.legal_moves().is_empty() {
        kinds.add(if position.is_check() { EdgeCase::Checkmate } else { EdgeCase::Stalemate });
    }
    kinds
}

/// The kinds of a position in which an en passant capture is legal.
pub(super) fn of_en_passant(subject: &dyn TableProbe, position: &Chess) -> Kinds {
    let mut kinds = Kinds::default();
    let valued = Valued::new(subject, position);
    if valued.moves.iter().all(|mv| mv.is_en_passant()) {
        kinds.add(EdgeCase::EnPassantOnly);
    }
    let mut captures = 0;
    for &mv in &valued.moves {
        if valued.wdl_after(mv) == Some(Wdl::Loss) {
            if !mv.is_en_passant() {
                return kinds;
            }
            captures += 1;
        }
    }
    if captures > 0 {
        kinds.add(EdgeCase::EnPassantWins);
    }
    kinds
}

fn of_win(valued: &Valued, kinds: &mut Kinds) {
    let (mut roles, mut only_promotes, mut only_sacrifices) = (Vec::new(), true, true);
    for &mv in &valued.moves {
        if valued.wdl_after(mv) != Some(Wdl::Loss) {
            continue;
        }
        match underpromotion(mv) {
            Some(role) => roles.push(role),
            None => only_promotes = false,
        }
        // The other side's captures: whether it can take a man of ours at once.
        only_sacrifices = only_sacrifices && !board::after(valued.position, mv).capture_moves().is_empty();
        if !only_promotes && !only_sacrifices {
            return;
        }
    }
    // A table that states a win and has no winning move is wrong.
    if only_promotes && !roles.is_empty() {
        kinds.add(EdgeCase::Underpromotion);
        let [knight, bishop, rook] =
            [EdgeCase::UnderpromotionKnight, EdgeCase::UnderpromotionBishop, EdgeCase::UnderpromotionRook];
        add_role(&roles, [knight, bishop, rook], kinds);
    }
    if only_sacrifices && (!only_promotes || !roles.is_empty()) {
        kinds.add(EdgeCase::Sacrifice);
    }
}

fn of_draw(valued: &Valued, kinds: &mut Kinds) {
    if !valued.moves.iter().any(|&mv| underpromotion(mv).is_some()) {
        return;
    }
    let mut roles = Vec::new();
    for &mv in &valued.moves {
        if valued.wdl_after(mv) == Some(Wdl::Draw) {
            let Some(role) = underpromotion(mv) else { return };
            roles.push(role);
        }
    }
    if !roles.is_empty() {
        kinds.add(EdgeCase::UnderpromotionDraws);
        let of_role = [
            EdgeCase::UnderpromotionDrawsKnight,
            EdgeCase::UnderpromotionDrawsBishop,
            EdgeCase::UnderpromotionDrawsRook,
        ];
        add_role(&roles, of_role, kinds);
    }
}

/// Adds the kind of knight, bishop or rook if all these promotions are to one of them.
fn add_role(roles: &[Role], of_role: [EdgeCase; 3], kinds: &mut Kinds) {
    for (role, kind) in [Role::Knight, Role::Bishop, Role::Rook].into_iter().zip(of_role) {
        if roles.iter().all(|&promoted| promoted == role) {
            kinds.add(kind);
        }
    }
}

/// The role to which this move promotes a pawn, if it is not a queen.
fn underpromotion(mv: Move) -> Option<Role> {
    mv.promotion().filter(|&role| role != Role::Queen)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, Color};

    use super::*;
    use crate::board::Accept;
    use crate::table_probe::{Dtm, ProbeError};

    /// A table that states a loss on some boards, and a draw on all others.
    struct Losses(fn(&Board) -> bool);

    impl TableProbe for Losses {
        fn name(&self) -> &'static str {
            "losses"
        }

        fn probe(&self, board: &Board, _: Color) -> Result<TableValue, ProbeError> {
            Ok(TableValue::of_dtm((self.0)(board).then_some(Dtm::from_plies(2))))
        }

        fn has_dtz(&self) -> bool {
            false
        }
    }

    #[test]
    fn kinds_of_positions_with_an_en_passant_capture() {
        let check = |fen: &str, lost: fn(&Board) -> bool, expected: &[EdgeCase]| {
            let position = board::position(fen, Accept::ImpossibleCheck).unwrap();
            let kinds = of_en_passant(&Losses(lost), &position);
            let found: Vec<EdgeCase> =
                EdgeCase::ALL.into_iter().filter(|&kind| kinds.contains(kind)).collect();
            assert_eq!(found, expected, "{fen}");
        };
        let taken = |board: &Board| board.pawns().count() == 1;
        // The kings and the pawn have moves too.
        let pawns = "8/8/8/3Pp3/8/8/8/K6k w - e6 0 1";
        check(pawns, taken, &[EdgeCase::EnPassantWins]);
        check(pawns, |_| true, &[]);
        check(pawns, |_| false, &[]);
        // The capture is the only move.
        let only = "8/8/8/8/2pP4/2N5/2K5/k7 b - d3 0 1";
        check(only, |_| false, &[EdgeCase::EnPassantOnly]);
        check(only, taken, &[EdgeCase::EnPassantOnly, EdgeCase::EnPassantWins]);
    }
}
