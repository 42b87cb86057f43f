//! The rule that a move generator breaks, by the moves that it has too many or lacks.

use std::collections::BTreeSet;

use shakmaty::uci::UciMove;
use shakmaty::{Chess, File, Move, Piece, Position, Rank, Role, Square, attacks};
use suites::SharedCause;

use super::{Spelling, legal_move};

/// The rule that is broken by all of these moves in UCI notation: illegal ones in a list, and legal ones that it lacks.
/// `None` if there are several rules, or if the moves tell none.
pub fn broken_rule<'a>(
    position: &Chess,
    extra: impl IntoIterator<Item = &'a str>,
    missing: impl IntoIterator<Item = &'a str>,
) -> Option<SharedCause> {
    let extra = extra.into_iter().map(|text| of_extra(position, text));
    let rules: BTreeSet<_> =
        extra.chain(missing.into_iter().map(|text| of_missing(position, text))).collect();
    if rules.len() == 1 { rules.into_iter().next().flatten() } else { None }
}

fn of_missing(position: &Chess, text: &str) -> Option<SharedCause> {
    match legal_move(position, text, Spelling::Tolerant)? {
        Move::Castle { .. } => Some(SharedCause::NoCastling),
        Move::EnPassant { .. } => Some(SharedCause::NoEnPassant),
        Move::Normal { promotion: Some(_), .. } => Some(SharedCause::NoPromotion),
        _ => None,
    }
}

fn of_extra(position: &Chess, text: &str) -> Option<SharedCause> {
    // A legal move that stands there twice, or is spelt otherwise, breaks none of the rules.
    if legal_move(position, text, Spelling::Tolerant).is_some() {
        return None;
    }
    let UciMove::Normal { from, to, promotion } = text.parse().ok()? else { return None };
    let (board, turn) = (position.board(), position.turn());
    let man = board.piece_at(from).filter(|man| man.color == turn)?;
    let is_free = !board.occupied().contains(to);
    match man.role {
        Role::King if is_castling(position, from, to) => Some(SharedCause::ExtraCastling),
        Role::Pawn if is_free && attacks::pawn_attacks(turn, from).contains(to) => {
            let passed = board.piece_at(Square::from_coords(to.file(), from.rank()));
            let is_passed = passed == Some(Role::Pawn.of(!turn))
                && from.rank() == turn.fold_wb(Rank::Fifth, Rank::Fourth);
            is_passed.then_some(SharedCause::ExtraEnPassant)
        }
        role => {
            let reaches = match role {
                Role::Pawn if is_free => is_push(position, from, to),
                Role::Pawn => attacks::pawn_attacks(turn, from).contains(to),
                _ => attacks::attacks(from, man, board.occupied()).contains(to),
            };
            let mut after = board.clone();
            after.discard_piece_at(from);
            after.set_piece_at(to, Piece { color: turn, role: promotion.unwrap_or(role) });
            let king = after.king_of(turn)?;
            let leaves_check = after.attacks_to(king, !turn, after.occupied()).any();
            (reaches && !board.by_color(turn).contains(to) && leaves_check).then_some(SharedCause::IntoCheck)
        }
    }
}

/// Whether a king on its first rank goes two squares or more to the file c or g, or onto a rook of its own.
fn is_castling(position: &Chess, from: Square, to: Square) -> bool {
    let turn = position.turn();
    let home = turn.fold_wb(Rank::First, Rank::Eighth);
    let is_far = from.file().distance(to.file()) > 1;
    let is_usual = is_far && [File::C, File::G].contains(&to.file());
    let is_onto_rook = position.board().piece_at(to) == Some(Role::Rook.of(turn));
    from.rank() == home && to.rank() == home && (is_usual || is_onto_rook)
}

/// Whether a pawn gets there without a capture.
fn is_push(position: &Chess, from: Square, to: Square) -> bool {
    let (ahead, home) = position.turn().fold_wb((8, Rank::Second), (-8, Rank::Seventh));
    let Some(one) = from.offset(ahead) else { return false };
    let is_double = from.rank() == home
        && !position.board().occupied().contains(one)
        && from.offset(2 * ahead) == Some(to);
    one == to || is_double
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Accept, position};

    #[track_caller]
    fn check(fen: &str, extra: &[&str], missing: &[&str], expected: Option<SharedCause>) {
        let position = position(fen, Accept::Legal).unwrap();
        assert_eq!(broken_rule(&position, extra.iter().copied(), missing.iter().copied()), expected, "{fen}");
    }

    #[test]
    fn moves_name_the_rule_that_is_broken() {
        use SharedCause::{ExtraCastling, ExtraEnPassant, IntoCheck, NoCastling, NoEnPassant, NoPromotion};
        let castles = "3k1r2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        check(castles, &["e1g1"], &[], Some(ExtraCastling));
        check(castles, &["e1h1"], &[], Some(ExtraCastling));
        check(castles, &[], &["e1c1"], Some(NoCastling));
        check(castles, &["e1g1"], &["e1c1"], None);
        check(castles, &["e1e3"], &[], None);
        // In Chess960 the king may come from any file.
        check("4kr2/8/8/8/8/8/8/1K5R w - - 0 1", &["b1g1"], &[], Some(ExtraCastling));
        check("4kr2/8/8/8/8/8/8/1K5R w - - 0 1", &["b1f1"], &[], None);
        check("8/8/8/8/8/8/4k3/2K5 w - - 0 1", &["c1d1"], &[], Some(IntoCheck));
        // A legal move, twice in the list or spelt otherwise.
        check(castles, &["e1c1"], &[], None);
        check(castles, &["e1a1"], &[], None);
        check("6k1/8/8/8/8/8/8/R2QK2R w KQ - 0 1", &["e1d1"], &[], None);
        check("6k1/8/8/8/8/8/8/R2QK2R w KQ - 0 1", &["e1c1"], &[], Some(ExtraCastling));
        check("7k/Pp6/8/8/8/8/8/K7 w - - 0 1", &["a7b8q"], &[], None);
        check(castles, &["e1f1", "e1f2"], &[], Some(IntoCheck));
        let pinned = "8/8/8/KPp4r/8/8/8/4k3 w - c6 0 1";
        check(pinned, &["b5c6"], &[], Some(ExtraEnPassant));
        check(pinned, &["b5a6"], &[], None);
        check("8/8/8/K1PpP2r/8/8/8/4k3 w - d6 0 1", &[], &["c5d6", "e5d6"], Some(NoEnPassant));
        check("8/8/8/K1PpP2r/8/8/8/4k3 w - d6 0 1", &[], &["c5d6", "c5c6"], None);
        check("8/P1k5/K7/8/8/8/8/8 w - - 0 1", &[], &["a7a8n", "a7a8q"], Some(NoPromotion));
        let knight = "4k3/4r3/8/8/8/4N3/8/4K3 w - - 0 1";
        check(knight, &["e3d5"], &[], Some(IntoCheck));
        // No knight moves so.
        check(knight, &["e3d4"], &[], None);
        let pawn = "8/8/8/7k/K2P3r/8/8/8 w - - 0 1";
        check(pawn, &["d4d5"], &[], Some(IntoCheck));
        check(pawn, &["d4d6"], &[], None);
        check("8/8/8/8/8/7k/3P4/K6r w - - 0 1", &["d2d3", "d2d4"], &[], Some(IntoCheck));
        check("8/8/8/8/8/3p3k/3P4/K6r w - - 0 1", &["d2d4"], &[], None);
        check(knight, &["e8d8", "0000", "x"], &[], None);
        check(knight, &[], &[], None);
    }
}
